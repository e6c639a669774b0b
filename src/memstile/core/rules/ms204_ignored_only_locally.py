"""Tell that a vault is ignored by a rule that other clones do not have.

A rule in .git/info/exclude or in a user-wide ignore file protects this clone alone; so does one in a .gitignore that
nobody has added: git goes by what is on disk. A colleague, another machine or a container that clones the project has
no such rule.

    Found:  the only rule for the vault is in .git/info/exclude; it is in a .gitignore that is not in the git index.
    Passes: a rule in a .gitignore that git tracks or the next commit adds; one in the vault itself, which goes where
            the vault goes.

Mend it: `git add` the .gitignore and commit it. A rule of another file, if other clones have a vault too: add it to
.gitignore as well.

Settings: git.mode, vault.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.repairs import ignored_by_rule, is_ignore_file, is_ignored, shown_path, travelling
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import shown


def check(facts: Facts) -> Iterator[Told]:
    """Look at where the deciding rules stand."""
    for repository in facts.repositories:
        if not (repository.local_source and is_ignored(repository)):
            continue
        if is_ignore_file(repository.local_source):
            file = shown(shown_path(repository, repository.local_source))
            yield Told(
                shown_path(repository, repository.unit),
                f"vault is ignored by {file} alone, which is not in the git index; other clones do not have it",
                "add that file to the next commit",
                (travelling(repository),),
            )
        else:
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
