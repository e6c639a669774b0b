"""A repository's configuration must not make us run its programs, nor may a look change anything.

Each row plants one program where git would start it, and first shows that plain git does.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.git_tools import Repo, init
from tests.hook_tools import install, person
from tests.run_tools import Ran, digest, memstile
from tests.vault_tools import index, vault

LOOKS = (("check",), ("check", "--since", "HEAD~1"), ("check", "--staged"), ("fix", "--dry-run"))
FIX = ("fix", "--yes")

CODES = ("MS101", "MS201", "MS202")

GIT_HOOKS = (
    *("applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-checkout", "post-commit", "post-index-change"),
    *("post-merge", "post-rewrite", "pre-auto-gc", "pre-commit", "pre-push", "prepare-commit-msg"),
    "reference-transaction",
)


class Planted(NamedTuple):
    """A repository under attack. program: what must not run; marks: the file it leaves."""

    repo: Repo
    program: Path
    marks: Path

    def config(self, name: str, value: str = "") -> None:
        """Set a key in the repository's own configuration, by default to the program."""
        self.repo.git("config", name, value or str(self.program))


class Row(NamedTuple):
    """One way to be made to run a program.

    plant: sets the trap. proof: the git command that falls into it; stdin: what that reads. below: the folder to stand
    in. is_same: the trap changes nothing that a check looks at, so that every answer has to be as without it.
    """

    name: str
    plant: Callable[[Planted], None]
    proof: tuple[str, ...]
    stdin: bytes = b""
    below: str = "."
    is_same: bool = True


def key(name: str, value: str = "{}") -> Callable[[Planted], None]:
    """Plant one key. value: {} stands for the program."""
    return lambda planted: planted.config(name, value.format(planted.program))


def hooks_path(planted: Planted) -> None:
    """Plant a hooks folder in the checkout, as a project that asks to set it would."""
    install(planted.repo.path / ".githooks", planted.program.read_text(), GIT_HOOKS)
    planted.repo.git("config", "core.hooksPath", ".githooks")


def hooks(planted: Planted) -> None:
    """Plant every hook in the place where git looks by itself."""
    install(planted.repo.path / ".git" / "hooks", planted.program.read_text(), GIT_HOOKS)


def aliases(planted: Planted) -> None:
    """Plant an alias by the name of every git command we use, and one that can be typed."""
    used = ("cat-file", "check-attr", "check-ignore", "diff", "ls-files", "ls-tree", "merge-base", "rev-list")
    for name in (*used, "rev-parse", "st"):
        planted.config(f"alias.{name}", f"!{planted.program}")


def signature(planted: Planted) -> None:
    """Plant a signed commit and the program that would verify it."""
    commit = planted.repo.git("cat-file", "commit", "HEAD").encode()
    head, _, message = commit.partition(b"\n\n")
    mark = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n"
    sha = planted.repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=head + mark + message + b"\n")
    planted.repo.git("update-ref", "HEAD", sha)
    planted.config("gpg.program")
    planted.config("log.showSignature", "true")


def alternates(planted: Planted) -> None:
    """Plant a program that lists the refs of borrowed objects."""
    other = init(planted.repo.path.parent / "other", planted.repo.outside)
    other.commit()
    (planted.repo.path / ".git" / "objects" / "info").mkdir(exist_ok=True)
    (planted.repo.path / ".git" / "objects" / "info" / "alternates").write_text(f"{other.path}/.git/objects\n")
    planted.config("core.alternateRefsCommand")


