"""Ask git which rule decides about a path, for tests that compare it with memstile.ignore."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from memstile.core.facts import Asked, Match
from memstile.ignore import IgnoreFile, IgnoreRules
from tests.git_tools import Repo

EXCLUDE = ".git/info/exclude"


def user_wide(repo: Repo) -> str:
    """Name the file that core.excludesFile names in these tests."""
    return str(repo.path / ".git/user-wide")


def ask_git(repo: Repo, paths: Sequence[str]) -> list[Asked]:
    """Ask about paths relative to the top; one process. git takes ":x" for magic, hence the "./"."""
    flags = ("-c", f"core.excludesFile={user_wide(repo)}", "-c", "core.ignoreCase=false")
    words = ("check-ignore", "--no-index", "-z", "-v", "-n", "--stdin")
    said = repo.git(*flags, *words, stdin=os.fsencode("".join(f"./{path}\0" for path in paths)), accept=(0, 1))
    fields = said.split("\0")[:-1]
    rows = [fields[at : at + 4] for at in range(0, len(fields), 4)]
    matches = [Match(source, int(line), text) if source else None for source, line, text, _ in rows]
    return [Asked(path.removeprefix("./"), match) for (*_, path), match in zip(rows, matches, strict=True)]


def ask_rules(rules: IgnoreRules, top: Path, paths: Iterable[str]) -> list[Asked]:
    """Ask memstile about the same paths; only what is a directory below `top` is one, as git looks at the disk."""
    return [rules.ask(path, is_directory=(top / path).is_dir() and not (top / path).is_symlink()) for path in paths]


def write_rules(repo: Repo, contents: Mapping[str, bytes], exclude: bytes = b"", wide: bytes = b"") -> IgnoreRules:
    """Write a `.gitignore` into each folder, and the outer files; give the rules read from the same bytes."""
    files = [
        IgnoreFile(folder, f"{folder}/.gitignore" if folder else ".gitignore", contents[folder]) for folder in contents
    ]
    outer = [IgnoreFile("", EXCLUDE, exclude), IgnoreFile("", user_wide(repo), wide)]
    for file in (*files, *outer):
        repo.write(file.source, file.data or b"")
    return IgnoreRules(files, outer)
