"""Report a vault inside a project that git does not ignore.

One `git add -A` is enough, and server names, paths and personal detail are in the project's history. Every file of
the vault has to be ignored; each repository that contains the vault is asked, up to the root.

    Found:  .agent-memory/ in a project without a rule for it.
    Passes: `/.agent-memory/` in .gitignore; a lone `*` in the vault's own .gitignore; a vault outside any repository;
            a vault that is the root of a repository of its own (unless an outer repository can see it).

Mend it: `memstile fix` adds the rule; or append it by hand, as shown. At a commit the staged .gitignore counts: a rule
that is only on disk has to be staged. If the vault is committed on purpose, say so: `mode = "shared"` in its [[vault]]
table. The commit that adds the table is refused once, by MS902, for a person to let it past: `git commit --no-verify`,
under pre-commit also `SKIP=memstile git commit`; in CI whoever may approve it merges past the failed check.

Settings: git.mode, vault.mode.
"""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.facts import Facts
from memstile.core.finding import Severity
from memstile.core.repairs import has_gitlink, how_to_ignore, ignored_by_rule, shown_path
from memstile.core.rules.rule import Rule, Told
from memstile.core.text import counted, shown

_HINT = "ignore it; if it is committed on purpose, say so in memstile.toml: "


def check(facts: Facts) -> Iterator[Told]:
    """Look for paths that no rule matches."""
    for repository in facts.repositories:
        if repository.unit_kind == "symlink" or has_gitlink(repository):
            continue  # MS207 and MS206 speak about these
        missed = [row.path for row in repository.asked if row.match is None]
        if not missed:
            continue
        what = "nested repository" if repository.unit_kind == "repository" else "vault"
        is_whole = len(missed) == len(repository.asked)
        how_much = "" if is_whole else f": {counted(len(missed), 'file')} of {len(repository.asked):,}"
        yield Told(
            shown_path(repository, repository.unit),
            f"{what} is not ignored by git{how_much}",
            how_to_ignore(repository, _HINT + _shared(facts)),
            ignored_by_rule(repository),
            () if is_whole else tuple(shown_path(repository, path) for path in missed),
        )


def _shared(facts: Facts) -> str:
    path = shown(facts.path).replace("\\", "\\\\").replace('"', '\\"')
    return f'[[vault]], below it path = "{path}" and mode = "shared"; MS902 asks a person about the commit that adds it'


RULE = Rule(
    "MS201",
    "vault-not-ignored",
    Severity.ERROR,
    "git",
    "the vault lies in a project and git does not ignore it",
    check,
    __doc__ or "",
)
