"""Report vault files that are in the git index, ignored or not.

An ignore rule has no effect on what git already tracks: the usual way a vault stays public after somebody "fixed" it.
Untracking leaves the files on disk; the commit that untracks a vault passes.

    Found:  .agent-memory/ was committed first, the rule came later; `git add -f`.
    Passes: nothing of the vault in the git index.

Mend it: `memstile fix`, or `git rm -r --cached` as shown; then commit. Old commits still carry the files (MS209).
Copy the vault before: the files stay on this disk, but git takes them away from every clone that pulls the commit, and
from this one when it checks out an older commit and comes back. Of a vault that a sparse checkout leaves out, nothing
is on this disk to stay: bring it back before.

Settings: git.mode, vault.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import GITLINK, Facts
from memstile.core.finding import Severity
from memstile.core.repairs import shown_path, untrack
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import counted

_HERE = "untrack the vault, then commit; the files stay on disk"
_NOT_HERE = (
    "untrack the vault, then commit; nothing of it is on disk here: for a copy, first bring it back "
    "(git sparse-checkout add, or git restore)"
)


def check(facts: Facts) -> Iterator[Told]:
    """Look for entries of the git index that this commit does not bring itself (MS203 speaks about those)."""
    for repository in facts.repositories:
        staged = set(repository.staged)
        tracked = [
            row.path
            for row in repository.tracked
            if row.path not in staged and not (row.mode == GITLINK and row.path == repository.unit)
        ]
        if tracked:
            yield Told(
                shown_path(repository, repository.unit),
                f"git tracks {counted(len(tracked), 'file')} of the vault",
                _HERE if facts.is_present else _NOT_HERE,
                (untrack(repository),),
                tuple(shown_path(repository, path) for path in tracked),
            )


RULE = Rule(
    "MS202",
    "vault-tracked",
    Severity.ERROR,
    "git",
    "git tracks files of the vault",
    check,
    __doc__ or "",
)
