"""Report a repository that git gives no answer about.

A guard that takes "git failed" for "not a repository" passes exactly where it is needed, for example in a container
whose checkout belongs to another user. With a repository in sight, no answer is an error.

    Found:  "dubious ownership", a broken repository, a missing git program, a time-out.
    Passes: a folder that no repository contains.

Mend it: see the hint; for ownership, mark the repository as safe for this user.

Settings: git.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import shown


def check(facts: Facts) -> Iterator[Told]:
    """Look for repositories without an answer."""
    for repository in facts.repositories:
        if repository.fault:
            yield Told(
                facts.path,
                f"could not verify what git does with the vault: {shown(repository.fault)}",
                repository.fault_hint,
                repository.fault_commands,
            )


RULE = Rule(
    "MS208",
    "git-gave-no-answer",
    Severity.ERROR,
    "git",
    "git gave no answer about the vault",
    check,
    __doc__ or "",
)
