"""Tell that old commits carry files of a vault that is clean today.

Ignoring and untracking protect from now on. Whoever has a clone, or can fetch one, still reads what was committed
before. What that means is for its owner to judge: rotate credentials first, rewrite history if it must go.

    Found:  the vault was committed once and untracked later.
    Passes: no commit reachable from a branch or tag holds a file of the vault.

Look: the command shows the commits. To remove them from history, see git-filter-repo; it rewrites every commit since.

Settings: git.mode, vault.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.repairs import git, shown_path
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import shell_quoted


def check(facts: Facts) -> Iterator[Told]:
    """Look for commits, where nothing is tracked today."""
    for repository in facts.repositories:
        if repository.in_history and not repository.tracked:
            yield Told(
                shown_path(repository, repository.unit),
                f"earlier commits carry files of the vault, the latest change in {repository.in_history[:12]}",
                "rotate what was secret in it; the command shows the commits",
                (
                    # --full-history: git log passes over a branch that a merge took nothing of
                    f"{git(repository)} --literal-pathspecs log --all --full-history --oneline --stat -- "
                    f"{shell_quoted(repository.unit or '.')}",
                ),
            )


RULE = Rule(
    "MS209",
    "vault-in-history",
    Severity.INFO,
    "git",
    "old commits carry files of the vault",
    check,
    __doc__ or "",
)
