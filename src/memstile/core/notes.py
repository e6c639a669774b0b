"""What a note of basic-memory will hold after a call: frontmatter that the server writes, then the text.

    ---
    title: MEMORY
    type: note
    permalink: main/vault/memory
    ---
                            an empty line, then the text as it came
Frontmatter is not parsed as YAML: an entry is a line that starts with a key, with the lines below it that are indented
or start with "-". That is how the server writes it, so that sizes are right to the byte for its own files, and a few
bytes off where somebody wrote it in another style. Source: basic-memory 0.24.1, runs on the table of the tests.
"""

from __future__ import annotations

from memstile.core.json_text import dumps, loads
from memstile.core.memory_servers import CONTENT_KEYS, FIND_KEYS, Project, permalink
from memstile.core.record import NamedTuple
from memstile.core.tool_shapes import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Arguments = Mapping[str, object]

_FENCE = "---\n"


class Parts(NamedTuple):
    """A note taken apart. entries: its frontmatter, key to lines; None where it has none. body: what follows."""

    entries: dict[str, str] | None
    body: str


def written(arguments: Arguments, title: str, path: str, before: str | None, project: Project) -> str:
    """Give a note that `write_note` leaves. path: below the project. before: the note it replaces, None for none.

    An entry that the note had before stays, unless the call brings one of that name.
    """
    given = parts(text(arguments, "content") or "")
    body = given.body if given.entries is None else given.body.strip()
    entries = dict((parts(before).entries if before else None) or {})
    brought = dict(given.entries or {})
    entries["title"] = f"title: {title}\n"
    entries["type"] = brought.pop("type", "") or f"type: {text(arguments, 'note_type') or 'note'}\n"
    entries["permalink"] = brought.pop("permalink", "") or entries.get("permalink") or _link(path, project)
    brought.pop("title", None)
    return joined(entries | brought | _metadata(arguments), body)


def edited(arguments: Arguments, path: str, before: str, project: Project) -> str | None:
    """Give a note that `edit_note` leaves; None where that is not known or the server refuses the call.

    A note without a permalink gets one, and with it frontmatter.
    """
    content = text(arguments, *CONTENT_KEYS)
    if content is None:
        return None
    extra = _metadata(arguments)
    operation = text(arguments, "operation")
    after = before if extra and not content else _operated(operation or "", content, arguments, before)
    if after is None:
        return None
    entries, body = parts(after)
    if entries is not None and "permalink" in entries and not extra:
        return after
    has_link = entries is not None and "permalink" in entries
    link = {"permalink": (entries or {}).get("permalink") or _link(path, project)}
    return joined({**(entries or {}), **link, **extra}, body.removeprefix("\n") if has_link else body.strip())


def _operated(operation: str, content: str, arguments: Arguments, before: str) -> str | None:
    match operation:
        case "append":
            return f"{before}{_joint(before)}{content}"
        case "insert_before_section" | "insert_after_section":
            # Where it goes in does not change the size; the server puts in up to one more empty line.
            return f"{before}{_joint(before)}{content}{_joint(content)}"
        case "prepend":
            entries, body = parts(before)
            if entries is None:
                return f"{content}{_joint(content)}{before}"
            body = body.strip()
            return joined(entries, f"{content}{_joint(content)}{body}".strip())
        case "find_replace":
            find = text(arguments, *FIND_KEYS)
            wanted = arguments.get("expected_replacements", 1)
            return before.replace(find, content) if find and str(before.count(find)) == str(wanted) else None
        case _:
            return None


def _joint(upper: str) -> str:
    return "\n" if upper and not upper.endswith("\n") else ""


def parts(note: str) -> Parts:
    """Take a note apart. Frontmatter is a line "---", entries, and a line "---", at the very start."""
    note = note.removeprefix("\ufeff").replace("\r\n", "\n") if note[:5].strip("\ufeff\r\n") == "---" else note
    if not note.startswith(_FENCE):
        return Parts(None, note)
    head, fence, body = note[len(_FENCE) - 1 :].partition("\n---\n")
    if not fence:
        head, fence = (head.removesuffix("\n---"), "\n---") if head.endswith("\n---") else (head, "")
        body = ""
    if not fence:
        return Parts(None, note)
    entries: dict[str, str] = {}
    key = ""
    for line in head[1:].split("\n") if head else ():
        if line[:1] not in ("", " ", "-", "#"):
            key = line.partition(":")[0]
        entries[key] = f"{entries.get(key, '')}{line}\n"
    return Parts(entries, body)


def joined(entries: Mapping[str, str], body: str) -> str:
    """Put a note together again, with the empty line that the server leaves between frontmatter and text."""
    return f"{_FENCE}{''.join(entries.values())}{_FENCE}" + (f"\n{body}" if body else "")


def _link(path: str, project: Project) -> str:
    return f"permalink: {project.prefix}{permalink(path.removesuffix('.md'))}\n"


def _metadata(arguments: Arguments) -> dict[str, str]:
    """Give the entries that a call names by themselves: metadata, an object or one as text; tags, a list or a text."""
    given = arguments.get("metadata")
    given = loads(given) if isinstance(given, str) else given
    found = given if isinstance(given, dict) else {}
    entries = {str(key): _entry(str(key), value) for key, value in found.items()}
    tags = arguments.get("tags")
    named = tags.split(",") if isinstance(tags, str) else tags
    if isinstance(named, list) and named:
        entries["tags"] = _entry("tags", [str(tag).strip() for tag in named])
    return entries


def _entry(key: str, value: object) -> str:
    match value:
        case list() if value:
            return f"{key}:\n" + "".join(f"- {_scalar(inner)}\n" for inner in value)
        case dict() if value:
            return f"{key}:\n" + "".join(f"  {name}: {_scalar(inner)}\n" for name, inner in value.items())
        case _:
            return f"{key}: {_scalar(value)}\n"


def _scalar(value: object) -> str:
    return value if isinstance(value, str) else dumps(value)
