"""Ask a host's program for its version, and look for npm packages beside it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from memstile.disk import read_small
from memstile.setups.envelope import version_in

_TIMEOUT_S = 15.0
_MOST_BYTES = 64 * 1024


def version_of(program: str, environment: Mapping[str, str]) -> str:
    """Run `program --version`; "" where there is no such program, or it does not answer in time."""
    path = on_path(program, environment)
    if not path:
        return ""
    try:
        process = subprocess.Popen(
            [path, "--version"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that what it starts can be ended with it
        )
    except OSError:
        return ""
    with process:
        try:
            out, _ = process.communicate(timeout=_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            out = b""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    return version_in(out[:_MOST_BYTES].decode("utf-8", "replace"))


def on_path(program: str, environment: Mapping[str, str]) -> str:
    """Say where a program on PATH is, "" if it is nowhere, or in a relative folder: that one a project may bring."""
    found = shutil.which(program, path=environment.get("PATH", os.defpath)) if program else None
    return found if found and os.path.isabs(found) else ""


def modules_beside(program: str, names: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Find npm packages that the program could load: by name, the URL of the file that is loaded."""
    path = on_path(program, environment)
    found: dict[str, str] = {}
    folder = os.path.dirname(os.path.realpath(path)) if path else ""
    while folder:
        for name in names:
            place = os.path.join(folder, "node_modules", name)
            main = _main(place)
            if main and name not in found:
                found[name] = "file://" + quote(os.fsencode(os.path.normpath(os.path.join(place, main))))
        above = os.path.dirname(folder)
        folder = above if above != folder else ""
    return found


def _main(place: str) -> str:
    """Say which file of a package is its main one, "" where there is no such package."""
    data = read_small(os.path.join(place, "package.json"))
    if data is None:
        return ""
    try:
        main = json.loads(data).get("main", "index.js")
    except (ValueError, AttributeError, RecursionError):
        return ""
    return main if isinstance(main, str) and os.path.isfile(os.path.join(place, main)) else ""
