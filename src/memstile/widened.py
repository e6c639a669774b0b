"""Tell which vaults a wider path still names, so that `path = "*/.mem"` in place of "a/.mem" is no loosening."""

from __future__ import annotations

import os
import posixpath

from memstile.carriers import ancestors, is_below
from memstile.configured import configured_folders, matcher, stands_for
from memstile.core.settings import Settings, VaultSetting
from memstile.errors import GuardError


def with_still_named(after: Settings, before: Settings) -> Settings:
    """Add to settings the tables of older ones whose folders another table now names, with no less of a mode.

    Both files lie in the same folder. Text and disk have to agree. Text alone would not see that a "*" stands for no
    link on the way. The disk alone would not see the folders of other clones: an ignored vault is in no checkout, and
    a link that leads to the folder may be there for this one person. A vault that moves together with its table is a
    loosening for the same reason: no commit moves it on other disks, and its new place may hold private notes there.
    """
    known = {posixpath.normpath(row.path) for row in after.vaults}
    kept = [
        old
        for old in before.vaults
        if posixpath.normpath(old.path) not in known and any(_still_names(new, old) for new in after.vaults)
    ]
    return after._replace(vaults=(*after.vaults, *kept))


def _still_names(new: VaultSetting, old: VaultSetting) -> bool:
    is_as_strict = new.mode in (old.mode, "ignored")  # auto leaves the word to any other, so it is not above one
    return is_as_strict and _is_wider(new.path, old.path) and _names_all(new, old)


def _is_wider(new: str, old: str) -> bool:
    """Tell whether a path with "*" stands for every place that another one stands for, by their text."""
    pairs = [posixpath.normpath(path).split("/") for path in (new, old)]
    return len(pairs[0]) == len(pairs[1]) and all(map(_is_wider_part, *pairs))


def _is_wider_part(new: str, old: str) -> bool:
    if new == old:
        return True
    if "*" in old:
        return set(new) == {"*"}
    # "" is the root of an absolute path
    return "*" in new and old not in ("", ".", "..") and not old.startswith("~") and stands_for(new)(old)


def _names_all(new: VaultSetting, old: VaultSetting) -> bool:
    """Tell whether a table names the folders of an older one on this disk, and their places where there are none."""
    try:
        found = set(map(os.path.realpath, configured_folders(new)))
        places = [(folder, os.path.realpath(folder)) for folder in configured_folders(old)]
    except GuardError:  # too many to look at; told elsewhere if the table is still in force
        return False
    is_named = matcher(new)
    return all(
        real in found or (is_named(real) and not os.path.isdir(folder) and not _has_link(folder, old.base))
        for folder, real in places
    )


def _has_link(folder: str, top: str) -> bool:
    """Tell whether a way down from a folder goes over a symlink, be it one that leads nowhere here."""
    return any(os.path.islink(above) for above in ancestors(folder) if above != top and not is_below(top, above))
