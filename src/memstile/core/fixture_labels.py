"""Find labels that say a note is a test fixture: in tags, type or title, and in text where it is written as a label.

A heuristic. In prose "a test fixture" is a topic, not a label: there only #test-fixture, TEST_FIXTURE, and a line
"tags: test-fixture", "type: test-fixture" or "test_fixture: true" count.
"""

from __future__ import annotations

from memstile.core.memory_servers import CONTENT_KEYS, permalink

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LABELS = frozenset(("test-fixture", "test-fixtures", "policy-test", "policy-tests"))
"""As permalinks: "Test Fixture", test_fixture and TestFixture are the same label."""

SHOUTED = ("TEST_FIXTURE", "TEST-FIXTURE", "TEST FIXTURE", "POLICY_TEST", "POLICY-TEST", "POLICY TEST")
_LABEL_KEYS = ("tags", "tag", "note_type", "entity_type", "type", "category", "label", "labels")
_MOST_LABEL = 40
_MOST_LINES = 60


def may_hold_label(text: str) -> bool:
    """Look quickly at a text, or at several put together: every label holds one of these words."""
    lower = text.lower()
    return "fixture" in lower or "policy" in lower or "[test]" in lower


def has_fixture_label(arguments: Mapping[str, object]) -> bool:
    """Tell whether a write labels its note a test fixture. arguments: of the call, values of any type. Total."""
    for key, value in arguments.items():
        if key in _LABEL_KEYS and any(map(_is_label, _parts(value))):
            return True
        if isinstance(value, str) and key in _LOOKS and _LOOKS[key](value):
            return True
    metadata = arguments.get("metadata")
    inner: Mapping[str, object] = metadata if isinstance(metadata, dict) else {}
    return any(_is_label(text) for key in _LABEL_KEYS if key in inner for text in _parts(inner[key]))


def _parts(value: object) -> Iterator[str]:
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, str) and len(entry) < 1_000:
            yield from entry.strip("[] ").split(",")


def _is_label(text: str) -> bool:
    if not may_hold_label(text):
        return False
    plain = text.strip().strip("#\"'[]() ")
    return 0 < len(plain) <= _MOST_LABEL and permalink(plain) in LABELS


def _is_titled(title: str) -> bool:
    """Look at "Test fixture: x", "[test-fixture] x", "[test] x" and "TEST FIXTURE x"."""
    head = title[: 2 * _MOST_LABEL]
    if head.lower().startswith("[test]"):
        return True
    parts = [head.partition(sign)[0] for sign in (":", "]", ")")] if may_hold_label(head) else []
    return any(map(_is_label, (*parts, title))) or _is_shouted(head)


def _is_labelled(text: str) -> bool:
    if not may_hold_label(text):
        return False
    if _is_shouted(text):
        return True
    if any(f"#{label}" in text for label in LABELS) and any(map(_is_label, _hashed(text))):
        return True
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        key, colon, value = line.partition(":")
        name = key.strip(" -").lower()
        if colon and name in _LABEL_KEYS and any(map(_is_label, _parts(value))):
            return True
        if colon and value.strip().lower() == "true" and _is_label(name):
            return True
    return False


def _hashed(text: str) -> Iterator[str]:
    for word in text.split():
        if word.startswith("#"):
            yield word.rstrip(".,;:!?")


def _is_shouted(text: str) -> bool:
    for word in SHOUTED:
        at = text.find(word)
        while at >= 0:
            before, after = text[at - 1 : at] if at else "", text[at + len(word) : at + len(word) + 1]
            if not before.isalnum() and before != "_" and not (after.isalnum() or after == "_"):
                return True
            at = text.find(word, at + 1)
    return False


_LOOKS: dict[str, Callable[[str], bool]] = {"title": _is_titled, **dict.fromkeys(CONTENT_KEYS, _is_labelled)}
