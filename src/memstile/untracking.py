"""Change the git index of a repository without touching its work tree and without running its programs.

`git rm --cached` would compare each file with the disk first, and run the clean filters of the repository for that
(observed with git 2.39); `git update-index` takes names away and looks at nothing. Both leave the same git index.
Even so, each write of the git index compares entries as young as itself with the disk (racy-git in git's technical
documentation), so the drivers of all filters are made void for it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence

from memstile.blobs import read_blobs
from memstile.core.facts import GITLINK
from memstile.core.repairs import MODULES_NAME
from memstile.core.text import shown
from memstile.errors import GuardError
from memstile.git import Git
from memstile.on_disk import blob_id, is_on_disk
from memstile.repository import Entry, Repository
from memstile.safe_write import Seen, look, replace

_NO_FILTER = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))


def untrack(repository: Repository, rows: Sequence[Entry]) -> None:
    """Take entries out of the git index. Raises GitFault, and then nothing was changed."""
    names = dict.fromkeys(row.path for row in rows)
    stdin = b"".join(os.fsencode(name) + b"\0" for name in names)
    without_filters(repository).ask("update-index", "--force-remove", "-z", "--stdin", stdin=stdin)


def without_filters(repository: Repository) -> Git:
    """Give git with every clean, smudge and process filter set to none, by pairs in its environment."""
    listed = repository.git.ask("config", "-z", "--name-only", "--get-regexp", r"^filter\.", accept=(0, 1))
    drivers = dict.fromkeys(os.fsdecode(name).rpartition(".")[0] for name in listed.split(b"\0")[:-1])
    outside = dict(repository.git.environment)
    count = int(outside.get("GIT_CONFIG_COUNT") or 0)
    for driver in drivers:
        for key, value in _NO_FILTER:
            outside |= {f"GIT_CONFIG_KEY_{count}": f"{driver}.{key}", f"GIT_CONFIG_VALUE_{count}": value}
            count += 1
    return repository.git._replace(environment=outside | {"GIT_CONFIG_COUNT": str(count)})


def only_staged(repository: Repository, rows: Iterable[Entry], staged: Iterable[str]) -> list[Entry]:
    """Pick the entries whose content is neither in HEAD nor on disk: untracked, it is left as a blob alone.

    staged: the paths in which the git index differs from HEAD.
    """
    changed = set(staged)
    return [
        row
        for row in rows
        if row.path in changed and not row.stage and not _is_nothing(row) and not is_on_disk(repository, row)
    ]


def _is_nothing(row: Entry) -> bool:
    """Tell whether an entry has no content to lose: a gitlink, an empty file, `git add -N`."""
    return row.mode == GITLINK or row.sha == blob_id(b"", row.sha)


def look_at_modules(repository: Repository, staged: Sequence[Entry], shown_as: str) -> Seen:
    """Look at .gitmodules before a section is taken out of it.

    staged: its entry in the git index. Raises GuardError where the disk and the git index differ: the change would be
    committed along with the other.
    """
    seen = look(os.path.join(repository.top, MODULES_NAME), shown_as)
    if _unix(seen.data) != _unix(_staged_content(repository, staged)):
        raise GuardError(
            f"{shown(shown_as)} has changes that are not staged", "stage them, or take them back, and run this again"
        )
    return seen


def _unix(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _staged_content(repository: Repository, staged: Sequence[Entry]) -> bytes:
    if len(staged) != 1:
        raise GuardError(f"{MODULES_NAME} is unmerged", "resolve the conflict first")
    return read_blobs(repository, [staged[0].sha])[staged[0].sha].data or b""


def forget_submodule(repository: Repository, name: str, staged: Sequence[Entry], seen: Seen) -> None:
    """Take the section of a submodule out of .gitmodules, staged and on disk: the same as `git config` and `git add`.

    `git add` would run clean filters, so the blob is written by itself. Raises GitFault, GuardError or OSError, and
    then nothing was changed.
    """
    after = without_section(repository, _staged_content(repository, staged), name)
    blob = os.fsdecode(repository.git.ask("hash-object", "-w", "--no-filters", "--stdin", stdin=after)).strip()
    on_disk = without_section(repository, seen.data, name)
    _stage(repository, staged[0]._replace(sha=blob))
    try:
        replace(seen, on_disk)
    except (GuardError, OSError):
        _stage(repository, staged[0])
        raise


def _stage(repository: Repository, row: Entry) -> None:
    without_filters(repository).ask("update-index", "--cacheinfo", f"{row.mode},{row.sha},{row.path}")


def without_section(repository: Repository, data: bytes, name: str) -> bytes:
    """Take a submodule's section out of the text of a .gitmodules file. Raises GitFault if there is none."""
    with tempfile.TemporaryDirectory(prefix="memstile-") as folder:
        path = os.path.join(folder, "modules")
        with open(path, "wb") as file:
            file.write(data)
        repository.git.ask("config", "-f", path, "--remove-section", f"submodule.{name}")
        with open(path, "rb") as file:
            return file.read()
