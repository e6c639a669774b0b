"""Find the repositories that could carry a vault, from its place in the file system alone; git is not started."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
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


class Surroundings:
    """What lies above folders, looked at once: the vaults of a nest have nearly all of it in common.

    The answer for a folder is that for the folder above it and one look more. Without this, 600 vaults in each other
    took 25 s, since every look at a folder far down has the kernel walk all the way to it.
    """

    def __init__(self, current_top: str | None = None) -> None:
        """Look at nothing yet.

        current_top: the work tree of the repository that git's environment names, for one without a .git in its work
        tree (bare dotfiles repositories).
        """
        self._current_top = current_top
        self._tops: dict[str, tuple[str, ...]] = {}
        self._links: dict[str, tuple[str, ...]] = {}

    def tops(self, folder: str) -> tuple[str, ...]:
        """List the work trees among a folder and those above it, innermost first. folder: absolute and resolved."""
        return _inherited(folder, self._tops, lambda above: above == self._current_top or is_repository(above))

    def links(self, path: str) -> tuple[str, ...]:
        """List the symlinks among a path and the folders above it, innermost first. path: absolute."""
        return _inherited(path, self._links, os.path.islink)

    def resolved(self, path: str) -> str:
        """Give what os.path.realpath gives. path: absolute."""
        is_plain = os.path.normpath(path) == path and not path.startswith("//")
        return path if is_plain and not self.links(path) else os.path.realpath(path)


def _inherited(path: str, known: dict[str, tuple[str, ...]], is_one: Callable[[str], bool]) -> tuple[str, ...]:
    fresh: list[str] = []
    found: tuple[str, ...] = ()
    for above in ancestors(path):
        if above in known:
            found = known[above]
            break
        fresh.append(above)
    for folder in reversed(fresh):
        found = (folder, *found) if is_one(folder) else found
        known[folder] = found
    return found


def carriers(path: str, current_top: str | None = None, around: Surroundings | None = None) -> list[Carrier]:
    """List the repositories around a vault and around the symlinks that lead to it, innermost first.

    path: the vault's folder, absolute, links unresolved; it need not exist. current_top: as in Surroundings.
    around: what was seen before in this run, with the same current_top.
    """
    around = around or Surroundings(current_top)
    real = around.resolved(path)
    tops = around.tops(real)
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
    return rows + [row for link in _links_to(path, real, around) for row in _link_carrier(link, around)]


def _unit(real: str, top: str, innermost: str) -> tuple[str, str]:
    if top != innermost and innermost == real:
        return relative(innermost, top), "repository"
    return relative(real, top), "folder"


def _link_carrier(link: str, around: Surroundings) -> Iterator[Carrier]:
    if tops := around.tops(os.path.dirname(link)):
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
    if path == top:
        return ""
    inside = path[len(top.rstrip(os.sep)) + 1 :] if is_below(path, top) else os.path.relpath(path, top)
    return inside.replace(os.sep, "/")  # relpath takes both apart: of 600 folders in each other that was half the time


def is_below(path: str, top: str) -> bool:
    """Tell whether a path is a folder or lies below it; both absolute and resolved."""
    return path == top or path.startswith(top.rstrip(os.sep) + os.sep)


def outermost(paths: Iterable[str]) -> list[str]:
    """Leave out the paths that lie below another one. paths: relative, "" for the whole."""
    kept: list[str] = []
    for path in sorted(set(paths), key=lambda path: path and f"{path}/"):  # so that what is below comes right after
        if not kept or (kept[-1] and not is_below(path, kept[-1])):
            kept.append(path)
    return kept


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
        mode = os.stat(place).st_mode
    except (OSError, ValueError):
        return False
    if not stat.S_ISDIR(mode):
        return stat.S_ISREG(mode)  # a linked worktree or submodule; a broken one makes git stop, not go on
    try:
        for part in ("HEAD", "objects", "refs"):
            os.lstat(os.path.join(place, part))
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


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


def _links_to(path: str, real: str, around: Surroundings) -> list[str]:
    """List the symlinks on the way to a vault that lead to it rather than to a repository that holds it.

    Nor does one count that leads to a folder around the vault in its own work tree, as current -> releases/1: git
    carries the vault where it lies.
    """
    links = []
    for link in _links_on_the_way(path, around):
        target = os.path.realpath(link)
        between = [top for top in around.tops(real) if is_below(top, target)]
        at_home = target != real and around.tops(os.path.dirname(link))[:1] == around.tops(real)[:1]
        if is_below(real, target) and not at_home and (target == real or not between):
            links.append(link)
    return links


def _links_on_the_way(path: str, around: Surroundings) -> list[str]:
    found: list[str] = []
    todo = [path]
    while todo and len(found) < 40:  # the kernel's own limit
        for link in around.links(todo.pop()):
            place = os.path.join(os.path.realpath(os.path.dirname(link)), os.path.basename(link))
            if place not in found:
                found.append(place)
                todo.append(os.path.join(os.path.dirname(place), os.readlink(place)))
    return found
