"""Find the folders that a [[vault]] table names: on disk, and among those that only git has."""

from __future__ import annotations

import os

from memstile.core.settings import VaultSetting
from memstile.core.text import shown
from memstile.errors import GuardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_FOLDERS = 10_000
"""Folders one table may lead through; a path such as "~/*/*/*" would look at the whole disk before each commit."""

_SKIPPED = frozenset((".git", "node_modules"))


def configured_folders(setting: VaultSetting) -> list[str]:
    """Give the absolute folders that a [[vault]] table names; none where a "*" matches nothing.

    "~" is the home folder, "*" any one name but .git and node_modules. In front of further parts it stands for no
    symlink: links to folders around it would give more paths than can be counted. Raises GuardError where more than
    MAX_FOLDERS folders match.
    """
    path = _whole(setting)
    if "*" not in path:
        return [path]
    drive, rest = os.path.splitdrive(path)
    *parts, last = rest.split(os.sep)
    folders = [drive + os.sep]
    for part in parts:
        folders = _bounded(setting, (one for folder in folders for one in _inner(folder, part)))
    found = _bounded(setting, (one for folder in folders for one in _inner(folder, last, follows_links=True)))
    return sorted(folder for folder in found if os.path.isdir(folder))


def matching(setting: VaultSetting, folders: Iterable[str]) -> list[str]:
    """Pick the folders that a path with "*" names, there or not; none for a path without.

    folders: absolute, resolved. Raises GuardError where more than MAX_FOLDERS match.
    """
    is_named = matcher(setting)
    return _bounded(setting, (folder for folder in folders if is_named(folder))) if "*" in _whole(setting) else []


def matcher(setting: VaultSetting) -> Callable[[str], bool]:
    """Give the test whether a [[vault]] table names a folder, by its path alone: it need not be on disk.

    The path has to be absolute and resolved; that a "*" may stand for a link in the last part is not seen.
    """
    parts = _whole(setting).split(os.sep)
    fixed = next((number for number, part in enumerate(parts) if "*" in part), len(parts))
    top = os.path.realpath(os.sep.join(parts[:fixed]) or os.sep)
    start = top.rstrip(os.sep) + os.sep
    tests = [stands_for(part) for part in parts[fixed:]]

    def is_named(folder: str) -> bool:
        if not tests or not folder.startswith(start):
            return not tests and folder == top
        names = folder[len(start) :].split(os.sep)
        return len(names) == len(tests) and all(test(name) for test, name in zip(tests, names, strict=True))

    return is_named


def _whole(setting: VaultSetting) -> str:
    return os.path.normpath(os.path.join(setting.base, os.path.expanduser(setting.path)))


def stands_for(part: str) -> Callable[[str], bool]:
    """Give the test whether a part of a path stands for a name."""
    if "*" not in part:
        return part.__eq__
    import re
    from fnmatch import translate

    # Only "*" is special here; translate, since its pattern takes no more than linear time over many "*".
    is_match = re.compile(translate(part.replace("[", "[[]").replace("?", "[?]"))).match
    return lambda name: name not in _SKIPPED and is_match(name) is not None


def _bounded(setting: VaultSetting, folders: Iterator[str]) -> list[str]:
    found = [folder for _, folder in zip(range(MAX_FOLDERS + 1), folders, strict=False)]
    if len(found) > MAX_FOLDERS:
        raise GuardError(
            f'"{shown(setting.path)}" of a [[vault]] table leads through more than {MAX_FOLDERS:,} folders',
            'name the vaults with fewer "*"',
        )
    return found


def _inner(folder: str, part: str, *, follows_links: bool = False) -> list[str]:
    """Give what a part of a path stands for in a folder; what has no "*" need not be there."""
    if "*" not in part:
        return [os.path.join(folder, part)]
    is_meant = stands_for(part)
    try:
        with os.scandir(folder) as rows:
            return [row.path for row in rows if is_meant(row.name) and _is_folder(row, follows_links=follows_links)]
    except OSError:  # not there, or nobody may look
        return []


def _is_folder(row: os.DirEntry[str], *, follows_links: bool) -> bool:
    try:
        return row.is_dir(follow_symlinks=follows_links)
    except OSError:  # a loop, or a name too long
        return False
