"""What the watcher knows of one index from one look to the next, and over a restart."""

from __future__ import annotations

from memstile.core.json_text import dumps, loads
from memstile.core.measure import Size
from memstile.core.record import NamedTuple


class Known(NamedTuple):
    """What is known of one index.

    accepted, accepted_digest: the last settled state that the growth rule let through, None and "" where there was
    none. seen_digest: the last settled state, accepted or not. told: codes of what was said and still stands. grown:
    the largest sizes that were refused and told since, None where none was. git_told: the same as `told` of the git
    rules, "CODE path".
    waiting_digest, waiting_since: a state that lost so much that it may be half a save, and since when it has been so
    (seconds since 1970); these two do not outlive the process.
    """

    accepted: Size | None = None
    accepted_digest: str = ""
    seen_digest: str = ""
    told: tuple[str, ...] = ()
    grown: Size | None = None
    git_told: tuple[str, ...] = ()
    waiting_digest: str = ""
    waiting_since: float = 0.0


NOTHING = Known()
_KEPT = 6


def written(known: Known) -> str:
    """Write what is to be kept over a restart, as a JSON list."""
    return dumps(known[:_KEPT])


def read(text: str) -> Known:
    """Read it back; NOTHING for what is no such text."""
    values = loads(text)
    if not isinstance(values, list) or len(values) < _KEPT:
        return NOTHING
    accepted, digest, seen, told, grown, git_told = values[:_KEPT]
    if not (_is_text(digest) and _is_text(seen) and _are_texts(told) and _are_texts(git_told)):
        return NOTHING
    return Known(_size(accepted), str(digest), str(seen), _texts(told), _size(grown), _texts(git_told))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _size(value: object) -> Size | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    lines, size = value
    if not _is_count(size) or not (lines is None or _is_count(lines)):
        return None
    return Size(lines if lines is None else int(lines), int(size))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
