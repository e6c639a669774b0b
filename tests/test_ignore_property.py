"""ignore.py against git: the same rule decides about every path, whatever the rules and the names are.

Set MEMSTILE_IGNORE_EXAMPLES to hunt: the number of examples of each comparison.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from memstile.core.facts import Asked
from memstile.ignore import IgnoreFile, IgnoreRules
from tests.git_tools import Repo, environment, init
from tests.ignore_tools import ask_git, ask_rules, write_rules

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other file systems refuse or change such names")

EXAMPLES = int(os.environ.get("MEMSTILE_IGNORE_EXAMPLES", "60"))

GIT_VERSION = tuple(map(int, re.findall(r"\d+", subprocess.check_output(["git", "version"], text=True))[:2]))

# Departure: in a line with a slash, `**` right behind literal text, up to a slash or the end. git before 2.52 drops
# the literal text first and then takes `**` for the start of the pattern.
READ_OTHERWISE_BEFORE_2_52 = re.compile(rb"!?/?[^*?\[\\]*[^*?\[\\/]\*\*+(\\?/|\Z)")


def departs(line: bytes) -> bool:
    """Tell whether memstile departs from this git on a line. Case and size, the other departures, are never drawn."""
    bare = line.removesuffix(b"\r").partition(b"\0")[0].rstrip(b" ").removesuffix(b"/")
    return GIT_VERSION < (2, 52) and b"/" in bare and READ_OTHERWISE_BEFORE_2_52.match(bare) is not None


LETTERS = st.sampled_from("aaabbc") | st.sampled_from(["é", "\xa0", os.fsdecode(b"\xff")])
SIGNS = st.sampled_from(" []*\\!#-?^:.\t\n\r&")
NAMES = st.lists(LETTERS | SIGNS, min_size=1, max_size=3).map("".join).filter(lambda name: name not in {".", ".."})
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(tuple)

BRACKETS = ["[ab]", "[!a]", "[^b]", "[a-c]", "[]-]", "[[:space:]]", "[![:punct:]]", "[[:no:]]", "[a/b]", "[\\]]"]
PIECES = [*"ab*?[]\\!-^ #/:", "**", "**/", "/**", "/**/", "\\/", "\\ ", "\r", "\0", "\t", "é", "\udcff", *BRACKETS]
SOUP = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
WILD = st.sampled_from(["*", "?", "**", "[a-c]", "[!x]", "\\"])


@st.composite
def rules(draw: st.DrawFn, paths: Sequence[tuple[str, ...]]) -> bytes:
    """Make a line: mostly one that is near to a path of the tree, so that it often matches."""
    if not paths or draw(st.integers(0, 3)) == 0:
        body = draw(SOUP)
    else:
        path = draw(st.sampled_from(paths))
        first = draw(st.integers(0, len(path) - 1))
        last = draw(st.integers(first, len(path) - 1))
        body = "/".join(draw(st.sampled_from([near(draw, part)] * 5 + ["*", "**"])) for part in path[first : last + 1])
    front = draw(st.sampled_from(["", "", "", "!", "!", "/", "!/", "**/", " "]))
    end = draw(st.sampled_from(["", "", "", "/", "/**", "/*", "*", " ", "\\ ", "\\"]))
    line = os.fsencode(front + body + end)
    assume(not any(map(departs, line.split(b"\n"))))
    return line


def near(draw: st.DrawFn, name: str) -> str:
    """Change a character of a name to something that may still match it; escape the rest, most times."""
    escaped = [f"\\{c}" if c in "*?[\\" and draw(st.integers(0, 3)) else c for c in name]
    if draw(st.booleans()):
        at = draw(st.integers(0, len(escaped) - 1))
        escaped[at] = draw(WILD) + draw(st.sampled_from(["", escaped[at]]))
    return "".join(escaped)


@st.composite
def files(draw: st.DrawFn, paths: Sequence[tuple[str, ...]]) -> bytes:
    lines = draw(st.lists(rules(paths), min_size=1, max_size=5))
    joint = draw(st.sampled_from([b"\n", b"\n", b"\r\n"]))
    mark, end = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])), draw(st.sampled_from([b"", b"\n"]))
    return mark + joint.join(lines) + end


def folders_of(path: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [path[:length] for length in range(len(path))]


class Tree(NamedTuple):
    """paths: of its folders and files. contents: `.gitignore` by folder. exclude, wide: the files outside of it."""

    paths: list[str]
    contents: dict[str, bytes]
    exclude: bytes
    wide: bytes


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    leaves = draw(st.lists(PATHS, min_size=1, max_size=8, unique=True))
    folders = sorted({folder for path in leaves for folder in folders_of(path)})
    chosen = draw(st.lists(st.sampled_from(folders), min_size=1, max_size=3, unique=True))
    contents = {
        "/".join(folder): draw(files([path[len(folder) :] for path in leaves if folder in folders_of(path)]))
        for folder in chosen
    }
    exclude, wide = [draw(files(leaves) | st.just(b"")) for _ in range(2)]
    return Tree(["/".join(path) for path in sorted({*leaves, *folders} - {()})], contents, exclude, wide)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    place = tmp_path_factory.mktemp("empty")
    return init(place / "repo", environment(place / "home"))


@contextmanager
def copy_of(empty: Repo) -> Iterator[Repo]:
    """Copy the empty repository: that leaves one process an example."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(empty.path, place, dirs_exist_ok=True)
        yield Repo(Path(place), empty.outside)


