"""What a hook answers when memstile itself fails."""

from __future__ import annotations

import os
import time

from memstile.core.answer import Answer, carried
from memstile.core.reasons import INTERNAL_ERROR, internal_error
from memstile.core.request import Event, Request
from memstile.core.settings import Settings
from memstile.core.verdict import Verdict
from memstile.hook import Words
from memstile.hook_place import own_folder
from memstile.hook_settings import Source, settings_of
from memstile.hosts import HOSTS, host_named
from memstile.hosts.host import Reply


def failed(words: Words, what: str) -> Reply:
    """Answer for a failure. what: its kind, without content.

    Closed: the host's refusal. Open: the call goes on, with a line on stderr and, where the host has a channel that
    needs no event's name, a message to the person.
    """
    told = internal_error(what)
    settings = _settings(words)
    is_closed = words.is_closed or (settings is not None and settings.gate_on_error == "closed")
    if settings is not None and settings.audit_level != "off":
        _log(words, is_closed=is_closed)
    if words.host not in HOSTS:
        return Reply(stderr=f"{told}\n", exit_code=2 if is_closed else 0)
    host = host_named(words.host)
    if is_closed:
        return host.refuse(f"{told}; on_error is closed, so it was refused", words.event)
    request = Request(Event.OTHER, words.event)
    answer = carried(Answer(Verdict.WARN, INTERNAL_ERROR, "", told), host.carries.get(Event.TOOL_CALL, ())).answer
    return host.reply(answer, request)._replace(stderr=f"{told}; the call was let through\n")


def _settings(words: Words) -> Settings | None:
    """Read the settings for the policy; what fails here must not hide the failure that is to be told."""
    try:
        source = Source(os.environ, words.options["--config"], words.options["--state"])
        return settings_of(own_folder(), source).settings
    except Exception:
        return None


def _log(words: Words, *, is_closed: bool) -> None:
    """Leave a row in the decision log, if that can be done soon; the answer leaves whatever becomes of it."""
    try:
        from memstile.hook_log import log_failure

        log_failure(words.host, words.options["--state"], time.time(), is_refused=is_closed)
    except BaseException:  # the time that is left may be over
        return
