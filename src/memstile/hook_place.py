"""Where and when a hook runs: folder, settings, state, clock; handed to what judges, so that tests can set each."""

from __future__ import annotations

import os

from memstile.core.record import NamedTuple
from memstile.core.settings import Settings
from memstile.hook_settings import HookSettings, Source, settings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memstile.core.measure import Size
    from memstile.core.verdict import Verdict


class Noted(NamedTuple):
    """What was said of one index, for the decision log. path: absolute, "" for a guard's switch. mode: index.mode."""

    path: str
    verdict: Verdict
    code: str
    before: Size | None
    after: Size | None
    mode: str


class Place(NamedTuple):
    """The surroundings of one call.

    cwd: absolute. state: the state folder, "" for none. now: seconds since 1970. config: the user's settings file where
    the command line names it, else "". noted: what was said of indexes so far; whoever logs it takes it out.
    is_last: the process ends with this call, by os._exit.
    """

    cwd: str
    state: str
    now: float
    environment: Mapping[str, str]
    settings_of: Callable[[str], Settings]
    faults: Callable[[], tuple[str, ...]]
    noted: list[Noted]
    config: str = ""
    is_last: bool = False


def place_of(cwd: str, source: Source, now: float, *, is_last: bool = False) -> Place:
    """Set up the surroundings of a call; settings of a folder are read once. cwd: the payload's, "" for our own."""
    read: dict[str, HookSettings] = {}

    def settings(folder: str) -> Settings:
        if folder not in read:
            read[folder] = settings_of(folder, source)
        return read[folder].settings

    def faults() -> tuple[str, ...]:
        return tuple(dict.fromkeys(fault for one in read.values() for fault in one.faults))

    return Place(
        cwd or own_folder(),
        source.state,
        now,
        source.environment,
        settings,
        faults,
        [],
        source.config,
        is_last,
    )


def own_folder() -> str:
    """Give the folder that this process runs in, the root where that was removed."""
    try:
        return os.getcwd()
    except OSError:
        return os.sep
