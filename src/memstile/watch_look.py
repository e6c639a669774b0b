"""Read an index for the watcher: whole, or not at all if it changed meanwhile."""

from __future__ import annotations

from hashlib import blake2b

from memstile.core.gate_ids import digest
from memstile.core.reading import Kind, Reading
from memstile.core.watch_judge import Look
from memstile.disk import read_index
from memstile.watch_places import signature
from memstile.watch_vault import Watched


def look_at(watched: Watched) -> tuple[Look, bool]:
    """Read an index. Result: what was seen, and whether it stayed the same while it was read."""
    before = signature(watched.index)
    reading = read_index(watched.index)
    after = signature(watched.index)
    watched.seen = after
    return Look(watched.shown, watched.vault.shown, reading, digest_of(reading)), before == after


def digest_of(reading: Reading) -> str:
    """Give a text that stands for what was read: equal for equal content, or for the same thing in its place."""
    if reading.kind is Kind.FILE and reading.data is not None:
        return content_digest(reading.data)
    size = reading.size or (None, -1)
    return digest([reading.kind.value, size[1], reading.why])


def content_digest(data: bytes) -> str:
    """Give 32 hexadecimal digits that stand for a content."""
    return blake2b(data, digest_size=16).hexdigest()
