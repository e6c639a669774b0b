"""The watcher's sign of life, as `memstile status` reads it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memstile import __version__
from memstile.watch_files import BEAT_S
from memstile.watch_vault import Watched

if TYPE_CHECKING:
    from memstile.watch_run import Watcher


def beat(watcher: Watcher) -> dict[str, object]:
    """Draw up what holds of a watcher. Times in seconds since 1970."""
    return {
        "pid": os.getpid(),
        "version": __version__,
        "time": watcher.clock.now(),
        "every_s": BEAT_S,
        "mode": watcher.setup.settings.watch_mode,
        "last_event": watcher.last_event,
        "restarts": watcher.lives.restarts,
        "threads": watcher.source.threads(),
        "vaults": [_vault(watched) for watched in watcher.vaults],
    }


def _vault(watched: Watched) -> dict[str, object]:
    return {
        "path": watched.folder,
        "index": watched.index,
        "is_reached": watched.root is not None,
        "lines": watched.lines,
        "bytes": watched.bytes,
        "last_event": watched.event,
        "polled": watched.polled,
        "codes": [*watched.known.told, *(key.partition(" ")[0] for key in watched.known.git_told)],
        "is_fight": watched.fight.is_over,
    }
