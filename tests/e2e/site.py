"""The place of one run: a project in git with a vault over its cap, a home of its own, and memstile's settings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from tests import git_tools
from tests.vault_tools import index, vault

LINES = 210
"""The index at the start: over the hard cap of 200, so that growth has to be refused and shrinking has to pass."""


SETTINGS = '[[vault]]\npath = ".memory"\n'

_PASSING = {".git", ".cache", "tmp"}


class Site(NamedTuple):
    """Folders of one run. project: a git work tree; home: the person's; memory: the index of its vault."""

    project: Path
    home: Path
    memory: Path

    @property
    def settings(self) -> Path:
        """Name memstile's settings of the project."""
        return self.project / "memstile.toml"

    def environment(self, programs: Path) -> dict[str, str]:
        """Give an environment in which the machine's own settings, keys and proxies are not seen.

        programs: the folder of the client, first on PATH.
        """
        return {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_STATE_HOME": str(self.home / ".local/state"),
        }

    def files(self) -> dict[str, bytes]:
        """Read every file of the project and the home, by its path below the run's folder.

        Left out is what git keeps, and what clients leave at each start, with `--version` too.
        """
        root = self.home.parent
        paths = (path.relative_to(root) for top in (self.project, self.home) for path in top.rglob("*"))
        return {
            str(path): (root / path).read_bytes()
            for path in paths
            if not _PASSING.intersection(path.parts) and path.suffix != ".tmp" and (root / path).is_file()
        }

    def write(self, path: Path, text: str) -> None:
        """Write a file, and the folders it needs."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def built(root: Path) -> Site:
    """Build the place of a run below a folder."""
    project, home = root / "project", root / "home"
    site = Site(project, home, project / ".memory" / "MEMORY.md")
    repo = git_tools.init(project, git_tools.environment(home))
    repo.write(".gitignore", "/.memory/\n")
    repo.write("memstile.toml", SETTINGS)
    repo.commit()
    vault(site.memory.parent, index(LINES))
    return site
