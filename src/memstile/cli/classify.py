"""`memstile classify`."""

from __future__ import annotations

import click

from memstile.cli.terminal import say
from memstile.core.control_words import TASKS, declared_in_shell


@click.command("classify", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("task", type=click.Choice(tuple(TASKS)))
def command(task: str) -> None:
    """Declare this turn simple or complex, from an agent's shell tool; a hook of the host has to see the call.

    It is for hosts without the tool `classify` of `memstile mcp`. The command has to be exactly one of these, by
    itself. Nothing is stored by it.

    \b
    memstile classify simple
    memstile classify complex

    \b
    Exit codes: 0 declared, 2 usage.
    """
    say([declared_in_shell(TASKS[task])])
