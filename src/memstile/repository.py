"""What one repository says about paths: tracked, staged, ignored, and the blobs of its trees."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memstile.core.facts import Asked, Match
from memstile.git import Git, GitFault

LITERAL = "--literal-pathspecs"
_MAX_SPLITS = 64


class Entry(NamedTuple):
    """One row of the git index or of a tree. mode: octal text; stage: 1 to 3 in a conflict, else 0."""

    mode: str
    sha: str
    stage: int
    path: str


class Repository(NamedTuple):
    """An opened repository. top: its work tree, absolute and resolved; git_dir, common_dir: absolute."""

    git: Git
    top: str
    git_dir: str
    common_dir: str
    is_shallow: bool


def open_repository(git: Git) -> Repository:
    """Open the repository that holds git.folder. Raises GitFault where git does not answer, or has no work tree."""
    words = ("--is-shallow-repository", "--show-toplevel", "--absolute-git-dir", "--git-common-dir")
    rows = git.ask("rev-parse", *words).split(b"\n")
    if len(rows) != len(words) + 1:  # a line break in a path
        rows = [git.ask("rev-parse", word)[:-1] for word in words]
    shallow, top, git_dir, common = (os.fsdecode(row) for row in rows[: len(words)])
    return Repository(
        git._replace(folder=top), top, git_dir, os.path.join(git.folder, common), is_shallow=shallow == "true"
    )


def pathspec(path: str) -> str:
    """Write a pathspec for a folder of the work tree under --literal-pathspecs; "" is the top."""
    return path or "."


def anywhere(name: str) -> str:
    """Write a pathspec that matches a file name in every folder."""
    return f":(top,glob)**/{glob_escaped(name)}"


def glob_escaped(path: str) -> str:
    """Escape what a glob pathspec would act on."""
    return "".join("\\" + c if c in "\\*?[" else c for c in path)


def entries(repository: Repository, *words: str, literal: bool = True) -> list[Entry]:
    """List rows of the git index under pathspecs."""
    rows = repository.git.names(*((LITERAL,) if literal else ()), "ls-files", "-z", "--stage", "--", *words)
    return [_entry(row) for row in rows]


def _entry(row: str) -> Entry:
    head, _, path = row.partition("\t")
    mode, sha, stage = head.split(" ")
    return Entry(mode, sha, int(stage), path)


def staged(repository: Repository, specs: Sequence[str], *, literal: bool = True) -> dict[str, str]:
    """Give the paths in which the git index differs from HEAD, with git's status letter; intent-to-add counts as A."""
    fields = repository.git.names(
        *((LITERAL,) if literal else ()),
        *("diff", "--cached", "--name-status", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"),
        *("--ita-visible-in-index", "--ignore-submodules=none", "--", *specs),
    )
    return {path: letter[:1] for letter, path in zip(fields[::2], fields[1::2], strict=True)}


def untracked(repository: Repository, *specs: str) -> list[str]:
    """List files that are neither in the git index nor ignored."""
    return repository.git.names("ls-files", "-z", "--others", "--exclude-standard", "--", *specs)


def ask_ignored(repository: Repository, paths: Sequence[str]) -> tuple[list[Asked], list[tuple[str, GitFault]]]:
    """Ask git which rule decides about each path, whether tracked or not.

    Result: the answers in order, and the paths without an answer. One process, unless git dies over a path (one
    beyond a symlink, say): then the batch is split, at most _MAX_SPLITS times.
    """
    answers: list[Asked] = []
    faults: list[tuple[str, GitFault]] = []
    batches = [list(paths)] if paths else []
    runs = 0
    while batches:
        batch = batches.pop()
        runs += 1
        try:
            answers += _check_ignore(repository, batch)
        except GitFault as fault:
            if len(batch) == 1 or runs > _MAX_SPLITS:
                faults += [(path, fault) for path in batch]
                continue
            half = len(batch) // 2
            batches += [batch[half:], batch[:half]]
    return answers, faults


def _check_ignore(repository: Repository, paths: Sequence[str]) -> list[Asked]:
    stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
    words = ("check-ignore", "--no-index", "-z", "-v", "-n", "--stdin")
    fields = [os.fsdecode(field) for field in repository.git.ask(*words, stdin=stdin, accept=(0, 1)).split(b"\0")[:-1]]
    rows = zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=True)
    return [Asked(path, Match(source, int(line), pattern) if source else None) for source, line, pattern, path in rows]


def last_commit_with(repository: Repository, units: Sequence[str]) -> str:
    """Give the latest commit, reachable from any ref, that touches a file below these paths; "" if none does."""
    words = ("rev-list", "--all", "--max-count=1", "--", *map(pathspec, units))
    return os.fsdecode(repository.git.ask(LITERAL, *words)).strip()


def resolve_commit(repository: Repository, name: str) -> str | None:
    """Give the commit a name stands for, None if it stands for none."""
    words = ("rev-parse", "--quiet", "--verify", "--end-of-options", f"{name}^{{commit}}")
    found = os.fsdecode(repository.git.ask(*words, accept=(0, 1, 128))).strip()
    return found or None


def merge_base(repository: Repository, commit: str) -> str | None:
    """Give the best common ancestor of a commit and HEAD, None if there is none in sight."""
    found = os.fsdecode(repository.git.ask("merge-base", commit, "HEAD", accept=(0, 1, 128))).strip()
    return found or None


def filtered(repository: Repository, paths: Sequence[str]) -> set[str]:
    """Pick the paths whose content a clean and smudge filter changes; the filter itself is not run."""
    if not paths:
        return set()
    fields = repository.git.names("check-attr", "--cached", "-z", "filter", "--", *paths)
    rows = zip(fields[::3], fields[2::3], strict=True)
    return {path for path, value in rows if value not in ("unspecified", "unset")}


def merged_parents(repository: Repository, outside: Mapping[str, str]) -> list[str]:
    """Give the commits that the next commit merges, beside HEAD.

    They stand in MERGE_HEAD; in a clean merge git has not written it yet when pre-merge-commit runs, and names them in
    GITHEAD_<sha> of the environment. Source: git merge, builtin/merge.c; observed with git 2.39.
    """
    try:
        with open(os.path.join(repository.git_dir, "MERGE_HEAD"), "rb") as file:
            lines = file.read(64 * 1024).decode("ascii", "replace").split()
    except OSError:
        lines = [name.removeprefix("GITHEAD_") for name in outside if name.startswith("GITHEAD_")]
    return [line for line in lines if len(line) >= 40 and all(c in "0123456789abcdef" for c in line)]
