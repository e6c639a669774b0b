"""See by a payload's bytes that a tool call cannot concern an index: most calls end here, before JSON is read.

Only a tool call before it runs is decided. It is none of memstile's business if no word in it leads to an index or to
a guard's switch, and no file that it names is a link that could lead there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as system
else:
    try:
        import posix as system
    except ImportError:  # Windows
        import nt as system

_EVENT_KEYS = (b'"hook_event_name"', b'"agent_action_name"', b'"hook"')
_TOOL_CALLS = (
    b"PreToolUse", b"preToolUse", b"BeforeTool", b"pre_write_code", b"pre_run_command", b"pre_mcp_tool_use", b"before",
)  # fmt: skip
_ANSWERS_ALL = "generic"  # a protocol, in which silence is no answer

WORDS = (
    b"\\u00",  # an escape that may spell any of the others
    b"\xe2\x84\xaa",  # KELVIN SIGN: the only sign outside ASCII that is a letter of it in lower case
    b"\\u212a",  # likewise
    b"*** begin patch",
    b"memstile",
    b"pyproject.toml",
    b"settings",
    b"hooks",
    b"config.toml",
    b"config.json",
    b"cordis",
    b"plugin",
    b"opencode.json",
    b'/pause"',
    b"mcp",  # a tool of a memory server may be a write, or the search that has to come before it
    b"memory",
    b"_note",  # likewise, where the host's name of the tool holds no "mcp"
    b"build_context",
    b"classify",
    b'.md"',  # a note
    b".md\\n",  # likewise, in a patch
    *(b"%s_%s" % (verb, noun) for verb in (b"move", b"rename", b"delete") for noun in (b"file", b"directory", b"path")),
    b'"delete"',  # a folder goes with all that is in it
)
"""Words of places where guards are switched on and off, in lower case; each host's settings files have one in them."""

_PATH_KEYS = tuple(
    f'"{key}"'.encode()
    for key in ("file_path", "path", "filePath", "filepath", "target_file", "file", "filename", "notebook_path", "uri",
                "relative_path", "relativePath", "absolute_path", "absolutePath", "fileName", "file_name",
                "destination", "destination_path", "destinationPath", "dest", "dst", "dest_path", "target",
                "target_path", "new_path", "newPath", "to", "new_name", "newName")
)  # fmt: skip
_ARGUMENT_KEYS = (b'"tool_input"', b'"toolArgs"', b'"tool_info"', b'"tool_call"', b'"args"')
_MAYBE_TEXTS = (b'"toolArgs"', b'"tool_input"', b'"mcp_tool_arguments"', b'"arguments"')
"""Keys of arguments that hosts send as a JSON text, too."""

_MOST_PATHS = 16
_FILE_TYPE, _LINK, _FILE = 0o170000, 0o120000, 0o100000
INDEX_NAME = b"memory.md"

_TOOL_KEYS = (b'"toolName"', b'"tool_name"', b'"tool"')
_JOINTS = {"copilot": b"-", "opencode": b"_"}
"""What is in the name of an MCP server's tool, by host, and in none of the host's own: the server may be a memory's."""


def is_none_of_ours(raw: bytes, host: str, event: str, state: str, config: str) -> bool:
    """Tell that there is nothing to judge in a payload; False where in doubt.

    state, config: the folder and the file of the command line, "" where it names none.
    """
    if host == _ANSWERS_ALL or not _is_whole(raw) or not _is_tool_call(raw, event):
        return False
    name = _index_name(state, config)
    if name is None or (host in _JOINTS and _may_be_served(raw, _JOINTS[host])):
        return False
    # In a JSON text every quote is escaped: without the escapes keys and ends of names are found in it, too.
    plain = raw.replace(b'\\"', b'"') if _may_hold_json_text(raw) else raw
    lowered = plain.lower()
    stem = name.rpartition(b".")[0] or name
    if name in lowered or stem + b'"' in lowered or any(word in lowered for word in WORDS):
        return False
    own = (state, config.rpartition("/")[2])
    if any(path and path.encode("utf-8", "surrogateescape").lower() in lowered for path in own):
        return False
    return not any(map(_names_a_link, (raw, plain) if plain is not raw else (raw,)))


def _names_a_link(raw: bytes) -> bool:
    paths = _paths(raw)
    return paths is None or any(map(_may_lead_elsewhere, paths))


