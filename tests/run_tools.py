"""Run `memstile` in this process, and give everything it did as a value; a check may change nothing on disk."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from memstile.cli.main import run


class Ran(NamedTuple):
    """One run. code: exit code; out: standard output as bytes; err: standard error as text."""

    code: int
    out: bytes
    err: str


class Checked(NamedTuple):
    """One `memstile check`, told in lines.

    findings: "error MS201 .memory: vault is not ignored by git". vaults: "v (ignored): on disk 6 lines 205 bytes".
    """

    code: int
    findings: list[str]
    vaults: list[str] = []  # noqa: RUF012 - a record's default; nobody appends
    remarks: list[str] = []  # noqa: RUF012 - likewise
    err: str = ""


@contextmanager
def _standing(cwd: Path, environment: Mapping[str, str]) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    before, here, streams = dict(os.environ), os.getcwd(), (sys.stdout, sys.stderr)
    out, err = io.BytesIO(), io.BytesIO()
    try:
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(cwd)
        sys.stdout = text_out = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
        sys.stderr = text_err = io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace", write_through=True)
        yield out, err
        text_out.detach()  # else the end of the wrapper closes what is read below
        text_err.detach()
    finally:
        sys.stdout, sys.stderr = streams
        os.environ.clear()
        os.environ.update(before)
        os.chdir(here)


def memstile(*words: str, cwd: Path, environment: Mapping[str, str]) -> Ran:
    """Run a command line in a folder and an environment."""
    with _standing(cwd, environment) as (out, err):
        code = run(words)
        sys.stdout.flush()
        sys.stderr.flush()
        return Ran(int(code), out.getvalue(), err.getvalue().decode())


def check(*words: str, cwd: Path, environment: Mapping[str, str], unchanged: Path | None = None) -> Checked:
    """Run `memstile check` and read its json; fails if a byte below `unchanged` (else `cwd`) is another after it."""
    document, ran = document_of(*words, cwd=cwd, environment=environment, unchanged=unchanged)
    return Checked(
        ran.code,
        [finding_line(row) for row in document.get("findings", ())],
        [vault_line(row) for row in document.get("vaults", ())],
        list(document.get("remarks", ())),
        ran.err,
    )


def document_of(
    *words: str, cwd: Path, environment: Mapping[str, str], unchanged: Path | None = None
) -> tuple[dict[str, Any], Ran]:
    """Run `memstile check --format json`; the document is {} where it wrote none."""
    root = unchanged or cwd
    before = digest(root)
    ran = memstile("check", "--format", "json", *words, cwd=cwd, environment=environment)
    after = digest(root)
    assert before == after, f"changed: {sorted(set(before.items()) ^ set(after.items()))}"
    return (json.loads(ran.out) if ran.out else {}), ran


def finding_line(row: Mapping[str, Any]) -> str:
    """Write a finding of a json document in one line."""
    line = f":{row['line']}" if row["line"] else ""
    return f"{row['severity']} {row['code']} {row['path']}{line}: {row['message']}"


def vault_line(row: Mapping[str, Any]) -> str:
    """Write a vault of a json document in one line: its note, if any, else the sizes of its index."""
    sizes = [f"{gauge['layer']} {gauge['lines']} lines {gauge['bytes']} bytes" for gauge in row["gauges"]]
    return f"{row['path']} ({row['mode']}): {'; '.join([*sizes, *([row['note']] if row['note'] else [])])}"


def path_of(row: Mapping[str, str]) -> str:
    """Give the path that path fields of a json document stand for."""
    return os.fsdecode(base64.b64decode(row["path_bytes"])) if "path_bytes" in row else row["path"]


def digest(root: Path) -> dict[str, str]:
    """Sum up everything below a folder, `.git` included: kind, permissions, time of change, content."""
    rows = {}
    todo = [os.fspath(root)]
    while todo:
        for row in os.scandir(todo.pop()):
            status = row.stat(follow_symlinks=False)
            rows[row.path] = f"{status.st_mode:o} {status.st_mtime_ns} {_content(row.path, status)}"
            if stat.S_ISDIR(status.st_mode):
                todo.append(row.path)
    return rows


def _content(path: str, status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return os.readlink(path)
    if not stat.S_ISREG(status.st_mode) or status.st_size > 32 * 1024 * 1024:
        return str(status.st_size)
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
