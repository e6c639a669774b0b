"""Report a symlink to a vault that git does not ignore.

For git a symlink is a file. A rule with a trailing slash (`/vault/`) matches folders only, so the link itself can be
committed, and with it a path of somebody's machine.

    Found:  .memory is a symlink, the rule is `.memory/`.
    Passes: the rule is `/.memory`, without the slash.

Mend it: add the rule without a trailing slash.

Settings: git.mode, vault.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.repairs import how_to_ignore, ignored_by_rule, shown_path
from memstile.core.rules.rule import Rule, Told


def check(facts: Facts) -> Iterator[Told]:
    """Look for links that no rule, or a negated one, decides about."""
    for repository in facts.repositories:
        if repository.unit_kind == "symlink" and not all(row.is_ignored for row in repository.asked):
            yield Told(
                shown_path(repository, repository.unit),
                "symlink to the vault is not ignored by git; a rule with a trailing slash does not match a symlink",
                how_to_ignore(repository, "ignore it by a rule without trailing slash"),
                ignored_by_rule(repository),
            )


RULE = Rule(
    "MS207",
    "vault-symlink-not-ignored",
    Severity.ERROR,
    "git",
    "a symlink to the vault is not ignored by git",
    check,
    __doc__ or "",
)
