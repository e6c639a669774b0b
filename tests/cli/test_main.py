"""cli/main.py: from a command line to an exit code, with our own trouble on standard error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import memstile
from tests.git_tools import environment
from tests.run_tools import Ran
from tests.run_tools import memstile as run

HELP = """\
Usage: memstile [OPTIONS] COMMAND [ARGS]...

  Keep an AI agent's memory vault loadable, private and honest.

  A vault is a folder of markdown notes with one index, MEMORY.md. `memstile
  check` looks at all vaults below this folder; `memstile rule` explains what
  it says; `memstile fix` mends what git would give away.

  Exit codes: 0 clean, 1 findings, 2 usage, settings or could not check,
              3 a bug in memstile, 130 interrupted.

Options:
  --version   Show the version and exit.
  -h, --help  Show this message and exit.

Commands:
  check      Check vaults: size of the index, and what git would carry.
  fix        Ignore and untrack vaults, step by step.
  watch      Watch vaults on disk, whoever writes.
  status     Show what is guarded here, and whether it is on.
  history    Draw the size of an index over time.
  restore    Give an index back what it held before.
  gate       Replay what an agent did through the turn gate.
  audit      Show, count, verify and export the decision log.
  classify   Declare a turn simple or complex, from an agent's shell.
  mcp        Serve the tool that declares a turn, to an agent's host.
  pause      Let every tool call through for a while.
  service    Run the watcher in the background.
  init       Set memstile up in an agent host, or for git.
  doctor     Prove that the guards work here, layer by layer.
  uninstall  Take out what init set up.
  rule       Explain a rule, or list them all.
"""

LINES = [
    pytest.param(("--help",), Ran(0, HELP.encode(), ""), id="--help"),
    pytest.param(("-h",), Ran(0, HELP.encode(), ""), id="-h"),
    pytest.param((), Ran(2, b"", HELP), id="nothing: the help, as an error"),
    pytest.param(("--version",), Ran(0, f"memstile {memstile.__version__}\n".encode(), ""), id="--version"),
    pytest.param(
        ("chekc",), Ran(2, b"", "memstile: No such command 'chekc'\n  hint: did you mean check\n"), id="no command"
    ),
    pytest.param(
        ("FIXX", "--yes"),
        Ran(2, b"", "memstile: No such command 'FIXX'\n  hint: did you mean fix\n"),
        id="no command, with an option of one",
    ),
    pytest.param(
        ("publish",),
        Ran(2, b"", "memstile: No such command 'publish'\n  hint: see `memstile --help`\n"),
        id="a command that is like none",
    ),
    pytest.param(
        ("che\nck\x1b",),
        Ran(2, b"", "memstile: No such command 'che\\nck\\x1b'\n  hint: did you mean check\n"),
        id="a hostile command",
    ),
    pytest.param(
        ("--verbose",),
        Ran(2, b"", "memstile: No such option '--verbose'. Did you mean '--version'?\n  hint: see `memstile --help`\n"),
        id="no option",
    ),
]


@pytest.mark.parametrize(("words", "expected"), LINES)
def test_a_command_line_ends_in_a_code(words: tuple[str, ...], expected: Ran, tmp_path: Path) -> None:
    assert run(*words, cwd=tmp_path, environment=environment(tmp_path / "home")) == expected


def test_a_command_imports_its_own_modules_only() -> None:
    script = "import sys, memstile.cli.main as m; m.run(['rule', 'MS101']); print(*sys.modules, file=sys.stderr)"
    source = str(Path(memstile.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": source}, capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert not loaded & {"memstile.cli.check", "memstile.cli.fix", "memstile.git", "subprocess", "pathspec", "watchdog"}
