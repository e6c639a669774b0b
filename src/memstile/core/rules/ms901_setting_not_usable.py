"""Report a setting that cannot be used, and was not.

A typo must never turn a guard off: an unknown key, a bad value or a broken file leaves the default in force and is
told. So is an entry in a project's file that would loosen what the user's own file, or the built-in defaults, ask
for: a cloned repository cannot turn a guard off. All faults are told at once.

The exit code is 2, since a vault may have been meant otherwise than it was checked; where a loosening entry is all that
is wrong, it is 1, as for any finding.

    Found:  `hard_line = 300`; `mode = "enforced"`; `[index] mode = "off"` in a project's memstile.toml.
    Passes: `[gate] mode = "enforce"` in a project's memstile.toml: tighter than the default.

Mend it: correct the entry; put a loosening one into the user's config.toml, where it is yours to make.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.rules.rule import Rule, Told


def check(facts: Facts) -> Iterator[Told]:
    """Tell each fault of a settings file."""
    for fault in facts.faults:
        yield Told(facts.path, fault.message, fault.hint, line=fault.line)


RULE = Rule(
    "MS901",
    "setting-not-usable",
    Severity.ERROR,
    "",
    "a setting is unknown, unusable or looser than allowed, and was not used",
    check,
    __doc__ or "",
)
