"""The wire formats of models, as far as the clients need them: a request read, a few tool calls answered.

Most clients ask for a server-sent stream; those that ask without get the same answer whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Body = dict[str, Any]


class Call(NamedTuple):
    """One tool call of the model. arguments: an object, or the bare text of a tool that takes no JSON.

    namespace: of the tool, where the wire format keeps it apart; "" for a tool that has none.
    """

    tool: str
    arguments: dict[str, object] | str
    namespace: str = ""


class Dialect(NamedTuple):
    """One wire format.

    is_turn: (path, body) asks for the next step of the conversation, and not for a title or a token count.
    entries: the conversation in a body. answer: (calls, a number that no other answer has, body) to content type and
    bytes; no calls is the text "done".
    """

    is_turn: Callable[[str, Body], bool]
    entries: Callable[[Body], list[Any]]
    answer: Callable[[Sequence[Call], int, Body, str], tuple[str, bytes]]


JSON, _STREAM = "application/json", "text/event-stream"


def _events(events: Sequence[Body]) -> bytes:
    """Write events of a stream; those that have a type are named by it."""
    names = (f"event: {event['type']}\n" if "type" in event else "" for event in events)
    return "".join(f"{name}data: {json.dumps(event)}\n\n" for name, event in zip(names, events, strict=True)).encode()


def _as_text(arguments: dict[str, object] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


# Anthropic Messages


def _messages(calls: Sequence[Call], number: int, body: Body, path: str) -> tuple[str, bytes]:
    if path.partition("?")[0].endswith("count_tokens"):
        return JSON, b'{"input_tokens": 10}'
    blocks: list[Body] = [
        {"type": "tool_use", "id": f"toolu_{number}_{at}", "name": call.tool, "input": call.arguments}
        for at, call in enumerate(calls)
    ] or [{"type": "text", "text": "done"}]
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    usage = {"input_tokens": 10, "output_tokens": 5}
    message = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "usage": usage,
    }
    if not body.get("stream"):
        return JSON, json.dumps({**message, **stop, "content": blocks}).encode()
    events: list[Body] = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}]
    for at, block in enumerate(blocks):
        is_call = block["type"] == "tool_use"
        empty = {**block, "input": {}} if is_call else {"type": "text", "text": ""}
        delta = (
            {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            if is_call
            else {"type": "text_delta", "text": block["text"]}
        )
        events += [
            {"type": "content_block_start", "index": at, "content_block": empty},
            {"type": "content_block_delta", "index": at, "delta": delta},
            {"type": "content_block_stop", "index": at},
        ]
    events += [{"type": "message_delta", "delta": stop, "usage": usage}, {"type": "message_stop"}]
    return _STREAM, _events(events)


ANTHROPIC = Dialect(
    lambda path, body: path.partition("?")[0].endswith("/messages") and bool(body.get("tools")),
    lambda body: body["messages"],
    _messages,
)


# OpenAI Responses


def _responses(calls: Sequence[Call], number: int, body: Body, path: str) -> tuple[str, bytes]:
    items: list[Body] = [_response_item(call, f"call_{number}_{at}") for at, call in enumerate(calls)] or [
        {
            "type": "message",
            "id": f"msg_{number}",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "done"}],
        }
    ]
    usage = {"input_tokens": 10, "input_tokens_details": None, "output_tokens": 5, "output_tokens_details": None}
    events: list[Body] = [{"type": "response.created", "response": {"id": f"resp_{number}"}}]
    events += [{"type": "response.output_item.done", "output_index": at, "item": item} for at, item in enumerate(items)]
    ended = {"id": f"resp_{number}", "usage": {**usage, "total_tokens": 15}}
    return _STREAM, _events([*events, {"type": "response.completed", "response": ended}])


def _response_item(call: Call, call_id: str) -> Body:
    if isinstance(call.arguments, str):
        return {"type": "custom_tool_call", "call_id": call_id, "name": call.tool, "input": call.arguments}
    namespace = {"namespace": call.namespace} if call.namespace else {}
    arguments = json.dumps(call.arguments)
    return {"type": "function_call", "call_id": call_id, **namespace, "name": call.tool, "arguments": arguments}


RESPONSES = Dialect(lambda path, body: path.endswith("/responses"), lambda body: body["input"], _responses)


# OpenAI chat completions


def _completions(calls: Sequence[Call], number: int, body: Body, path: str) -> tuple[str, bytes]:
    message: Body = {"role": "assistant", "content": None if calls else "done"}
    if calls:
        message["tool_calls"] = [
            {
                "index": at,
                "id": f"call_{number}_{at}",
                "type": "function",
                "function": {"name": call.tool, "arguments": _as_text(call.arguments)},
            }
            for at, call in enumerate(calls)
        ]
    finish = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    common = {"id": f"cmpl_{number}", "created": 1, "model": body.get("model")}
    if not body.get("stream"):
        whole = {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": finish}]}
        return JSON, json.dumps({**common, **whole, "usage": usage}).encode()
    chunk = {**common, "object": "chat.completion.chunk"}
    events: list[Body] = [
        {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage},
    ]
    return _STREAM, _events(events) + b"data: [DONE]\n\n"


COMPLETIONS = Dialect(
    lambda path, body: path.endswith("/chat/completions") and bool(body.get("tools")),
    lambda body: body["messages"],
    _completions,
)


# Gemini


def _contents(calls: Sequence[Call], number: int, body: Body, path: str) -> tuple[str, bytes]:
    parts: list[Body] = [{"functionCall": {"name": call.tool, "args": call.arguments}} for call in calls]
    answer = {
        "candidates": [
            {"content": {"role": "model", "parts": parts or [{"text": "done"}]}, "finishReason": "STOP", "index": 0}
        ],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
    }
    if "alt=sse" in path:
        return _STREAM, _events([answer])
    return JSON, json.dumps(answer).encode()


GEMINI = Dialect(
    lambda path, body: ":streamGenerateContent" in path and bool(body.get("tools")),
    lambda body: body["contents"],
    _contents,
)
