"""Read the [[vault]] tables of one file, and join them with those already known."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from memstile.core.loosening import mode_rank
from memstile.core.record import NamedTuple
from memstile.core.setting_keys import VAULT_MODES
from memstile.core.setting_values import value_text
from memstile.core.settings import VaultSetting

MAX_VAULTS = 200
"""Tables read of one file: each costs every hook call a look at the disk; one path with "*" names many."""

MAX_STARRED_PARTS = 8
"""Parts of a path with "*" in them: each multiplies what is looked at, and no layout of vaults needs more."""

_MAX_PATH_CHARS = 4_096


class Trouble(NamedTuple):
    """What is wrong with one table.

    key: as shown, "vault[2].mode". is_loosening: usable, but not this file's to say.
    """

    key: str
    message: str
    hint: str
    is_loosening: bool = False


class Tables(NamedTuple):
    """The usable tables of one file, numbered from 1; what is wrong; the names that are no setting."""

    vaults: tuple[tuple[int, VaultSetting], ...] = ()
    troubles: tuple[Trouble, ...] = ()
    unknown: tuple[str, ...] = ()


def read_tables(value: object, base: str) -> Tables:
    """Read what a file holds under `vault`. value: anything. base: the file's folder. Raises nothing."""
    if isinstance(value, Mapping):
        read = _read([value], base)
        brackets = Trouble("vault", "vault is one table, not a list of tables", "write [[vault]] with two brackets")
        return read._replace(troubles=(brackets, *read.troubles))
    if not isinstance(value, list | tuple):
        message = f"vault is {value_text(value)}, not a list of tables"
        return Tables(troubles=(Trouble("vault", message, _EXAMPLE),))
    read = _read(value[:MAX_VAULTS], base)
    if len(value) <= MAX_VAULTS:
        return read
    message = f"vault holds {len(value):,} tables, of which the first {MAX_VAULTS} are used"
    return read._replace(troubles=(*read.troubles, Trouble("vault", message, 'name many vaults by one path with "*"')))


_EXAMPLE = 'write [[vault]] on a line of its own and path = ".agent-memory" below it'


def _read(tables: list[object] | tuple[object, ...], base: str) -> Tables:
    vaults = []
    troubles: list[Trouble] = []
    unknown: list[str] = []
    for number, table in enumerate(tables, 1):
        if not isinstance(table, Mapping):
            message = f"vault[{number}] is {value_text(table)}, not a table"
            troubles.append(Trouble(f"vault[{number}]", message, _EXAMPLE))
            continue
        unknown += (f"vault[{number}].{name}" for name in table if name not in ("path", "mode"))
        troubles += _troubles(number, table)
        if _is_path(table.get("path")) and _starred_parts(table["path"]) <= MAX_STARRED_PARTS:
            vaults.append((number, VaultSetting(table["path"], _mode(table), base)))
    return Tables(tuple(vaults), tuple(troubles), tuple(unknown))


def _troubles(number: int, table: Mapping[str, object]) -> list[Trouble]:
    troubles = []
    if "path" not in table:
        troubles.append(Trouble(f"vault[{number}].path", f"vault[{number}] names no path", _EXAMPLE))
    elif not _is_path(table["path"]):
        message = f"vault[{number}].path is {value_text(table['path'])}, not a path"
        troubles.append(Trouble(f"vault[{number}].path", message, _EXAMPLE))
    elif _starred_parts(str(table["path"])) > MAX_STARRED_PARTS:
        message = f'vault[{number}].path has more than {MAX_STARRED_PARTS} parts with "*"'
        troubles.append(Trouble(f"vault[{number}].path", message, "name the folders further down, or fewer of them"))
    if table.get("mode", "auto") not in VAULT_MODES:
        message = f"vault[{number}].mode is {value_text(table['mode'])}, not one of {', '.join(VAULT_MODES)}"
        troubles.append(Trouble(f"vault[{number}].mode", message, '"auto" is used until this is mended'))
    return troubles


def _is_path(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value and len(value) <= _MAX_PATH_CHARS


def _starred_parts(path: str) -> int:
    """Count the parts of a path as written that stand for any name."""
    return sum("*" in part for part in path.replace("\\", "/").split("/"))


def _mode(table: Mapping[str, object]) -> str:
    mode = table.get("mode", "auto")
    return mode if isinstance(mode, str) and mode in VAULT_MODES else "auto"


def leaves_its_folder(path: str) -> bool:
    """Tell whether a path as written can lead out of the folder it is relative to; symlinks are not seen.

    A backslash counts as a separator: it is one on Windows, and elsewhere no vault's path needs it.
    """
    plain = path.replace("\\", "/")
    is_absolute = plain.startswith(("/", "~")) or plain[1:2] == ":"
    return is_absolute or posixpath.normpath(plain).split("/", 1)[0] == ".."


def joined(
    known: tuple[VaultSetting, ...], tables: Tables, *, may_loosen: bool, is_own: bool
) -> tuple[tuple[VaultSetting, ...], tuple[Trouble, ...]]:
    """Add the tables of one file to the vaults known before it.

    may_loosen: the file is the person's; its mode replaces the one known for the same folder. is_own: it is a
    project's, whose word holds for the vaults below it, but not against a mode the person asked for.
    Without either a folder is still added, and a mode other than auto is refused.
    Result: each folder once, in order of first mention, and every trouble.
    """
    vaults = {_place(vault): vault for vault in known}
    named, troubles = _merged(tables)
    for place, (number, vault) in named.items():
        before = vaults.get(place, vault._replace(mode="auto"))
        mode = vault.mode if may_loosen or _may_set(vault, before, is_own=is_own) else before.mode
        if vault.mode not in (mode, "auto"):
            message = f'vault[{number}].mode is "{vault.mode}", not for this file to set; "{mode}" is used'
            troubles.append(Trouble(f"vault[{number}].mode", message, "", is_loosening=True))
        vaults[place] = before._replace(mode=mode)
    return tuple(vaults.values()), tuple(troubles)


def _may_set(vault: VaultSetting, before: VaultSetting, *, is_own: bool) -> bool:
    is_tighter = before.mode == "auto" or mode_rank(vault.mode) >= mode_rank(before.mode)
    return is_own and is_tighter and not leaves_its_folder(vault.path)


def _merged(tables: Tables) -> tuple[dict[str, tuple[int, VaultSetting]], list[Trouble]]:
    """Keep one table a folder; of two modes the one that asks more of git."""
    named: dict[str, tuple[int, VaultSetting]] = {}
    troubles = list(tables.troubles)
    for number, vault in tables.vaults:
        first, twin = named.setdefault(_place(vault), (number, vault))
        if twin.mode != vault.mode:
            stricter = max(twin, vault, key=lambda one: mode_rank(one.mode))
            named[_place(vault)] = (first, stricter)
            message = f"vault[{number}] names the folder of vault[{first}] with another mode"
            hint = f'keep one of them; "{stricter.mode}" is used until then'
            troubles.append(Trouble(f"vault[{number}].path", message, hint))
    return named, troubles


def _place(vault: VaultSetting) -> str:
    """Give the folder as far as text can tell; "~" and "*" stay as they are."""
    is_home = vault.path.startswith("~")
    return posixpath.normpath(vault.path if is_home else posixpath.join(vault.base, vault.path))
