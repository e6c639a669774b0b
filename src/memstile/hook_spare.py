"""A second place for texts that wait and sizes last seen, for hooks that may not write the state folder.

DeepSeek Harness runs hooks in the sandbox of its tools, which in the mode workspace-write lets them write the project
and /tmp. The folder is always in /tmp: TMPDIR is part of what a project can set, two hooks of one session may see two,
and the sandbox's rule names /tmp. Where the sandbox is bubblewrap, each command gets a /tmp of its own, and nothing is
kept. Source: dsh 0.1.0-rc.8, dsh-sandbox and dsh-sandbox-local.

What lies there any command in the sandbox may have written. So nothing is read from it that a verdict depends on, a
folder that is not ours alone is not used, and its files are opened as `hook_state.read_quietly` does: no link and no
pipe, for one would tell what the sandbox hides and the other hold up the hook until its time is over.
"""

from __future__ import annotations

import os
from binascii import crc32

from memstile.core.text import shown

MAX_TEXT = 4 * 1024
"""Of a text that waits, in bytes and then in characters; each of ours is shorter than 1 KiB."""

_MARK = "memstile, from /tmp, where any command can write:\n"
_FOLDER, _TYPE_AND_MODE = 0o040700, 0o177777


def spare_place(state: str, name: str) -> str:
    """Say where a file of the state folder is in /tmp; "" where the folder is not there, or not ours alone."""
    folder = _folder(state)
    # In the folder itself: one below it could be a link.
    return f"{folder}/{name.replace('/', '-')}" if folder and _is_ours(folder) else ""


def made_place(state: str, name: str) -> str:
    """Give the same after making the folder, if it was not there."""
    make_folder(_folder(state))
    return spare_place(state, name)


def made_folder(state: str, *, is_made: bool = True) -> str:
    """Give the folder in /tmp, made if it was not there; "" where it is not ours alone. is_made: false to look only."""
    folder = _folder(state)
    if folder and is_made:
        make_folder(folder)
    return folder if folder and _is_ours(folder) else ""


def make_folder(path: str) -> bool:
    """Make a folder, 0700; False where it is there, as when another hook was first, or cannot be."""
    try:
        os.mkdir(path, 0o700)
    except OSError:
        return False
    return True


def _folder(state: str) -> str:
    if not hasattr(os, "getuid"):  # Windows
        return ""
    return f"/tmp/memstile-{os.getuid()}-{crc32(os.fsencode(state)):08x}"  # noqa: S108 - checked by _is_ours


def _is_ours(folder: str) -> bool:
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return status.st_uid == os.getuid() and status.st_mode & _TYPE_AND_MODE == _FOLDER


def marked(text: str) -> str:
    """Say of a text where it comes from, and make it safe to show; "" stays."""
    plain = "\n".join(map(shown, text.split("\n")))
    return _MARK + plain[:MAX_TEXT] if plain else ""
