"""Report an index that cannot be measured.

No host loads such an index, and a guard that cannot measure must not call it clean. FIFOs, devices, sockets and
folders are never opened. A file past 8 MiB is judged by its bytes without being read; that is a warning here, since
MS101 and MS102 have judged the bytes and a shrink must pass.

    Found:  MEMORY.md is a folder, a FIFO, a dangling symlink, or may not be read.
    Passes: a symlink to a regular file.

Mend it: make the index a regular, readable file. Of one with a conflict the git index holds several versions: resolve
it, then `git add`.

Settings: index.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts, Kind
from memstile.core.finding import Severity
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import shown
from memstile.core.wording import index_name

_HINTS = {
    Kind.UNREADABLE: "make it readable for the user who runs this check",
    Kind.NOT_REGULAR: "replace it with a regular file",
    Kind.TOO_LARGE: "move its content to notes; only the byte count was judged",
}
_IN_GIT = {  # by the first word of why
    "unmerged:": "resolve the conflict, then git add",
}


def check(facts: Facts) -> Iterator[Told]:
    """Look at what kind of thing each index is."""
    for index in facts.indexes:
        if index.now.kind in _HINTS:
            yield Told(
                index.path,
                f"{index_name(index)} cannot be measured: {shown(index.now.why)}",
                _IN_GIT.get(index.now.why.partition(" ")[0], _HINTS[index.now.kind]),
                severity=Severity.WARNING if index.now.kind is Kind.TOO_LARGE or not index.is_carried else None,
            )


RULE = Rule(
    "MS106",
    "index-unmeasurable",
    Severity.ERROR,
    "index",
    "the index is unreadable, not a regular file, or too large to parse",
    check,
    __doc__ or "",
)
