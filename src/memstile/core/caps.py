"""Compare a size with the caps; the growth rule, per dimension."""

from __future__ import annotations

from memstile.core.measure import Size
from memstile.core.record import NamedTuple


class Caps(NamedTuple):
    """Limits of an index. "Over" is more than: a size equal to a cap is legal."""

    hard_lines: int = 200
    hard_bytes: int = 25_600
    soft_lines: int = 150
    soft_bytes: int = 20_480


class Excess(NamedTuple):
    """One dimension past a cap. before is None where no base is known or it could not be counted."""

    dimension: str  # "lines" or "bytes"
    before: int | None
    after: int
    cap: int

    @property
    def by(self) -> int:
        """How much has to go, in the dimension's unit."""
        return self.after - self.cap

    @property
    def grown_by(self) -> int:
        """How much has to go before the growth rule lets it through; where the base is within the cap, as much."""
        return self.after - max(self.before or 0, self.cap)


def _past(size: Size, before: Size | None, max_lines: int, max_bytes: int) -> tuple[Excess, ...]:
    rows = (
        ("lines", before.lines if before else None, size.lines, max_lines),
        ("bytes", before.bytes if before else None, size.bytes, max_bytes),
    )
    return tuple(Excess(d, b, a, cap) for d, b, a, cap in rows if a is not None and a > cap)


def over_hard(size: Size, caps: Caps, before: Size | None = None) -> tuple[Excess, ...]:
    """Name the dimensions past their hard cap; a dimension that was not counted is never named."""
    return _past(size, before, caps.hard_lines, caps.hard_bytes)


def over_soft(size: Size, caps: Caps, before: Size | None = None) -> tuple[Excess, ...]:
    """Name the dimensions past their soft cap (those past the hard cap too)."""
    return _past(size, before, caps.soft_lines, caps.soft_bytes)


def grown_over_hard(before: Size, after: Size, caps: Caps) -> tuple[Excess, ...]:
    """Apply the growth rule: the dimensions that are over their hard cap after and larger than before.

    before: EMPTY where there was no file; a dimension of None (a base that exists but was not read) is not judged.
    Result: () lets the change through. Shrinking in every over-cap dimension always gives ().
    """
    return tuple(e for e in over_hard(after, caps, before) if e.before is not None and e.after > e.before)