def promisor(planted: Planted) -> None:
    """Plant a partial clone whose missing blobs would come through a program: an index of the base, and the staged."""
    shas = [planted.repo.git("rev-parse", f"{place}notes/MEMORY.md") for place in ("HEAD~1:", ":")]
    for sha in shas:
        (planted.repo.path / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    planted.config("remote.evil.url", f"ext::{planted.program}")
    planted.config("remote.evil.promisor", "true")
    planted.config("extensions.partialClone", "evil")
    planted.config("protocol.ext.allow", "always")


def bare(planted: Planted) -> None:
    """Plant a bare repository as plain files of the checkout: who stands in it, is in it."""
    place = planted.repo.path / "docs"
    planted.repo.git("init", "--quiet", "--bare", "--template=", str(place))
    for name, value in (("bare", "false"), ("worktree", ".."), ("fsmonitor", str(planted.program))):
        planted.repo.git("config", "--file", str(place / "config"), f"core.{name}", value)
    vault(place)


def nested(planted: Planted) -> None:
    """Plant a nested repository with a vault, tracked as a gitlink, and its own configuration."""
    inner = init(planted.repo.path / "inner", planted.repo.outside)
    vault(inner.path)
    inner.commit()
    planted.repo.git("add", "inner")
    inner.git("config", "core.fsmonitor", str(planted.program))


def submodule_update(planted: Planted) -> None:
    """Plant a program as the way to update a submodule."""
    inner = init(planted.repo.path / "inner", planted.repo.outside)
    first = inner.commit()
    inner.commit()
    planted.repo.git("update-index", "--add", "--cacheinfo", f"160000,{first},inner")
    planted.repo.write(".gitmodules", '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n')
    planted.repo.git("add", ".gitmodules")
    for name, value in (("url", "./inner"), ("active", "true"), ("update", f"!{planted.program}")):
        planted.config(f"submodule.inner.{name}", value)


FILL = b"protocol=https\nhost=example.invalid\n\n"

ROWS = (
    Row("core.fsmonitor", key("core.fsmonitor"), ("status",)),
    Row("core.hooksPath, post-index-change", hooks_path, ("add", "notes")),
    Row("hooks, post-index-change", hooks, ("add", "notes")),
    Row("hooks, reference-transaction", hooks, ("update-ref", "refs/heads/x", "HEAD")),
    Row("filter.clean", key("filter.evil.clean"), ("add", "notes")),
    Row("filter.smudge", key("filter.evil.smudge"), ("checkout", "--force", "--", "notes")),
    Row("filter.process", key("filter.evil.process"), ("add", "notes")),
    Row("diff.external", key("diff.external"), ("diff", "HEAD")),
    Row("diff.command", key("diff.evil.command"), ("diff", "HEAD")),
    Row("diff.textconv", key("diff.evil.textconv"), ("diff", "HEAD")),
    Row("core.pager", key("core.pager"), ("--paginate", "status")),
    Row("pager by command", key("pager.diff"), ("diff", "HEAD")),
    Row("core.editor", key("core.editor"), ("commit", "--amend")),
    Row("core.sshCommand", key("core.sshCommand"), ("fetch", "ssh://example.invalid/x")),
    Row("core.gitProxy", key("core.gitProxy"), ("fetch", "git://example.invalid/x")),
    Row("core.askPass", key("core.askPass"), ("credential", "fill"), FILL),
    Row("credential.helper", key("credential.helper", "!{}"), ("credential", "fill"), FILL),
    Row("aliases", aliases, ("st",)),
    Row("gpg.program", signature, ("log", "-1")),
    Row("core.alternateRefsCommand", alternates, ("fetch", "../other")),
    Row("promisor remote", promisor, ("cat-file", "-p", "HEAD~1:notes/MEMORY.md"), is_same=False),
    Row("embedded bare repository", bare, ("status",), below="docs", is_same=False),
    Row("nested repository", nested, ("status",), is_same=False),
    Row("submodule.update", submodule_update, ("submodule", "update"), is_same=False),
)


def build(folder: Path, home: Path) -> Repo:
    """Build a project whose work tree, git index and HEAD all differ, with a vault in each state.

    notes: committed on purpose, grown past the cap in the git index, edited on disk. .memory: tracked, not ignored.
    """
    repo = init(folder, person(home))
    repo.write(".gitattributes", "*.md filter=evil diff=evil\n")
    repo.write("memstile.toml", '[[vault]]\npath = "notes"\nmode = "shared"\n')
    vault(repo.path / "notes", index(180))
    vault(repo.path / ".memory")
    repo.commit()
    repo.write("notes/MEMORY.md", index(190))
    repo.commit()
    repo.write("notes/MEMORY.md", index(215))
    repo.git("add", "notes")
    repo.write("notes/MEMORY.md", index(170))
    repo.write("notes/note-1.md", "edited\n")
    return repo


@pytest.fixture
def planted(tmp_path: Path) -> Planted:
    """Give such a project, and a program that leaves a mark when it runs."""
    program, marks = tmp_path / "evil" / "program", tmp_path / "marks"
    install(program.parent, f"#!/bin/sh\necho ran >> {marks}\n", ["program"])
    return Planted(build(tmp_path / "project", tmp_path / "home"), program, marks)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, ...], Ran]:
    """Give what each command says where nothing is planted."""
    place = tmp_path_factory.mktemp("untouched")
    repo = build(place / "project", place / "home")
    return {words: memstile(*words, cwd=repo.path, environment=repo.outside) for words in (*LOOKS, FIX)}


