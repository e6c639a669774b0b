"""What holds for every host in HOSTS: total, never an "allow", nothing said in vain, light to load."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import memstile
from memstile.core.answer import SILENT, Answer, Channel, carried
from memstile.core.matching import Matching
from memstile.core.request import Event, Kind, Request
from memstile.core.switches import is_switch
from memstile.core.verdict import Verdict
from memstile.hook_glance import WORDS
from memstile.hosts import HOSTS, host_named
from memstile.hosts.host import NO_REPLY, Host, Reply
from tests.hosts.payload_tools import FOLDER, JSON, altered, recorded

EACH = pytest.mark.parametrize("name", HOSTS)
EVENT_NAMES = {name: dict(importlib.import_module(module).EVENTS) for name, module in HOSTS.items()}
"""By host: its names of events."""

PAYLOADS = {
    name: [payload for payload in recorded(name).values() if isinstance(payload, dict)]
    if (FOLDER / name).is_dir()
    else []
    for name in HOSTS
}
ALL_NAMES = sorted({event for names in EVENT_NAMES.values() for event in names})
TEXTS = st.text(max_size=12) | st.sampled_from(["*** Begin Patch\n*** Add File: a\n+x\n*** End Patch", "\ud800", "\0"])
ANSWERS = st.builds(Answer, st.sampled_from(list(Verdict)), st.sampled_from(["", "C"]), TEXTS, TEXTS)


def strings(value: object) -> Iterator[str]:
    """Give every text in a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def said(reply: Reply) -> list[str]:
    """Give all the texts that a reply tells its host."""
    return [*(strings(json.loads(reply.stdout)) if reply.stdout else ()), *([reply.stderr] if reply.stderr else ())]


def is_refusal(reply: Reply) -> bool:
    """Tell whether a host takes a reply for a refusal, by the ways there are."""
    if reply.exit_code == 2:
        return bool(reply.stderr.strip())
    body = json.loads(reply.stdout) if reply.stdout else {}
    rows = [body, body.get("hookSpecificOutput", {})]
    words = {row.get(key) for row in rows for key in ("decision", "permissionDecision", "permission", "action")}
    return bool(words & {"deny", "block"} or body.get("cancel") is True or body.get("deny"))


def named(name: str, event: Event) -> list[str]:
    """Give a host's names of an event, one that it has not where it has none."""
    return [host_event for host_event, kind in EVENT_NAMES[name].items() if kind is event] or ["none"]


@EACH
@settings(max_examples=60)
@given(data=st.data())
def test_parse_is_total(name: str, data: st.DataObject) -> None:
    payloads = JSON | TEXTS | altered(PAYLOADS[name]) if PAYLOADS[name] else JSON | TEXTS
    payload = data.draw(payloads)
    request = host_named(name).parse(payload, data.draw(TEXTS | st.sampled_from(ALL_NAMES)))
    assert isinstance(request, Request)
    assert isinstance(request.event, Event)
    assert isinstance(request.kind, Kind)
    texts = (request.host_event, request.session, request.agent, request.turn, request.call, request.cwd, request.tool)
    assert all(isinstance(text, str) for text in texts)
    assert all(isinstance(write.path, str) and write.path for write in request.writes)
    assert request.is_error is None or request.event is Event.TOOL_RESULT


@EACH
@settings(max_examples=80)
@given(data=st.data(), event=st.sampled_from(list(Event)), answer=ANSWERS, fits=st.booleans())
def test_a_reply_is_one_json_value_or_nothing_and_allows_nothing(
    name: str, data: st.DataObject, event: Event, answer: Answer, *, fits: bool
) -> None:
    host = host_named(name)
    host_event = data.draw(st.sampled_from(named(name, event)) | TEXTS)
    if fits:
        answer = carried(answer, host.carries.get(event, ())).answer
    reply = host.reply(answer, Request(event, host_event))
    assert reply.exit_code in (0, 2)
    body = json.loads(reply.stdout) if reply.stdout else None
    assert body is None or isinstance(body, dict)
    if not host.answers_all:  # the gate protocol: no host that would skip a person's prompt for it
        told = answer.to_model, answer.to_person
        assert {"allow", "approve", "proceed"} & (set(said(reply)) - set(told)) == set()


@EACH
@pytest.mark.parametrize("event", Event, ids=lambda event: event.name)
def test_a_silent_answer_leaves_nothing(name: str, event: Event) -> None:
    host = host_named(name)
    left = {host.reply(SILENT, Request(event, host_event)) for host_event in named(name, event)}
    assert left == {NO_REPLY} or host.answers_all


