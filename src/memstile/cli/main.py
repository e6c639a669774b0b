"""The `memstile` program: finds the command, runs it, and turns every ending into an exit code."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

import click

from memstile import __version__
from memstile.cli.terminal import ReaderGone
from memstile.core.text import shown
from memstile.errors import ExitCode, GuardError

COMMANDS = {
    "check": ("memstile.cli.check", "Check vaults: size of the index, and what git would carry."),
    "fix": ("memstile.cli.fix", "Ignore and untrack vaults, step by step."),
    "watch": ("memstile.cli.watch", "Watch vaults on disk, whoever writes."),
    "status": ("memstile.cli.status", "Show what is guarded here, and whether it is on."),
    "history": ("memstile.cli.history", "Draw the size of an index over time."),
    "restore": ("memstile.cli.restore", "Give an index back what it held before."),
    "gate": ("memstile.cli.gate", "Replay what an agent did through the turn gate."),
    "audit": ("memstile.cli.audit", "Show, count, verify and export the decision log."),
    "classify": ("memstile.cli.classify", "Declare a turn simple or complex, from an agent's shell."),
    "mcp": ("memstile.cli.mcp", "Serve the tool that declares a turn, to an agent's host."),
    "pause": ("memstile.cli.pause", "Let every tool call through for a while."),
    "service": ("memstile.cli.service", "Run the watcher in the background."),
    "init": ("memstile.cli.init", "Set memstile up in an agent host, or for git."),
    "doctor": ("memstile.cli.doctor", "Prove that the guards work here, layer by layer."),
    "uninstall": ("memstile.cli.uninstall", "Take out what init set up."),
    "rule": ("memstile.cli.rule", "Explain a rule, or list them all."),
}
"""Name: (module, summary). A module has a click command `command`; it is imported only when it runs."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from memstile.cli.meant import meant

            # What click (8.4 and later) suggests is taken from commands that are loaded: none is before it runs.
            if near := meant(args[0], COMMANDS):
                raise GuardError(f"No such command {args[0]!r}", near)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="memstile", message="%(prog)s %(version)s")
def cli() -> None:
    """Keep an AI agent's memory vault loadable, private and honest.

    A vault is a folder of markdown notes with one index, MEMORY.md. `memstile check` looks at all vaults below this
    folder; `memstile rule` explains what it says; `memstile fix` mends what git would give away.

    \b
    Exit codes: 0 clean, 1 findings, 2 usage, settings or could not check,
                3 a bug in memstile, 130 interrupted.
    """


def run(words: Sequence[str]) -> int:
    """Run one command line and give its exit code. Our own trouble goes to standard error."""
    try:
        code = cli.main(args=list(words), prog_name="memstile", standalone_mode=False)
        return code if isinstance(code, int) else ExitCode.CLEAN
    except GuardError as error:
        _trouble(error.message, error.hint)
        return ExitCode.NOT_CHECKED
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        return ExitCode.NOT_CHECKED
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        # click puts the choices of an argument on lines of their own.
        message = error.format_message().replace("\n\t", " ").rstrip(".")
        _trouble(message, f"see `{context.command_path} --help`" if context else "")
        return ExitCode.NOT_CHECKED
    except (click.Abort, KeyboardInterrupt):
        _trouble("interrupted", "")
        return ExitCode.INTERRUPTED
    except ReaderGone:
        return ExitCode.NOT_CHECKED
    except Exception:
        sys.__excepthook__(*sys.exc_info())
        _trouble("this is a bug in memstile", "report it with the lines above; they hold no note text")
        return ExitCode.BUG


def _trouble(message: str, hint: str) -> None:
    click.echo(f"memstile: {_safe(message)}" + (f"\n  hint: {_safe(hint)}" if hint else ""), err=True)


def _safe(text: str) -> str:
    return "\n".join(shown(line) for line in text.split("\n"))


def main() -> None:
    """Run `memstile` for the shell."""
    sys.exit(run(sys.argv[1:]))
