"""Find the vaults that the next commit stops to ignore, while a rule on disk still does."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from memstile.carriers import outermost, relative
from memstile.discover import is_vault, vaults_below
from memstile.repository import LITERAL, pathspec, walks_untracked
from memstile.snapshot import IGNORE_NAME, Snapshot
from memstile.staged_ignore import StagedRules


def let_in(snapshot: Snapshot, index_name: str, gone: Iterable[str]) -> list[str]:
    """List the folders, from the top, that are a vault on disk, ignored there, and by the staged rules not any more.

    gone: paths that the commit takes out. Git walks by the rules on disk, and would not show them. Two processes to
    read the ignore files; a few more only where one differs from the disk. Raises GitFault.
    """
    repository = snapshot.repository
    tracked = snapshot.named(IGNORE_NAME)
    taken = [path for path in gone if os.path.basename(path) == IGNORE_NAME]
    files = [path for path in (*tracked, *taken) if os.path.isfile(os.path.join(repository.top, path))]
    snapshot.fetch(files)
    rules = StagedRules(snapshot)
    changed = outermost({os.path.dirname(path) for path in files if rules.differs(repository, path)})
    if not changed or not walks_untracked(repository, changed):
        return []
    words = (LITERAL, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--")
    hidden = [name.rstrip("/") for name in repository.git.names(*words, *map(pathspec, changed))]
    shown = [asked.path for asked in rules(repository, hidden)[0] if not asked.is_ignored]
    found = list(dict.fromkeys(_vaults(repository.top, shown, index_name)))
    names = {folder: _files(repository.top, folder) for folder in found}
    asked = rules(repository, list(dict.fromkeys(name for every in names.values() for name in every)))[0]
    ignored = {row.path for row in asked if row.is_ignored}
    return [folder for folder, every in names.items() if not ignored.issuperset(every)]


def _vaults(top: str, paths: Iterable[str], index_name: str) -> Iterator[str]:
    """Give the vaults at and below some paths, and those around a file of theirs."""
    for path in paths:
        place = os.path.join(top, path)
        if os.path.isdir(place) and not os.path.islink(place):
            yield from (relative(folder, top) for folder in vaults_below(place, index_name))
        folder = path if os.path.islink(place) else os.path.dirname(path)
        if is_vault(os.path.join(top, folder), index_name):
            yield folder


def _files(top: str, folder: str) -> list[str]:
    place = os.path.join(top, folder)
    if os.path.islink(place):
        return [folder]
    with os.scandir(place) as rows:
        return [os.path.join(folder, row.name) for row in rows if not row.is_dir(follow_symlinks=False)]
