"""`memstile init`."""

from __future__ import annotations

import click

from memstile.cli.terminal import say, standing
from memstile.core.text import counted
from memstile.errors import ExitCode
from memstile.installing import Plan, Request, plan_install
from memstile.installing_record import alone
from memstile.installing_repository import REPOSITORY_HOOKS, plan_repository
from memstile.setups import SETUPS


@click.command("init", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("host", metavar="HOST", type=click.Choice([*SETUPS, *REPOSITORY_HOOKS]))
@click.option("--user", "scope", flag_value="user", default="user", help="For you, in every project. The default.")
@click.option("--project", "scope", flag_value="project", help="For this project only, and write its memstile.toml.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Show the steps and stop.")
@click.option("--force", "is_forced", is_flag=True, help="Install for a version, or from a place, that is refused.")
@click.option(
    "--on-error",
    type=click.Choice(["open", "closed"]),
    help="When memstile itself fails: let the call through, or refuse it. Default: gate.on_error of your settings.",
)
@click.option("--no-control", "has_control", flag_value=False, default=True, help="Leave out memstile's MCP server.")
def command(host: str, scope: str, is_dry: bool, is_forced: bool, on_error: str | None, has_control: bool) -> int:
    """Set memstile up in an agent host, or for git, step by step.

    HOST is an agent host: claude-code, dsh, codex, gemini, copilot, cursor, windsurf, cline or opencode. Its own
    settings file gets our hooks; what else is in there stays as it is, and the file as it was stays beside it. Or it is
    pre-commit, git (a plain hook) or github-actions, for this repository.

    \b
    memstile init claude-code             your hooks for Claude Code
    memstile init codex --dry-run         show what would be done
    memstile init gemini --project        this project only
    memstile init cursor --on-error closed
                                          refuse what cannot be judged
    memstile init pre-commit              a hook in .pre-commit-config.yaml
    memstile init git                     a hook in .git/hooks, before the one
                                          that is there

    The MCP server has two tools: one declares what a turn is about, for the turn gate, one tells how things stand. It
    needs the extra memstile[mcp]; its tools get leave to run unasked where the host has a setting for that.

    All steps are shown first. A second run changes nothing. Where a vault in this project is not ignored by git, its
    rule is added. To take it all out again: memstile uninstall HOST.

    \b
    Exit codes: 0 set up, or nothing to do; 2 refused, or could not.
    """
    here = standing()
    with alone(here.environment):
        if host in REPOSITORY_HOOKS:
            plan = plan_repository(host, here)
        else:
            plan = plan_install(Request(host, scope == "project", is_forced, on_error or "", has_control), here)
        return carry_out(plan, is_dry=is_dry, nothing="nothing to do: it is set up")


def carry_out(plan: Plan, *, is_dry: bool, nothing: str) -> int:
    """Show a plan and, unless it is only to be shown, carry it out."""
    say(plan.heading)
    for number, step in enumerate(plan.steps, 1):
        say([f"{number}. {step.title}", *(f"     {line}" for line in step.lines)])
    if not plan.steps:
        say([nothing])
    if not is_dry:
        for number, step in enumerate(plan.steps, 1):
            step.do()
            say([*([""] if number == 1 else []), f"step {number} of {len(plan.steps)} done"])
        plan.finish()
    elif plan.steps:
        say(["", f"nothing was changed: {counted(len(plan.steps), 'step')} to do"])
    say(["", *(f"note: {line}" for line in plan.notes)] if plan.notes else [])
    return ExitCode.CLEAN
