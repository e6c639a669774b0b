"""The scene that is the same for every host, and what is expected of it; one run of a client plays it through.

The model's script is a step a request. Whenever the client asks for the next step, the index is looked at, and the
reason codes in what the client newly tells the model are noted: that is the step's outcome.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from memstile.core import reasons
from tests.e2e.models import Asked
from tests.e2e.site import LINES, SETTINGS, Site
from tests.e2e.steps import Edit, Read, Shell, Step, Write
from tests.vault_tools import index

SMALLER = 205
APPENDED = 15

# Of what is said about a call; what is said about the vault at the start of a session has `was_greeted`.
_CODES = re.compile(
    "|".join(
        (
            reasons.GREW,
            reasons.NOT_COMPUTABLE,
            reasons.UNVERIFIED,
            reasons.OVER_HARD,
            reasons.OVER_SOFT,
            reasons.SHRANK,
            reasons.GREW_UNSEEN,
            reasons.SETTINGS_WRITE,
            reasons.SURFACE_MISMATCH,
            reasons.INTERNAL_ERROR,
        )
    )
)


class Outcome(NamedTuple):
    """What came of one step.

    lines: of the index afterwards. told: reason codes that the model got, in order. has_content: of a read, whether the
    model got what is in the file; of any other step, False.
    """

    step: str
    lines: int
    told: tuple[str, ...] = ()
    has_content: bool = False


class Beat(NamedTuple):
    """One step of the scene, with what has to come of it."""

    step: Step
    outcome: Outcome


def guarded(site: Site) -> list[Beat]:
    """Give the scene: the index starts over its cap."""
    path, note = str(site.memory), str(site.memory.parent / "new.md")
    start, smaller = index(LINES).decode(), index(SMALLER).decode()
    last = start.splitlines(keepends=True)[-1]
    append = f"seq --format 'from a shell %g' {APPENDED} >> {path}"
    longer = SMALLER + APPENDED
    settings = str(site.settings)
    return [
        _reading(path),
        Beat(_growth(path), Outcome("a growing write is refused", LINES, (reasons.GREW,))),
        Beat(Edit(path, last, last + "> one more\n"), Outcome("a growing edit is refused", LINES, (reasons.GREW,))),
        Beat(Write(note, None, "# New\n"), Outcome("a write of a note passes", LINES)),
        Beat(Read(settings, "[[vault]]"), Outcome("a read of the settings passes", LINES, has_content=True)),
        Beat(
            Write(settings, SETTINGS, SETTINGS + "[index]\nmode = 'off'\n"),
            Outcome("a write to the settings is the person's", LINES, (reasons.SETTINGS_WRITE,)),
        ),
        Beat(Write(path, start, smaller), Outcome("a shrinking write lands", SMALLER, (reasons.OVER_HARD,))),
        Beat(Shell(append), Outcome("a shell's growth is told afterwards", longer, (reasons.GREW_UNSEEN,))),
        Beat(Shell(f"rm {path}"), Outcome("an index that a shell took away is told afterwards", 0, (reasons.SHRANK,))),
    ]


def unguarded(site: Site) -> list[Beat]:
    """Give what happens without memstile, or while nobody has trusted its hooks: so this harness can tell."""
    path = str(site.memory)
    return [
        _reading(path),
        Beat(_growth(path), Outcome("a growing write lands", LINES + 1)),
    ]


def switched_off(site: Site, command: str, switch: str) -> list[Beat]:
    """Give a scene in which a shell writes what switches hooks off, and the index grows afterwards.

    command: copies off.json, whose content is `switch`, to where the host reads it. The host sees no more than the name
    of a script, since some look into a command for paths of their settings.
    """
    path = str(site.memory)
    site.write(site.project / "off.json", switch)
    site.write(site.project / "off.sh", f"{command}\nsleep 3\n")  # hosts take it up within a second or two
    return [
        _reading(path),
        Beat(Shell("sh off.sh"), Outcome("a shell writes the switch", LINES)),
        Beat(_growth(path), Outcome("a growing write is refused all the same", LINES, (reasons.GREW,))),
    ]


def _reading(path: str) -> Beat:
    return Beat(Read(path, "> line 120"), Outcome("a read passes, over the cap too", LINES, has_content=True))


def _growth(path: str) -> Write:
    start = index(LINES).decode()
    return Write(path, start, start + "> one more\n")


def outcomes(scene: Sequence[Beat], asked: Sequence[Asked]) -> list[Outcome]:
    """Say what came of the steps, as far as the client asked on. asked: the requests, the first before any step."""
    found = []
    for beat, before, after in zip(scene, asked, asked[1:], strict=False):
        told = json.dumps(after.entries[len(before.entries) :])
        codes = tuple(dict.fromkeys(_CODES.findall(told)))
        has_content = isinstance(beat.step, Read) and beat.step.sign in told
        found.append(Outcome(beat.outcome.step, after.memory.count(b"\n"), codes, has_content))
    return found


def expected(scene: Sequence[Beat]) -> list[Outcome]:
    """Give what has to come of a scene."""
    return [beat.outcome for beat in scene]


def was_greeted(asked: Sequence[Asked]) -> bool:
    """Tell whether the model learned how the index stood at the start. When is the host's: dsh does not wait for it."""
    return f"MEMORY.md is {LINES} lines, hard cap 200" in json.dumps(asked[-1].entries)
