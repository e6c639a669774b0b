"""Join what is to be done to one file by several parts of a setup, so that it is read and written once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from memstile.setups.setup import File


def joined(files: Iterable[File]) -> list[File]:
    """Give one row a path, in the order in which the paths first come."""
    found: dict[str, File] = {}
    for file in files:
        found[file.path] = _both(found[file.path], file) if file.path in found else file
    return list(found.values())


def without(file: File) -> File:
    """Give a row that takes out what another puts in, for a file that a third one writes."""
    return file._replace(put=partial(_taken, file), lines=())


def _both(first: File, then: File) -> File:
    return first._replace(
        put=partial(_put, first, then), take=partial(_take, first, then), lines=(*first.lines, *then.lines)
    )


def _put(first: File, then: File, before: str | None) -> str:
    return then.put(first.put(before))


def _take(first: File, then: File, before: str) -> str | None:
    rest = then.take(before)
    return None if rest is None else first.take(rest)


def _taken(file: File, before: str | None) -> str:
    return "" if before is None else file.take(before) or ""
