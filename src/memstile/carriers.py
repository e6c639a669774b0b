"""Find the repositories that could carry a vault, from its place in the file system alone; git is not started."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple


class Carrier(NamedTuple):
    """One repository and what it would carry of a vault.

    top: its work tree, absolute and resolved. unit: relative to top, "" for the whole of it. kind: "folder",
    "symlink" or "repository". is_root: the vault is the work tree. is_asked: whether the unit has to be ignored; a
    project around a nested project sees a gitlink only, so there it is enough that it tracks nothing of the vault.
    is_broken: there is a .git, but git would not take it for one.
    """

    top: str
    unit: str
    kind: str = "folder"
    is_root: bool = False
    is_asked: bool = True
    is_broken: bool = False


def carriers(path: str, current_top: str | None = None) -> list[Carrier]:
    """List the repositories around a vault and around the symlinks that lead to it, innermost first.

    path: the vault's folder, absolute, links unresolved; it need not exist. current_top: the work tree of the
    repository that git's environment names, for one without a .git in its work tree (bare dotfiles repositories).
    """
    real = os.path.realpath(path)
    tops = [top for top in ancestors(real) if is_repository(top)]
    rows = [
        Carrier(top, *_unit(real, top, tops[0]), is_root=top == real, is_asked=n == 0 or (n == 1 and tops[0] == real))
        for n, top in enumerate(tops)
    ]
    if not tops:
        broken = [top for top in ancestors(real) if os.path.lexists(os.path.join(top, ".git"))]
        rows += [Carrier(top, relative(real, top), is_broken=True) for top in broken[:1]]
    if current_top and current_top not in tops and is_below(real, current_top):
        rows.append(Carrier(current_top, relative(real, current_top), is_root=real == current_top))
    return rows + [row for link in _links_to(path, real) for row in _link_carrier(link)]


def _unit(real: str, top: str, innermost: str) -> tuple[str, str]:
    if top != innermost and innermost == real:
        return relative(innermost, top), "repository"
    return relative(real, top), "folder"


def _link_carrier(link: str) -> Iterator[Carrier]:
    tops = [top for top in ancestors(os.path.dirname(link)) if is_repository(top)]
    if tops:
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


def _links_to(path: str, real: str) -> list[str]:
    """List the symlinks on the way to a vault that lead to it rather than to a repository that holds it."""
    links = []
    for link in _links_on_the_way(path):
        target = os.path.realpath(link)
        between = [folder for folder in ancestors(real) if is_below(folder, target)]
        if is_below(real, target) and (target == real or not any(is_repository(folder) for folder in between)):
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
