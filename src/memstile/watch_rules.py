"""Ask git about a vault that is watched, and keep an un-ignored one out of this clone in enforce mode."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memstile.core.appending import appended
from memstile.core.check import check, selected
from memstile.core.facts import Facts, RepositoryFacts
from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.core.text import ignore_pattern, shown
from memstile.core.watch_report import Event, Report, cleared, found
from memstile.errors import GuardError
from memstile.repositories import Repositories
from memstile.safe_write import look, replace
from memstile.standing import Standing
from memstile.watch_git import around, rules_signature
from memstile.watch_vault import Watched

_RULES = selected(RULES, ["MS2"])
_NOT_IGNORED = "MS201"


def surround(watched: Watched, repositories: Repositories) -> None:
    """Find out which repositories could carry a vault."""
    watched.tops = tuple(dict.fromkeys(row.top for row in repositories.around(watched.vault)))
    watched.repositories = around(watched.tops)


def ask(watched: Watched, standing: Standing, *, is_enforced: bool) -> list[Report]:
    """Ask git about a vault, and say what was not said yet and what holds no more."""
    settings = watched.vault.settings
    if settings.git_mode == "off" or watched.vault.mode == "shared":
        return []
    findings, rows = _found(watched, standing)
    key = f"{_NOT_IGNORED} {watched.vault.shown}"
    reports: list[Report] = []
    if is_enforced and settings.git_mode == "enforce" and key in findings and key not in watched.known.git_told:
        reports = [report for row in rows for report in _excluded(row, watched, standing)]
        findings, _ = _found(watched, standing)
    return reports + _news(watched, findings)


def _found(watched: Watched, standing: Standing) -> tuple[dict[str, Finding], tuple[RepositoryFacts, ...]]:
    """Ask, and give the findings by what they are told under."""
    watched.rules = rules_signature(watched.repositories, watched.folder)
    rows = _facts(watched, standing)
    findings = check([Facts(watched.vault.shown, watched.vault.settings, watched.vault.mode, (), rows)], _RULES)
    is_whole = all([asked.path for asked in row.asked] == [row.unit] for row in rows)
    watched.is_partly_ignored = not is_whole and all(row.code != _NOT_IGNORED for row in findings)
    return {f"{row.code} {row.path}": row for row in findings if row.severity > Severity.INFO}, rows


def _facts(watched: Watched, standing: Standing) -> tuple[RepositoryFacts, ...]:
    repositories = Repositories(standing)
    surround(watched, repositories)
    return repositories.facts([watched.vault], with_history=False).get(watched.vault.real, ())


def _news(watched: Watched, findings: Mapping[str, Finding]) -> list[Report]:
    about = Report(Event.FOUND, watched.vault.shown, watched.vault.shown, watched.index)
    known = watched.known.git_told
    news = [found(row, about) for key, row in findings.items() if key not in known]
    gone = [key.partition(" ")[::2] for key in known if key not in findings]
    watched.known = watched.known._replace(git_told=tuple(findings))
    return news + [cleared(code, about._replace(path=path)) for code, path in gone]


def _excluded(row: RepositoryFacts, watched: Watched, standing: Standing) -> list[Report]:
    """Add a rule to .git/info/exclude for a unit that nothing ignores; take it out again if another rule wins over it.

    The path of the file is the same for all work trees of a repository, and it is in no commit.
    """
    if row.fault or not row.unit or all(asked.is_ignored for asked in row.asked):
        return []
    top = standing.absolute(row.top or ".")
    common = next((place.common for place in watched.repositories if os.path.realpath(top) == place.top), "")
    rule = ignore_pattern(row.unit, is_directory=row.unit_kind == "folder")
    path = os.path.join(common, "info", "exclude")
    about = Report(Event.CLEARED, watched.vault.shown, watched.vault.shown, watched.index, _NOT_IGNORED)
    if not common:
        return []
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        seen = look(path, standing.shown(path))
        replace(seen, appended(seen.data, os.fsencode(rule)))
        if not _is_ignored(row, _facts(watched, standing)):
            replace(look(path, standing.shown(path)), seen.data)
            return []
    except (OSError, GuardError) as error:
        why = shown(getattr(error, "message", "") or str(error))
        return [about._replace(event=Event.TROUBLE, code="", message=f"no rule could be added to {shown(path)}: {why}")]
    return [
        about._replace(
            message=f"git did not ignore the vault: {shown(rule)} was added to {shown(standing.shown(path))}",
            hint="other clones do not have that file: `memstile fix` adds the rule to .gitignore",
        )
    ]


def _is_ignored(row: RepositoryFacts, rows: tuple[RepositoryFacts, ...]) -> bool:
    same = [now for now in rows if (now.top, now.unit) == (row.top, row.unit)]
    return any(not now.fault and all(asked.is_ignored for asked in now.asked) for now in same)
