"""Write an index again and again, by every way of saving, while another process puts it back; writes JSON.

    python -m tests.put_back_race INDEX COUNT OUT

The writer takes the index out by an exchange when it saves by rename, so that it knows what it replaced: every content
that was ever there can be accounted for.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys

from memstile.exchange import exchange


def text(number: int) -> bytes:
    return b"written %d\n" % number * 50


def save(index: str, draft: str, data: bytes) -> str:
    """Save by rename. Result: what was replaced, "" for nothing."""
    with open(draft, "wb") as file:
        file.write(data)
    while True:
        with contextlib.suppress(FileNotFoundError):
            assert exchange(draft, index)
            with open(draft, "rb") as file:
                return file.read().decode()
        with contextlib.suppress(FileExistsError):  # there is none just now, or there is again
            os.link(draft, index)
            os.unlink(draft)  # else the next save would write to the index
            return ""


def main(index: str, count: str, out: str) -> None:
    draft = os.path.join(os.path.dirname(os.path.dirname(index)), "draft")
    replaced = [save(index, draft, text(number)) for number in range(int(count))]
    with open(out, "w") as file:
        json.dump(replaced, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
