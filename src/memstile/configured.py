"""Find the folders that a [[vault]] table names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import translate

from memstile.core.settings import VaultSetting
from memstile.core.text import shown
from memstile.errors import GuardError

MAX_FOLDERS = 10_000
"""Folders one table may lead through; a path such as "~/*/*/*" would look at the whole disk before each commit."""

_SKIPPED = frozenset((".git", "node_modules"))


def configured_folders(setting: VaultSetting) -> list[str]:
    """Give the absolute folders that a [[vault]] table names; none where a "*" matches nothing.

    "~" is the home folder, "*" any one name but .git and node_modules. In front of further parts it stands for no
    symlink: links to folders around it would give more paths than can be counted. Raises GuardError where more than
    MAX_FOLDERS folders match.
    """
    path = os.path.normpath(os.path.join(setting.base, os.path.expanduser(setting.path)))
    if "*" not in path:
        return [path]
    drive, rest = os.path.splitdrive(path)
    *parts, last = rest.split(os.sep)
    folders = [drive + os.sep]
    for part in parts:
        folders = _bounded(setting, (one for folder in folders for one in _inner(folder, part)))
    found = _bounded(setting, (one for folder in folders for one in _inner(folder, last, follows_links=True)))
    return sorted(folder for folder in found if os.path.isdir(folder))


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
    # Only "*" is special here; translate, since its pattern takes no more than linear time over many "*".
    is_match = re.compile(translate(part.replace("[", "[[]").replace("?", "[?]"))).match
    try:
        with os.scandir(folder) as rows:
            return [row.path for row in rows if is_match(row.name) and _may_stand(row, follows_links=follows_links)]
    except OSError:  # not there, or nobody may look
        return []


def _may_stand(row: os.DirEntry[str], *, follows_links: bool) -> bool:
    try:
        return row.name not in _SKIPPED and row.is_dir(follow_symlinks=follows_links)
    except OSError:  # a loop, or a name too long
        return False
