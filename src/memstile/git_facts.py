"""Ask the repositories around some vaults what they carry of them; a fixed number of git processes per repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from memstile.carriers import ByPath, Carrier, ancestors, is_below, outermost, relative
from memstile.core.facts import GITLINK, Asked, RepositoryFacts, Tracked
from memstile.core.repairs import IGNORE_NAME
from memstile.disk import files_below
from memstile.git import GitFault
from memstile.local_rules import ignore_files_above, with_local_sources
from memstile.repository import (
    Repository,
    ask_ignored,
    entries,
    last_commits_with,
    pathspec,
    staged,
)

_MAX_SPECS = 100
Asker = Callable[[Repository, Sequence[str]], tuple[list[Asked], list[tuple[str, GitFault]]]]


class Question(NamedTuple):
    """One vault in one repository. folder: the vault, absolute and resolved; index_name: its index's file name."""

    carrier: Carrier
    folder: str
    index_name: str


def ask_repository(
    repository: Repository,
    questions: Sequence[Question],
    shown_top: str,
    *,
    asker: Asker = ask_ignored,
    with_history: bool = True,
) -> list[RepositoryFacts]:
    """Answer for every vault in one repository, in the order of the questions.

    shown_top: the work tree as the person would type it. asker: who decides what is ignored. Where git gives no
    answer, each question gets the fault.
    """
    try:
        return _answers(repository, questions, shown_top, asker, with_history)
    except GitFault as fault:
        return [faulty(question.carrier, shown_top, fault) for question in questions]


def faulty(carrier: Carrier, shown_top: str, fault: GitFault) -> RepositoryFacts:
    """Say that a repository gave no answer."""
    return RepositoryFacts(
        shown_top,
        carrier.unit,
        carrier.kind,
        carrier.is_root,
        fault=fault.message,
        fault_hint=fault.hint,
        fault_commands=fault.commands,
    )


def _answers(
    repository: Repository, questions: Sequence[Question], shown_top: str, asker: Asker, with_history: bool
) -> list[RepositoryFacts]:
    specs = _specs(questions)
    every = entries(repository, *specs)
    # Of an unmerged path one of the versions.
    tracked = ByPath({entry.path: Tracked(entry.path, entry.mode) for entry in every})
    changed = ByPath({path: path for path, letter in staged(repository, specs).items() if letter != "D"})
    unmerged = {entry.path for entry in every if entry.stage}
    questions = [_as_git_has_it(repository, question, tracked) for question in questions]
    wanted = [question for question in questions if question.carrier.is_asked or _has_some_of(tracked, question)]
    submodules = _submodules(repository) if any(entry.mode == GITLINK for entry in every) else {}
    clean = [question.carrier.unit for question in questions if not tracked.of(question.carrier.unit)]
    history = last_commits_with(repository, clean) if with_history else {}
    # The last question: where git hangs over an ignore file, it is not asked again, and the rest has been said.
    asked, deciding, unanswered = _ask_all(repository, wanted, asker)
    rows = []
    for question in questions:
        unit = question.carrier.unit
        if question in unanswered:
            rows.append(faulty(question.carrier, shown_top, unanswered[question]))
            continue
        rows.append(
            RepositoryFacts(
                shown_top,
                unit,
                question.carrier.kind,
                question.carrier.is_root,
                asked=tuple(asked.get(question, ())),
                tracked=tuple(tracked.of(unit)),
                staged=tuple(changed.of(unit)),
                submodule=submodules.get(unit, ""),
                in_history=history.get(unit, ""),
                ignore_file=deciding.get(question, IGNORE_NAME),
                unmerged=tuple(file for file in ignore_files_above(unit) if file in unmerged) if unmerged else (),
            )
        )
    return with_local_sources(repository, rows, {entry.path for entry in every})


def _as_git_has_it(repository: Repository, question: Question, tracked: ByPath[Tracked]) -> Question:
    """Take a symlink above the vault, which is a folder to git, for that folder: the vault alone is asked about.

    A folder of the project may have been moved away, and a link stand in its place; what else git has of it is no part
    of the vault.
    """
    carrier = question.carrier
    rest = relative(question.folder, os.path.realpath(os.path.join(repository.top, carrier.unit)))
    is_folder = any(row.path != carrier.unit for row in tracked.of(carrier.unit))
    if carrier.kind != "symlink" or not rest or not is_folder:
        return question
    return question._replace(carrier=carrier._replace(unit=f"{carrier.unit}/{rest}", kind="folder", is_asked=False))


