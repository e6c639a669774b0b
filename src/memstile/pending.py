"""See what the next commit of each repository would hold once the steps are done."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from memstile.carriers import is_below
from memstile.core.next_commit import Pending
from memstile.core.steps import Action
from memstile.errors import GuardError
from memstile.git import GitFault
from memstile.on_disk import is_staged
from memstile.repository import Repository, staged
from memstile.survey import Work
from memstile.unstaged_rules import flagged_files

# In the order in which they are told: a rebase that stops leaves the name of the commit it picks too.
_OPERATIONS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "git am"),  # source: git's contrib/completion/git-prompt.sh
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
)


def pending(work: Sequence[Work], unstaged_rules: Mapping[str, Sequence[str]]) -> tuple[Pending, ...]:
    """Look at each repository of the steps that were carried out. Raises GuardError where git gives no answer.

    unstaged_rules: by work tree as shown, the ignore files that a commit has to carry and that are not staged.
    """
    tops = {row.step.repository.top: row.repository for row in work}
    try:
        return tuple(
            _pending(repository, [row for row in work if row.step.repository.top == top], unstaged_rules.get(top, ()))
            for top, repository in tops.items()
        )
    except GitFault as fault:
        raise GuardError(fault.message, fault.advice) from fault


def _pending(repository: Repository, work: Sequence[Work], rules: Sequence[str]) -> Pending:
    letters = staged(repository, ["."])
    changed = sorted(letters)
    unmerged = tuple(path for path in changed if letters[path] == "U")
    own = [row.step.file for row in work if row.step.action is Action.IGNORE]
    # The second look names no rule where nothing is left that it keeps out: the index is not on disk, say.
    to_stage = [file for file in dict.fromkeys(own) if file not in rules and not is_staged(repository, file)]
    rules = [file for file in sorted({*rules, *to_stage}) if file not in unmerged]
    units = dict.fromkeys(row.step.repository.unit for row in work if row.rows)
    taken_out = tuple(unit for unit in units if any(_is_in(path, [unit]) for path in changed))
    files = {*rules, *(row.step.file for row in work if row.step.file in changed)}
    return Pending(
        work[0].step.repository._replace(flagged=tuple(flagged_files(repository, rules))),
        tuple(rules),
        tuple(sorted(files)),
        taken_out,
        tuple(path for path in changed if path not in (*files, *unmerged) and not _is_in(path, units)),
        _operation(repository),
        unmerged,
    )


def _is_in(path: str, units: Iterable[str]) -> bool:
    return any(not unit or is_below(path, unit) for unit in units)


def _operation(repository: Repository) -> str:
    names = (name for file, name in _OPERATIONS if os.path.lexists(os.path.join(repository.git_dir, file)))
    return next(names, "")
