"""Make one Settings of all that was said: user's file, project's file, environment, flags.

Whatever cannot be used is told, leaves the value from below in force, and keeps no other entry from use.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from memstile.core.record import NamedTuple
from memstile.core.setting_key import Key, Kind, Tighter
from memstile.core.setting_keys import KEY_BY_PLACE, KEYS, TABLES
from memstile.core.setting_rights import Origin as Origin
from memstile.core.setting_rights import Right, allowed, changed, may_tighten, union
from memstile.core.setting_rights import Source as Source
from memstile.core.setting_values import MAX_SHOWN_CHARS, cut, parse, value_text
from memstile.core.setting_vaults import joined, read_tables
from memstile.core.settings import DEFAULTS, LOOSENING, UNUSABLE, Fault, Settings
from memstile.core.text import counted

MAX_UNKNOWN = 50
"""Names told one by one: a hint takes some 0.2 ms, and a file full of them must not outlast a hook."""

_NAMES = (*(key.name for key in KEYS), *TABLES)
_LIST = "docs/settings.md lists the settings"


class Resolved(NamedTuple):
    """The settings in force, and every entry that was not used."""

    settings: Settings
    faults: tuple[Fault, ...]


def resolve(
    sources: Iterable[Source], *, trust_project: bool = False, environment_only_tightens: bool = False
) -> Resolved:
    """Apply the sources, weakest first, to the built-in defaults.

    trust_project: in CI, without a user's file, the checkout's file rules. environment_only_tightens: in a
    hook. Result: every soft cap is at most its hard cap, every vault is named once. Raises nothing, whatever
    the values.
    """
    rights = {
        Origin.PROJECT: Right.ANYTHING if trust_project else Right.PROJECT,
        Origin.ENVIRONMENT: Right.TIGHTEN if environment_only_tightens else Right.ANYTHING,
    }
    settings = DEFAULTS
    faults: list[Fault] = []
    for source in sources:
        settings, told = _applied(settings, source, rights.get(source.origin, Right.ANYTHING))
        faults += told
    return Resolved(settings, tuple(faults))


def _applied(floor: Settings, source: Source, right: Right) -> tuple[Settings, list[Fault]]:
    entries, faults = _entries(source)
    used: dict[str, object] = {}
    for key, value in entries:
        read = _vaults if key.kind is Kind.VAULTS else _plain
        new, told = read(key, value, floor, source, right)
        faults += told
        if new is not None:
            used[key.field] = new
    settings, told = _with_soft_below_hard(floor, changed(floor, used), used, source.name)
    return settings, faults + told


def _entries(source: Source) -> tuple[list[tuple[Key, object]], list[Fault]]:
    """Split a source into the entries of known keys and the faults of the rest."""
    entries = []
    faults = []
    unknown = []
    for table, name, value in _flat(source.values):
        key = KEY_BY_PLACE.get((table, name))
        if key is not None:
            entries.append((key, value))
        elif not table and name in TABLES:
            message = f"{name} is {value_text(value)}, not a table"
            faults.append(Fault(source.name, name, message, f"write [{name}] on a line of its own", UNUSABLE))
        else:
            unknown.append(f"{table}.{name}" if table else name)
    return entries, faults + unknown_faults(source.name, unknown)


def _flat(values: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    """Give (table, name, value); whatever is no table of ours comes whole, with "" for its table."""
    for name, value in values.items():
        if name in TABLES and isinstance(value, Mapping):
            yield from ((name, inner, one) for inner, one in value.items())
        else:
            yield "", name, value


def _plain(key: Key, value: object, floor: Settings, source: Source, right: Right) -> tuple[object | None, list[Fault]]:
    """Read one value. Result: what the key becomes, None where it stays as it is; at most one fault."""
    old = getattr(floor, key.field)
    parsed = parse(key, value)
    if parsed.problem:
        # Where more is tighter, one bad entry takes away neither the others nor what was there before.
        new: object | None = union(old, parsed.value) if key.tighter is Tighter.MORE else None
        hint = f"{value_text(old if new is None else new)} is used until this is mended"
        return new, [Fault(source.name, key.name, f"{key.name} {parsed.problem}", hint, UNUSABLE)]
    new = allowed(key, parsed.value, floor, right)
    if new == parsed.value or key.tighter is Tighter.MORE:
        return new, []
    why = f"is looser than {value_text(old)}" if may_tighten(key, right) else "is not for this file to set"
    message = f"{key.name} = {value_text(parsed.value)} {why}; {value_text(new)} is used"
    fault = Fault(source.name, key.name, message, _LOOSENING_HINTS[source.origin], LOOSENING)
    return (None if new == old else new), [fault]


_LOOSENING_HINTS = {
    Origin.PROJECT: "a project's file may only tighten; set it in the user's own config.toml if it is meant",
    Origin.ENVIRONMENT: "in a hook the environment may only tighten; set it in the file that --config names",
}


def _vaults(
    _key: Key, value: object, floor: Settings, source: Source, right: Right
) -> tuple[object | None, list[Fault]]:
    tables = read_tables(value, source.base)
    vaults, troubles = joined(floor.vaults, tables, may_loosen=right is Right.ANYTHING, is_own=right is Right.PROJECT)
    faults = [
        Fault(source.name, one.key, one.message, _LOOSENING_HINTS[source.origin], LOOSENING)
        if one.is_loosening
        else Fault(source.name, one.key, one.message, one.hint, UNUSABLE)
        for one in troubles
    ]
    return vaults, faults + unknown_faults(source.name, tables.unknown, ("path", "mode"))


def _with_soft_below_hard(
    floor: Settings, settings: Settings, used: Mapping[str, object], name: str
) -> tuple[Settings, list[Fault]]:
    """Bring a soft cap that is above its hard cap down; a fault only if this source gave the soft one."""
    faults = []
    for dimension in ("lines", "bytes"):
        field = f"index_soft_{dimension}"
        soft, hard = getattr(settings, field), getattr(settings, f"index_hard_{dimension}")
        if soft <= hard:
            continue
        lower = min(getattr(floor, field), hard)
        settings = changed(settings, {field: lower})
        if field in used:
            key = f"index.soft_{dimension}"
            message = f"{key} = {soft} is above index.hard_{dimension} = {hard}"
            faults.append(Fault(name, key, message, f"{lower} is used until this is mended", UNUSABLE))
    return settings, faults


def unknown_faults(source: str, unknown: Sequence[str], known: Collection[str] = _NAMES) -> list[Fault]:
    """Tell names that are no setting.

    source: name of the file, as shown. unknown: dotted names as written. known: what they may be meant for.
    """
    faults = [
        Fault(source, cut(name), f"{cut(name)} is not a setting", _hint(name, known), UNUSABLE)
        for name in unknown[:MAX_UNKNOWN]
    ]
    if len(unknown) > MAX_UNKNOWN:
        rest = counted(len(unknown) - MAX_UNKNOWN, "more name")
        faults.append(Fault(source, "", f"{rest} in this file, not a setting either", _LIST, UNUSABLE))
    return faults


def _hint(name: str, known: Collection[str]) -> str:
    table, _, last = name.rpartition(".")
    if last == "path" and last not in known:  # nothing else is called so, and all that is near is far from it
        return "put it below a line [[vault]]"
    if name in known:
        return f"write {last} without quotes below [{table}]"
    lasts = {one: _own_part(one) for one in known}
    own = _own_part(name)
    meant = own if own in lasts.values() else _near(own, set(lasts.values()))
    all_near = [one for one in known if lasts[one] == meant]
    near = [one for one in all_near if one == f"{table}.{meant}"] or all_near
    return f"did you mean {' or '.join(near)}" if near else _LIST


def _own_part(name: str) -> str:
    """Take off what a name shares with many: compared with it, every two names are near."""
    return name.rpartition(".")[2].removeprefix("MEMSTILE_")


def _near(word: str, words: Collection[str]) -> str:
    import difflib  # brings re, so only where something is wrong already

    # Sorted, since of two words that are as near the first is given.
    return next(iter(difflib.get_close_matches(word[:MAX_SHOWN_CHARS], sorted(words), n=1)), "")
