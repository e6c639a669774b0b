"""settings_file.py: what is read of a settings file, and how a broken one is told."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.settings import UNUSABLE, Fault
from memstile.errors import GuardError
from memstile.settings_file import MAX_SETTINGS_BYTES, holds_settings, parse_text, read_file
from tests.unprivileged import public_folder, unprivileged

UNUSED = "none of its settings is used until this is mended"


def broken(message: str, line: int | None = None, name: str = "memstile.toml") -> Fault:
    return Fault(name, "", message, UNUSED, UNUSABLE, line)


GOOD = [
    pytest.param(b"", {}, id="empty"),
    pytest.param(b"# a comment\n", {}, id="a comment"),
    pytest.param(b"[index]\nhard_lines = 300\n", {"index": {"hard_lines": 300}}, id="a table"),
    pytest.param(b"[index]\r\nhard_lines = 300\r\n", {"index": {"hard_lines": 300}}, id="CRLF"),
    pytest.param(b'\xef\xbb\xbfindex_name = "A.md"\n', {"index_name": "A.md"}, id="a BOM"),
    pytest.param('index_name = "記憶.md"'.encode(), {"index_name": "記憶.md"}, id="UTF-8, no newline at the end"),
    pytest.param(b"a." * 200 + b"b=1", None, id="as many dots as a key may have"),
]


@pytest.mark.parametrize(("data", "values"), GOOD)
def test_toml_is_read(data: bytes, values: object) -> None:
    read, faults = parse_text(data, "sub/memstile.toml")
    assert (faults, values is None or read == values) == ((), True)


BAD = [
    pytest.param(b"a = 1\nb = \n", broken("the file is not valid TOML: invalid value, line 2", 2), id="no value"),
    pytest.param(
        b"a = 1\n\na = 2\n", broken("the file is not valid TOML: cannot overwrite a value, line 3", 3), id="a key twice"
    ),
    pytest.param(b"a = 1\nb = '\xff'\n", broken("the file is not UTF-8, line 2", 2), id="a byte that is no text"),
    pytest.param(b"\xff\xfea\0=\0", broken("the file is not UTF-8, line 1", 1), id="UTF-16"),
    pytest.param(b"a = " + b"[" * 50_000, broken("the file is not valid TOML: nested too deeply"), id="deep"),
    pytest.param(
        b"x = 1\n" + b"a." * 201 + b"b=1",
        broken("the file has a line with more than 200 dots, line 2", 2),
        id="a key that would take the reader minutes",
    ),
    pytest.param(b"#" * (MAX_SETTINGS_BYTES + 1), broken("the file is larger than 1 MiB"), id="a byte too long"),
]


@pytest.mark.parametrize(("data", "fault"), BAD)
def test_a_broken_file_is_one_fault_with_its_line(data: bytes, fault: Fault) -> None:
    assert parse_text(data, "memstile.toml") == ({}, (fault,))


def test_a_number_too_long_to_read_is_a_fault() -> None:
    values, faults = parse_text(b"a = " + b"1" * 5_000, "memstile.toml")
    assert values == {}
    assert [(fault.kind, fault.message.startswith("the file is not valid TOML: ")) for fault in faults] == [
        (UNUSABLE, True)
    ]


def test_a_file_of_the_largest_size_is_read() -> None:
    assert parse_text(b"#" * MAX_SETTINGS_BYTES, "memstile.toml") == ({}, ())


def test_the_slowest_file_that_is_let_through_is_read_in_time() -> None:
    """tomllib is quadratic in the parts of a key; this takes two seconds, one key of its size would take hours."""
    line = b"a." * 199 + b"b%d=1\n"
    data = b"".join(line % number for number in range(MAX_SETTINGS_BYTES // 410))
    assert len(data) > 0.95 * MAX_SETTINGS_BYTES
    assert parse_text(data, "memstile.toml")[1] == ()


PYPROJECT = [
    pytest.param(b"", {}, False, id="empty"),
    pytest.param(b"[project]\nname = 'a'\n", {}, False, id="another tool's"),
    pytest.param(b"[tool.ruff]\n# memstile\n", {}, False, id="our name in a comment"),
    pytest.param(b"tool = 3 # memstile\n", {}, False, id="tool is no table"),
    pytest.param(b"[tool.memstile]\n", {}, True, id="an empty table"),
    pytest.param(b"[tool.memstile.index]\nmode='audit'\n", {"index": {"mode": "audit"}}, True, id="a table below"),
    pytest.param(b"[tool]\nmemstile.index.mode='audit'\n", {"index": {"mode": "audit"}}, True, id="dotted"),
]


@pytest.mark.parametrize(("data", "values", "holds"), PYPROJECT)
def test_of_a_pyproject_only_our_table_counts(data: bytes, values: object, holds: bool) -> None:
    assert parse_text(data, "a/pyproject.toml") == (values, ())
    assert holds_settings(data, "a/pyproject.toml") is holds


def test_our_name_without_a_table_is_told() -> None:
    data = b"[tool]\nmemstile = 3\n"
    fault = Fault("pyproject.toml", "tool.memstile", "tool.memstile is not a table", UNUSED, UNUSABLE)
    assert parse_text(data, "pyproject.toml") == ({}, (fault,))
    assert holds_settings(data, "pyproject.toml")


@pytest.mark.parametrize(
    ("data", "holds"),
    [(b"[tool.memstile]\na =", True), (b"[ tool.memstile.index ]\na =", True), (b"deps = [memstile", False)],
    ids=["our table", "our table with spaces", "our name alone"],
)
def test_a_broken_pyproject_is_ours_if_it_opens_our_table(data: bytes, holds: bool) -> None:
    assert holds_settings(data, "pyproject.toml") is holds


def test_a_memstile_toml_is_always_a_settings_file() -> None:
    assert holds_settings(b"", "memstile.toml")
    assert holds_settings(b"\xff", "/p/memstile.toml")


TOMLISH = st.lists(
    st.sampled_from(
        [b"[", b"]", b"a", b".", b"=", b"1", b"'", b'"', b"\\", b"\n", b"{", b"}", b"tool.memstile", b"\xff"]
    )
).map(b"".join)


@given(st.binary() | TOMLISH, st.sampled_from(["memstile.toml", "pyproject.toml"]))
def test_any_bytes_are_values_or_one_fault(data: bytes, name: str) -> None:
    values, faults = parse_text(data, name)
    assert (len(faults) == 0) or (values == {} and len(faults) == 1)
    assert all(len(fault.message) < 200 and fault.message.isprintable() for fault in faults)


def test_a_file_is_read_and_one_that_is_not_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x = 1\n")
    assert read_file(str(tmp_path / "a")) == b"x = 1\n"
    assert read_file(str(tmp_path / "b")) is None
    assert read_file(str(tmp_path / "a" / "b")) is None
    assert read_file(str(tmp_path / ("n" * 300))) is None
    assert read_file("/\0") is None


def test_of_a_long_file_one_byte_more_than_allowed_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"#" * (MAX_SETTINGS_BYTES + 9))
    assert len(read_file(str(tmp_path / "a")) or b"") == MAX_SETTINGS_BYTES + 1


def test_a_symlink_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x = 1\n")
    (tmp_path / "b").symlink_to("a")
    assert read_file(str(tmp_path / "b")) == b"x = 1\n"


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


NO_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "fifo": (lambda path: os.mkfifo(path), "is not a regular file"),
    "folder": (lambda path: path.mkdir(), "is not a regular file"),
    "socket": (make_socket, "is not a regular file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "is not a regular file"),
    "dangling": (lambda path: path.symlink_to("nowhere"), "is a symlink that leads nowhere"),
    "loop": (lambda path: path.symlink_to(path.name), "is a symlink that leads nowhere"),
}


@pytest.mark.parametrize(("make", "problem"), NO_FILES.values(), ids=NO_FILES)
def test_what_is_no_file_is_refused_without_hanging(
    make: Callable[[Path], object], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path may hold 107 bytes only
    make(Path("x"))
    with pytest.raises(GuardError) as caught:
        read_file("x")
    assert (caught.value.message, caught.value.hint) == (f"the settings file {problem}", UNUSED)


def test_a_file_that_may_not_be_read_is_refused() -> None:
    with public_folder() as folder:
        path = folder / "a"
        path.write_bytes(b"")
        path.chmod(0)
        with unprivileged(), pytest.raises(GuardError) as caught:
            read_file(str(path))
    assert caught.value.message == "the settings file cannot be read: permission denied"
