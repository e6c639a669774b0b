"""A row of the decision log: its fields, the text that is kept and chained, and what of a path is kept.

Metadata only: there is no field for arguments, note text, what a person said, or the environment.
"""

from __future__ import annotations

from memstile.core.json_text import dumps, loads
from memstile.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from hashlib import blake2b

    from memstile.core.gate_step import GateRow
else:
    try:
        from _blake2 import blake2b  # hashlib takes 3 ms to load, this 0.2: python -I -S, 3.11 and 3.13
    except ImportError:
        from hashlib import blake2b

MAX_TEXT, MAX_PATH = 200, 4_096
"""Characters that are kept of a text and of a path: names of tools and ids come from a model, and could be a note."""

START = bytes(32)
"""What the first row is chained to."""


class Row(NamedTuple):
    """One event that was decided on or noted. New fields go to the end: the text that is chained is a list.

    id: its number, from 1, given when it is appended. time: seconds since 1970. event: of the gate protocol, else a
    word of the log's own (below). kind: class of the tool call. policy_state: state of the turn, where it is not
    classification and recall. action: allow, ask or deny; "" where nothing was decided. path: as `redacted` gives it.
    Sizes of the file written, None where unknown. pruned_to, pruned_digest: number and digest of a row that is gone.
    """

    id: int = 0
    time: float = 0.0
    host: str = ""
    host_version: str = ""
    session: str = ""
    agent: str = ""
    turn: str = ""
    event: str = ""
    call: str = ""
    tool: str = ""
    kind: str = ""
    policy_state: str = ""
    decision: str = ""
    reason_code: str = ""
    action: str = ""
    enforced: bool = False
    audit_override: bool = False
    classification: str = ""
    recall: str = ""
    observations: tuple[str, ...] = ()
    mode: str = ""
    profile: str = ""
    settings_digest: str = ""
    version: str = ""
    path: str = ""
    bytes_before: int | None = None
    lines_before: int | None = None
    bytes_after: int | None = None
    lines_after: int | None = None
    pruned_to: int = 0
    pruned_digest: str = ""


PRUNED = "log_pruned"
"""Event of a checkpoint: the rows up to pruned_to are gone, the last of them had the digest pruned_digest."""

BEHIND = "log_behind_anchor"
"""Event noted when a row is to be appended and the anchor knows of more rows than there are, or of others."""

_EMPTY = Row()
_SIZES = ("bytes_before", "lines_before", "bytes_after", "lines_after")


def rows_of(gates: Iterable[GateRow], known: Row, level: str) -> tuple[Row, ...]:
    """Make rows of what the gate tells of an event. known: see `row_of`. level: of the settings, audit.level."""
    if level == "off":
        return ()
    return tuple(row_of(gate, known) for gate in gates if level == "verbose" or not gate.is_minor)


def row_of(gate: GateRow, known: Row) -> Row:
    """Make a row of what the gate tells and of what it does not know.

    known: time, host and its version, session, agent, mode, profile, digest of the settings, our version, path and
    sizes. A decision counts as enforced where the mode is enforce; of a result nothing is enforced.
    """
    return known._replace(
        event=gate.event,
        turn=gate.turn,
        call=gate.call,
        tool=gate.tool,
        kind=gate.kind,
        decision=gate.decision,
        reason_code=gate.reason_code,
        action=gate.action,
        enforced=known.mode == "enforce" and bool(gate.action),
        audit_override=gate.audit_override,
        classification=gate.classification,
        recall=gate.recall,
        observations=gate.observations,
    )


def plain(row: Row) -> Row:
    """Give a row as it will be read back: texts bounded, numbers that SQLite and JSON can hold."""
    return Row._make([_plain(name, value) for name, value in zip(Row._fields, row, strict=True)])


def _plain(name: str, value: object) -> object:
    if isinstance(value, str):
        return bounded(value, MAX_PATH if name == "path" else MAX_TEXT)
    if isinstance(value, (tuple, list)):
        return tuple(bounded(str(part)) for part in value[:20])
    if isinstance(value, float) or name == "time":
        return float(value) if isinstance(value, (int, float)) and -1e15 < value < 1e15 else 0.0  # NaN: 0.0
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-(2**63), min(value, 2**63 - 1))
    return value


def bounded(text: str, most: int = MAX_TEXT) -> str:
    """Cut a text that is too long; a digest at its end keeps it apart from others with the same beginning."""
    if len(text) <= most:
        return text
    return f"{text[: most - 33]}~{_digest(text.encode('utf-8', 'surrogatepass'), 16).hex()}"


def written(row: Row) -> str:
    """Write a row, which is `plain`, as the text that is kept and chained: a JSON list in ASCII."""
    return dumps(row)


def read(text: str) -> Row | None:
    """Read a row back; None for what is no row.

    Fields that were added after it was written have their defaults; those of a later version are left out.
    """
    values = loads(text)
    if not isinstance(values, list):
        return None
    values = values[: len(_EMPTY)]  # of a later version
    for at, value in enumerate(values):
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            values[at] = tuple(value)
    row = Row._make([*values, *_EMPTY[len(values) :]])
    return row if all(map(_fits, Row._fields, row, _EMPTY)) else None


def _fits(name: str, value: object, like: object) -> bool:
    return type(value) is type(like) or (name in _SIZES and type(value) is int)


def chained(before: bytes, text: str) -> bytes:
    """Give the digest of a row: of the digest before it and of its text. Result: 32 bytes."""
    return _digest(before + text.encode("utf-8", "surrogatepass"), 32)


def identity(row: Row) -> bytes | None:
    """Tell what makes a row the same as one that is there; None for an event without a call, each of which counts."""
    if not row.call:
        return None
    # Tool and verdict count, too: an integration may number its calls anew in each batch, and no decision may be lost.
    ids = (row.host, row.session, row.agent, row.turn, row.call, row.event, row.tool, row.decision, row.reason_code)
    state = (row.classification, row.recall, row.observations)
    return _digest(dumps((*ids, *state)).encode(), 16)


def redacted(path: str, how: str, most: int, key: bytes) -> str:
    """Give what the log keeps of a path.

    how: truncate keeps the last `most` characters, hash gives a digest that only `key` can be compared with, full
    keeps it, and omit or any other word nothing. key: at most 64 bytes count; without one, hash keeps nothing, as
    anybody could try paths on it.
    """
    if how == "truncate":
        return path if len(path) <= most else "..." + path[len(path) - max(most - 3, 0) :] if most > 3 else ""
    if how == "hash":
        return _digest(path.encode("utf-8", "surrogatepass"), 16, key[:64]).hex() if path and key else ""
    return path if how == "full" else ""


def _digest(data: bytes, size: int, key: bytes = b"") -> bytes:
    return blake2b(data, digest_size=size, key=key).digest()
