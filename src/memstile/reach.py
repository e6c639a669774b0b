"""Say how far `memstile fix` reaches: that a clone's own settings name a folder is not reason enough to change it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memstile.carriers import ancestors, is_below, is_repository
from memstile.config import load
from memstile.configured import configured_folders
from memstile.core.facts import Facts, RepositoryFacts
from memstile.core.pointers import NO_NOTES
from memstile.core.steps import needs_rule
from memstile.core.text import shown
from memstile.core.vault import DOCS, SETTINGS_FOLDERS, is_host_vault
from memstile.discover import is_vault_for_sure, linked_files
from memstile.outcome import Request
from memstile.standing import Standing

_WHOLE = "it is the whole work tree"
_OUTSIDE = "it lies outside this project, and only the project's own settings name it"
_UNSURE = "nothing on disk makes sure that it is a vault: no link to a note beside its index, no frontmatter of one"
_SETTINGS = "hosts and editors keep settings in a folder of this name"
_OF_HOSTS = "hosts keep agents, skills and commands there"
_OF_DOCS = "folders of this name hold documentation"
_OF_TESTS = "it lies among tests or examples"
_PURPOSES = (
    (NO_NOTES, _OF_HOSTS),
    (frozenset(("test", "tests", "__tests__", "testdata", "fixtures", "examples")), _OF_TESTS),
)
_SKILL = "skill.md"
_OF_GIT = frozenset((".gitattributes", ".gitignore", ".gitkeep"))


class LeftAlone(NamedTuple):
    """A vault that is not changed where it was not named on the command line. path: as shown; why: half a sentence."""

    path: str
    why: str


class Reach(NamedTuple):
    """What the person asked for, absolute and resolved.

    given: the named folders. starts: those, or where the person stands. projects: the work trees around them. own: the
    folders that the person's own settings name.
    """

    given: frozenset[str]
    starts: tuple[str, ...]
    projects: frozenset[str]
    own: frozenset[str]

    def objection(self, real: str, top: str, facts: Facts, row: RepositoryFacts) -> str:
        """Say why a repository is not changed for a vault, "" if it is. real, top: of the vault and the repository."""
        if real in self.given:
            return ""
        if not row.unit:
            return _WHOLE
        if not facts.is_configured:
            return _doubt(real, facts, row)
        if real in self.own:
            return ""
        if any(is_below(start, real) for start in self.starts):
            return _WHOLE
        is_inside = any(is_below(real, place) for place in (*self.starts, *self.projects))
        return "" if is_inside or top in self.projects else _OUTSIDE


def _doubt(real: str, facts: Facts, row: RepositoryFacts) -> str:
    """Say why a folder that nobody named may be no vault after all, or not that alone; "" if it is one for sure."""
    if os.path.basename(real) in SETTINGS_FOLDERS:
        return _SETTINGS
    if is_host_vault(real.replace(os.sep, "/")) or is_host_vault(facts.path):
        return ""
    folders = row.unit.split("/")
    if folders[-1] in DOCS:
        return _OF_DOCS
    for names, why in _PURPOSES:
        if not names.isdisjoint(folders):
            return why
    if not is_vault_for_sure(real, facts.settings.index_name):
        return _UNSURE
    linked = linked_files(real, facts.settings.index_name)
    more = next((name for name in _no_notes(row) if name not in linked), "")
    return f"{shown(more)} in it is no note, and its index does not link to it" if more else ""


def _no_notes(row: RepositoryFacts) -> list[str]:
    """List what git would carry of a vault's folder, or could lose sight of, that is no note; relative to the folder.

    Of what it does not track, dot-files do not count: editors and systems leave them.
    """
    start = f"{row.unit}/"
    tracked = [entry.path[len(start) :] for entry in row.tracked if entry.path.startswith(start)]
    fresh = [asked.path[len(start) :] for asked in row.asked if asked.path.startswith(start) and not asked.is_ignored]
    names = dict.fromkeys([*tracked, *(name for name in fresh if "/." not in f"/{name}")])
    return [name for name in names if not _is_usual(name.rpartition("/")[2].lower())]


def _is_usual(name: str) -> bool:
    """Tell whether a file may be part of any vault. name: its last part, in small letters."""
    return name in _OF_GIT or (name.endswith(".md") and name != _SKILL)


def reach(request: Request, standing: Standing, current_top: str | None) -> Reach:
    """Tell what a request asks for. current_top: the work tree of the repository that git's environment names."""
    given = [_folder(standing.absolute(path)) for path in request.paths]
    starts = given or [os.path.realpath(standing.cwd)]
    around = (
        next((top for top in ancestors(start) if top == current_top or is_repository(top)), "") for start in starts
    )
    # A read that finds nothing leaves the project's file out.
    users = load(standing.cwd, environment=standing.environment, flags=request.flags, read=lambda path: None).settings
    own = (os.path.realpath(folder) for row in users.vaults for folder in configured_folders(row))
    return Reach(frozenset(given), tuple(starts), frozenset(top for top in around if top), frozenset(own))


def _folder(path: str) -> str:
    """Give the folder that a given path is about: itself, be it one that only git has, or that of an index."""
    is_file = not os.path.isdir(path) and (os.path.lexists(path) or path.lower().endswith(".md"))
    return os.path.realpath(os.path.dirname(path) if is_file else path)


def split(
    every: Iterable[Facts], reached: Reach, standing: Standing
) -> tuple[list[RepositoryFacts], tuple[LeftAlone, ...]]:
    """Part what repositories say into what may be changed, and the vaults that would have to be but are left alone."""
    rows: list[RepositoryFacts] = []
    left: dict[LeftAlone, None] = {}
    for facts, row in _guarded(every):
        why = reached.objection(absolute(facts.path, standing), absolute(row.top, standing), facts, row)
        if not why:
            rows.append(row)
        elif needs_rule(row) or row.tracked:
            left[LeftAlone(facts.path, why)] = None
    return rows, tuple(left)


def _guarded(every: Iterable[Facts]) -> Iterator[tuple[Facts, RepositoryFacts]]:
    for facts in every:
        if facts.settings.git_mode != "off":
            yield from ((facts, row) for row in facts.repositories if not row.fault)


def absolute(path: str, standing: Standing) -> str:
    """Resolve a path as shown."""
    # "../x" is counted from where a link leads that the person came by, as the kernel does; normpath would not.
    return os.path.realpath(os.path.join(standing.cwd, path))
