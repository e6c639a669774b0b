"""Set indexes on disk against a base ref: which of them git knows, and with which line ends."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from memstile.attributes import attributes
from memstile.bases import Base, inside
from memstile.blobs import read_blobs
from memstile.core.facts import IndexFacts, Kind, Reading
from memstile.core.measure import Size, measure
from memstile.git import GitFault
from memstile.indexes import old_content
from memstile.repository import entries


def with_bases(indexes: Mapping[str, IndexFacts], bases: Sequence[Base]) -> dict[str, IndexFacts]:
    """Add its base to each index that is, or was, tracked; for any other git knows no base.

    indexes: by absolute path. Result: the same paths; an index may vanish only where git does not track it any more.
    One that git has and whose folder is not there is not gone: a sparse checkout hides it. A fixed number of git
    processes a base.
    """
    result = dict(indexes)
    for base in bases:
        places = {path: place for path in indexes if (place := inside(base.repository, path)) is not None}
        before = base.readings(list(places.values()))
        staged, is_known = _staged(base, list(places.values()))
        altered = attributes(base.repository, list(staged)) if is_known else {}
        for path, place in places.items():
            if before[place].kind is Kind.NOT_REGULAR or (
                before[place].kind is Kind.MISSING and is_known and place not in staged
            ):
                continue
            is_tracked = place in staged or not is_known
            if is_tracked and not os.path.isdir(os.path.dirname(path)):
                continue
            names = altered.get(place, {})
            old = _with_ident(before[place], len(base.commits[0])) if "ident" in names else before[place]
            was = _written(old, staged.get(place), indexes[path].now, names)
            row = _compared(indexes[path], was, base, place)
            result[path] = row._replace(may_vanish=row.may_vanish and not is_tracked)
    return result


def _staged(base: Base, places: Sequence[str]) -> tuple[dict[str, bytes | None], bool]:
    """Read what the git index holds at some paths; whether it could be read at all."""
    if not places:
        return {}, True
    try:
        rows = {entry.path: entry.sha for entry in entries(base.repository, *places)}
        blobs = read_blobs(base.repository, rows.values())
    except GitFault:
        return {}, False
    return {path: blobs[sha].data for path, sha in rows.items()}, True


def _written(before: Reading, staged: bytes | None, now: Reading, altered: Mapping[str, str]) -> Reading:
    """Give a base the size that this checkout would write it with. altered: the attributes that alter the index."""
    if "filter" in altered:
        return _behind_a_filter(before, staged, now)
    if "working-tree-encoding" in altered:
        return _encoded(before, staged, now, altered["working-tree-encoding"])
    return as_checked_out(before, staged, now.data)


def _with_ident(before: Reading, digits: int) -> Reading:
    """Expand $Id$ as git does on checkout: with the id of the blob. digits: of an id. Source: gitattributes(5)."""
    if before.data is None or b"$Id" not in before.data:
        return before
    data = re.sub(rb"\$Id(?:: [^$\n]*)?\$", b"$Id: " + b"0" * digits + b" $", before.data)
    return before._replace(data=data, size=measure(data))


def _encoded(before: Reading, staged: bytes | None, now: Reading, encoding: str) -> Reading:
    """Write a base as git does on checkout under working-tree-encoding; git holds UTF-8. Source: gitattributes(5)."""
    if before.data is None or staged is None or now.data is None or before.data == staged:
        return _behind_a_filter(before, staged, now)
    try:
        has_crlf = "\r\n" in now.data.decode(encoding) and b"\r\n" not in staged + before.data
        text = before.data.decode("utf-8")
        data = (text.replace("\n", "\r\n") if has_crlf else text).encode(encoding)
    except (LookupError, ValueError):  # a name that git and Python do not share, or no text
        return _behind_a_filter(before, staged, now)
    return before._replace(data=data, size=measure(data))


def _behind_a_filter(before: Reading, staged: bytes | None, now: Reading) -> Reading:
    """Give the base of an index that a filter turns into another on disk: itself if git's version is unchanged."""
    if before.data is not None and before.data == staged:
        return now
    return Reading(Kind.UNREADABLE, why="a git filter makes the file on disk another one than git holds")


def _compared(index: IndexFacts, before: Reading, base: Base, place: str) -> IndexFacts:
    return index._replace(base=before, base_name=base.name, restore=old_content(base, place, index.path))


def as_checked_out(before: Reading, staged: bytes | None, now: bytes | None) -> Reading:
    """Give a base the line ends that this checkout writes, so that like is compared with like.

    now: the file on disk. staged: its blob in the git index: if that has no CRLF and the disk has, the checkout added
    one byte a line, and the base would have got them too. Where the disk has both kinds, only those it has count: a
    single CRLF must not excuse growth.
    """
    if before.size is None or before.size.lines is None or before.data is None or staged is None or now is None:
        return before
    if b"\r\n" in staged or b"\r\n" in before.data or b"\r\n" not in now:
        return before
    written, ends = now.count(b"\r\n"), before.data.count(b"\n")
    added = ends if written == now.count(b"\n") else min(written, ends)
    return before._replace(size=Size(before.size.lines, before.size.bytes + added))
