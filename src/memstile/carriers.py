"""Find the repositories that could carry a vault, from its place in the file system alone; git is not started."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

from memstile.disk import read_small

_T = TypeVar("_T")


class Carrier(NamedTuple):
    """One repository and what it would carry of a vault.

    top: its work tree, absolute and resolved. unit: relative to top, "" for the whole of it. kind: "folder",
    "symlink" or "repository". is_root: the vault is the work tree. is_asked: whether the unit has to be ignored in
    any case. is_broken: there is a .git, but git would not take it for one. inner: where is_asked is false, the nested
    project around the unit, relative to top: as a rule git sees it as a gitlink, and then it is enough to track
    nothing of the vault; but it walks into a project of which it has a file already.
    """

    top: str
    unit: str
    kind: str = "folder"
    is_root: bool = False
    is_asked: bool = True
    is_broken: bool = False
    inner: str = ""


def carriers(path: str, current_top: str | None = None) -> list[Carrier]:
    """List the repositories around a vault and around the symlinks that lead to it, innermost first.

    path: the vault's folder, absolute, links unresolved; it need not exist. current_top: the work tree of the
    repository that git's environment names, for one without a .git in its work tree (bare dotfiles repositories).
    """
    real = os.path.realpath(path)
    tops = _tops(real, current_top)
    projects = [top for top in tops if top != real]
    rows = [
        Carrier(top, *_unit(real, top, tops[0]), is_root=top == real)
        if top in (real, *projects[:1])
        else Carrier(top, *_unit(real, top, tops[0]), is_asked=False, inner=relative(projects[0], top))
        for top in tops
    ]
    if not tops:
        broken = [top for top in ancestors(real) if os.path.lexists(os.path.join(top, ".git"))]
        rows += [Carrier(top, relative(real, top), is_broken=True) for top in broken[:1]]
    return rows + [row for link in _links_to(path, real, current_top) for row in _link_carrier(link, current_top)]


def _tops(path: str, current_top: str | None) -> list[str]:
    return [folder for folder in ancestors(path) if folder == current_top or is_repository(folder)]


def _unit(real: str, top: str, innermost: str) -> tuple[str, str]:
    if top != innermost and innermost == real:
        return relative(innermost, top), "repository"
    return relative(real, top), "folder"


def _link_carrier(link: str, current_top: str | None) -> Iterator[Carrier]:
    if tops := _tops(os.path.dirname(link), current_top):
        yield Carrier(tops[0], relative(link, tops[0]), "symlink")


def ancestors(path: str) -> Iterator[str]:
    """Give a folder and every folder above it."""
    while True:
        yield path
        above = os.path.dirname(path)
        if above == path:
            return
        path = above


def relative(path: str, top: str) -> str:
    """Give a path relative to a folder above it, "" for the folder itself; both absolute and resolved."""
    return os.path.relpath(path, top).replace(os.sep, "/") if path != top else ""


def is_below(path: str, top: str) -> bool:
    """Tell whether a path is a folder or lies below it; both absolute and resolved."""
    return path == top or path.startswith(top.rstrip(os.sep) + os.sep)


class ByPath(Generic[_T]):
    """Values by path, sorted, to take out those below a folder."""

    def __init__(self, rows: Mapping[str, _T]) -> None:
        self._paths = sorted(rows)
        self._rows = rows

    def of(self, unit: str) -> list[_T]:
        """List what lies at a path or below it, "" for all."""
        if not unit:
            return [self._rows[path] for path in self._paths]
        start, end = (bisect_left(self._paths, unit + sign) for sign in ("/", "0"))  # "0" comes right after "/"
        here = [self._rows[unit]] if unit in self._rows else []
        return here + [self._rows[path] for path in self._paths[start:end]]


def is_repository(folder: str) -> bool:
    """Tell whether git would take this folder for the top of a work tree.

    A folder with an empty or foreign `.git` folder is none: git goes on to the repository above, and so must we, or
    `mkdir vault/.git` would hide the vault. What may not be read counts as one: git has to answer for it.
    """
    place = os.path.join(folder, ".git")
    try:
        if os.path.isdir(place):
            for part in ("HEAD", "objects", "refs"):
                os.lstat(os.path.join(place, part))
            return True
        return os.path.isfile(place)  # a linked worktree or submodule; a broken one makes git stop, not go on
    except FileNotFoundError:
        return False
    except OSError:
        return True


def pipes_on_the_way(top: str, paths: Iterable[str]) -> dict[str, str]:
    """Find the ignore files that git would wait for until its time is up: FIFOs, sockets and devices.

    paths, and the result, path to ignore file: relative to top. Git follows no symlink here, and a folder says nothing.
    """
    folders = {path: os.path.dirname(path) for path in paths}
    every = {above for folder in set(folders.values()) for above in ancestors(folder)}
    pipes = {folder: name for folder in every if _is_pipe(top, name := os.path.join(folder, ".gitignore"))}
    rows = ((path, above) for path, folder in folders.items() for above in ancestors(folder))
    return {path: pipes[above] for path, above in rows if above in pipes} if pipes else {}


def _is_pipe(top: str, name: str) -> bool:
    try:
        mode = os.lstat(os.path.join(top, name)).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def git_folder(top: str) -> str:
    """Give the git folder of a work tree, resolved: its `.git`, or what a `.git` file names; "" where that fails."""
    place = os.path.join(top, ".git")
    if os.path.isdir(place):
        return os.path.realpath(place)
    said = os.fsdecode(read_small(place) or b"").removesuffix("\n")
    named = said.removeprefix("gitdir: ")
    return os.path.realpath(os.path.join(top, named)) if named != said else ""


def git_folder_around(path: str) -> str:
    """Give the innermost git folder that a path lies in, "" for none; absolute and resolved, as the path must be."""
    return next(filter(_is_git_folder, ancestors(os.path.dirname(path))), "")


def _is_git_folder(folder: str) -> bool:
    def has(name: str) -> bool:
        return os.path.lexists(os.path.join(folder, name))

    return has("HEAD") and (has("commondir") or (has("objects") and has("refs")))


def _links_to(path: str, real: str, current_top: str | None) -> list[str]:
    """List the symlinks on the way to a vault that lead to it rather than to a repository that holds it."""
    links = []
    for link in _links_on_the_way(path):
        target = os.path.realpath(link)
        between = [top for top in _tops(real, current_top) if is_below(top, target)]
        if is_below(real, target) and (target == real or not between):
            links.append(link)
    return links


def _links_on_the_way(path: str) -> list[str]:
    found: list[str] = []
    todo = [path]
    while todo and len(found) < 40:  # the kernel's own limit
        for folder in ancestors(todo.pop()):
            if os.path.islink(folder):
                place = os.path.join(os.path.realpath(os.path.dirname(folder)), os.path.basename(folder))
                if place not in found:
                    found.append(place)
                    todo.append(os.path.join(os.path.dirname(place), os.readlink(place)))
    return found
