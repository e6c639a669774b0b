"""Situations that `memstile fix` and the printed commands have to mend, built with the real git."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.fix_tools import Project, project
from tests.git_tools import Repo, environment, init
from tests.vault_tools import note, vault

# Names that a shell, git, a .gitignore or a terminal would act on.
ODD_NAMES = {
    "plain": ".memory",
    "leading dash": "-rf",
    "pathspec magic": ":(top)m",
    "glob": "m[1]*?",
    "quotes": 'it\'s "m"',
    "blanks": " m  m ",
    "line break": "new\nline",
    "carriage return": "cr\r",
    "tab at the end": "tab\t",
    "CJK": "记忆",
    "no UTF-8": os.fsdecode(b"caf\xe9\xff"),
    "backslash": "back\\slash\\",
    "comment": "#m",
    "negation": "!m",
    "shell": "$(touch ran)`touch ran`;&|~",
    "bidirectional": "m\u202etxt",
}


def not_ignored(root: Path, name: str = ".memory") -> Project:
    """MS201: no rule."""
    made = project(root)
    vault(made.repo.path / name)
    return made


def partly_ignored(root: Path) -> Project:
    """MS201: a rule for one note only; and the .gitignore ends without a line break."""
    made = project(root, ignored=".memory/note-1.md")
    vault(made.repo.path / ".memory")
    return made


def tracked(root: Path) -> Project:
    """MS202: committed first, ignored later."""
    made = not_ignored(root)
    made.repo.commit(force=True)
    made.repo.write(".gitignore", b"*.log\r\n/.memory/\r\n")
    return made


def tracked_and_not_ignored(root: Path) -> Project:
    """MS201 and MS202."""
    made = not_ignored(root)
    made.repo.commit(force=True)
    return made


def skip_worktree(root: Path) -> Project:
    """MS202: tracked, and marked so that git looks away."""
    made = tracked(root)
    made.repo.git("update-index", "--skip-worktree", ".memory/note-1.md")
    return made


def gone_from_disk(root: Path) -> Project:
    """MS202: tracked, and configured, but not in this checkout."""
    made = tracked(root)
    made.repo.write("memstile.toml", '[[vault]]\npath = ".memory"\n')
    shutil.rmtree(made.repo.path / ".memory")
    return made


def staged(root: Path) -> Project:
    """MS203: forced in past the rule."""
    made = project(root, ignored="/.memory/\n")
    vault(made.repo.path / ".memory")
    made.repo.git("add", "--force", ".memory/note-1.md")
    return made


def intended(root: Path) -> Project:
    """MS203: `git add -N`."""
    made = project(root, ignored="/.memory/\n")
    vault(made.repo.path / ".memory")
    made.repo.git("add", "--force", "-N", ".memory/note-1.md")
    return made


def many_staged(root: Path) -> Project:
    """MS203: more files than a command line is made to list."""
    made = project(root, ignored="/.memory/\n")
    vault(made.repo.path / ".memory", notes=12)
    made.repo.git("add", "--force", ".memory")
    return made


def changed_three_times(root: Path) -> Project:
    """MS202 and MS203: HEAD, the git index and the disk hold three contents of a note."""
    made = tracked(root)
    made.repo.write(".memory/note-1.md", "staged\n")
    made.repo.git("add", "--force", ".memory/note-1.md")
    made.repo.write(".memory/note-1.md", "on disk\n")
    return made


def unborn(root: Path) -> Project:
    """MS201 and MS203: staged before the first commit, and no .gitignore."""
    made = Project(root, init(root / "proj", environment(root / "home")))
    vault(made.repo.path / ".memory")
    made.repo.git("add", "--all")
    return made


def re_included(root: Path) -> Project:
    """MS205: a negated rule in the same file."""
    made = project(root, ignored=".memory/*\n!.memory/note-2.md\n")
    vault(made.repo.path / ".memory")
    return made


def re_included_by_itself(root: Path) -> Project:
    """MS205: the vault's own .gitignore lets itself back in."""
    made = project(root)
    vault(made.repo.path / ".memory")
    made.repo.write(".memory/.gitignore", "*\n!.gitignore\n")
    return made


