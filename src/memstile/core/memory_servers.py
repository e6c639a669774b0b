"""Memory servers as data: their tools and arguments, how a server names files and projects, how its failures begin.

Source: basic-memory 0.24.1, its code and runs of it; docs/hosts.md.
"""

from __future__ import annotations

from memstile.core.gate_words import CallClass
from memstile.core.record import NamedTuple
from memstile.core.tool_shapes import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# What the server takes for the same argument: models spell it in many ways.
FOLDER_KEYS = ("directory", "folder", "dir", "path")
CONTENT_KEYS = ("content", "new_content", "replacement", "replace_with")
FIND_KEYS = ("find_text", "find", "old_text", "old_content", "search")
TARGET_KEYS = ("destination_path", "dest_path", "new_path", "to", "destination")
TARGET_FOLDER_KEYS = ("destination_folder", "dest_folder", "to_folder")

_SEARCHES = ("search_notes", "search", "build_context", "grep")
_READS = ("basic_memory_diagnostics", "cat", "fetch", "find", "list_directory", "list_memory_projects",
          "list_workspaces", "ls", "man", "read_content", "read_note", "recent_activity", "schema_diff",
          "schema_infer", "schema_validate", "tail", "view_note")  # fmt: skip
_WRITES = ("write_note", "edit_note", "move_note", "create_memory_project")
_DESTRUCTIVE = ("delete_note", "delete_project")

BASIC_MEMORY: dict[str, CallClass] = {
    **dict.fromkeys(_SEARCHES, CallClass.SEARCH),
    **dict.fromkeys(_READS, CallClass.READ),
    **dict.fromkeys(_WRITES, CallClass.WRITE),
    **dict.fromkeys(_DESTRUCTIVE, CallClass.DESTRUCTIVE),
}
"""Each tool of the server, by class. recent_activity is no search: it shows what is new, not what is asked for."""

SERVERS = {"basic-memory": BASIC_MEMORY}
"""Tools by server. A memory server with a name of its own is taken for a basic-memory."""

OWN_TOOLS = {
    "basic-memory": frozenset(
        ("search_notes", "build_context", "recent_activity", "read_note", "view_note", "write_note", "edit_note",
         "move_note", "delete_note", "delete_project", "create_memory_project")
    ),
    "memstile": frozenset(("classify", "memstile_classify")),
}  # fmt: skip
"""Tools by server whose names say whose they are, for a host that does not name the server."""

CREATE_TOOL = "write_note"
"""The tool that makes a note, or replaces one where `overwrite` is true."""

NOTE_READERS = ("read_note", "view_note", "read_content", "fetch", "cat")
"""Tools that give the whole text of the note they name."""

READ_TARGET_KEYS = ("file_path", "identifier", "id", "path")
WRITE_TARGET_KEYS = ("file_path", "identifier")
"""Where a call names its note; else a write does so by folder and title."""

FAILED_RESULTS = (
    "# Search Failed",
    "# Note Not Found",
    "# Error",
    "# No Search Criteria",
    "# Project Index Required",
    "Search failed",
    "Internal search error",
    "Search temporarily unavailable",
)
"""How a result begins that is a failure without an error flag. Source: basic-memory 0.24.1, its code and runs of it."""

ERROR_KEYS = ('"error": "', '"error":"')
"""What is at the beginning of a result in JSON that is one, as of `search` for a client that it does not know."""

UNFINISHED_RESULT = ('MCP tool "', '" is still running after ')
"""How a result begins, and goes on, of a call that Claude Code moved to the background."""

_UNSAFE_IN_A_NAME = dict.fromkeys(map(ord, '/\\<>:"|?*'), "-")
_SAFE_IN_A_FOLDER = frozenset(". -_\\/")


class Project(NamedTuple):
    """A project of the server. folder: absolute, as its configuration spells it. prefix: how its permalinks start."""

    name: str
    folder: str
    prefix: str = ""


def project_of(arguments: Mapping[str, object], configuration: object, only: str = "") -> Project | None:
    """Find the project a call is about; None where that cannot be known, or its files are not on this machine.

    configuration: config.json as decoded, of any shape. only: the project the server is bound to by its environment.
    """
    given = configuration if isinstance(configuration, dict) else {}
    rows = given.get("projects")
    if not isinstance(rows, dict) or arguments.get("project_id") or arguments.get("workspace"):
        return None
    usual = text(given, "default_project")
    wanted = only or text(arguments, "project") or (usual if usual in rows else next(iter(rows), ""))
    for name, row in rows.items():
        if wanted and permalink(name) == permalink(wanted):
            entry = row if isinstance(row, dict) else {"path": row}  # before 0.18, a path alone
            folder = entry.get("path")
            if not isinstance(folder, str) or not folder or entry.get("mode") == "cloud":
                return None
            has_prefix = given.get("permalinks_include_project", True) is not False
            return Project(name, folder, f"{permalink(name)}/" if has_prefix else "")
    return None


def file_name(title: str) -> str:
    """Give the name of the file that a note with this title gets: "a/b: c" is "a-b- c.md"."""
    name = title.translate(_UNSAFE_IN_A_NAME)
    return f"{_without_runs(name).strip('.').strip('-')}.md"


def folder_path(directory: str) -> str | None:
    """Give a note's folder below the project, "" for the project's own; None where the server refuses it."""
    kept = "".join(c for c in directory.strip().removeprefix("./") if c.isalnum() or c in _SAFE_IN_A_FOLDER)
    parts = [part for part in kept.rstrip().replace("\\", "/").split("/") if part]
    return None if ".." in parts else "/".join(parts)


def permalink(path: str) -> str:
    """Give the form in which the server compares names: "Vault Notes/My_Note" is "vault-notes/my-note".

    Not followed: letters beyond ASCII are kept; the server writes most of them in ASCII.
    """
    signs = []
    for at, sign in enumerate(path.replace("'", "")):
        if "A" <= sign <= "Z" and at and (path[at - 1].islower() or path[at - 1].isdigit()):
            signs.append("-")
        signs.append(sign if sign.isalnum() or sign in "/-." else "-")
    return "/".join(part.strip("-") for part in _without_runs("".join(signs).lower()).split("/"))


def _without_runs(name: str) -> str:
    while "--" in name:
        name = name.replace("--", "-")
    return name
