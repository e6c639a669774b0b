"""Ways to commit, and what a hook has to say to each; the same for every way a hook can be installed.

Each scenario takes an empty repository whose hook is installed. What it builds first goes past the hook, what it
tries last does not. Errors: () where the commit has to pass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.git_tools import Repo
from tests.hook_tools import Tried, attempt
from tests.vault_tools import index, note, vault


class Scenario(NamedTuple):
    """One row. name: its id; build: does it; errors: the codes that refuse it."""

    name: str
    build: Callable[[Repo], Tried]
    errors: tuple[str, ...] = ()


def begin(repo: Repo, data: bytes) -> None:
    """Commit a vault that is a repository of its own, past the hook."""
    vault(repo.path, data)
    repo.commit(message="begin")


def rewrite(repo: Repo, data: bytes) -> None:
    """Write the index and stage it."""
    repo.write("MEMORY.md", data)
    repo.git("add", "MEMORY.md")


def change(before: bytes, after: bytes) -> Callable[[Repo], Tried]:
    """Commit one change of the index."""

    def build(repo: Repo) -> Tried:
        begin(repo, before)
        rewrite(repo, after)
        return attempt(repo, "commit", "-m", "change")

    return build


def first_commit(lines: int) -> Callable[[Repo], Tried]:
    """Commit a vault into a repository without any commit."""

    def build(repo: Repo) -> Tried:
        vault(repo.path, index(lines))
        repo.git("add", "--all")
        return attempt(repo, "commit", "-m", "first")

    return build


def commit_all(repo: Repo) -> Tried:
    """Let `commit -a` stage the growth: it works on a git index of its own, index.lock."""
    begin(repo, index(180))
    repo.write("MEMORY.md", index(215))
    return attempt(repo, "commit", "-a", "-m", "all")


def commit_all_with_intent(repo: Repo) -> Tried:
    """Let `commit -a` take along an index that was only announced by `add -N`."""
    repo.write("README.md", "no vault yet\n")
    repo.commit()
    vault(repo.path, index(215))
    repo.git("add", "-N", ".")
    return attempt(repo, "commit", "-a", "-m", "all")


def commit_path_over(repo: Repo) -> Tried:
    """Commit the grown index by its path: git makes a second git index for it, next-index-N."""
    begin(repo, index(180))
    repo.write("MEMORY.md", index(215))
    return attempt(repo, "commit", "-m", "path", "--", "MEMORY.md")


def commit_path_beside(repo: Repo) -> Tried:
    """Commit a note by its path while growth is staged: this commit does not carry the growth."""
    begin(repo, index(180))
    rewrite(repo, index(215))
    repo.write("note-1.md", note("changed"))
    return attempt(repo, "commit", "-m", "path", "--", "note-1.md")


def amend_grown(repo: Repo) -> Tried:
    """Amend a commit so that its index grows."""
    begin(repo, index(205))
    rewrite(repo, index(206))
    return attempt(repo, "commit", "--amend", "--no-edit")


def amend_message(repo: Repo) -> Tried:
    """Amend the message of a commit whose index is over the cap."""
    begin(repo, index(205))
    return attempt(repo, "commit", "--amend", "-m", "other words")


def linked_worktree(lines: int) -> Callable[[Repo], Tried]:
    """Commit in a linked worktree, where .git is a file."""

    def build(repo: Repo) -> Tried:
        begin(repo, index(180))
        repo.git("worktree", "add", "--quiet", "-b", "side", "../linked")
        linked = repo._replace(path=repo.path.parent / "linked")
        rewrite(linked, index(lines))
        return attempt(linked, "commit", "-m", "linked")

    return build


def branches(repo: Repo, base: bytes, ours: bytes, theirs: bytes) -> None:
    """Commit a base, a branch `theirs`, and our own change; stand on ours."""
    begin(repo, base)
    repo.git("checkout", "--quiet", "-b", "theirs")
    rewrite(repo, theirs)
    repo.commit(message="theirs")
    repo.git("checkout", "--quiet", "main")
    rewrite(repo, ours)
    repo.commit(message="ours")


def _extra(count: int) -> bytes:
    return b"".join(b"> extra %d\n" % number for number in range(count))


def clean_merge(count: int, *words: str) -> Callable[[Repo], Tried]:
    """Merge two branches that each add lines to 190, one at the head and one at the end."""

    def build(repo: Repo) -> Tried:
        base = index(190)
        branches(repo, base, _extra(count) + base, base + _extra(count))
        if words:
            repo.git("merge", "--quiet", *words, "theirs")
            return attempt(repo, "commit", "-m", "merged")
        return attempt(repo, "merge", "--no-edit", "theirs")

    return build


def merge_without_growth(ours: bytes, theirs: bytes) -> Callable[[Repo], Tried]:
    """Merge two branches of which one has an index over the cap already, and the other only a note."""

    def build(repo: Repo) -> Tried:
        begin(repo, index(190))
        repo.git("checkout", "--quiet", "-b", "theirs")
        repo.write("note-1.md", note("theirs"))
        rewrite(repo, theirs)
        repo.commit(message="theirs")
        repo.git("checkout", "--quiet", "main")
        repo.write("note-2.md", note("ours"))
        rewrite(repo, ours)
        repo.commit(message="ours")
        return attempt(repo, "merge", "--no-edit", "theirs")

    return build


def conflict_resolved(lines: int) -> Callable[[Repo], Tried]:
    """Resolve a conflict between 205 and 208 lines; the larger parent is what counts."""

    def build(repo: Repo) -> Tried:
        branches(
            repo, index(190), index(205).replace(b"# Index", b"# Ours"), index(208).replace(b"# Index", b"# Their")
        )
        repo.git("merge", "--quiet", "theirs", accept=(1,))
        rewrite(repo, index(lines))
        return attempt(repo, "commit", "-m", "resolved")

    return build


def rename_onto_index(repo: Repo) -> Tried:
    """Rename a draft onto the index: for git neither an addition nor a change, but R."""
    begin(repo, index(100))
    repo.write("draft.md", index(230))
    repo.commit(message="draft")
    repo.git("mv", "--force", "draft.md", "MEMORY.md")
    return attempt(repo, "commit", "-m", "rename")


def delete_and_recreate(repo: Repo) -> Tried:
    """Delete the index in one commit, which passes, and bring a larger one with the next."""
    begin(repo, index(210))
    repo.git("rm", "--quiet", "MEMORY.md")
    gone = attempt(repo, "commit", "-m", "delete")
    assert (gone.is_done, gone.errors) == (True, ()), gone.said
    rewrite(repo, index(211))
    return attempt(repo, "commit", "-m", "re-create")


def partly_staged(staged: int, disk: int) -> Callable[[Repo], Tried]:
    """Stage one state of the index and leave another on disk; the disk has to be as it was afterwards."""

    def build(repo: Repo) -> Tried:
        begin(repo, index(180))
        rewrite(repo, index(staged))
        repo.write("MEMORY.md", index(disk))
        repo.write("note-1.md", note("unstaged work"))
        tried = attempt(repo, "commit", "-m", "partly")
        on_disk = [(repo.path / name).read_bytes() for name in ("MEMORY.md", "note-1.md")]
        assert on_disk == [index(disk), note("unstaged work")]
        return tried

    return build


def untrack_a_vault(repo: Repo) -> Tried:
    """Commit the repair of a project that carried its vault: untracked, ignored, still on disk."""
    vault(repo.path / ".memory")
    repo.commit(message="the vault slips in")
    repo.git("rm", "-r", "--quiet", "--cached", ".memory")
    repo.write(".gitignore", "/.memory/\n")
    repo.git("add", ".gitignore")
    return attempt(repo, "commit", "-m", "repair")


def force_a_note(repo: Repo) -> Tried:
    """Add one note of an ignored vault by force."""
    vault(repo.path / ".memory")
    repo.write(".gitignore", "/.memory/\n")
    repo.commit(message="project")
    repo.git("add", "--force", ".memory/note-1.md")
    return attempt(repo, "commit", "-m", "slip")


def nothing_of_a_vault(repo: Repo) -> Tried:
    """Commit in a project that has no vault."""
    repo.write("main.c", "int main;\n")
    repo.git("add", "--all")
    return attempt(repo, "commit", "-m", "code")


GREW = ("MS101",)

SCENARIOS = (
    Scenario("210 to 211 lines", change(index(210), index(211)), GREW),
    Scenario("210 to 205 lines", change(index(210), index(205))),
    Scenario("210 to 210 lines", change(index(210), index(210).replace(b"# Index", b"# Other"))),
    Scenario("199 to 200 lines", change(index(199), index(200))),
    Scenario("200 to 201 lines", change(index(200), index(201)), GREW),
    Scenario("25,599 to 25,600 bytes", change(index(150, 25_599), index(150, 25_600))),
    Scenario("25,600 to 25,601 bytes", change(index(150, 25_600), index(150, 25_601)), GREW),
    Scenario("first commit over", first_commit(215), GREW),
    Scenario("first commit under", first_commit(150)),
    Scenario("commit -a", commit_all, GREW),
    Scenario("commit -a after add -N", commit_all_with_intent, GREW),
    Scenario("commit -- the index", commit_path_over, GREW),
    Scenario("commit -- a note beside it", commit_path_beside),
    Scenario("amend to a larger index", amend_grown, GREW),
    Scenario("amend the message", amend_message),
    Scenario("linked worktree over", linked_worktree(215), GREW),
    Scenario("linked worktree under", linked_worktree(200)),
    Scenario("clean merge adds up to 206", clean_merge(8), GREW),
    Scenario("clean merge adds up to 200", clean_merge(5)),
    Scenario("merge --no-commit adds up to 206", clean_merge(8, "--no-commit"), GREW),
    Scenario("merge --squash adds up to 206", clean_merge(8, "--squash"), GREW),
    Scenario("merge into an index already over", merge_without_growth(index(206), index(190))),
    Scenario("merge of an index already over", merge_without_growth(index(190), index(206))),
    Scenario("conflict resolved to the larger parent", conflict_resolved(208)),
    Scenario("conflict resolved to more", conflict_resolved(209), GREW),
    Scenario("rename onto the index", rename_onto_index, GREW),
    Scenario("delete and re-create", delete_and_recreate, GREW),
    Scenario("staged over, disk under", partly_staged(215, 190), GREW),
    Scenario("staged under, disk over", partly_staged(190, 215)),
    Scenario("the commit that untracks a vault", untrack_a_vault),
    Scenario("a note added by force", force_a_note, ("MS203",)),
    Scenario("no vault at all", nothing_of_a_vault),
)