def gitlink(root: Path, name: str = ".memory") -> Project:
    """MS206: the vault is a repository, added by `git add`."""
    made = project(root)
    nested(made.repo, name)
    made.repo.git("add", "--all")
    made.repo.git("commit", "--quiet", "--message", "all")
    return made


def nested(repo: Repo, name: str) -> None:
    """Make a vault that is a repository of its own."""
    inner = init(repo.path / name, repo.outside)
    vault(inner.path)
    inner.commit()


def submodule(root: Path) -> Project:
    """MS206: the vault is a submodule, and not the only one."""
    made = project(root)
    for name in ("lib", "vault"):
        source = init(root / f"{name}.source", made.repo.outside)
        vault(source.path) if name == "vault" else source.write("lib.py", "x = 1\n")
        source.commit()
        place = ".memory" if name == "vault" else name
        made.repo.git("submodule", "--quiet", "add", str(source.path), place)
    made.repo.git("commit", "--quiet", "--message", "submodules")
    return made


def staged_submodule(root: Path) -> Project:
    """MS206: a submodule that no commit has yet, the only one."""
    made = project(root)
    source = init(root / "source", made.repo.outside)
    vault(source.path)
    source.commit()
    made.repo.git("submodule", "--quiet", "add", str(source.path), ".memory")
    return made


def symlink(root: Path) -> Project:
    """MS207: a folder rule against a symlink."""
    made = project(root, ignored=".memory/\n")
    vault(root / "outside")
    (made.repo.path / ".memory").symlink_to("../outside")
    return made


def tracked_symlink(root: Path) -> Project:
    """MS202 and MS207: the link is committed."""
    made = symlink(root)
    made.repo.commit()
    return made


def seen_twice(root: Path) -> Project:
    """MS201 and MS207: a vault in the project, and a link to it from another folder."""
    made = not_ignored(root)
    (made.repo.path / "docs").mkdir()
    (made.repo.path / "docs" / "memory").symlink_to("../.memory")
    return made


def one_in_another(root: Path) -> Project:
    """MS201 and MS202, twice: a vault below a vault."""
    made = not_ignored(root)
    vault(made.repo.path / ".memory" / "archive")
    made.repo.commit()
    return made


def odd(root: Path, name: str) -> Project:
    """MS201, MS202, MS203, MS206, MS207: a folder, a repository and a link of one odd name."""
    made = project(root)
    folder = vault(made.repo.path / "folder" / name)
    made.repo.commit()
    (folder / "note-1.md").write_bytes(note("changed"))
    made.repo.git("add", "--all")
    nested(made.repo, f"nested/{name}")
    made.repo.git("add", "--all")
    vault(root / "outside" / name)
    (made.repo.path / "link").mkdir()
    (made.repo.path / "link" / name).symlink_to(f"../../outside/{name}")
    return made


class Situation(NamedTuple):
    """What is built, the codes that are found before, and those that remain: MS209 where commits carry the vault."""

    build: Callable[[Path], Project]
    before: list[str]
    after: list[str]


SITUATIONS = {
    row.build.__name__: row
    for row in (
        Situation(not_ignored, ["MS201"], []),
        Situation(partly_ignored, ["MS201"], []),
        Situation(tracked, ["MS202"], ["MS209"]),
        Situation(tracked_and_not_ignored, ["MS201", "MS202"], ["MS209"]),
        Situation(skip_worktree, ["MS202"], ["MS209"]),
        Situation(gone_from_disk, ["MS202"], ["MS209"]),
        Situation(staged, ["MS203"], []),
        Situation(intended, ["MS203"], []),
        Situation(many_staged, ["MS203"], []),
        Situation(changed_three_times, ["MS202", "MS203"], ["MS209"]),
        Situation(unborn, ["MS201", "MS203"], []),
        Situation(re_included, ["MS205"], []),
        Situation(re_included_by_itself, ["MS205"], []),
        Situation(gitlink, ["MS206"], ["MS209"]),
        Situation(submodule, ["MS206"], ["MS209"]),
        Situation(staged_submodule, ["MS206"], []),
        Situation(symlink, ["MS207"], []),
        Situation(tracked_symlink, ["MS202", "MS207"], ["MS209"]),
        Situation(seen_twice, ["MS201", "MS207"], []),
        Situation(one_in_another, ["MS201", "MS202", "MS201", "MS202"], ["MS209", "MS209"]),
    )
}
