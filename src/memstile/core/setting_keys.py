"""The table of settings: what each key holds, which way is tighter, what a project's own file may do with it.

docs/settings.md and settings.schema.json are rendered from it. A key is added by a field of Settings, a row
here and a line in builtin_settings.toml; the tests name whichever is missing.
"""

from __future__ import annotations

from memstile.core.setting_key import Authority, Key, Kind, Tighter
from memstile.core.windows import WINDOWS

MODES = ("off", "audit", "enforce")
VAULT_MODES = ("auto", "outside", "ignored", "dedicated", "shared")
GUARD_LEVELS = ("off", "warn", "deny")
_LEVEL_CHOICES = ("profile", *GUARD_LEVELS)
# A day; threading.Event.wait and time.sleep overflow far beyond it.
_MOST_SECONDS = 86_400

_C, _I, _S, _B, _T = Kind.CHOICE, Kind.INTEGER, Kind.SECONDS, Kind.BOOLEAN, Kind.TEXTS
_LATER, _LEVEL, _LOWER, _TRUE, _MORE = Tighter.LATER, Tighter.LEVEL, Tighter.LOWER, Tighter.TRUE, Tighter.MORE
_NONE = Tighter.NONE
_TIGHTEN, _OWN, _USER = Authority.TIGHTEN, Authority.OWN, Authority.USER_ONLY

KEYS = (
    Key("index_name", Kind.FILE_NAME, _NONE, _USER, "Name of a vault's index."),
    Key(
        "vault",
        Kind.VAULTS,
        Tighter.VAULTS,
        _OWN,
        "A folder that is a vault; path is relative to this file, and may start with ~ and hold *.",
    ),
    Key("index.mode", _C, _LATER, _TIGHTEN, "What is done about an index over its caps.", MODES),
    Key("index.hard_lines", _I, _LOWER, _OWN, "Hard cap in lines: an index over it may not grow in lines."),
    Key("index.hard_bytes", _I, _LOWER, _OWN, "Hard cap in raw bytes: an index over it may not grow in bytes."),
    Key("index.soft_lines", _I, _LOWER, _OWN, "Soft cap in lines, at most the hard cap: a warning beyond it."),
    Key("index.soft_bytes", _I, _LOWER, _OWN, "Soft cap in raw bytes, at most the hard cap: a warning beyond it."),
    Key("index.windows", _T, _MORE, _OWN, "Hosts whose window the index is compared with.", tuple(WINDOWS)),
    Key("git.mode", _C, _LATER, _TIGHTEN, "What is done about a vault that git would carry.", MODES),
    Key("gate.mode", _C, _LATER, _TIGHTEN, "What the turn gate does about a memory write out of turn.", MODES),
    Key(
        "gate.profile",
        _C,
        _LATER,
        _TIGHTEN,
        "Level of the guards that are left to it: compat warns, strict denies.",
        ("compat", "strict"),
    ),
    Key("gate.servers", _T, _MORE, _TIGHTEN, "MCP servers that are memory servers; a project's file adds to them."),
    Key(
        "gate.vault_files", _B, _TRUE, _TIGHTEN, "Whether file tools used on a vault count as memory reads and writes."
    ),
    Key("gate.create_requires_search", _B, _TRUE, _TIGHTEN, "Whether the code of a refused create asks for a search."),
    Key(
        "gate.overwrite_requires_read",
        _C,
        _LEVEL,
        _TIGHTEN,
        "What is done about overwriting a note that was not read in the same turn.",
        _LEVEL_CHOICES,
    ),
    Key(
        "gate.duplicate_write",
        _C,
        _LATER,
        _TIGHTEN,
        "What is done about a write that repeats one of the same turn.",
        GUARD_LEVELS,
    ),
    Key(
        "gate.secret_pattern",
        _C,
        _LEVEL,
        _TIGHTEN,
        "What is done about a write that holds something shaped like a secret.",
        _LEVEL_CHOICES,
    ),
    Key(
        "gate.test_fixture",
        _C,
        _LEVEL,
        _TIGHTEN,
        "What is done about a write with a test label outside test_fixture_allowed.",
        _LEVEL_CHOICES,
    ),
    Key(
        "gate.test_fixture_allowed",
        _T,
        Tighter.FEWER,
        _TIGHTEN,
        "Folders where notes may carry test labels; a project's file can only take some away.",
    ),
    Key(
        "gate.turn_ttl_s",
        _I,
        _LOWER,
        _USER,
        "Seconds after a turn's last event until its classification is forgotten.",
        most=2_592_000,
    ),
    Key(
        "gate.on_error",
        _C,
        _LATER,
        _USER,
        "What a hook does when memstile itself fails: open lets the call through and says so.",
        ("open", "closed"),
    ),
    Key("watch.mode", _C, _LATER, _USER, "Whether the watcher reports, or restores and quarantines.", MODES[1:]),
    Key(
        "watch.quiet_s",
        _S,
        _NONE,
        _USER,
        "Seconds without a change after which a file has settled.",
        least=0.01,
        most=_MOST_SECONDS,
    ),
    Key(
        "watch.max_wait_s",
        _S,
        _LOWER,
        _USER,
        "Seconds after which a file that never rests is judged anyway.",
        least=0.01,
        most=_MOST_SECONDS,
    ),
    Key(
        "watch.reconcile_s",
        _S,
        _LOWER,
        _USER,
        "Seconds between two full looks at the vaults.",
        least=0.1,
        most=_MOST_SECONDS,
    ),
    Key("audit.level", _C, _LATER, _USER, "What the decision log holds.", ("off", "decision", "verbose")),
    Key(
        "audit.path_redaction",
        _C,
        _NONE,
        _USER,
        "How the decision log writes paths.",
        ("truncate", "hash", "full", "omit"),
    ),
    Key("audit.max_path_chars", _I, _NONE, _USER, "Characters of a path that truncate keeps.", most=4_096),
    Key("audit.retain_days", _I, _NONE, _USER, "Days until rows of the decision log are pruned.", most=36_500),
)

TABLES = {
    "index": "The index and its caps.",
    "git": "What git may know of a vault.",
    "gate": "The turn gate.",
    "watch": "The watcher.",
    "audit": "The decision log.",
}

KEY_BY_PLACE = {(key.table, key.name.rpartition(".")[2]): key for key in KEYS}
"""Rows by (table, name in the table)."""
