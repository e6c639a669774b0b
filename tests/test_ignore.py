"""ignore.py: the rule that decides about a path, found without git; every row is put to git too."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from memstile.core.facts import Asked, Match
from memstile.ignore import MAX_FILE_BYTES, MAX_LINE_BYTES, MAX_LINES, IgnoreFile, IgnoreRules
from tests.git_tools import Repo, environment, init
from tests.ignore_tools import EXCLUDE, ask_git, ask_rules, user_wide, write_rules

BYTE_FF = os.fsdecode(b"\xff")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return init(tmp_path / "repo", environment(tmp_path / "home"))


def both(repo: Repo, contents: dict[str, bytes], paths: list[str], exclude: bytes = b"") -> list[Asked]:
    """Ask memstile and git the same, see that they agree, give the answers. A path that ends in "/" is made first."""
    for path in paths:
        if path.endswith("/"):
            (repo.path / path).mkdir(parents=True, exist_ok=True)
    rules = write_rules(repo, contents, exclude)
    names = [path.removesuffix("/") for path in paths]
    answers = ask_rules(rules, repo.path, names)
    assert answers == ask_git(repo, names)
    return answers


class Vault(NamedTuple):
    """A vault in a project. contents: `.gitignore` by folder. decides: the match of each path."""

    contents: dict[str, bytes]
    decides: dict[str, Match | None]
    exclude: bytes = b""


INDEX, NOTE = ".memory/MEMORY.md", ".memory/note-002.md"
TOP = Match(".gitignore", 1, ".memory/")

VAULTS = {
    "a folder rule": Vault({"": b".memory/\n"}, {".memory/": TOP, INDEX: TOP, NOTE: TOP, "README": None}),
    "a negation under an excluded folder lets nothing in": Vault(
        {"": b".memory/\n!.memory/MEMORY.md\n"}, {INDEX: TOP, NOTE: TOP}
    ),
    "a nested file under an excluded folder is not read": Vault(
        {"": b".memory/\n", ".memory": b"!*\n"}, {INDEX: TOP, NOTE: TOP}
    ),
    "a negation after a rule about the contents lets one note in": Vault(
        {"": b".memory/*\n!.memory/note-002.md\n"},
        {
            ".memory/": None,
            INDEX: Match(".gitignore", 1, ".memory/*"),
            NOTE: Match(".gitignore", 2, "!.memory/note-002.md"),
        },
    ),
    "a folder let back in does not decide for what lies in it": Vault(
        {"": b"*.d\n!a.d/\n"},
        {"a.d/": Match(".gitignore", 2, "!a.d/"), "a.d/b": None, "a.d/c.d": Match(".gitignore", 1, "*.d")},
    ),
    "a vault that ignores itself": Vault(
        {".memory": b"*\n"}, {".memory/": None, INDEX: Match(".memory/.gitignore", 1, "*"), "README": None}
    ),
    "info/exclude alone": Vault({}, {INDEX: Match(EXCLUDE, 1, ".memory/"), "README": None}, b".memory/\n"),
    "a blank before the rule": Vault({"": b" .memory/\n"}, {".memory/": None, INDEX: None}),
    "a byte order mark and CRLF": Vault(
        {"": b"\xef\xbb\xbf.memory/\r\n*.log\r\n"}, {INDEX: TOP, "x.log": Match(".gitignore", 2, "*.log")}
    ),
    "the vault is only mentioned": Vault(
        {"": b"# .memory/ is private\n\\#.memory/\n.memory-cache/\ndocs/.memory/\n"},
        {".memory/": None, INDEX: None, "#.memory/": Match(".gitignore", 2, "\\#.memory/")},
    ),
    "brackets in the vault's name, escaped": Vault(
        {"": b"m\\[1\\]/\n"},
        {"m[1]/MEMORY.md": Match(".gitignore", 1, "m\\[1\\]/"), "m1/MEMORY.md": None, "m1/": None},
    ),
    "brackets in the vault's name, not escaped": Vault(
        {"": b"m[1]/\n"}, {"m[1]/MEMORY.md": None, "m1/": Match(".gitignore", 1, "m[1]/")}
    ),
    "an anchored rule and a second vault": Vault(
        {"": b"/.memory/\n"}, {INDEX: Match(".gitignore", 1, "/.memory/"), "pkg/" + INDEX: None, "pkg/.memory/": None}
    ),
}


@pytest.mark.parametrize("vault", VAULTS.values(), ids=VAULTS)
def test_the_rule_that_decides_about_a_vault_is_gits(repo: Repo, vault: Vault) -> None:
    expected = [Asked(path.removesuffix("/"), match) for path, match in vault.decides.items()]
    assert both(repo, vault.contents, list(vault.decides), vault.exclude) == expected


# A line, the pattern git shows for it, names it matches, names it does not match.
LINES = [
    pytest.param(b"a ", "a", ["a"], ["a "], id="blanks at the end go"),
    pytest.param(b"a \\ ", "a \\ ", ["a  "], ["a", "a "], id="an escaped blank at the end stays"),
    pytest.param(b"a\\   ", "a\\ ", ["a "], ["a", "a  "], id="behind an escaped blank they go"),
    pytest.param(b"a\\\\ ", "a\\\\", ["a\\"], ["a\\ "], id="an escaped backslash escapes no blank"),
    pytest.param(b"a\t", "a\t", ["a\t"], ["a"], id="a tab at the end stays"),
    pytest.param(b" a", " a", [" a"], ["a"], id="a blank in front stays"),
    pytest.param(b"a\r", "a", ["a"], ["a\r"], id="one CR at the end goes"),
    pytest.param(b"a\r\r", "a\r", ["a\r"], ["a"], id="a second CR stays"),
    pytest.param(b"a \r", "a", ["a"], ["a "], id="the CR goes first, then the blanks"),
    pytest.param(b"a\rb", "a\rb", ["a\rb"], ["a"], id="a CR inside stays"),
    pytest.param(b"a\0b", "a", ["a"], ["ab"], id="a NUL ends the line"),
    pytest.param(b"\xef\xbb\xbfa", "a", ["a"], [], id="a byte order mark is skipped"),
    pytest.param(b"\xef\xbb\xbf\xef\xbb\xbfa", "\ufeffa", ["\ufeffa"], ["a"], id="a second one is not"),
    pytest.param(b"\\#a", "\\#a", ["#a"], ["a"], id="an escaped hash"),
    pytest.param(b"\\!a", "\\!a", ["!a"], ["a"], id="an escaped exclamation mark"),
    pytest.param(b"-a", "-a", ["-a"], ["a"], id="a dash in front"),
    pytest.param(b"a/b", "a/b", ["a/b"], ["x/a/b", "b"], id="a slash inside anchors"),
    pytest.param(b"/a", "/a", ["a", "a/b"], ["x/a"], id="a slash in front anchors"),
    pytest.param(b"a", "a", ["a", "x/a", "x/a/y"], ["ab", "x/ba"], id="no slash matches at any depth"),
    pytest.param(b"a\\/b", "a\\/b", ["a/b"], ["x/a/b"], id="an escaped slash is a slash"),
    pytest.param(b"d/", "d/", ["d/", "d/x", "x/d/"], ["x/y/d"], id="a slash at the end is for folders"),
    pytest.param(b"**", "**", ["a", "a/b"], [], id="two stars alone"),
    pytest.param(b"**/a", "**/a", ["a", "x/a", "x\ny/z/a"], ["ba"], id="two stars in front"),
    pytest.param(b"a/**", "a/**", ["a/b", "a/b/c"], ["a/", "x/a/b"], id="two stars at the end"),
    pytest.param(b"a/**/b", "a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "x/a/b"], id="two stars inside"),
    pytest.param(b"a/***/b", "a/***/b", ["a/b", "a/x/y/b"], ["ab"], id="three stars are two"),
    pytest.param(b"a/**\\/b", "a/**\\/b", ["a/x/b", "a/x/y/b"], ["a/b"], id="two stars, then an escaped slash"),
    pytest.param(b"a/b**", "a/b**", ["a/bc"], [], id="two stars beside a letter are one"),
    pytest.param(b"?**/a", "?**/a", ["x/a", "xy/a"], ["x/y/a"], id="two stars beside a question mark are one"),
    pytest.param(
        b"**/a/**/b/**/c",
        "**/a/**/b/**/c",
        ["x/a/b/c", "a/a/x/b/b/c", "ab/a/bc/b/c"],
        ["a/c", "b/a/c"],
        id="two stars, thrice",
    ),
    pytest.param(b"*a*b*c", "*a*b*c", ["abc", "xaabxbc"], ["acb", "ab"], id="three stars in one name"),
    pytest.param(b"a?c", "a?c", ["abc", "a\nc"], ["ac", "a/c", "aéc"], id="a question mark is one byte"),
    pytest.param(b"a??c", "a??c", ["aéc"], ["abc"], id="two are a letter of two bytes"),
    pytest.param(b"*\xff", "*" + BYTE_FF, ["x" + BYTE_FF], ["xÿ"], id="a byte that is no text"),
    pytest.param("*à".encode(), "*à", ["xà"], ["x"], id="a letter whose last byte is a blank in latin-1"),
    pytest.param(b"[a-c]x", "[a-c]x", ["ax", "cx"], ["dx", "-x"], id="a range"),
    pytest.param(b"[!a]x", "[!a]x", ["bx", "!x", "\nx"], ["ax"], id="a negated bracket"),
    pytest.param(b"[^a]x", "[^a]x", ["bx", "^x"], ["ax"], id="a bracket negated by a caret"),
    pytest.param(b"[]-]x", "[]-]x", ["]x", "-x"], ["ax"], id="a bracket and a dash as members"),
    pytest.param(b"[\\]a]x", "[\\]a]x", ["]x", "ax"], ["\\x"], id="an escape in a bracket"),
    pytest.param(b"[a\\-c]x", "[a\\-c]x", ["ax", "-x", "cx"], ["bx"], id="an escaped dash is no range"),
    pytest.param(b"[a&&~~||b]x", "[a&&~~||b]x", ["&x", "~x", "|x", "bx"], ["cx"], id="what re calls set operations"),
    pytest.param(b"[[a]x", "[[a]x", ["[x", "ax"], ["bx"], id="what re calls a nested set"),
    pytest.param(b"[b/c]x", "[b/c]x", ["bx", "cx"], ["y/bx"], id="a slash in a bracket anchors"),
    pytest.param(b"[[:digit:]b]x", "[[:digit:]b]x", ["7x", "bx"], ["ax", ":x"], id="a class and a letter"),
    pytest.param(b"[[:digit]x", "[[:digit]x", ["[x", ":x", "dx"], ["7x"], id="an unfinished class is letters"),
    pytest.param(b"[!^]x", "[!^]x", ["!x", "ax"], ["^x"], id="a negated caret"),
    pytest.param(b"a/[!b]c", "a/[!b]c", ["a/xc"], ["a/bc", "a/c"], id="a negated bracket matches no slash"),
]


@pytest.mark.parametrize(("line", "shown", "matched", "unmatched"), LINES)
def test_a_line_is_read_as_git_reads_it(
    repo: Repo, line: bytes, shown: str, matched: list[str], unmatched: list[str]
) -> None:
    match = Match(".gitignore", 1, shown)
    expected = [Asked(path.removesuffix("/"), match) for path in matched]
    expected += [Asked(path.removesuffix("/"), None) for path in unmatched]
    assert both(repo, {"": line + b"\n"}, matched + unmatched) == expected


EMPTY = [b"", b" ", b"\r", b"!", b"/", b"//", b"a//", b"a//b", b"**//a", b"\\/a", b"#a", b"\0a"]
LEFT_OPEN = [b"a\\", b"a\\/", b"[", b"a[", b"[]", b"[!", b"[a\\", b"[a\\]", b"[a-\\", b"[[:alpha:]", b"x[a/"]
NO_MEMBERS = [b"[[:letter:]]", b"[a[:letter:]]", b"[[::]]", b"[!\x01-\xff]", b"[/]"]


@pytest.mark.parametrize("line", EMPTY + LEFT_OPEN + NO_MEMBERS)
def test_a_line_that_git_gives_up_matches_nothing(repo: Repo, line: bytes) -> None:
    paths = ["a", "a\\", "[", "a[", "[]", "!", " ", "#a", "[a", "x[a", "\\", "z", "x/a", "a/b", "x/[a/"]
    folders = sorted({path.rpartition("/")[0] + "/" for path in paths if "/" in path})
    answers = both(repo, {"": line}, [*paths, *folders])
    assert [answer.match for answer in answers] == [None] * len(answers)


CLASSES = ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"]


@pytest.mark.parametrize("line", [f"x[[:{name}:]]y" for name in CLASSES] + [f"x[![:{name}:]]y" for name in CLASSES])
def test_a_class_holds_the_bytes_git_counts(repo: Repo, line: str) -> None:
    names = [f"x{os.fsdecode(bytes([byte]))}y" for byte in range(1, 256) if byte != ord("/")]
    answers = both(repo, {"": line.encode()}, names)
    assert 0 < sum(answer.is_ignored for answer in answers) < len(names)


def test_lines_are_numbered_as_git_numbers_them(repo: Repo) -> None:
    data = b"# one\n\n  \r\n!\n\xe2\x80\xa8\x0b\x0cx\nlast"
    assert both(repo, {"": data}, ["last"]) == [Asked("last", Match(".gitignore", 6, "last"))]


def test_the_last_line_that_matches_wins(repo: Repo) -> None:
    assert both(repo, {"": b"a\n!a\n*\n!*.md\n"}, ["a", "b.md"]) == [
        Asked("a", Match(".gitignore", 3, "*")),
        Asked("b.md", Match(".gitignore", 4, "!*.md")),
    ]


def test_the_deeper_file_wins(repo: Repo) -> None:
    contents = {"": b"*.md\n", "pkg": b"!*.md\n", "pkg/deep": b"/b.md\n"}
    assert both(repo, contents, ["a.md", "pkg/a.md", "pkg/deep/a.md", "pkg/deep/b.md", "pkgs/a.md"]) == [
        Asked("a.md", Match(".gitignore", 1, "*.md")),
        Asked("pkg/a.md", Match("pkg/.gitignore", 1, "!*.md")),
        Asked("pkg/deep/a.md", Match("pkg/.gitignore", 1, "!*.md")),
        Asked("pkg/deep/b.md", Match("pkg/deep/.gitignore", 1, "/b.md")),
        Asked("pkgs/a.md", Match(".gitignore", 1, "*.md")),
    ]


def test_gitignore_outranks_info_exclude_and_that_the_user_wide_file(repo: Repo) -> None:
    rules = write_rules(repo, {"": b"!*.a\n"}, exclude=b"*.a\n!*.b\n", wide=b"*.a\n*.b\n*.c\n")
    answers = ask_rules(rules, repo.path, ["x.a", "x.b", "x.c"])
    assert answers == ask_git(repo, ["x.a", "x.b", "x.c"])
    assert answers == [
        Asked("x.a", Match(".gitignore", 1, "!*.a")),
        Asked("x.b", Match(EXCLUDE, 2, "!*.b")),
        Asked("x.c", Match(user_wide(repo), 3, "*.c")),
    ]


def test_a_folder_rule_does_not_match_a_symlink(repo: Repo, tmp_path: Path) -> None:
    (repo.path / ".memory").symlink_to(tmp_path)
    assert both(repo, {"": b".memory/\n"}, [".memory"]) == [Asked(".memory", None)]
    assert both(repo, {"": b".memory\n"}, [".memory"]) == [Asked(".memory", Match(".gitignore", 1, ".memory"))]


def test_a_folder_decides_for_all_below_whichever_is_asked_first() -> None:
    def rules() -> IgnoreRules:
        return IgnoreRules([IgnoreFile("", ".gitignore", b"a/\n!c\n")])

    paths = ["a/b/c", "a/b", "a/x/y", "c"]
    together = rules()
    assert [together.ask(path) for path in paths] == [rules().ask(path) for path in paths]
    assert [rules().ask(path).is_ignored for path in paths] == [True, True, True, False]


@pytest.mark.parametrize("path", ["", "a", "a/b"])
def test_without_rules_nothing_matches(path: str) -> None:
    assert IgnoreRules([]).ask(path, is_directory=True) == Asked(path, None)


@pytest.mark.parametrize(
    ("path", "is_matched"),
    [("foo/bar", True), ("foox/bar", True), ("foobar", False), ("foo/x/bar", False), ("foox/y/bar", False)],
)
def test_two_stars_behind_literal_text_are_one_as_in_git_since_2_52(path: str, is_matched: bool) -> None:
    match = Match(".gitignore", 1, "foo**/bar")
    rules = IgnoreRules([IgnoreFile("", ".gitignore", b"foo**/bar\n")])
    assert rules.ask(path) == Asked(path, match if is_matched else None)


def test_case_counts_whatever_core_ignorecase_says() -> None:
    assert IgnoreRules([IgnoreFile("", ".gitignore", b"Memory\n")]).ask("memory") == Asked("memory", None)


COMMENT = b"#" * 1023 + b"\n"
AT_LIMIT = {
    "bytes": COMMENT * (MAX_FILE_BYTES // 1024 - 1) + COMMENT[2:] + b"*\n",
    "lines": b"\n" * (MAX_LINES - 2) + b"*\n",
    "line": b"-" * MAX_LINE_BYTES + b"\n*\n",
    "comment": b"#" * MAX_LINE_BYTES * 2 + b"\n*\n",
}
MORE = {"bytes": b"#", "lines": b"\n", "line": b"-"}
PAST_LIMIT = {name: more + AT_LIMIT[name] for name, more in MORE.items()}


@pytest.mark.parametrize("data", AT_LIMIT.values(), ids=AT_LIMIT)
def test_a_file_at_a_limit_is_followed(repo: Repo, data: bytes) -> None:
    match = Match(".gitignore", data.count(b"\n"), "*")
    assert both(repo, {"": data}, ["a", "b/c"]) == [Asked("a", match), Asked("b/c", match)]


@pytest.mark.parametrize("data", PAST_LIMIT.values(), ids=PAST_LIMIT)
def test_a_file_past_a_limit_and_what_it_outranks_exclude_nothing(data: bytes) -> None:
    files = [
        IgnoreFile("", ".gitignore", b"*.top\n"),
        IgnoreFile("pkg", "pkg/.gitignore", data),
        IgnoreFile("pkg/deep", "pkg/deep/.gitignore", b"a\n"),
    ]
    rules = IgnoreRules(files, [IgnoreFile("", EXCLUDE, b"*.outer\n")])
    assert [rules.ask(path) for path in ("pkg/a", "pkg/x.top", "pkg/x.outer", "pkg/deep/b", "pkg/deep/a", "x.top")] == [
        Asked("pkg/a", None),
        Asked("pkg/x.top", None),
        Asked("pkg/x.outer", None),
        Asked("pkg/deep/b", None),
        Asked("pkg/deep/a", Match("pkg/deep/.gitignore", 1, "a")),
        Asked("x.top", Match(".gitignore", 1, "*.top")),
    ]


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    ("line", "path"),
    [
        pytest.param("*a" * 40 + "b", "a" * 255, id="stars in a name"),
        pytest.param("/*" + "*[ab]" * 40 + "c", "a" * 255, id="stars and brackets in a path"),
        pytest.param("**/a/" * 20 + "b", "a/" * 200 + "c", id="two stars"),
        pytest.param("**/*a*a*a/" * 20 + "b", "aaaaaaaaaa/" * 60 + "c", id="stars between two stars"),
    ],
)
def test_no_line_takes_for_ever(line: str, path: str) -> None:
    assert IgnoreRules([IgnoreFile("", ".gitignore", line.encode())]).ask(path) == Asked(path, None)
