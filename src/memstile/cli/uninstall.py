"""`memstile uninstall`."""

from __future__ import annotations

import click

from memstile.cli.init import carry_out
from memstile.cli.terminal import standing
from memstile.installing import Request, plan_removal
from memstile.installing_record import alone
from memstile.installing_repository import REPOSITORY_HOOKS, plan_repository_removal
from memstile.setups import SETUPS


@click.command("uninstall", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("host", metavar="HOST", type=click.Choice([*SETUPS, *REPOSITORY_HOOKS]))
@click.option("--user", "scope", flag_value="user", default="user", help="What was set up for you. The default.")
@click.option("--project", "scope", flag_value="project", help="What was set up for this project.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Show the steps and stop.")
def command(host: str, scope: str, is_dry: bool) -> int:
    """Take out what `memstile init` set up in a host.

    A settings file that nobody changed since is put back byte for byte; out of any other only our entries are taken.
    The skill goes, and the launcher with the last host. Vaults, memstile.toml, ignore rules and your settings stay.

    \b
    memstile uninstall claude-code            what `memstile init` wrote for you
    memstile uninstall codex --project        what it wrote for this project
    memstile uninstall pre-commit --dry-run   show what would be done

    \b
    Exit codes: 0 taken out, or nothing to do; 2 could not.
    """
    here = standing()
    with alone(here.environment):
        if host in REPOSITORY_HOOKS:
            plan = plan_repository_removal(host, here)
        else:
            plan = plan_removal(Request(host, scope == "project"), here)
        return carry_out(plan, is_dry=is_dry, nothing="nothing to do: nothing of memstile is there")