def _specs(questions: Sequence[Question]) -> list[str]:
    """Give pathspecs for the units and the ignore files above them.

    One for all where they are many: git tests each path against each, and a command line has an end.
    """
    units = {question.carrier.unit for question in questions}
    inner = {question.carrier.inner for question in questions if question.carrier.inner}
    rules = {file for unit in units for file in ignore_files_above(unit)}
    specs = [pathspec(path) for path in outermost(units | inner | rules)]
    return specs if len(specs) <= _MAX_SPECS else [pathspec("")]


def _has_some_of(tracked: ByPath[Tracked], question: Question) -> bool:
    """Tell whether git would walk into the nested project around a unit: it does where it has a file of it.

    Files of the unit do not count: they are told as tracked, and once they are out git sees a gitlink again.
    """
    unit, inner = question.carrier.unit, question.carrier.inner
    return bool(inner) and any(row.path != inner and not is_below(row.path, unit) for row in tracked.of(inner))


def _ask_all(
    repository: Repository, wanted: Sequence[Question], asker: Asker
) -> tuple[dict[Question, list[Asked]], dict[Question, str], dict[Question, GitFault]]:
    """Ask about each unit as a whole, then about each file of the units that no rule covers as a whole.

    Result: the answers, the ignore file in which a new rule would win, and the questions without an answer.
    """
    as_whole = {question: _whole(question) for question in wanted}
    first, faults = asker(repository, list(dict.fromkeys(as_whole.values())))
    answers = {row.path: row for row in first}
    failed = dict(faults)
    files = _files(
        question
        for question in wanted
        if question.carrier.kind == "folder"
        and as_whole[question] not in failed  # what took all its time once would take it again
        and not answers.get(as_whole[question], Asked("", None)).is_ignored
    )
    second, more = asker(repository, list(dict.fromkeys(path for paths in files.values() for path in paths)))
    answers |= {row.path: row for row in second}
    failed |= dict(more)
    asked = {
        question: [answers[path] for path in files.get(question, [as_whole[question]]) if path in answers]
        for question in wanted
    }
    for question, rows in asked.items():
        if rows and question not in files:
            asked[question] = [rows[0]._replace(path=question.carrier.unit)]
    unanswered = {
        question: failed[path]
        for question in wanted
        for path in files.get(question, [as_whole[question]])
        if path in failed
    }
    deciding = {question: _deciding(answers.get(path)) for question, path in as_whole.items()}
    return asked, deciding, unanswered


def _deciding(whole: Asked | None) -> str:
    """Name the .gitignore that lets a unit back in: it outranks those above, and its last line wins."""
    source = whole.match.source if whole and whole.match and whole.match.is_negated else ""
    return source if os.path.basename(source) == IGNORE_NAME and not os.path.isabs(source) else IGNORE_NAME


def _whole(question: Question) -> str:
    """Name the path that stands for the unit: a folder git cannot see is asked about through the index inside."""
    unit = question.carrier.unit
    is_there = question.carrier.kind != "folder" or os.path.isdir(question.folder)
    return unit if unit and is_there else _index_path(question)


def _index_path(question: Question) -> str:
    return "/".join(part for part in (question.carrier.unit, question.index_name) if part)


def _files(questions: Iterable[Question]) -> dict[Question, list[str]]:
    """List the files of each unit, and its index; of a nest the outermost unit is walked, the others cut out of it.

    What such a walk passes by, a nested repository or a folder that cannot be listed, is walked if it is a unit.
    """
    files: dict[Question, list[str]] = {}
    walked: dict[str, ByPath[str]] = {}
    for question in sorted(questions, key=lambda question: question.carrier.unit):
        unit = question.carrier.unit
        if unit not in walked:
            prefix = f"{unit}/" if unit else ""
            names = [prefix + name for name in files_below(question.folder)]
            walked[unit] = ByPath(dict(zip(names, names, strict=True)))
            for name in names:
                for folder in ancestors(os.path.dirname(name)):
                    if folder in walked:
                        break
                    walked[folder] = walked[unit]
        files[question] = list(dict.fromkeys([*walked[unit].of(unit), _index_path(question)]))
    return files


def _submodules(repository: Repository) -> dict[str, str]:
    """Map the path of each submodule to the name of its section in the .gitmodules of the git index."""
    words = ("config", "--blob", ":.gitmodules", "--no-includes", "-z", "--get-regexp", r"^submodule\..*\.path$")
    rows = repository.git.names(*words, accept=(0, 1, 128))  # 1: no such key; 128: no such file, or no config file
    pairs = (row.partition("\n") for row in rows)
    return {path: key.removeprefix("submodule.").removesuffix(".path") for key, _, path in pairs}