def promised(channel: Channel) -> list[tuple[str, Event, str]]:
    """Give each host's events that carry a channel, by each of their names."""
    return [
        (name, event, host_event)
        for name in HOSTS
        for event, channels in host_named(name).carries.items()
        if channel in channels
        for host_event in named(name, event)
    ]


@pytest.mark.parametrize(("name", "event", "host_event"), promised(Channel.DENY))
def test_a_refusal_that_can_be_carried_refuses_and_tells_why(name: str, event: Event, host_event: str) -> None:
    reply = host_named(name).reply(Answer(Verdict.DENY, "C", "the reason"), Request(event, host_event))
    assert (is_refusal(reply), "the reason" in said(reply)) == (True, True)


@pytest.mark.parametrize(("name", "event", "host_event"), promised(Channel.MODEL))
def test_a_text_for_the_model_that_can_be_carried_is_told(name: str, event: Event, host_event: str) -> None:
    reply = host_named(name).reply(Answer(Verdict.WARN, "C", "the text"), Request(event, host_event))
    assert (is_refusal(reply), "the text" in said(reply)) == (False, True)


@pytest.mark.parametrize(("name", "event", "host_event"), promised(Channel.PERSON))
def test_a_text_for_the_person_that_can_be_carried_is_told(name: str, event: Event, host_event: str) -> None:
    reply = host_named(name).reply(Answer(Verdict.WARN, "C", "", "the text"), Request(event, host_event))
    assert (is_refusal(reply), "the text" in said(reply)) == (False, True)


@EACH
def test_an_ask_is_never_let_through(name: str) -> None:
    host = host_named(name)
    answer = carried(Answer(Verdict.ASK, "C", "the reason"), host.carries[Event.TOOL_CALL]).answer
    for host_event in named(name, Event.TOOL_CALL):
        reply = host.reply(answer, Request(Event.TOOL_CALL, host_event))
        assert is_refusal(reply) or "ask" in said(reply)
        assert (answer.verdict is Verdict.ASK) is (Channel.ASK in host.carries[Event.TOOL_CALL])


@EACH
@settings(max_examples=30)
@given(reason=TEXTS)
@example(reason="the reason")
def test_a_payload_that_cannot_be_read_can_be_refused(name: str, reason: str) -> None:
    refuse = host_named(name).refuse
    for event in ("", *named(name, Event.TOOL_CALL)):
        reply = refuse(reason or "r", event)
        assert is_refusal(reply) or not (reason or "r").strip()
        assert reply.exit_code in (0, 2)


@EACH
@given(reason=TEXTS, event=TEXTS | st.sampled_from(ALL_NAMES))
@settings(max_examples=30)
def test_refusing_is_total(name: str, reason: str, event: str) -> None:
    reply = host_named(name).refuse(reason, event)
    assert reply.exit_code in (0, 2)
    assert not reply.stdout or isinstance(json.loads(reply.stdout), dict)


def of_each_type(host: Host) -> bool:
    return (
        all(isinstance(event, Event) for event in host.carries)
        and all(isinstance(channel, Channel) for channels in host.carries.values() for channel in channels)
        and isinstance(host.matching, Matching)
        and host.evidence in ("recorded", "documented")
        and bool(host.verified) is (host.evidence == "recorded")
        and all(text.endswith(".") for text in host.slips)
    )


@EACH
def test_the_row_of_a_host_is_whole(name: str) -> None:
    host = host_named(name)
    assert (host.name, of_each_type(host)) == (name, True)
    assert {Event.TOOL_CALL} <= set(host.carries) <= {*EVENT_NAMES[name].values()}
    assert bool(host.slips)


SETTINGS_FILES = [(name, ending) for name in HOSTS for ending in host_named(name).settings_files]


@pytest.mark.parametrize(("name", "ending"), SETTINGS_FILES)
def test_the_settings_of_a_hosts_hooks_are_guarded_and_not_passed_over_at_the_glance(name: str, ending: str) -> None:
    path = "/home/user/" + ending.replace("*", "any")
    assert is_switch(path), f"{name}: core/switches.py does not know {ending}"
    assert any(word in path.lower().encode() for word in WORDS), f"{name}: hook_glance.py passes {ending} over"


# What a host file loads of the standard library: not json, re, enum, collections, typing or os.
ALLOWED = {"__future__", "_blake2", "_collections", "_json"}
PROBE = """
import sys
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    __import__(name)
print(*sorted(name for name in set(sys.modules) - before if not name.startswith("memstile")))
"""


def test_the_hosts_load_nothing_heavy() -> None:
    source = str(Path(memstile.__file__).parent.parent)
    command = [sys.executable, "-I", "-S", "-B", "-c", PROBE, source, *HOSTS.values()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) - ALLOWED == set()
