"""compared.py: indexes on disk against a base; over real git in tests/test_tree.py."""

from __future__ import annotations

import pytest

from memstile.compared import as_checked_out
from memstile.core.facts import MISSING, Kind, Reading
from memstile.core.measure import Size, measure


def file(data: bytes) -> Reading:
    return Reading(Kind.FILE, measure(data), data)


BASE = file(b"a\nb\nc")

# What the base holds, what the git index and the disk hold now; the size that the base would have on disk.
ENDS = [
    pytest.param(BASE, b"a\n", b"a\n", Size(3, 5), id="LF everywhere"),
    pytest.param(BASE, b"a\n", b"a\r\n", Size(3, 7), id="the checkout writes CRLF: one more for each line end"),
    pytest.param(BASE, b"a\n", b"a\r\nb\nc\n", Size(3, 6), id="both kinds on disk: one more for each CRLF"),
    pytest.param(BASE, b"a\r\n", b"a\r\n", Size(3, 5), id="CRLF is in git too: the change brought it"),
    pytest.param(file(b"a\r\nb"), b"a\n", b"a\r\n", Size(2, 4), id="the base has CRLF itself"),
    pytest.param(BASE, None, b"a\r\n", Size(3, 5), id="not in the git index"),
    pytest.param(BASE, b"a\n", None, Size(3, 5), id="not read on disk"),
    pytest.param(MISSING, b"a\n", b"a\r\n", Size(0, 0), id="a new index"),
    pytest.param(
        Reading(Kind.TOO_LARGE, Size(None, 9)), b"a\n", b"a\r\n", Size(None, 9), id="a base that was not read"
    ),
    pytest.param(Reading(Kind.UNREADABLE), b"a\n", b"a\r\n", None, id="a base that cannot be read"),
]


@pytest.mark.parametrize(("before", "staged", "now", "size"), ENDS)
def test_a_base_is_measured_with_the_line_ends_of_the_checkout(
    before: Reading, staged: bytes | None, now: bytes | None, size: Size | None
) -> None:
    assert as_checked_out(before, staged, now) == before._replace(size=size)
