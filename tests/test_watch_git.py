"""What tells that HEAD moved, and that something which decides what git carries was changed."""

from __future__ import annotations

from pathlib import Path

from memstile.watch_git import Around, around, head_mark, rules_signature
from tests.git_tools import Repo, environment, init


def repository(tmp_path: Path, *words: str) -> tuple[Repo, tuple[Around, ...]]:
    repo = init(tmp_path / "p", environment(tmp_path / "home"), *words)
    repo.write("a", "1")
    repo.commit()
    return repo, around([str(repo.path)])


def test_outside_a_repository_nothing_moves(tmp_path: Path) -> None:
    assert (around([]), around([str(tmp_path)]), head_mark(())) == ((), (), b"")


def test_each_way_to_move_head_is_seen(tmp_path: Path) -> None:
    repo, rows = repository(tmp_path)
    marks = [head_mark(rows)]
    repo.write("a", "2")
    repo.commit()
    marks.append(head_mark(rows))
    repo.git("switch", "--quiet", "--create", "side")
    marks.append(head_mark(rows))
    repo.git("reset", "--quiet", "--soft", "HEAD~1")
    marks.append(head_mark(rows))
    repo.git("switch", "--quiet", "--detach")
    marks.append(head_mark(rows))
    repo.git("pack-refs", "--all")
    repo.git("switch", "--quiet", "main")
    marks.append(head_mark(rows))
    assert None not in marks
    assert len(set(marks)) == 6


def test_nothing_moves_by_itself(tmp_path: Path) -> None:
    repo, rows = repository(tmp_path)
    mark = head_mark(rows)
    repo.write("b", "1")
    repo.git("add", "b")
    repo.git("status")
    assert head_mark(rows) == mark


def test_git_at_work_is_seen(tmp_path: Path) -> None:
    repo, rows = repository(tmp_path)
    repo.git("switch", "--quiet", "--create", "side")
    repo.write("a", "side")
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write("a", "main")
    repo.commit()
    repo.git("merge", "side", accept=(1,))
    assert head_mark(rows) is None
    repo.git("merge", "--abort")
    assert head_mark(rows) is not None


def test_a_linked_work_tree_has_a_head_of_its_own(tmp_path: Path) -> None:
    repo, _ = repository(tmp_path)
    repo.git("worktree", "add", "--quiet", "-b", "other", str(tmp_path / "tree"))
    (row,) = around([str(tmp_path / "tree")])
    assert (row.common, row.folder) == (str(repo.path / ".git"), str(repo.path / ".git" / "worktrees" / "tree"))
    mark = head_mark((row,))
    repo.write("a", "2")
    repo.commit()
    assert head_mark((row,)) == mark
    Repo(tmp_path / "tree", repo.outside).commit()
    assert head_mark((row,)) != mark


def test_rules_and_the_git_index_are_watched(tmp_path: Path) -> None:
    repo, rows = repository(tmp_path)
    vault = str(repo.path / "docs" / "memory")
    seen = [rules_signature(rows, vault)]
    for name in (".gitignore", "docs/.gitignore", "docs/memory/.gitignore", ".git/info/exclude"):
        repo.write(name, "x")
        seen.append(rules_signature(rows, vault))
    repo.git("add", "docs/.gitignore")
    seen.append(rules_signature(rows, vault))
    assert len(set(seen)) == 6
    repo.write("src/.gitignore", "x")
    assert rules_signature(rows, vault) == seen[-1]
