"""Ask Codex itself which of our hooks it would run: `codex app-server`, method `hooks/list`.

Codex passes over a hook that was not trusted, or was changed since, without a word; so it does with a project's hooks
in a project that is not trusted, and with all where the feature is off. The list tells all of these apart from a hook
that runs. Source: runs of 0.171.0; docs/hosts.md.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from collections.abc import Iterator, Mapping
from typing import IO

from memstile.core.text import shown
from memstile.doctor_check import Check, bad, ok, unknown
from memstile.doctor_found import Found
from memstile.doctor_process import MOST_BYTES, end
from memstile.installing_version import on_path
from memstile.setups.hook_lists import is_ours as starts_ours

_LIMIT_S = 20.0
_TRUSTED = ("trusted", "managed")
_TRIED = "codex app-server: hooks/list"
_TRUST = "start `codex`, type /hooks, look, and trust them"


def listed(folder: str, environment: Mapping[str, str]) -> Mapping[str, object] | None:
    """Give what Codex says about the hooks of a folder; None where there is no Codex, or no answer."""
    program = on_path("codex", environment)
    if not program:
        return None
    try:
        process = subprocess.Popen(
            [program, "app-server"],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,  # else closing writes what a Codex that is gone did not take, and fails
            start_new_session=True,
        )
    except OSError:
        return None
    with process:
        try:
            return _asked(process, folder)
        except (OSError, ValueError, RecursionError):  # it is gone, or speaks otherwise
            return None
        finally:
            end(process)


def _asked(process: subprocess.Popen[bytes], folder: str) -> Mapping[str, object] | None:
    assert process.stdin, "a pipe"  # noqa: S101 - asked for above
    assert process.stdout, "a pipe"  # noqa: S101 - likewise
    until = time.monotonic() + _LIMIT_S
    lines = _lines(process.stdout, until)
    client = {"clientInfo": {"name": "memstile-doctor", "version": "1"}}
    for number, (method, parameters) in enumerate((("initialize", client), ("hooks/list", {"cwds": [folder]}))):
        question = json.dumps({"id": number, "method": method, "params": parameters})
        process.stdin.write(question.encode() + b"\n")
        process.stdin.flush()
        answer = next((row for row in lines if row.get("id") == number), dict[str, object]())
    result = answer.get("result")
    data = result.get("data") if isinstance(result, dict) else None
    return next((row for row in _rows(data)), None)


def _lines(stream: IO[bytes], until: float) -> Iterator[dict[str, object]]:
    """Give the messages that come, while there is time."""
    kept = b""
    with selectors.DefaultSelector() as ready:
        ready.register(stream, selectors.EVENT_READ)
        while (left := until - time.monotonic()) > 0 and len(kept) < MOST_BYTES:
            if not ready.select(left):
                return
            part = os.read(stream.fileno(), 64 * 1024)
            if not part:
                return
            *whole, kept = (kept + part).split(b"\n")
            for line in whole:
                message = json.loads(line) if line.strip() else None
                if isinstance(message, dict):
                    yield message


def trust(found: Found, folder: str, environment: Mapping[str, str]) -> Iterator[Check]:
    """Check that Codex would run each of our hooks in a file."""
    answer = listed(folder, environment)
    if answer is None:
        yield unknown("trust", _TRIED, "Codex is not on PATH, or did not answer", _TRUST)
        return
    rows = [row for row in _rows(answer.get("hooks")) if _is_ours(row, found.path)]
    warnings = answer.get("warnings")
    told = [shown(str(row).splitlines()[0]) for row in warnings if row] if isinstance(warnings, list) else []
    if not rows:
        why = f" ({told[0]})" if told else ": trust the project, or look for `hooks = false` in config.toml"
        yield bad("trust", _TRIED, f"Codex does not load these hooks{why}", "start `codex` here, and trust the folder")
        return
    silent = [row for row in rows if row.get("trustStatus") not in _TRUSTED or row.get("enabled") is not True]
    if silent:
        names = ", ".join(dict.fromkeys(shown(str(row.get("eventName"))) for row in silent))
        states = ", ".join(dict.fromkeys(_state(row) for row in silent))
        yield bad("trust", _TRIED, f"Codex passes over {names}: {states}", _TRUST)
    elif len(rows) < len(found.hooks):
        yield bad(
            "trust", _TRIED, f"Codex loads {len(rows)} of {len(found.hooks)} hooks{f' ({told[0]})' if told else ''}"
        )
    else:
        yield ok("trust", _TRIED, f"Codex loads and trusts all {len(rows)}")


def _rows(value: object) -> list[Mapping[str, object]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _is_ours(row: Mapping[str, object], path: str) -> bool:
    source = row.get("sourcePath")
    is_here = isinstance(source, str) and os.path.realpath(source) == os.path.realpath(path)
    return is_here and starts_ours(row.get("command"))


def _state(row: Mapping[str, object]) -> str:
    return shown(str(row.get("trustStatus"))) if row.get("trustStatus") not in _TRUSTED else "switched off"
