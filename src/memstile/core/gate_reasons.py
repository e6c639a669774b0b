"""The words of the turn gate: one message a code. Facts and options for the model, never orders; no arguments."""

from __future__ import annotations

from memstile.core.gate_words import (
    CLASSIFICATION_REQUIRED,
    CREATE_REQUIRES_SEARCH,
    CREDENTIAL,
    DUPLICATE,
    FIXTURE,
    LOOKUP_FAILED,
    LOOKUP_REQUIRED,
    OVERWRITE,
    PENDING_IN_BATCH,
)
from memstile.core.text import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SEARCH = "A search that satisfies this: {search}. An empty result counts; the write can follow once it has come back."

MESSAGES = {
    CLASSIFICATION_REQUIRED: (
        "this turn has not been classified, so memory can be read but not written. "
        'Calls that declare it: mcp__memstile__classify with {{"task": "simple"}} (no search needed) or '
        '{{"task": "complex"}} (writes follow a memory search); where that tool is not there, the shell command '
        "`memstile classify simple` or `memstile classify complex`, by itself. With neither, the person can set "
        "gate.mode."
    ),
    PENDING_IN_BATCH: (
        "a memory search of this turn has not come back yet, so its result cannot have been seen when this write was "
        "made. The same write passes after the search's result; one that was moved to the background does not count, "
        "and another search does: {search}."
    ),
    LOOKUP_FAILED: (
        f"every memory search of this turn failed, so it is not known what the memory holds. {_SEARCH} If the memory "
        "cannot be searched at all, the person can be told."
    ),
    CREATE_REQUIRES_SEARCH: (
        f"this turn was declared complex and makes a note, and memory was not searched for its subject. {_SEARCH}"
    ),
    LOOKUP_REQUIRED: f"this turn was declared complex, and memory was not searched in it. {_SEARCH}",
    OVERWRITE: (
        "this replaces a note that was not read in this turn. Reading it first satisfies this: {read}, with the note's "
        "folder and title, permalink, path or memory:// URL."
    ),
    DUPLICATE: (
        "the same write, with the same arguments, already ran in this turn. Nothing is missing; a further change can "
        "be made with other arguments."
    ),
    CREDENTIAL: (
        "the text holds something shaped like a secret (a key, a token, a password in a URL). Notes are plain files "
        "that travel. The write can name where the secret is kept instead of holding it. Shapes are a heuristic; if "
        "it is no secret, the person can set gate.secret_pattern."
    ),
    FIXTURE: (
        "the note is labelled a test fixture and lies outside the folders for those. It can go to one of them "
        "(the setting gate.test_fixture_allowed names them), or go without the label."
    ),
}
"""Text by code of a refusal. {search}, {read}: tools of the memory the call is about."""

_OF_FILES = ("a file search inside the vault, or reading its index", "reading the file")


def message(code: str, server: str) -> str:
    """Say why a write was refused and what would satisfy the gate; "" for a code that refuses nothing.

    server: the memory server the call goes to, "" for files of a vault.
    """
    text = MESSAGES.get(code)
    if text is None:
        return ""
    search, read = (f"mcp__{server}__search_notes", f"mcp__{server}__read_note") if server else _OF_FILES
    return f"{code}: {text.format(search=shown(search), read=shown(read))}"


def audited(code: str, server: str) -> str:
    """Say what audit mode let through."""
    return f"Audit mode let this call through; enforce mode would refuse it. {message(code, server)}"


def failed(why: str, *, is_refused: bool) -> str:
    """Say that the gate's own store failed at a memory write. why: a kind of failure, no path of the machine."""
    done = "the write was refused, as gate.on_error says" if is_refused else "the write was let through, ungated"
    return (
        f"POLICY_INTERNAL_ERROR: memstile could not tell the state of this turn ({shown(why)}); {done}. "
        "`memstile doctor` and `memstile status` say more to the person."
    )


FOR_THE_PERSON = (
    "This call deletes from memory, and the turn gate would refuse it. Yes lets this one call through; no leaves the "
    "memory as it is. Why:"
)

IN_THE_OPEN = (
    "memstile: the state folder cannot be written from here, as in a sandbox. What is known of a turn is kept in /tmp, "
    "where a command of the agent can change it."
)


def warned(codes: Iterable[str], server: str) -> str:
    """Say what the guards remarked on a write that went through, a paragraph each."""
    texts = (message(code, server) for code in codes)
    return "\n\n".join(f"A remark, the call was let through. {text}" for text in texts if text)