def _may_be_served(raw: bytes, joint: bytes) -> bool:
    named = [_values(raw, key) for key in _TOOL_KEYS]
    return any(values is None or any(joint in value for value in values) for values in named)


def _is_whole(raw: bytes) -> bool:
    """Tell whether this may be a payload with the arguments of a call; a broken one is for the failure policy."""
    is_object = raw[:4].removeprefix(b"\xef\xbb\xbf")[:1] == b"{" and raw[-2:].rstrip()[-1:] == b"}"
    return is_object and any(key in raw for key in _ARGUMENT_KEYS)


def _is_tool_call(raw: bytes, event: str) -> bool:
    named = [value for key in _EVENT_KEYS for value in _values(raw, key) or ()]
    if not named:
        return event.encode() in _TOOL_CALLS
    return len(named) == 1 and named[0] in _TOOL_CALLS


def _values(raw: bytes, key: bytes) -> list[bytes] | None:
    """Give the texts that a key has anywhere in a payload; None where one of them is no plain text."""
    values: list[bytes] = []
    at = raw.find(key)
    while at >= 0:
        at += len(key)
        after = raw[at : at + 8].lstrip()[:1]
        if after in (b"", b"\\"):  # many blanks, or such as are escaped
            return None
        if after == b":":  # else it is a value, not a key
            start = raw.find(b'"', at)
            gap = raw[at:start].strip()
            end = raw.find(b'"', start + 1)
            if start < 0 or end < 0 or gap != b":":
                return None
            value = raw[start + 1 : end]
            if b"\\" in value or len(values) == _MOST_PATHS:
                return None
            values.append(value)
        at = raw.find(key, at)
    return values


def _paths(raw: bytes) -> list[bytes] | None:
    found: list[bytes] = []
    for key in _PATH_KEYS:
        values = _values(raw, key)
        if values is None:
            return None
        found += values
    if all(path.startswith(b"/") for path in found):
        return found
    folders = _values(raw, b'"cwd"')
    if folders is None or len(folders) != 1 or not folders[0].startswith(b"/") or any(map(_is_rewritten, found)):
        return None
    return [path if path.startswith(b"/") else folders[0] + b"/" + path for path in found]


def _may_hold_json_text(raw: bytes) -> bool:
    for key in _MAYBE_TEXTS:
        at = raw.find(key)
        while at >= 0:
            at += len(key)
            if raw[at : at + 8].translate(None, b": \t\r\n")[:1] in (b'"', b""):
                return True
            at = raw.find(key, at)
    return False


def _is_rewritten(path: bytes) -> bool:
    """Tell whether a path may be spelled otherwise before it is followed: "~", a URI, and "@", which Gemini drops."""
    return path[:1] in (b"~", b"@") or path[:5].lower() == b"file:"


def _may_lead_elsewhere(path: bytes) -> bool:
    """Tell whether a file is a symlink, or has another name; the folders on the way do not change its own name."""
    if path.endswith((b"/", b"/.", b"/..")):
        return True
    try:
        status = system.lstat(path)
    except OSError:
        return False  # not there: what is made there has this name
    except ValueError:
        return True
    kind = status.st_mode & _FILE_TYPE
    return kind == _LINK or (kind == _FILE and status.st_nlink > 1)


def _index_name(state: str, config: str) -> bytes | None:
    """Give the name of an index in lower case; None where the user's settings have to be read for it."""
    if not config:
        return None
    try:
        key = stat_key(config)
    except OSError:
        return INDEX_NAME  # no user's file, and no other can set the name
    try:
        if system.stat(f"{state}/index-name").st_mode & _FILE_TYPE != _FILE:  # to open a FIFO would take for ever
            return None
        with open(f"{state}/index-name", "rb") as file:
            noted = file.read(4096).split(b"\n")
    except OSError:
        return None
    # With letters outside ASCII it has several spellings, in small and great letters and with escapes.
    return noted[1] if len(noted) == 3 and noted[0] == key and noted[1].isascii() else None


def stat_key(path: str) -> bytes:
    """Describe the state of a file in a line, to see later whether it is still the same. Raises OSError."""
    status = system.stat(path)
    return b"%d %d %d" % (status.st_mtime_ns, status.st_size, status.st_ino)
