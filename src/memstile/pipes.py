"""Find the ignore files that git would wait for until its time is up."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from memstile.carriers import ancestors


def pipes_on_the_way(top: str, paths: Iterable[str]) -> dict[str, str]:
    """Find the ignore files that git would wait for until its time is up: FIFOs, sockets and devices.

    paths, and the result, path to ignore file: relative to top. Git follows no symlink here, and a folder says nothing.
    """
    folders = {path: os.path.dirname(path) for path in paths}
    pipes = pipes_in(top, folders.values())
    rows = ((path, above) for path, folder in folders.items() for above in ancestors(folder))
    return {path: pipes[above] for path, above in rows if above in pipes} if pipes else {}


def pipes_in(top: str, folders: Iterable[str]) -> dict[str, str]:
    """Find such ignore files in folders and those above them: folder to ignore file, both relative to top."""
    every = _with_those_above(folders)
    return {folder: name for folder in every if _is_pipe(top, name := os.path.join(folder, ".gitignore"))}


def _is_pipe(top: str, name: str) -> bool:
    try:
        mode = os.lstat(os.path.join(top, name)).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def _with_those_above(paths: Iterable[str]) -> set[str]:
    """Give paths and all folders above them; of many in a nest, each folder is met once."""
    every: set[str] = set()
    for path in paths:
        for above in ancestors(path):
            if above in every:
                break
            every.add(above)
    return every
