"""`memstile doctor`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from memstile import __version__
from memstile.cli.terminal import say, standing
from memstile.core.text import counted
from memstile.doctor import LEFT, NAMES, examined
from memstile.doctor_check import Check, Group, State, counts, exit_code
from memstile.report.console import json_text


@click.command("doctor", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("hosts", metavar="[HOST]...", nargs=-1, type=click.Choice(NAMES))
@click.option("--json", "is_json", is_flag=True, help="Write one JSON object.")
def command(hosts: tuple[str, ...], is_json: bool) -> int:
    """Prove that the guards work here: each layer is tried, not assumed.

    Without HOST it looks at each host that is set up or on PATH, and at this repository's commit hook. It sends a write
    that has to be refused through the very command line in the host's settings, and looks for what would keep a host
    from running it: a switch, a folder or hook that is not trusted, a matcher that never fires, another version.

    \b
    memstile doctor                   all that is here
    memstile doctor codex gemini      these hosts
    memstile doctor git               the commit hook

    A check is ok, bad, off (by somebody's wish), or unknown, and then it may be either. Nothing is mended; the hint of
    a line says what would.

    \b
    Exit codes: 0 all ok, 1 something is bad or off, 2 something could not be told.
    """
    groups = examined(hosts, standing())
    code = exit_code(groups)
    if is_json:
        say([json_text(document(groups)).rstrip("\n")])
    else:
        say(lines(groups))
    return code


def document(groups: Sequence[Group]) -> dict[str, object]:
    """Give what was found as one object."""
    rows = [{"title": group.title, "place": group.place, "checks": list(map(_row, group.checks))} for group in groups]
    found = {state.value: count for state, count in counts(groups).items()}
    return {"memstile": __version__, "counts": found, "groups": rows, "left": LEFT}


def _row(check: Check) -> dict[str, str]:
    return {**check._asdict(), "state": check.state.value}


def lines(groups: Sequence[Group]) -> list[str]:
    """Lay it out for a person: a block a host, a line a check, a hint where there is one."""
    told: list[str] = []
    width = max((len(check.name) for group in groups for check in group.checks), default=0)
    for group in groups:
        told += ["", f"{group.title}  ({group.place})"] if told else [f"{group.title}  ({group.place})"]
        for check in group.checks:
            told.append(f"  {check.state.value:<7}  {check.name:<{width}}  {check.seen}")
            if check.state is not State.OK:
                told.append(f"  {'':<7}  {'':<{width}}  tried: {check.tried}")
            if check.hint:
                told.append(f"  {'':<7}  {'':<{width}}  hint: {check.hint}")
    return [*told, "", _sum(groups), LEFT]


def _sum(groups: Sequence[Group]) -> str:
    found = counts(groups)
    several = counted(sum(found.values()), "check")
    return f"{several}: " + ", ".join(f"{count} {state.value}" for state, count in found.items() if count)
