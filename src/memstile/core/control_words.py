"""The words of the control: what the model is told when it declares a turn, asks for the status, or starts."""

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
    Classification,
)
from memstile.core.settings import Settings
from memstile.core.text import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_RATIONALE = 200
"""Characters of a rationale."""

TASKS = {choice.value: choice for choice in (Classification.SIMPLE, Classification.COMPLEX)}
"""What can be declared, by the word for it."""

FOLLOWS = {
    Classification.UNKNOWN: "memory can be read and not written",
    Classification.SIMPLE: "memory writes pass without a search",
    Classification.COMPLEX: "memory writes pass after a memory search that came back in this turn",
}
"""What a classification comes to."""

_COUNTED = "The hooks of the host count it as they see this call; without them nothing does."
_MODES = {
    "off": "Nothing is gated here: gate.mode is off.",
    "audit": "gate.mode is audit: what enforce mode would refuse is let through and recorded.",
    "enforce": "gate.mode is enforce: a memory write that does not fit is refused, and told why.",
}

_INSTRUCTIONS = """\
memstile gates writes to memory (notes of memory servers, files of the vault). Reading is never refused.

A turn of the person begins unclassified. The tool `classify` declares it, before its first memory write:
- simple: memory writes pass without a search.
- complex: memory writes pass after a memory search that came back in this turn. An empty result counts; a failed \
search, one in the background and one of the same batch do not.
The last declaration wins; the next turn begins anew.

Look before you write: a search shows whether a note on the subject exists, so that it is added to, not made twice.

A refusal begins with a code:
{codes}

The vault's index, {index}, is capped at {lines:,} lines and {bytes:,} bytes. Past that a write that makes it larger \
is refused; one that makes it smaller passes. One line a note; the text goes into the note.
`status` tells what the settings say here."""

_MOST_NAME = 60  # characters; a longer one would fill the page
_CODES = {
    CLASSIFICATION_REQUIRED: "nothing declared in this turn",
    LOOKUP_REQUIRED: "complex, not searched",
    CREATE_REQUIRES_SEARCH: "complex, a new note, not searched",
    PENDING_IN_BATCH: "the search has not come back",
    LOOKUP_FAILED: "each search failed",
    OVERWRITE: "replaces a note not read in this turn",
    DUPLICATE: "the same write already ran",
    CREDENTIAL: "shaped like a secret",
    FIXTURE: "a test label outside its folders",
}


def instructions(settings: Settings) -> str:
    """Give the protocol in facts: under 1,500 characters, whatever the settings."""
    caps = settings.caps
    codes = "\n".join(f"{code}: {means}" for code, means in _CODES.items())
    index = shown(settings.index_name)
    return _INSTRUCTIONS.format(
        codes=codes,
        index=index if len(index) <= _MOST_NAME else "a file the settings name",
        lines=caps.hard_lines,
        bytes=caps.hard_bytes,
    )


def declared(task: Classification, mode: str) -> str:
    """Say what was declared, what follows, and who counts it. mode: gate.mode."""
    if mode == "off":
        return f"declared {task.value}. {_MODES['off']}"
    return f"declared {task.value}: {FOLLOWS[task]}. {_COUNTED} {_MODES.get(mode, '')}".rstrip()


def declared_in_shell(task: Classification) -> str:
    """Say the same in one line, for the command that a hook recognises."""
    return f"declared {task.value}: {FOLLOWS[task]}. It counts where a hook of the host sees this very call."


def argument_fault(arguments: Mapping[str, object]) -> str:
    """Say what is wrong with the arguments of `classify`, "" for nothing. No value of theirs is repeated."""
    task, rationale = arguments.get("task"), arguments.get("rationale")
    if not isinstance(task, str) or task not in TASKS:
        kind = "missing" if "task" not in arguments else "another text" if isinstance(task, str) else "no text"
        return f'task is {kind}; it can be "simple" or "complex". Nothing was declared.'
    if rationale is not None and not isinstance(rationale, str):
        return f"rationale is no text; it can be left out. Hooks look at task alone, which was {task}."
    if rationale is not None and len(rationale) > MOST_RATIONALE:
        return (
            f"rationale is {len(rationale):,} characters, at most {MOST_RATIONALE}; it can be left out. "
            f"Hooks look at task alone, which was {task}."
        )
    return ""


def status_told(settings: Settings, faults: int) -> str:
    """Tell what the settings say of the gate and the index, in a few lines without a path.

    faults: how many entries of the settings are not used.
    """
    caps = settings.caps
    servers = ", ".join(shown(name) for name in settings.gate_servers) or "none"
    lines = [
        _MODES.get(settings.gate_mode, f"gate.mode is {shown(settings.gate_mode)}."),
        f"profile: {shown(settings.gate_profile)}",
        f"memory servers: {servers}",
        f"vault files: {'gated' if settings.gate_vault_files else 'not gated'}",
        f"index: {shown(settings.index_name)}, at most {caps.hard_lines:,} lines and {caps.hard_bytes:,} bytes, "
        f"index.mode {shown(settings.index_mode)}",
    ]
    if faults:
        entries = "1 entry of the settings is" if faults == 1 else f"{faults} entries of the settings are"
        lines.append(f"{entries} not used; the person can see which with `memstile status`")
    return "\n".join([*lines, "These are the settings. Whether the host's hooks run is proved by `memstile doctor`."])
