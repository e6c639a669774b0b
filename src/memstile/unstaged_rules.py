"""Find ignore rules that are on disk and that the next commit would be without."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memstile.carriers import is_below
from memstile.core.facts import RepositoryFacts
from memstile.core.repairs import is_ignore_file
from memstile.core.settings import DEFAULTS
from memstile.local_rules import ignore_files_above
from memstile.on_disk import is_staged
from memstile.repository import LITERAL, Repository, ask_ignored, entries
from memstile.snapshot import Snapshot
from memstile.staged_ignore import StagedRules


def with_rules_to_stage(
    repository: Repository, rules: StagedRules, rows: Sequence[RepositoryFacts]
) -> list[RepositoryFacts]:
    """Name for each vault that the staged rules do not keep out the files that would, staged as they are on disk.

    rows: answers by the staged rules. Two git processes more, where a file differs, else none.
    """
    files = {row: _differing(repository, rules, row) for row in rows}
    paths = dict.fromkeys(asked.path for row, named in files.items() if named for asked in row.asked)
    ignored = {asked.path for asked in ask_ignored(repository, list(paths))[0] if asked.is_ignored} if paths else set()
    named = {row: files[row] for row in rows if all(asked.path in ignored for asked in row.asked)}
    flagged = flagged_files(repository, dict.fromkeys(file for each in named.values() for file in each))
    return [
        row._replace(rules_to_stage=named[row], flagged=tuple(file for file in named[row] if file in flagged))
        if named.get(row)
        else row
        for row in rows
    ]


def flagged_files(repository: Repository, files: Iterable[str]) -> frozenset[str]:
    """Pick the files that `git add` passes over: marked assume-unchanged (a small letter) or skip-worktree (S)."""
    asked = tuple(files)
    rows = repository.git.names(LITERAL, "ls-files", "-v", "-z", "--", *asked) if asked else []
    return frozenset(row[2:] for row in rows if row[:1].islower() or row[:1] == "S")


def _differing(repository: Repository, rules: StagedRules, row: RepositoryFacts) -> tuple[str, ...]:
    if all(asked.is_ignored for asked in row.asked):
        return ()
    return tuple(file for file in ignore_files_above(row.unit) if row.unit and rules.differs(repository, file))


def unstaged_rules(repository: Repository, rows: Iterable[RepositoryFacts]) -> tuple[str, ...]:
    """Name the ignore files that keep vaults out today and that the next commit would be without, or without the rule.

    rows: what this repository says, by the files on disk. What is in a vault itself is left out, and what a conflict
    leaves in several versions: staging that would commit the conflict's marks.
    """
    by_file: dict[str, list[RepositoryFacts]] = {}
    for row in rows:
        for source in {asked.match.source for asked in row.asked if asked.match} if row.unit else ():
            if is_ignore_file(source) and not is_below(source, row.unit) and source not in row.unmerged:
                by_file.setdefault(source, []).append(row)
    files = [file for file in sorted(by_file) if not is_staged(repository, file)]
    if not files:
        return ()
    tracked = {entry.path for entry in entries(repository, *files)}
    rules = StagedRules(Snapshot(repository, DEFAULTS.index_name))
    return tuple(
        file
        for file in files
        if file not in tracked or not all(_is_kept_out(repository, rules, row) for row in by_file[file])
    )


def _is_kept_out(repository: Repository, rules: StagedRules, row: RepositoryFacts) -> bool:
    return all(asked.is_ignored for asked in rules(repository, [asked.path for asked in row.asked])[0])
