"""Find out which of the files a tool call writes are indexes: by identity, whatever way their paths are spelled."""

from __future__ import annotations

import os

from memstile.core.record import NamedTuple
from memstile.core.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    SettingsOf = Callable[[str], Settings]

FOLDS_CASE = os.name == "nt" or os.uname().sysname == "Darwin"


class Target(NamedTuple):
    """An index that a path leads to. path: absolute, links resolved. is_by_name: only its name says it is one."""

    path: str
    settings: Settings
    is_by_name: bool = False

    @property
    def name(self) -> str:
        """Name it in a message: the vault's folder and the file, no path of the machine."""
        return "/".join(self.path.split(os.sep)[-2:])


def absolute(path: str, cwd: str) -> str:
    """Follow a payload's cwd and "~". Result: absolute, with ".." and links as they were spelled.

    A lone surrogate is U+FFFD, which is what hosts write in its place.
    """
    return os.path.join(cwd or os.getcwd(), os.path.expanduser(nameable(path)))


def nameable(path: str) -> str:
    """Give a path that the system can be asked about."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return path.translate(dict.fromkeys(range(0xD800, 0xE000), 0xFFFD))
    return path


def target_of(path: str, cwd: str, settings_of: SettingsOf) -> Target | None:
    """Tell which index a path leads to, None for any other file.

    path: as the payload spells it. Hosts tidy ".." in the text, the system follows links first: both readings count.
    """
    if not path or "\0" in path:
        return None
    spelled = absolute(path, cwd)
    index_name = settings_of(cwd or os.getcwd()).index_name
    for reading in dict.fromkeys((os.path.normpath(spelled), spelled)):
        target = _target(os.path.realpath(reading), cwd, settings_of) if _may_be_one(reading, index_name) else None
        if target:
            return target
    return None


def own_target(path: str, cwd: str, own_vault: str, settings_of: SettingsOf) -> Target | None:
    """Give the index of the host's own vault where a path leads to it, wherever the host keeps that vault."""
    if not path or "\0" in path or not own_vault:
        return None
    folder, name = os.path.split(os.path.realpath(absolute(path, cwd)))
    settings = settings_of(folder)
    is_own = name == settings.index_name and folder == os.path.realpath(nameable(own_vault))
    return Target(os.path.join(folder, name), settings) if is_own else None


def searched(path: str, cwd: str, settings_of: SettingsOf) -> Target | None:
    """Give the configured index that a host finds for a relative path which leads nowhere: the one with its ending.

    The ending of the text: Gemini CLI 0.61.0 took "lt/MEMORY.md" for vault/MEMORY.md.
    """
    if not path or os.path.isabs(path) or os.path.lexists(absolute(path, cwd)):
        return None
    ending = os.path.normpath(path)
    indexes = (index for index in configured_indexes(settings_of(cwd)) if index.endswith(ending))
    return next((found for index in indexes if (found := target_of(index, cwd, settings_of))), None)


def _may_be_one(path: str, index_name: str) -> bool:
    """Tell whether it is worth a look: the name fits, or it is a link or has another name.

    index_name: the user's, which no project changes: a patch may name thousands of folders.
    """
    if os.path.basename(path).lower() == index_name.lower():
        return True
    try:
        status = os.lstat(path)
    except OSError:
        return path.endswith((os.sep, os.sep + ".", os.sep + ".."))
    return status.st_nlink > 1 or os.path.islink(path)


def _target(real: str, cwd: str, settings_of: SettingsOf) -> Target | None:
    folder, name = os.path.split(real)
    settings = settings_of(folder)
    named_here = settings_of(cwd) if cwd else settings
    for configured in (settings, named_here):
        if any(_is_same(real, index) for index in configured_indexes(configured)):
            return Target(real, settings)
    if name != settings.index_name and not (FOLDS_CASE and name.lower() == settings.index_name.lower()):
        is_alike = name.lower() == settings.index_name.lower()
        return Target(real, settings, is_by_name=True) if is_alike and not _any_vault(settings, named_here) else None
    from memstile.core.host_vaults import host_vault
    from memstile.discover import is_vault

    # A host's place is one before there is an index in it.
    if host_vault(folder.replace(os.sep, "/")) or is_vault(folder, name):
        return Target(real, settings)
    return None if _any_vault(settings, named_here) else Target(real, settings, is_by_name=True)


def _any_vault(*several: Settings) -> bool:
    return any(settings.vaults for settings in several)


def configured_indexes(settings: Settings) -> Iterator[str]:
    """Give the paths of the configured vaults' indexes, whether or not they exist; absolute."""
    if not settings.vaults:
        return
    from memstile.configured import configured_folders
    from memstile.errors import GuardError

    for row in settings.vaults:
        try:
            folders = configured_folders(row)
        except GuardError:  # a "*" that leads through the whole disk: `memstile check` tells
            continue
        for folder in folders:
            yield os.path.join(folder, settings.index_name)


def _is_same(real: str, index: str) -> bool:
    resolved = os.path.realpath(index)
    if real == resolved or (FOLDS_CASE and real.lower() == resolved.lower()):
        return True
    try:
        return os.path.samefile(real, resolved)  # a hard link
    except OSError:
        return False
