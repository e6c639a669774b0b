"""core/text.py: names made safe to show, to paste into a shell, to write into a .gitignore."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstile.core.text import counted, grouped, ignore_pattern, shell_quoted, shown

BAD_BYTE = os.fsdecode(b"\x92")

SHOWN = [
    pytest.param("", "", id="nothing"),
    pytest.param("docs/MEMORY.md", "docs/MEMORY.md", id="plain"),
    pytest.param("a b 'c' \"d\" $e", "a b 'c' \"d\" $e", id="blanks and quotes stay"),
    pytest.param("C:\\notes", "C:\\notes", id="a backslash stays"),
    pytest.param("日本語 é 🧠", "日本語 é 🧠", id="letters of any script stay"),
    pytest.param("שלום", "שלום", id="right-to-left letters stay"),
    pytest.param("a\nb\rc\td", "a\\nb\\rc\\td", id="line ends and tab"),
    pytest.param("\x1b[31mred\x07", "\\x1b[31mred\\x07", id="terminal escape"),
    pytest.param("\x00\x7f\x85\x9b", "\\x00\\x7f\\x85\\x9b", id="C0, DEL and C1 controls"),
    pytest.param("a\xa0b", "a\\xa0b", id="no-break space"),
    pytest.param("a\u2028b\u2029c", "a\\u2028b\\u2029c", id="line and paragraph separator"),
    pytest.param("\u202egpj.exe\u2066\u200f", "\\u202egpj.exe\\u2066\\u200f", id="bidirectional controls"),
    pytest.param("a\u200bb\ufeffc", "a\\u200bb\\ufeffc", id="invisible characters"),
    pytest.param("\U000e0041", "\\U000e0041", id="tag characters"),
    pytest.param(f"caf{BAD_BYTE}", "caf\\x92", id="a byte that is no text"),
    pytest.param(os.fsdecode(b"\xff\xfe"), "\\xff\\xfe", id="two bytes that are no text"),
    pytest.param(os.fsdecode(b"\x80\x7f\xfe"), "\\x80\\x7f\\xfe", id="the first byte that is no text"),
    pytest.param("\ud800\udfff\udc7f", "\\ud800\\udfff\\udc7f", id="surrogates that are no bytes"),
]

ANY_CHARACTER = st.characters(exclude_categories=())  # surrogates too, as JSON and os.fsdecode give them
ANY_TEXT = st.text(ANY_CHARACTER)


@pytest.mark.parametrize(("text", "result"), SHOWN)
def test_shown_escapes_what_a_terminal_would_act_on(text: str, result: str) -> None:
    assert shown(text) == result


@given(ANY_TEXT)
def test_shown_is_total_and_gives_printable_characters_only(text: str) -> None:
    assert shown(text).isprintable()
    assert shown(shown(text)) == shown(text)


@given(ANY_TEXT, ANY_TEXT)
def test_shown_escapes_each_character_on_its_own(text: str, more: str) -> None:
    assert shown(text + more) == shown(text) + shown(more)


QUOTED = [
    pytest.param("", "''", id="nothing"),
    pytest.param("docs/MEMORY.md", "docs/MEMORY.md", id="plain: as it is"),
    pytest.param("a_B-9@%+:,./", "a_B-9@%+:,./", id="harmless signs: as they are"),
    pytest.param("=ls", "'=ls'", id="zsh would expand it"),
    pytest.param("a b", "'a b'", id="blank"),
    pytest.param("$(rm -rf .)`x`", "'$(rm -rf .)`x`'", id="substitution"),
    pytest.param("it's", "'it'\"'\"'s'", id="single quote"),
    pytest.param("~/notes", "'~/notes'", id="tilde"),
    pytest.param("C:\\notes", "'C:\\notes'", id="backslash"),
    pytest.param("記憶", "'記憶'", id="CJK"),
    pytest.param("a\nb", "$'a\\012b'", id="newline"),
    pytest.param("a\n1", "$'a\\0121'", id="newline before a digit"),
    pytest.param("it's\t\\", "$'it\\'s\\011\\\\'", id="quote and backslash beside a tab"),
    pytest.param(f"caf{BAD_BYTE}", "$'caf\\222'", id="a byte that is no text"),
    pytest.param("é\x1b", "$'é\\033'", id="letters stay readable beside an escape"),
    pytest.param("\u202e", "$'\\342\\200\\256'", id="bidirectional control"),
]


@pytest.mark.parametrize(("text", "result"), QUOTED)
def test_shell_quoted_is_one_readable_word(text: str, result: str) -> None:
    assert shell_quoted(text) == result


def said_by(shell: str, words: Iterable[str], locale: str) -> list[bytes]:
    """Run the words through a real shell and return what it makes of each."""
    script = b"printf '%s\\0' " + b" ".join(os.fsencode(word) for word in words)
    environment = {"PATH": os.environ["PATH"], "LC_ALL": locale}
    done = subprocess.run([shell, "-c", script], stdout=subprocess.PIPE, env=environment, check=True)
    return done.stdout.split(b"\0")[:-1]


# Full of what shells act on; the byte runs make names that are no text in any encoding.
SHELL_BYTES = st.lists(
    st.sampled_from([bytes([b]) for b in b" \t\n\r'\"\\$`!*?[]{}()<>|&;#~=%^-a0/\x01\x1b\x7f\x80\xc3\xa9\xff"])
    | st.binary(min_size=1, max_size=4).filter(lambda b: 0 not in b)
    | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4).map(str.encode)
).map(b"".join)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@settings(max_examples=40)
@given(names=st.lists(SHELL_BYTES, min_size=1, max_size=40))
def test_bash_gives_back_the_same_bytes(locale: str, names: list[bytes]) -> None:
    assert said_by("bash", [shell_quoted(os.fsdecode(name)) for name in names], locale) == names


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@settings(max_examples=20)
@given(names=st.lists(SHELL_BYTES, min_size=1, max_size=40))
def test_any_posix_shell_gives_back_the_same_bytes_of_a_printable_name(locale: str, names: list[bytes]) -> None:
    printable = [name for name in names if os.fsdecode(name).isprintable()]
    assert said_by("sh", [shell_quoted(os.fsdecode(name)) for name in printable] or ["''"], locale) == (
        printable or [b""]
    )


@given(SHELL_BYTES)
def test_shell_quoted_gives_one_line_of_printable_characters(name: bytes) -> None:
    assert shell_quoted(os.fsdecode(name)).isprintable()


def test_shell_quoted_never_raises_over_a_surrogate_that_is_no_byte() -> None:
    assert shell_quoted("\ud800").isprintable()


@pytest.fixture(scope="module", name="repository")
def empty_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "--quiet")
    return folder


def git(folder: Path, *arguments: str) -> bytes:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
    return done.stdout


def ignored(repository: Path, rule: str, files: Iterable[str]) -> set[str]:
    """Make the files and the rule in an emptied work tree; return those of the files that git ignores."""
    for entry in repository.iterdir():
        if entry.is_dir() and not entry.is_symlink() and entry.name != ".git":
            shutil.rmtree(entry)
        elif entry.name != ".git":
            entry.unlink()
    for file in files:
        path = os.fsencode(repository / file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb"):
            pass
    with open(repository / ".gitignore", "wb") as rules:
        rules.write(os.fsencode(rule) + b"\n")
    listed = git(repository, "ls-files", "-z", "--others", "--ignored", "--exclude-standard")
    return {os.fsdecode(name) for name in listed.split(b"\0")[:-1]}


def neighbours(name: str) -> list[str]:
    """List names a wrong rule would match too: a character less, another one, one more, a folder deeper."""
    near = {name + "x", "x" + name, f"sub/{name}", f"sub/sub/{name}"}
    for i, c in enumerate(name):
        near.add(name[:i] + name[i + 1 :])
        if c not in "\n\r":  # "?" stands for these: test_a_line_break_is_written_as_any_one_character
            near |= {name[:i] + other + name[i + 1 :] for other in "x\\ "}
    return sorted(n for n in near if n != name and is_name(n))


def is_name(path: str) -> bool:
    """Tell whether the path can be made beside others: no part is empty, "." or ".." or git's own."""
    parts = path.split("/")
    return not {"", ".", ".."} & set(parts) and not parts[0].lower().startswith(".git")


