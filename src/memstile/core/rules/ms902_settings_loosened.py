"""Report a change that weakens the project's settings.

In CI the checkout's own settings rule, so a pull request could raise the cap and pass its own check. With a base the
two versions of the settings are compared, and each key that moved in its loosening direction is told.

    Found:  `hard_lines` from 200 to 400; a [[vault]] table taken out; `mode` from "enforce" to "audit".
    Passes: any change that tightens.

A [[vault]] table that comes with a looser mode than the default counts too: the commit that adds `mode = "shared"` is
refused once, and is a person's to let past.

Mend it: take the change back, or let a person decide. At the commit: `git commit --no-verify`; under pre-commit
`SKIP=memstile git commit`, which leaves the other hooks on. In CI: whoever may approve it merges past the failed check.
Later commits are not refused: they are compared with one that has the setting.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import shown


def check(facts: Facts) -> Iterator[Told]:
    """Tell each key that became looser."""
    for row in facts.loosenings:
        yield Told(
            facts.path,
            f"this change loosens {row.key} from {shown(row.before)} to {shown(row.after)}",
            "a person has to decide that: let this one commit past the hook with `git commit --no-verify` (under "
            "pre-commit SKIP=memstile passes over this hook alone), or merge past the failed check",
        )


RULE = Rule(
    "MS902",
    "settings-loosened",
    Severity.ERROR,
    "",
    "this change weakens the settings",
    check,
    __doc__ or "",
)
