"""Put an index back to its accepted content, if it still is what was judged; what was there is kept in quarantine.

The accepted content is written beside the index and exchanged with it in one step. What comes out is looked at only
then, so nothing is missed that was written after the verdict: if it is not what was judged, it goes back. Whatever
moment the process is killed at, the index is a whole content, and the other one is beside it or in quarantine
(left_beside.recover). An index that is a symlink stays one; its target is replaced. A hard link is broken: the other
name keeps the rejected content.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from memstile.carriers import ancestors, is_below, is_repository
from memstile.core.choice import Enum
from memstile.durable import held, make_private, sync_folder
from memstile.exchange import Exchange, exchange
from memstile.left_beside import MAX_BYTES, beside, content, make_copy, return_aside, settle
from memstile.left_beside import recover as recover

_MOST_ROUNDS = 16
_WRITTEN = "it was written to after it was judged"
_GONE = "it was removed after it was judged"


class Outcome(Enum):
    """DONE: the index has the accepted content. CHANGED: it was not what was judged, look again. FAILED: see why."""

    DONE = "done"
    CHANGED = "changed"
    FAILED = "failed"


class PutBack(NamedTuple):
    """What became of it. quarantined: where the content is that was taken off, "" for none; beside the index if it
    could not be moved. why: half a sentence, safe to show; "" where there is nothing to say.
    """

    outcome: Outcome
    quarantined: str = ""
    why: str = ""


_TOO_LARGE = f"it is larger than {MAX_BYTES:,} bytes"
_CHANGED = PutBack(Outcome.CHANGED, why=_WRITTEN)


class _Swap(NamedTuple):
    """What a swap is about. typed: the index as given; real: resolved; copy: the accepted content, beside it; aside: a
    name beside it for what is on disk.
    """

    typed: str
    real: str
    judged: bytes
    accepted: bytes
    copy: str
    aside: str
    exchange: Exchange


def put_back(
    index: str, judged: bytes, accepted: bytes, quarantine: str, now: float, swap: Exchange = exchange
) -> PutBack:
    """Replace the content of an index. Raises nothing on account of files.

    index: absolute. judged: the content that was rejected. quarantine: a folder outside the repository of the vault,
    made if it is not there. now: seconds since 1970.
    """
    try:
        real = os.path.realpath(index)
        status = os.lstat(real)
        if content(real) != judged:
            return PutBack(Outcome.FAILED, why=_TOO_LARGE) if len(judged) > MAX_BYTES else _CHANGED
        if judged == accepted:
            return PutBack(Outcome.DONE)
        if objection := _objection(index, real, status, quarantine):
            return PutBack(Outcome.FAILED, why=objection)
        make_private(quarantine)
        with held(quarantine):
            copy, aside = make_copy(real, accepted, status), beside(real, "aside", accepted)
            done = _carried_out(_Swap(index, real, judged, accepted, copy, aside, swap))
            kept = [place for path in (copy, aside) if (place := settle(path, quarantine, now))]
            sync_folder(os.path.dirname(real))
    except FileNotFoundError:
        return PutBack(Outcome.CHANGED, why=_GONE)
    except OSError as error:
        return PutBack(Outcome.FAILED, why=_reason(error))
    return PutBack(done.outcome, next(iter(kept), ""), done.why or _told(status))


def _objection(index: str, real: str, status: os.stat_result, quarantine: str) -> str:
    if os.geteuid() not in (0, status.st_uid):
        return "it belongs to another user"
    place = os.path.realpath(quarantine)
    for folder in {os.path.dirname(real), os.path.realpath(os.path.dirname(index))}:
        top = next((above for above in ancestors(folder) if is_repository(above)), "")
        if top and is_below(place, top):
            return "quarantine would be in the repository of the vault"
    return ""


def _told(status: os.stat_result) -> str:
    names = status.st_nlink - 1
    whose = "1 other name of the file keeps" if names == 1 else f"{names:,} other names of the file keep"
    return f"{whose} the rejected content" if names else ""


def _carried_out(swap: _Swap) -> PutBack:
    try:
        if swap.exchange(swap.copy, swap.real):
            return _exchanged(swap)
        return _taken_aside(swap)
    except FileNotFoundError:
        return PutBack(Outcome.CHANGED, why=_GONE)
    except OSError as error:
        return PutBack(Outcome.FAILED, why=_reason(error))


def _exchanged(swap: _Swap) -> PutBack:
    """Look at what came out; if it is newer than the verdict, let it go back until nothing newer comes out."""
    if _is_judged(swap, swap.copy):
        sync_folder(os.path.dirname(swap.real))
        return PutBack(Outcome.DONE)
    put_in: bytes | None = swap.accepted
    for _ in range(_MOST_ROUNDS):
        newer = content(swap.copy)
        swap.exchange(swap.copy, swap.real)
        if content(swap.copy) == put_in:
            return _CHANGED
        put_in = newer
    return PutBack(Outcome.CHANGED, why="somebody writes without a pause")


def _taken_aside(swap: _Swap) -> PutBack:
    """Do without an exchange: for some microseconds there is no index, so that nobody's newer one is written over."""
    spare = beside(swap.real, "back", swap.accepted)
    try:
        os.link(swap.copy, spare)
        os.unlink(spare)
    except OSError:
        return PutBack(Outcome.FAILED, why="this file system can neither exchange files nor link them")
    os.rename(swap.real, swap.aside)
    if not _is_judged(swap, swap.aside):
        return_aside(swap.aside, swap.real)
        return _CHANGED
    try:
        os.link(swap.copy, swap.real)
    except FileExistsError:
        return _CHANGED
    os.unlink(swap.copy)
    return PutBack(Outcome.DONE)


def _is_judged(swap: _Swap, path: str) -> bool:
    return content(path) == swap.judged and os.path.realpath(swap.typed) == swap.real


def _reason(error: OSError) -> str:
    return error.strerror or "it could not be written"
