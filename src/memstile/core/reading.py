"""One look at an index: what was met, how large it is, what it holds."""

from __future__ import annotations

from memstile.core.choice import Enum
from memstile.core.measure import EMPTY, Size
from memstile.core.record import NamedTuple


class Kind(Enum):
    """What a look at an index met."""

    FILE = "file"
    MISSING = "missing"
    UNREADABLE = "unreadable"
    NOT_REGULAR = "not a regular file"
    TOO_LARGE = "too large to read"


class Reading(NamedTuple):
    """One look at an index: its kind, its size as far as known, its content if read.

    size: None where nothing is known; size.lines is None where the bytes are known and the content was not read.
    why: what stood in the way, "" for FILE and MISSING.
    """

    kind: Kind
    size: Size | None = None
    data: bytes | None = None
    why: str = ""


MISSING = Reading(Kind.MISSING, EMPTY)

MAX_HEAD_BYTES = 2048
"""How much of a note is enough to see whether it opens with memory frontmatter."""