def make(top: Path, paths: Sequence[str]) -> None:
    """Make folders and files: what has no path below it is a file if the length of its name is odd."""
    for path in paths:
        is_file = len(path) % 2 == 1 and not any(other.startswith(f"{path}/") for other in paths)
        (top / path if not is_file else (top / path).parent).mkdir(parents=True, exist_ok=True)
        if is_file:
            (top / path).touch()


@given(tree=trees())
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])  # a busy machine
def test_every_path_of_a_tree_gets_gits_answer(empty: Repo, tree: Tree) -> None:
    with copy_of(empty) as repo:
        make(repo.path, tree.paths)
        rules = write_rules(repo, tree.contents, tree.exclude, tree.wide)
        folders = [path for path in tree.paths if (repo.path / path).is_dir()]
        asked = [*tree.paths, *(f"{path}/{name}" for path in folders for name in ("a", "b"))]
        assert ask_rules(rules, repo.path, asked) == ask_git(repo, asked)


@given(tree=trees())
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])  # a busy machine
def test_an_excluded_folder_decides_for_all_below(tree: Tree) -> None:
    rules = IgnoreRules([IgnoreFile(folder, folder, data) for folder, data in tree.contents.items()])
    for path in tree.paths:
        folder = rules.ask(path, is_directory=True)
        below = rules.ask(f"{path}/x/y")
        assert not folder.is_ignored or below == Asked(f"{path}/x/y", folder.match)


@given(data=st.binary(max_size=200), path=PATHS.map("/".join))
@settings(max_examples=EXAMPLES)
def test_any_bytes_are_rules(data: bytes, path: str) -> None:
    answer = IgnoreRules([IgnoreFile("", ".gitignore", data)]).ask(path)
    assert answer.path == path
    assert answer.match is None or 1 <= answer.match.line <= data.count(b"\n") + 1


# Names and patterns of few letters, so that stars have many places to stop at.
FEW_LETTERS = st.text("aab", min_size=1, max_size=8)
DEEP_PATHS = st.lists(FEW_LETTERS, min_size=1, max_size=6).map("/".join)
STARS = ["a", "a", "b", "*", "*", "**", "?", "/", "/", "[ab]", "[!a]", "\\/", "/**/", "**/", "/*/", "*a*", "***"]
STAR_LINES = st.lists(st.sampled_from(STARS), min_size=3, max_size=12).map(lambda pieces: "".join(pieces).encode())


@given(lines=st.lists(STAR_LINES, min_size=1, max_size=20), paths=st.lists(DEEP_PATHS, min_size=1, max_size=20))
@settings(max_examples=EXAMPLES)
def test_stars_stop_where_gits_do(empty: Repo, lines: list[bytes], paths: list[str]) -> None:
    contents = {f"{number}": line for number, line in enumerate(lines) if not departs(line)}
    asked = [f"{folder}/{path}" for folder in contents for path in paths]
    with copy_of(empty) as repo:
        rules = write_rules(repo, contents)
        assert ask_rules(rules, repo.path, asked) == ask_git(repo, asked)


def test_older_git_reads_two_stars_behind_literal_text_otherwise(empty: Repo) -> None:
    """The departure is real, and no wider than said: it goes once git 2.52 is the oldest one about."""
    lines = [b"foo**/bar", b"/foo**", b"!a/b**\\/c/", b"foo/**/bar", b"foo?**/bar", b"**/bar", b"foo**", b"f\\oo**/bar"]
    is_old = GIT_VERSION < (2, 52)
    assert [departs(line) for line in lines] == [is_old] * 3 + [False] * 5
    with copy_of(empty) as repo:
        rules = write_rules(repo, {"": b"foo**/bar\n"})
        assert [rules.ask("foobar").is_ignored, ask_git(repo, ["foobar"])[0].is_ignored] == [False, is_old]
