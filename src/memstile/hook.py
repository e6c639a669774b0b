"""`memstile-hook HOST [EVENT]`: one payload of an agent host on stdin, one reply in the host's words.

It runs at every tool call, under `python -I -S` (the launcher that `memstile init` writes), so that this module loads
nothing but what is built into the interpreter, and decides on raw bytes whether there is anything to judge. What may
go wrong ends in one place, and leaves what the failure policy says: hosts take the exit code 1 of a traceback for "go
on".
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as system
    from collections.abc import Sequence
    from types import FrameType

else:
    try:
        import posix as system
    except ImportError:  # Windows
        import nt as system

MAX_PAYLOAD_BYTES = 64 * 1024 * 1024
DEADLINE_S = 5.0
"""Hosts wait 30 seconds or longer, and then let the call through; this answer comes first."""

USAGE = """\
usage: memstile-hook HOST [EVENT] [--config FILE] [--state FOLDER] [--on-error open|closed]

Reads one payload of an agent host on stdin and answers in the host's words. Hosts run it; `memstile init HOST` sets
that up, `memstile doctor` tries it. HOST: {hosts}. EVENT: the event's name, for hosts whose payload does not hold it.
"""


class Words:
    """The command line. A broken one is told, and what is left of it is used: a guard does not end over a typo."""

    def __init__(self, words: Sequence[str]) -> None:
        """Read the words after the program's name."""
        self.options = {"--config": "", "--state": "", "--on-error": ""}
        self.problem = ""
        plain: list[str] = []
        rest = list(words)
        while rest:
            word = rest.pop(0)
            name, has_value, value = word.partition("=")
            if name in self.options:
                self.options[name] = value if has_value else rest.pop(0) if rest else ""
            elif word.startswith("-"):
                self.problem = f"unknown option {word}"
            else:
                plain.append(word)
        self.host, self.event = (*plain, "", "")[:2]
        self.is_help = not plain or "--help" in words or "-h" in words
        self.is_closed = self.options["--on-error"] == "closed"


class TooLate(BaseException):
    """The deadline has passed. No Exception: nothing but the catch-all may take it."""


def main() -> None:
    """Answer the payload on stdin, and end the process."""
    words = Words(sys.argv[1:])
    if words.is_help:
        from memstile.hosts import HOSTS

        _leave(USAGE.format(hosts=", ".join(HOSTS)), "", 0 if len(sys.argv) > 1 else 64)
    try:
        _start_the_clock(DEADLINE_S)
        raw = _payload()
        if is_none_of_ours(raw, words):
            _leave("", "", 0)
        from memstile.hook_run import run

        stdout, stderr, code = run(words, raw)
    except BaseException as error:  # SystemExit and KeyboardInterrupt have no business here either
        stdout, stderr, code = _failed(words, error)
    _leave(stdout, stderr, code)


def _start_the_clock(seconds: float) -> None:
    try:
        import _signal  # type: ignore[import-not-found]  # `signal` loads enum; this is what it is made of
    except ImportError:
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooLate

    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, ring)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM,))  # a parent may have blocked it
        _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _payload() -> bytes:
    parts = []
    size = 0
    while part := system.read(0, 1024 * 1024):
        parts.append(part)
        size += len(part)
        if size > MAX_PAYLOAD_BYTES:
            raise ValueError("a payload of more than 64 MiB")
    return b"".join(parts)


def is_none_of_ours(raw: bytes, words: Words) -> bool:
    """Tell by the bytes of a payload that there is nothing to judge; False where in doubt."""
    from memstile.hook_glance import is_none_of_ours as glance

    return glance(raw, words.host, words.event, words.options["--state"], words.options["--config"])


def _failed(words: Words, error: BaseException) -> tuple[str, str, int]:
    """Answer as the failure policy says: open lets the call through and says so, closed refuses it."""
    what = "it took too long" if isinstance(error, TooLate) else type(error).__name__
    try:
        _start_the_clock(1.0)  # what hung once may hang again
        from memstile.hook_failure import failed

        return failed(words, what)
    except BaseException:
        told = f"memstile could not judge this event ({what})\n"
        return "", told, 2 if words.is_closed else 0


def _leave(stdout: str, stderr: str, code: int) -> None:
    """Write and end at once: nothing that runs at an interpreter's exit may change the code."""
    for descriptor, text in ((1, stdout), (2, stderr)):
        data = text.encode("utf-8", "backslashreplace")
        try:
            while data:
                data = data[system.write(descriptor, data) :]
        except OSError:  # the host closed its end
            pass
    system._exit(code)


if __name__ == "__main__":
    main()
