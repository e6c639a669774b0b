"""`memstile fix` where git has a .gitignore that is gone from the disk: a new one would lose every rule of it."""

from __future__ import annotations

from pathlib import Path

from tests.git_tools import environment, init
from tests.run_tools import memstile
from tests.vault_tools import index, vault


def test_a_missing_ignore_file_is_to_be_restored_before_a_rule_is_added(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path / ".mem", index(2))
    repo.write(".gitignore", "*.o\n/.env\n")
    repo.commit()
    (repo.path / ".gitignore").unlink()
    ran = memstile("fix", "--yes", cwd=repo.path, environment=repo.outside)
    is_told = "git checkout -- .gitignore" in ran.err
    assert (ran.code, is_told, (repo.path / ".gitignore").exists()) == (2, True, False), ran.err
    repo.git("checkout", "--", ".gitignore")
    assert memstile("fix", "--yes", cwd=repo.path, environment=repo.outside).code == 0
    assert (repo.path / ".gitignore").read_bytes() == b"*.o\n/.env\n/.mem/\n"
