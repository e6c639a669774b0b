"""What a rule is: a row of RULES whose docstring is its manual page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.record import NamedTuple


class Told(NamedTuple):
    """What a rule says; the engine stamps the code and, where `severity` is None, the rule's own severity."""

    path: str
    message: str
    hint: str = ""
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    line: int | None = None
    severity: Severity | None = None


class Rule(NamedTuple):
    """One row of RULES. group: the settings key whose mode governs it: "index", "git" or "" (always on).

    check: facts in, what it has to say out; total over any facts. page: the text `memstile rule CODE` prints.
    """

    code: str
    name: str
    severity: Severity
    group: str
    summary: str
    check: Callable[[Facts], Iterator[Told]]
    page: str
