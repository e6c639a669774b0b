"""`memstile service`."""

from __future__ import annotations

import click

from memstile.cli.init import carry_out
from memstile.cli.terminal import say, standing
from memstile.core.text import shown
from memstile.errors import ExitCode
from memstile.installing_record import alone
from memstile.service import plan_install, plan_removal, status

_NAMES = {"help_option_names": ["-h", "--help"]}
_DRY = click.option("--dry-run", "is_dry", is_flag=True, help="Show the steps and stop.")


@click.group("service", context_settings=_NAMES)
def command() -> None:
    """Run `memstile watch` in the background: by systemd on Linux, by launchd on macOS. It needs no root.

    The system starts it when you log in, and anew whenever it ends. `memstile status` shows what it watches.
    """


@command.command("install", context_settings=_NAMES)
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...")
@_DRY
@click.option("--force", "is_forced", is_flag=True, help="Also from a place that will not last.")
def install(paths: tuple[str, ...], is_dry: bool, is_forced: bool) -> int:
    """Watch PATHs from now on.

    PATH is a vault, or a folder with vaults below it. Without one: what `memstile watch` watches in this folder. There
    is one service for you: its PATHs are replaced by those you give.

    \b
    memstile service install                   the vaults of this folder
    memstile service install ~/.notes ~/work   those of two others
    memstile service install --dry-run         show what would be done

    \b
    Exit codes: 0 it runs, or nothing to do; 2 refused, or could not, as where
                there is no systemd for you.
    """
    here = standing()
    with alone(here.environment):
        plan = plan_install(paths, here, is_forced=is_forced)
        return carry_out(plan, is_dry=is_dry, nothing="nothing to do: it runs")


@command.command("uninstall", context_settings=_NAMES)
@_DRY
def uninstall(is_dry: bool) -> int:
    """Stop the service and take it out. What it noted and kept stays.

    \b
    Exit codes: 0 taken out, or nothing to do; 2 could not.
    """
    here = standing()
    with alone(here.environment):
        return carry_out(plan_removal(here), is_dry=is_dry, nothing="nothing to do: there is no service")


@command.command("status", context_settings=_NAMES)
def status_command() -> int:
    """Show whether the service runs.

    \b
    Exit codes: 0 it runs, 1 it does not, or is not installed,
                2 could not tell.
    """
    found = status(standing())
    if not found.is_installed:
        say(["service  not installed; `memstile service install` does it"])
        return ExitCode.FINDINGS
    word = "runs" if found.is_running else "does not run; `memstile service install` starts it"
    say([f"service  {word}", f"file     {found.place}, of {found.manager}", f"log      {shown(found.log)}"])
    return ExitCode.CLEAN if found.is_running else ExitCode.FINDINGS
