"""Report a vault that an outer repository carries as a gitlink or submodule.

A vault that is a repository of its own is private only as long as no outer repository points to it: a gitlink gives
away its commit ids, a submodule also the address to clone it from, and every clone with submodules brings it along.

    Found:  `git add .` in a project whose vault has its own .git; `git submodule add`.
    Passes: a vault repository that the outer repository ignores and does not track.

Mend it: take the gitlink out of the git index (the vault stays on disk), then ignore the folder.

Settings: git.mode, vault.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.repairs import forget_submodule, has_gitlink, ignored_by_rule, is_ignored, shown_path, untrack
from memstile.core.rules.rule import Rule, Told


def check(facts: Facts) -> Iterator[Told]:
    """Look for a gitlink at the vault's own place."""
    for repository in facts.repositories:
        if has_gitlink(repository):
            what = "a submodule" if repository.submodule else "a gitlink"
            rule = () if is_ignored(repository) else ignored_by_rule(repository)
            yield Told(
                shown_path(repository, repository.unit),
                f"the outer repository carries the vault as {what}",
                "take it out of the git index and ignore it; the vault stays on disk",
                (
                    untrack(repository),
                    *forget_submodule(repository),
                    *rule,
                ),
            )


RULE = Rule(
    "MS206",
    "vault-nested-repository",
    Severity.ERROR,
    "git",
    "an outer repository carries the vault as a gitlink or submodule",
    check,
    __doc__ or "",
)
