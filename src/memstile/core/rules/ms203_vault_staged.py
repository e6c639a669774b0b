"""Report vault files that the next commit would add or change.

The last moment at which nothing has happened yet. Files staged by `git add -N` (intent to add) count: `git commit -a`
takes them along.

    Found:  `git add -f .agent-memory/note.md`; a changed note of a tracked vault that was staged.
    Passes: deletions: the commit that untracks a vault.

Mend it: take the files out of the git index, as shown; they stay on disk.

Settings: git.mode, vault.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.repairs import has_gitlink, shown_path, untrack
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import counted


def check(facts: Facts) -> Iterator[Told]:
    """Look for entries that differ from HEAD."""
    for repository in facts.repositories:
        staged = [path for path in repository.staged if path != repository.unit or not has_gitlink(repository)]
        if staged:
            # One command for the whole vault where nothing else of it is tracked, or too much to name.
            is_whole = len(staged) == len(repository.tracked) or len(staged) > 10
            yield Told(
                shown_path(repository, repository.unit),
                f"{counted(len(staged), 'file')} of the vault would be committed",
                "take the vault out of the git index; what is on disk stays, what was only staged stays as a lost blob",
                (untrack(repository, () if is_whole else staged),),
                tuple(shown_path(repository, path) for path in staged),
            )


RULE = Rule(
    "MS203",
    "vault-staged",
    Severity.ERROR,
    "git",
    "the next commit adds or changes files of the vault",
    check,
    __doc__ or "",
)
