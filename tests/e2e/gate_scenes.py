"""The scene of the turn gate, the same for every client: two turns of one session, and what is expected of each step.

The model's script is one answer a request. Whenever the client asks for the next one, the notes that are there are
looked at, and the reason codes in what the client newly tells the model are noted: that is the step's outcome.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from memstile.core.gate_words import (
    ALLOW_RECALL_OK,
    ALLOW_SIMPLE,
    CLASSIFICATION_REQUIRED,
    CREATE_REQUIRES_SEARCH,
    DENIALS,
    LOOKUP_FAILED,
    PENDING_IN_BATCH,
)
from memstile.setups.mcp_server import SERVER
from tests.e2e.dialects import Call
from tests.e2e.drivers.driver import Driver
from tests.e2e.gate_drivers import Gated, Served
from tests.e2e.models import Asked
from tests.e2e.steps import Shell

_CODES = re.compile("|".join(f"{code}(?=:)" for code in DENIALS))
_SEARCH = Served("search_notes", {"query": "kettle"})
_FAILING = Served("search_notes", {"query": "kettle", "search_type": "boolean"})
"""It has no error flag: the text says so."""


class Beat(NamedTuple):
    """One answer of the model. calls: of MCP servers; command: of a shell instead; neither: the turn ends.

    reason: the code of what the policy says about the write, "" where there is none. title: of the note it would make.
    """

    name: str
    calls: tuple[Served, ...] = ()
    command: str = ""
    title: str = ""
    reason: str = ""

    @property
    def is_refused(self) -> bool:
        """Tell whether the policy refuses the write."""
        return self.reason in DENIALS


class Outcome(NamedTuple):
    """What came of one answer. notes: titles of the notes there are. told: codes that the model got, in order."""

    step: str
    notes: tuple[str, ...]
    told: tuple[str, ...] = ()


def turns(*, tells_batches: bool, has_tool: bool = False) -> list[list[Beat]]:
    """Give the two turns. A search counts for a write of the same answer only where the host cannot tell them apart.

    has_tool: a turn is declared by the tool of memstile's MCP server, else by the shell command.
    """
    declared = _by_tool if has_tool else _by_shell
    batched = PENDING_IN_BATCH if tells_batches else ALLOW_RECALL_OK
    return [
        [
            _write("undeclared", CLASSIFICATION_REQUIRED),
            declared("complex"),
            _write("unsearched", CREATE_REQUIRES_SEARCH),
            Beat("a search fails", (_FAILING,)),
            _write("after a failure", LOOKUP_FAILED),
            _write("in one batch", batched, _SEARCH),
            _write("searched", ALLOW_RECALL_OK),
            Beat("the turn ends"),
        ],
        [
            _write("next turn", CLASSIFICATION_REQUIRED),
            declared("simple"),
            _write("simple", ALLOW_SIMPLE),
            Beat("the second turn ends"),
        ],
    ]


def _by_shell(task: str) -> Beat:
    return Beat(f"{task} is declared", command=f"memstile classify {task}")


def _by_tool(task: str) -> Beat:
    return Beat(f"{task} is declared", (Served("classify", {"task": task}, SERVER),))


def _write(title: str, reason: str, *before: Served) -> Beat:
    note: dict[str, object] = {"title": title, "content": "It boils.", "directory": "home"}
    return Beat(f"a write: {title}", (*before, Served("write_note", note)), title=title, reason=reason)


def script(scene: Sequence[Sequence[Beat]], driver: Driver, gated: Gated) -> list[list[Call]]:
    """Put a scene into the words of a client's tools, an answer a beat."""
    return [_spelled(beat, driver, gated) for turn in scene for beat in turn]


def _spelled(beat: Beat, driver: Driver, gated: Gated) -> list[Call]:
    if beat.command:
        return [driver.spell(Shell(beat.command))]
    return gated.spell(beat.calls) if beat.calls else []


def expected(scene: Sequence[Sequence[Beat]], *, is_enforced: bool) -> list[Outcome]:
    """Give what has to come of a scene."""
    notes: tuple[str, ...] = ()
    outcomes = []
    for beat in (beat for turn in scene for beat in turn):
        is_stopped = is_enforced and beat.is_refused
        notes = tuple(sorted((*notes, beat.title))) if beat.title and not is_stopped else notes
        outcomes.append(Outcome(beat.name, notes, (beat.reason,) if is_stopped else ()))
    return outcomes[:-1]  # nothing is asked after the last


def outcomes(scene: Sequence[Sequence[Beat]], asked: Sequence[Asked]) -> list[Outcome]:
    """Say what came of the answers, as far as the client asked on. asked: the requests, the first before any answer."""
    beats = [beat for turn in scene for beat in turn]
    found = []
    for beat, before, after in zip(beats, asked, asked[1:], strict=False):
        told = json.dumps(after.entries[len(before.entries) :])
        notes = tuple(filter(None, after.memory.decode().split("\n")))
        found.append(Outcome(beat.name, notes, tuple(dict.fromkeys(_CODES.findall(told)))))
    return found


def reasons(scene: Sequence[Sequence[Beat]]) -> list[str]:
    """Give what the policy says about the writes, in order."""
    return [beat.reason for turn in scene for beat in turn if beat.reason]
