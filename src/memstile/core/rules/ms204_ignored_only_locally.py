"""Tell that a vault is ignored by a rule that other clones do not have.

A rule in .git/info/exclude or in a user-wide ignore file protects this clone alone. A colleague, another machine or a
container that clones the project has no such rule.

    Found:  the only rule for the vault is in .git/info/exclude.
    Passes: a rule in a .gitignore of the project, or in the vault itself.

Mend it, if other clones have a vault too: add the rule to .gitignore as well.

Settings: git.mode, vault.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.repairs import ignored_by_rule, shown_path
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import shown


def check(facts: Facts) -> Iterator[Told]:
    """Look at where the deciding rules stand."""
    for repository in facts.repositories:
        if repository.local_source and repository.asked and all(row.is_ignored for row in repository.asked):
            yield Told(
                shown_path(repository, repository.unit),
                f"vault is ignored by {shown(repository.local_source)} alone; other clones do not have that rule",
                "add the rule to .gitignore if other clones have a vault too",
                ignored_by_rule(repository),
            )


RULE = Rule(
    "MS204",
    "ignored-only-locally",
    Severity.INFO,
    "git",
    "the vault is ignored by a rule that other clones do not have",
    check,
    __doc__ or "",
)
