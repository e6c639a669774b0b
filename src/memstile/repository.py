"""What one repository says about paths: tracked, staged, ignored, and the blobs of its trees."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memstile.carriers import ancestors, git_folder, outermost
from memstile.core.facts import Asked, Match
from memstile.core.text import shown
from memstile.disk import read_small
from memstile.git import Git, GitFault
from memstile.pipes import pipes_in, pipes_on_the_way

LITERAL = "--literal-pathspecs"
_MAX_SPLITS = 64
_BARE = re.compile(rb"(?i)^\s*bare\s*=\s*\"?(true|yes|on|[1-9])", re.MULTILINE)


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
    common_dir = os.path.realpath(os.path.join(git.folder, common))
    return Repository(git._replace(folder=top), top, git_dir, common_dir, is_shallow=shallow == "true")


def says_bare(top: str) -> bool:
    """Tell whether a git folder has a setting that makes it bare, in its own files, without asking git.

    top: the folder that holds the .git.
    """
    folder = git_folder(top)
    files = [os.path.join(folder, name) for name in ("config", "config.worktree")] if folder else []
    return any(_BARE.search(read_small(file) or b"") for file in files)


def is_bare(git: Git) -> bool:
    """Ask git whether the repository that holds git.folder has no work tree; False where it does not answer."""
    try:
        return git.ask("rev-parse", "--is-bare-repository") == b"true\n"
    except GitFault:
        return False


def pathspec(path: str) -> str:
    """Write a pathspec for a folder of the work tree under --literal-pathspecs; "" is the top."""
    return path or "."


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


def untracked(repository: Repository, folders: Iterable[str] = ("",)) -> list[str]:
    """List what is neither in the git index nor ignored: files, symlinks, and nested repositories as "path/".

    folders: from the top, some that git would walk. Raises GitFault as `walks_untracked` does.
    """
    if not walks_untracked(repository, folders):
        return []
    return repository.git.names("ls-files", "-z", "--others", "--exclude-standard")


def walks_untracked(repository: Repository, folders: Iterable[str]) -> bool:
    """Tell whether git may be asked for what it does not track.

    Not where status.showUntrackedFiles says no: a home folder that is a work tree is not walked at every commit.
    Raises GitFault where one of the folders, or of those above, has an ignore file that git would wait for; one met
    elsewhere costs a time-out.
    """
    wanted = repository.git.ask("config", "--get", "status.showUntrackedFiles", accept=(0, 1)).strip().lower()
    if wanted in (b"no", b"false", b"off", b"0"):
        return False
    if pipes := pipes_in(repository.top, folders):
        raise _no_regular_file(min(pipes.values()))
    return True


def _no_regular_file(name: str) -> GitFault:
    return GitFault(f"{shown(name)} is no regular file", "put an ordinary file in its place")


def ask_ignored(repository: Repository, paths: Sequence[str]) -> tuple[list[Asked], list[tuple[str, GitFault]]]:
    """Ask git which rule decides about each path, whether tracked or not.

    Result: the answers in order, and the paths without an answer. One process, unless git dies over a path (one
    beyond a symlink, say): then the batch is split, at most _MAX_SPLITS times. A time-out is not tried again.
    """
    answers: list[Asked] = []
    stuck = pipes_on_the_way(repository.top, paths)
    faults = [(path, _no_regular_file(name)) for path, name in stuck.items()]
    batches = [rest] if (rest := [path for path in paths if path not in stuck]) else []
    runs = 0
    while batches:
        batch = batches.pop()
        runs += 1
        try:
            answers += _check_ignore(repository, batch)
        except GitFault as fault:
            if not fault.is_refusal:
                return answers, [*faults, *((path, fault) for left in (batch, *batches) for path in left)]
            if len(batch) == 1 or runs > _MAX_SPLITS:
                faults += [(path, fault) for path in batch]
                continue
            half = len(batch) // 2
            batches += [batch[half:], batch[:half]]
    return answers, faults


def _check_ignore(repository: Repository, paths: Sequence[str]) -> list[Asked]:
    # git takes these for pathspecs, and check-ignore refuses --literal-pathspecs: ":(top)" and ":x" would be magic.
    shielded = {f"./{path}" if path.startswith(":") else path: path for path in paths}
    stdin = b"".join(os.fsencode(path) + b"\0" for path in shielded)
    words = ("check-ignore", "--no-index", "-z", "-v", "-n", "--stdin")
    fields = [os.fsdecode(field) for field in repository.git.ask(*words, stdin=stdin, accept=(0, 1)).split(b"\0")[:-1]]
    rows = zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=True)
    return [
        Asked(shielded[path], Match(source, int(line), pattern) if source else None)
        for source, line, pattern, path in rows
    ]


def last_commits_with(repository: Repository, units: Sequence[str]) -> dict[str, str]:
    """Give, for each of these paths that has one, the latest commit reachable from any ref that touches it.

    Whole histories are looked at: git leaves out a branch that a merge took nothing of, and it is public all the same.
    """
    if not units:
        return {}
    words = (LITERAL, "rev-list", "--all", "--full-history")
    specs = ("--", *map(pathspec, outermost(units)))
    if len(units) == 1:
        latest = os.fsdecode(repository.git.ask(*words, "--max-count=1", *specs)).strip()
        return {units[0]: latest} if latest else {}
    commits = repository.git.ask(*words, *specs)
    return _first_touching(repository, units, commits) if commits else {}


def _first_touching(repository: Repository, units: Sequence[str], commits: bytes) -> dict[str, str]:
    words = (LITERAL, "diff-tree", "--stdin", "--root", "-m", "-r", "--name-only", "--no-renames", "-z")
    fields = repository.git.names(*words, "--", *map(pathspec, outermost(units)), stdin=commits)
    hashes = frozenset(os.fsdecode(commits).split())
    found: dict[str, str] = {}
    commit = ""
    wanted = frozenset(units)
    met: set[str] = set()
    for field in fields:
        if field in hashes:
            commit = field
            continue
        for folder in ancestors(field):
            if folder in met:  # and all above it: a later commit touched them
                break
            met.add(folder)
            if folder in wanted:
                found[folder] = commit
    return found


def resolve_commit(repository: Repository, name: str) -> str | None:
    """Give the commit a name stands for, None if it stands for none."""
    words = ("rev-parse", "--quiet", "--verify", "--end-of-options", f"{name}^{{commit}}")
    found = os.fsdecode(repository.git.ask(*words, accept=(0, 1, 128))).strip()
    return found if found.isalnum() else None  # a range, or "^HEAD", is more than one


def merge_bases(repository: Repository, commit: str) -> tuple[str, ...]:
    """Give the best common ancestors of a commit and HEAD: several after a criss-cross merge, () for none."""
    return tuple(os.fsdecode(repository.git.ask("merge-base", "--all", commit, "HEAD", accept=(0, 1, 128))).split())


def meets_the_edge(repository: Repository, commit: str, bases: Sequence[str]) -> bool:
    """Tell whether a shallow clone ends between a commit or HEAD and these bases: there may be a nearer one beyond."""
    data = read_small(os.path.join(repository.common_dir, "shallow"), 64 * 1024 * 1024) or b""
    between = repository.git.ask("rev-list", commit, "HEAD", "--not", *bases)
    return not set(between.split()).isdisjoint(data.split())


def is_new(repository: Repository, commit: str) -> bool:
    """Tell whether a name is a commit of this repository that HEAD does not hold yet."""
    if resolve_commit(repository, commit) is None:
        return False
    try:
        repository.git.ask("merge-base", "--is-ancestor", commit, "HEAD")
    except GitFault:
        return True
    return False


def merged_parents(repository: Repository, outside: Mapping[str, str]) -> list[str]:
    """Give the commits that the next commit merges, beside HEAD.

    They stand in MERGE_HEAD; in a clean merge git has not written it yet when pre-merge-commit runs, and names them in
    GITHEAD_<sha> of the environment. Source: git merge, builtin/merge.c; observed with git 2.39.
    """
    written = read_small(os.path.join(repository.git_dir, "MERGE_HEAD"))
    lines = (
        [name.removeprefix("GITHEAD_") for name in outside if name.startswith("GITHEAD_")]
        if written is None
        else written.decode("ascii", "replace").split()
    )
    return [line for line in lines if len(line) >= 40 and all(c in "0123456789abcdef" for c in line)]