each_row = pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])


@each_row
def test_a_planted_program_never_runs_and_nothing_changes(
    row: Row, planted: Planted, untouched: Mapping[tuple[str, ...], Ran]
) -> None:
    row.plant(planted)
    planted.marks.unlink(missing_ok=True)
    before = digest(planted.repo.path)
    here = planted.repo.path / row.below
    said = {words: memstile(*words, cwd=here, environment=planted.repo.outside) for words in LOOKS}
    assert not planted.marks.exists()
    assert digest(planted.repo.path) == before
    assert {ran.code for ran in said.values()} <= {0, 1, 2}, said
    assert not row.is_same or said == {words: untouched[words] for words in LOOKS}


@each_row
def test_a_planted_program_never_runs_while_a_vault_is_taken_out(
    row: Row, planted: Planted, untouched: Mapping[tuple[str, ...], Ran]
) -> None:
    row.plant(planted)
    planted.marks.unlink(missing_ok=True)
    ran = memstile(*FIX, cwd=planted.repo.path / row.below, environment=planted.repo.outside)
    assert not planted.marks.exists()
    assert ran == untouched[FIX] or (not row.is_same and ran.code in (0, 1, 2))


@each_row
def test_plain_git_runs_it(row: Row, planted: Planted) -> None:
    row.plant(planted)
    planted.marks.unlink(missing_ok=True)
    on_a_terminal(row.proof, planted.repo.path / row.below, planted.repo.outside, row.stdin)
    assert planted.marks.read_text().startswith("ran\n")


def on_a_terminal(words: tuple[str, ...], folder: Path, outside: Mapping[str, str], stdin: bytes) -> None:
    """Run git as a person would: its output is a terminal, so that a pager is started."""
    ours, theirs = os.openpty()
    try:
        subprocess.run(
            ["git", *words],
            cwd=folder,
            env={**outside, "TERM": "xterm"},
            input=stdin,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=30,
        )
    finally:
        os.close(ours)
        os.close(theirs)


def test_the_answers_are_real_ones(untouched: Mapping[tuple[str, ...], Ran]) -> None:
    told = {words: (ran.code, [code for code in CODES if code.encode() in ran.out]) for words, ran in untouched.items()}
    assert told == {
        ("check",): (1, ["MS201", "MS202"]),
        ("check", "--since", "HEAD~1"): (1, ["MS201", "MS202"]),
        ("check", "--staged"): (1, ["MS101", "MS201", "MS202"]),
        ("fix", "--dry-run"): (1, []),
        ("fix", "--yes"): (0, []),
    }


def test_a_bare_repository_among_the_files_gives_no_answer(planted: Planted) -> None:
    bare(planted)
    ran = memstile("check", "--staged", cwd=planted.repo.path / "docs", environment=planted.repo.outside)
    assert (ran.code, ran.out) == (2, b"")
    assert "cannot use bare repository" in ran.err
