"""Report vault files that a negated rule lets back in.

The last rule that matches decides. `.memory/*` followed by `!.memory/note.md` keeps that note out of protection; so
does a nested .gitignore with a negation. Under a folder that is itself ignored (`.memory/`) git looks at no further
rule, so a negation there does nothing and is not reported.

    Found:  `.memory/*` and `!.memory/note.md`.
    Passes: `.memory/` and `!.memory/note.md`.

Mend it: take the negated rule out, or ignore the folder as a whole after it.

Settings: git.mode, vault.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts, Match
from memstile.core.finding import Severity
from memstile.core.repairs import how_to_ignore, ignored_by_rule, shown_path
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import counted, shown


def check(facts: Facts) -> Iterator[Told]:
    """Look for paths whose deciding rule is negated."""
    for repository in facts.repositories:
        back = [(row.path, row.match) for row in repository.asked if row.match and row.match.is_negated]
        if back and repository.unit_kind != "symlink":
            yield Told(
                shown_path(repository, repository.unit),
                f"{counted(len(back), 'path')} of the vault let back in by {_rule(back[0][1])}",
                how_to_ignore(repository, "take that rule out, or ignore the whole folder after it"),
                ignored_by_rule(repository),
                tuple(shown_path(repository, path) for path, _ in back),
            )


def _rule(match: Match) -> str:
    return f"{shown(match.source)}:{match.line}: {shown(match.pattern)}"


RULE = Rule(
    "MS205",
    "vault-re-included",
    Severity.ERROR,
    "git",
    "a negated rule lets files of the vault back in",
    check,
    __doc__ or "",
)
