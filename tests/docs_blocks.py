"""Read the code blocks of the documentation, and run the console ones as a person would.

python -m tests.docs_blocks FILE...     write what the commands of its console blocks print today into FILE
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = "\x1e"


class Block(NamedTuple):
    """One fenced block. file: relative to the root; line: of its opening fence; span: of its text in the file."""

    file: str
    line: int
    language: str
    text: str
    span: tuple[int, int]


def blocks(file: Path) -> list[Block]:
    """List the fenced blocks of a markdown file that name a language."""
    text = file.read_text("utf-8")
    return [
        Block(str(file.relative_to(ROOT)), text.count("\n", 0, m.start()) + 1, m[1], m[2], m.span(2))
        for m in _FENCE.finditer(text)
    ]


def commands(block: Block) -> list[str]:
    """List the command lines of a console block."""
    return [line.removeprefix("$ ") for line in block.text.splitlines() if line.startswith("$ ")]


def played(block: Block) -> str:
    """Run the commands of a console block in one shell, in a folder with the examples, and write the block anew."""
    with tempfile.TemporaryDirectory() as top:
        work = Path(top, "work")
        shutil.copytree(ROOT / "examples", work / "examples")
        script = "".join(f"{command}\nprintf '{_MARK}'\n" for command in commands(block))
        done = subprocess.run(
            ("bash", "-c", script), cwd=work, env=environment(Path(top)), capture_output=True, text=True, check=False
        )
    assert not done.stderr, done.stderr
    outputs = done.stdout.split(_MARK)
    return "".join(f"$ {command}\n{out}" for command, out in zip(commands(block), outputs, strict=False))


def environment(top: Path) -> dict[str, str]:
    """Give a person's environment: a home of their own, `memstile` on PATH, a terminal of 80 columns."""
    programs = top / "bin"
    programs.mkdir()
    program = programs / "memstile"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memstile "$@"\n')
    program.chmod(0o755)
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    return kept | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "HOME": str(top),
        "COLUMNS": "80",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }


def rewrite(file: Path) -> None:
    """Put today's output into the console blocks of a file."""
    text = file.read_text("utf-8")
    for block in reversed([block for block in blocks(file) if block.language == "console"]):
        text = text[: block.span[0]] + played(block) + text[block.span[1] :]
    file.write_text(text, "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name).resolve())