PATTERNS = [
    pytest.param("a", "/a", id="plain"),
    pytest.param("m[1]", "/m\\[1]", id="brackets"),
    pytest.param("[!a]", "/\\[!a]", id="a negated class"),
    pytest.param("a*b", "/a\\*b", id="star"),
    pytest.param("*", "/\\*", id="star alone"),
    pytest.param("**", "/\\*\\*", id="two stars"),
    pytest.param("a?b", "/a\\?b", id="question mark"),
    pytest.param("a\\b", "/a\\\\b", id="backslash"),
    pytest.param("a\\", "/a\\\\", id="backslash at the end"),
    pytest.param("a\\*", "/a\\\\\\*", id="backslash before a star"),
    pytest.param("#a", "/#a", id="a hash first"),
    pytest.param("!a", "/!a", id="an exclamation mark first"),
    pytest.param(" a", "/ a", id="a space first"),
    pytest.param("a ", "/a\\ ", id="a space last"),
    pytest.param("a  ", "/a \\ ", id="two spaces last"),
    pytest.param(" ", "/\\ ", id="a space alone"),
    pytest.param("a\\ ", "/a\\\\\\ ", id="backslash and space last"),
    pytest.param("a\t", "/a\t", id="a tab last"),
    pytest.param("a\nb", "/a?b", id="newline"),
    pytest.param("a\rb", "/a?b", id="carriage return"),
    pytest.param("a\r", "/a?", id="carriage return last: git would drop it"),
    pytest.param("{a,b}", "/{a,b}", id="braces are plain"),
    pytest.param("-x", "/-x", id="looks like an option"),
    pytest.param(":(top)x", "/:(top)x", id="looks like pathspec magic"),
    pytest.param('"q"', '/"q"', id="quotes"),
    pytest.param("記憶", "/記憶", id="CJK"),
    pytest.param("e\u0301", "/e\u0301", id="decomposed accent"),
    pytest.param(f"caf{BAD_BYTE}", f"/caf{BAD_BYTE}", id="a byte that is no text"),
    pytest.param("a/b c/m[1]", "/a/b c/m\\[1]", id="below folders"),
]


