"""What the watcher says: one value for the terminal, JSON Lines, the log and the notes for a model."""

from __future__ import annotations

from memstile.core.choice import Enum
from memstile.core.finding import Finding
from memstile.core.measure import Size
from memstile.core.record import NamedTuple
from memstile.core.text import shown


class Event(Enum):
    """What a report is about."""

    STARTED = "started"  # a vault is watched from now on
    SEEN = "seen"  # a settled change
    FOUND = "found"  # a finding
    CLEARED = "cleared"  # what a finding said holds no more
    RESTORED = "restored"  # an index was put back
    NOT_RESTORED = "not_restored"  # in enforce mode, and why not
    GONE = "gone"  # a vault's folder cannot be reached
    BACK = "back"  # it can again, or is another one
    TROUBLE = "trouble"  # of our own, or of the system's
    STOPPED = "stopped"


class Report(NamedTuple):
    """One report. vault, path: as shown, not escaped; file: of the index, absolute, "" for none. code, severity: of a
    finding. message, hint: one sentence each, names in them escaped. commands: ready to paste. before, after: sizes.
    place: absolute, where rejected content is kept."""

    event: Event
    vault: str = ""
    path: str = ""
    file: str = ""
    code: str = ""
    severity: str = ""
    message: str = ""
    hint: str = ""
    commands: tuple[str, ...] = ()
    before: Size | None = None
    after: Size | None = None
    place: str = ""


_CLEARED = {
    "MS102": "within its hard cap again",
    "MS103": "within its soft cap again",
    "MS104": "hosts load all of it again",
    "MS106": "it can be measured again",
}


def cleared(code: str, about: Report) -> Report:
    """Say that what a finding said holds no more."""
    return about._replace(event=Event.CLEARED, code=code, message=_CLEARED.get(code, f"{code} holds no more"))


def found(finding: Finding, about: Report) -> Report:
    """Make a report of a finding. about: vault, index and sizes."""
    return about._replace(
        event=Event.FOUND,
        path=finding.path,
        code=finding.code,
        severity=finding.severity.name.lower(),
        message=finding.message,
        hint=finding.hint,
        commands=finding.commands,
    )


def document(report: Report, time: float) -> dict[str, object]:
    """Give a report as one JSON object. time: seconds since 1970. Names of what is empty are left out."""
    sizes = {
        f"{name}_{when}": getattr(size, name)
        for when, size in (("before", report.before), ("after", report.after))
        if size
        for name in ("lines", "bytes")
    }
    texts = {
        name: _sound(value)
        for name, value in report._asdict().items()
        if isinstance(value, str) and value and name != "file"
    }
    commands = {"commands": list(map(_sound, report.commands))} if report.commands else {}
    return {"time": round(time, 3), "event": report.event.value, **texts, **commands, **sizes}


def _sound(text: str) -> str:
    """Give a text that every JSON reader takes: bytes that are no text are escaped."""
    return text if text.isprintable() else shown(text)


def lines(report: Report) -> list[str]:
    """Lay a report out for a person, without its time."""
    where = report.path or report.vault
    head = f"{shown(where)}: " if where else ""
    mark = f"{report.severity} {report.code}: " if report.code and report.event is Event.FOUND else ""
    told = [f"{head}{mark}{report.message}"]
    told += [f"  hint: {report.hint}"] if report.hint else []
    return [*told, *(f"    {shown(command)}" for command in report.commands)]
