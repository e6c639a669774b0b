"""What a hook answers when memstile itself fails."""

from __future__ import annotations

import os

from memstile.core.answer import Answer, carried
from memstile.core.reasons import INTERNAL_ERROR, internal_error
from memstile.core.request import Event, Request
from memstile.core.verdict import Verdict
from memstile.hook import Words
from memstile.hook_settings import Source, settings_of
from memstile.hosts import HOSTS, host_named
from memstile.hosts.host import Reply


def failed(words: Words, what: str) -> Reply:
    """Answer for a failure. what: its kind, without content.

    Closed: the host's refusal. Open: the call goes on, with a line on stderr and, where the host has a channel that
    needs no event's name, a message to the person.
    """
    told = internal_error(what)
    is_closed = words.is_closed or _settings_say_closed(words)
    if words.host not in HOSTS:
        return Reply(stderr=f"{told}\n", exit_code=2 if is_closed else 0)
    host = host_named(words.host)
    if is_closed:
        return host.refuse(f"{told}; on_error is closed, so it was refused", words.event)
    request = Request(Event.OTHER, words.event)
    answer = carried(Answer(Verdict.WARN, INTERNAL_ERROR, "", told), host.carries.get(Event.TOOL_CALL, ())).answer
    return host.reply(answer, request)._replace(stderr=f"{told}; the call was let through\n")


def _settings_say_closed(words: Words) -> bool:
    """Ask the settings for the policy; what fails here must not hide the failure that is to be told."""
    try:
        source = Source(os.environ, words.options["--config"], words.options["--state"])
        return settings_of(os.getcwd(), source).settings.gate_on_error == "closed"
    except Exception:
        return False
