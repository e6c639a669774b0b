"""Render docs/gate.md from the gate's own tables: states, reason codes, tools, hosts, invariants.

docs/generate.py writes the page. What a code's cause is and what helps stands here, a row a code; a test wants one of
each. What the model reads is taken from core/gate_reasons.py.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from docs.host_tables import control_of, setup_of, table
from memstile.core.answer import Channel
from memstile.core.control_words import FOLLOWS
from memstile.core.fixture_labels import LABELS
from memstile.core.gate_reasons import message
from memstile.core.gate_words import ALLOWS, DENIALS, OBSERVATIONS, CallClass, Classification, Recall
from memstile.core.log_replay import INVARIANTS
from memstile.core.memory_servers import SERVERS
from memstile.core.request import Event
from memstile.core.secrets import SHAPES
from memstile.core.turn import CLASSIFICATIONS, RECALLS, Signal
from memstile.hosts import HOSTS, host_named
from memstile.hosts.host import Host
from memstile.installing_control import has_shell

HERE = os.path.dirname(os.path.abspath(__file__))
_SERVER = "basic-memory"
_WIDTH = 116


class Help(NamedTuple):
    """What a refusal comes from, what gets out of it, and the setting that has a say, "" for none."""

    cause: str
    way_out: str
    setting: str = ""


HELP = {
    "CLASSIFICATION_REQUIRED": Help(
        "Nothing was declared in this turn. A turn begins so, each subagent has turns of its own, and a turn that was "
        "silent for `gate.turn_ttl_s` seconds is forgotten.",
        "Call `classify`, or run `memstile classify simple` or `complex` by itself in a shell tool, then write again.",
    ),
    "MEMORY_LOOKUP_PENDING_IN_BATCH": Help(
        "A search of this turn has no result that the model has seen: it runs still, it stands in the same batch as "
        "the write, or it was moved to the background.",
        "Write again in the next answer. After a search in the background, make another one.",
    ),
    "MEMORY_LOOKUP_FAILED": Help(
        "Each search of this turn ended with an error, or its host does not say how it ended.",
        "Search again: one success is enough, whatever failed before. If the memory server is down, tell the person.",
    ),
    "CREATE_REQUIRES_SEARCH": Help(
        "The turn was declared complex, the call makes a note, and there was no search. With the setting at false the "
        "code is MEMORY_LOOKUP_REQUIRED; the call is refused all the same.",
        "Search, see the result, write.",
        "create_requires_search",
    ),
    "MEMORY_LOOKUP_REQUIRED": Help(
        "The turn was declared complex, and there was no search.",
        "Search, see the result, write. Reading a note of a memory server is not a search.",
    ),
    "SECRET_PATTERN_DETECTED": Help(
        "The text has the shape of a key, a token, a private key, or a password in a URL.",
        "Write where the secret is kept, in place of the secret. If it is none, the person changes the setting.",
        "secret_pattern",
    ),
    "TEST_FIXTURE_LABEL_IN_PROJECT": Help(
        "The note is labelled a test fixture, and goes to a folder that is not for those.",
        "Write it below a folder of `gate.test_fixture_allowed`, or without the label.",
        "test_fixture",
    ),
    "DUPLICATE_WRITE_SAME_TURN": Help(
        "The same tool already ran in this turn with the same arguments, and did not fail.",
        "Nothing: it is written. Another change has other arguments.",
        "duplicate_write",
    ),
    "OVERWRITE_REQUIRES_READ": Help(
        "The call replaces a note that was not read in this turn.",
        "Read the note, see the result, write; or edit it in place of replacing it.",
        "overwrite_requires_read",
    ),
}
"""By code of a refusal."""

MEANS = {
    "ALLOW_READ_ONLY": "a read or a search: never refused",
    "ALLOW_CONTROL": "the call declares the turn, or tries to",
    "ALLOW_OUT_OF_SCOPE": "no memory is touched",
    "ALLOW_SIMPLE": "a write of a turn that was declared simple",
    "ALLOW_RECALL_OK": "a write of a turn that was declared complex, after a search that succeeded",
    "RECLASSIFIED": "the turn had been declared otherwise before; the last word counts",
    "READ_ONLY_NOT_RECALL": "a read that is no search",
    "RECALL_EMPTY": "a search succeeded and found nothing; it counts (where the number of hits is told)",
    "UNKNOWN_MEMORY_TOOL": "a tool of a memory server that is in no table; it is taken for a write",
}
"""By code that refuses nothing, guards aside."""


class Told(NamedTuple):
    """How a host tells what the gate has to know. turn: its id of a turn; agent: its id of a subagent."""

    turn: str
    agent: str = ""


TOLD = {
    "claude-code": Told("`prompt_id`", "`agent_id`"),
    "dsh": Told("`turn_id`, from its bridge to Codex's hooks; else each prompt", "a `session_id` of its own"),
    "codex": Told("`turn_id`", "`agent_id`"),
    "gemini": Told("each `BeforeAgent`"),
    "copilot": Told("each `userPromptSubmitted`", "`agentId`"),
    "cursor": Told("`generation_id`"),
    "windsurf": Told("`execution_id`"),
    "cline": Told("not gated"),
    "opencode": Told("the message's `id`"),
    "generic": Told("`turn`, else each `turn_start`", "`agent`"),
}
"""By host."""


def _machine(rows: Mapping[Classification, tuple[Classification, ...]] | Mapping[Recall, tuple[Recall, ...]]) -> str:
    """Draw one machine: what leads back to the same state is left out, and so is NEW_TURN."""
    edges: dict[tuple[str, str], list[str]] = {}
    for state, following in rows.items():
        for signal, after in zip(Signal, following, strict=True):
            if after is not state and signal is not Signal.NEW_TURN:
                edges.setdefault((state.value, after.value), []).append(signal.value)
    first = next(iter(rows)).value
    drawn = [f"    {one} --> {other}: {' / '.join(signals)}" for (one, other), signals in edges.items()]
    return "\n".join(["```mermaid", "stateDiagram-v2", f"    [*] --> {first}", *drawn, "```"])


def _transitions() -> str:
    """Lay out every pair of state and signal; an empty cell is a pair that changes nothing."""
    declared, searched = list(CLASSIFICATIONS), list(RECALLS)
    rows = (
        (
            signal.value,
            *(_moved(CLASSIFICATIONS[state][at].value, state.value) for state in declared),
            *(_moved(RECALLS[state][at].value, state.value) for state in searched),
        )
        for at, signal in enumerate(Signal)
    )
    heads = (*(state.value for state in declared), *(state.value for state in searched))
    return table(("what happens", *(f"`{head}`" for head in heads)), rows)


def _moved(after: str, before: str) -> str:
    return f"`{after}`" if after != before else ""


def _classes() -> str:
    rows = ((f"`{choice.value}`", FOLLOWS[choice]) for choice in Classification)
    return table(("a turn is", "then"), rows)


def _refusals() -> str:
    return "\n\n".join(_refusal(code, HELP[code]) for code in DENIALS)


def _refusal(code: str, row: Help) -> str:
    setting = [f"Setting: `gate.{row.setting}`."] if row.setting else []
    told = [_wrapped(text) for text in (row.cause, f"**Way out.** {row.way_out}", *setting)]
    return "\n\n".join((f"### {code}", *told, f"```text\n{_wrapped(message(code, _SERVER))}\n```"))


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False))


def _passes() -> str:
    codes = (*ALLOWS, *(code for code in OBSERVATIONS if code in MEANS))
    rows = ((f"`{code}`", "reason" if code in ALLOWS else "observation", MEANS[code]) for code in codes)
    return table(("code", "is a", "says"), rows)


def _tools() -> str:
    def rows() -> Iterator[tuple[str, ...]]:
        for server, tools in SERVERS.items():
            for kind in CallClass:
                named = sorted(f"`{tool}`" for tool, found in tools.items() if found is kind)
                if named:
                    yield f"`{server}`", kind.value, " ".join(named)

    return table(("server", "class", "tools"), rows())


def _hosts() -> str:
    rows = (_host_row(host_named(name), TOLD[name]) for name in HOSTS)
    return table(("host", "a turn is told by", "a subagent by", "end of a batch", "can ask", "control"), rows)


def _host_row(host: Host, told: Told) -> tuple[str, ...]:
    linked = f"[{host.title}](hosts/{host.name}.md)"
    if not host.gates:
        return linked, "**not gated**", "", "", "", ""
    batch = "told" if host.tells_batches else "not told"
    can_ask = "yes" if Channel.ASK in host.carries.get(Event.TOOL_CALL, ()) else "no: refused"
    setup = setup_of(host.name)
    if setup is None:
        return linked, told.turn, told.agent, "if your program says so", can_ask, "your program's"
    server = ["MCP server"] if any(file.lines for file in control_of(setup, is_project=False)) else []
    shell = ["shell command"] if has_shell(host.name) else []
    return linked, told.turn, told.agent or "nothing", batch, can_ask, ", ".join(server + shell) or "none"


def _shapes() -> str:
    return _wrapped(f"{len(SHAPES)} shapes are known: {', '.join(shape.name for shape in SHAPES)}.")


def _labels() -> str:
    return ", ".join(f"`{label}`" for label in sorted(LABELS))


def _invariants() -> str:
    return table(("name", "says"), ((f"`{name}`", says) for name, says in INVARIANTS.items()))


MARKS: Mapping[str, Callable[[], str]] = {
    "{classes}": _classes,
    "{classifications}": lambda: _machine(CLASSIFICATIONS),
    "{recalls}": lambda: _machine(RECALLS),
    "{transitions}": _transitions,
    "{refusals}": _refusals,
    "{passes}": _passes,
    "{tools}": _tools,
    "{hosts}": _hosts,
    "{shapes}": _shapes,
    "{labels}": _labels,
    "{invariants}": _invariants,
}


def gate_page() -> str:
    """Render the page of the turn gate."""
    with open(os.path.join(HERE, "gate.in.md"), encoding="utf-8") as file:
        text = file.read()
    for mark, render in MARKS.items():
        text = text.replace(mark, render())
    return text


PAGES = {"gate.md": gate_page}
"""By the page's path below docs: what renders it."""