@pytest.mark.parametrize(("path", "rule"), PATTERNS)
def test_an_ignore_pattern_matches_that_file_and_no_neighbour(path: str, rule: str, repository: Path) -> None:
    assert ignore_pattern(path, is_directory=False) == rule
    assert ignored(repository, rule, [path, *neighbours(path)]) == {path}


@pytest.mark.parametrize("path", [param.values[0] for param in PATTERNS], ids=[param.id for param in PATTERNS])
def test_an_ignore_pattern_of_a_folder_matches_all_below_it_and_no_neighbour(path: str, repository: Path) -> None:
    below = {f"{path}/MEMORY.md", f"{path}/sub/note.md"}
    rule = ignore_pattern(path, is_directory=True)
    assert rule.endswith("/")
    assert ignored(repository, rule, [*below, *(f"{near}/MEMORY.md" for near in neighbours(path))]) == below


def test_a_line_break_is_written_as_any_one_character(repository: Path) -> None:
    rule = ignore_pattern("a\nb", is_directory=False)
    assert ignored(repository, rule, ["a\nb", "axb", "ab", "axxb"]) == {"a\nb", "axb"}


# A pattern that ends in a slash does not match a symlink to a folder: the link itself would be committed.
@pytest.mark.parametrize(("is_directory", "found"), [(True, set()), (False, {"vault"})], ids=["folder", "link"])
def test_a_symlink_needs_the_pattern_of_a_file(
    is_directory: bool, found: set[str], repository: Path, tmp_path: Path
) -> None:
    rule = ignore_pattern("vault", is_directory=is_directory)
    assert ignored(repository, rule, []) == set()
    (repository / "vault").symlink_to(tmp_path, target_is_directory=True)
    listed = git(repository, "ls-files", "-z", "--others", "--ignored", "--exclude-standard")
    assert {os.fsdecode(name) for name in listed.split(b"\0")[:-1]} == found


NAMES = (
    st.lists(st.sampled_from([*"ab*?[]!#\\ \t^-.:{}é", BAD_BYTE]), min_size=1, max_size=5).map("".join).filter(is_name)
)


@settings(max_examples=40)
@given(parts=st.lists(NAMES, min_size=1, max_size=2))
def test_the_ignore_pattern_of_any_name_matches_it_alone(parts: list[str], repository: Path) -> None:
    path = "/".join(parts)
    near = [n for n in neighbours(path) if n.count("/") >= path.count("/")]
    assert ignored(repository, ignore_pattern(path, is_directory=False), [path, *near]) == {path}


NUMBERS = [(0, "0"), (1, "1"), (999, "999"), (1_000, "1,000"), (25_600, "25,600"), (9_000_000, "9,000,000")]


@pytest.mark.parametrize(("number", "text"), NUMBERS)
def test_numbers_are_grouped_by_three(number: int, text: str) -> None:
    assert grouped(number) == text


COUNTS = [
    (0, "line", "0 lines"),
    (1, "line", "1 line"),
    (2, "byte", "2 bytes"),
    (1_000, "note", "1,000 notes"),
]


@pytest.mark.parametrize(("number", "noun", "text"), COUNTS)
def test_a_noun_follows_its_number(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text
