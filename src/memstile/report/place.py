"""Paths as machines want them: tidy, as bytes, as a URI; and fingerprints of findings."""

from __future__ import annotations

import base64
import hashlib
import urllib.parse
from collections import Counter
from collections.abc import Iterable

from memstile.core.finding import Finding
from memstile.core.text import shown
from memstile.report.model import Origin, Report
from memstile.report.ownership import tidy as tidy


def from_top(report: Report) -> tuple[Finding, ...]:
    """Give the findings with paths from the top of the repository, as code hosts want them; others stay as they are.

    What is text in a finding stays too: its commands are for where the person stands.
    """
    origin = report.origin
    if origin is None:
        return report.findings
    return tuple(
        row._replace(path=_from_top(row.path, origin), paths=tuple(_from_top(path, origin) for path in row.paths))
        for row in report.findings
    )


def _from_top(path: str, origin: Origin) -> str:
    whole = tidy(path)
    if whole.startswith("/"):
        top = origin.top.rstrip("/")
        return (whole[len(top) + 1 :] or ".") if f"{whole}/".startswith(f"{top}/") else path
    if not origin.folder:
        return path
    parts, folders = whole.split("/"), origin.folder.split("/")
    # Only those at its beginning: behind the name of a symlink ".." leads elsewhere.
    while folders and parts[:1] == [".."]:
        del parts[0], folders[-1]
    return tidy("/".join([*folders, *parts]))


def raw(path: str) -> bytes:
    """Give the bytes a path stands for; total, a half of a surrogate pair (Windows) included."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")


def path_fields(path: str) -> dict[str, str]:
    """Give a path for a JSON document: "path", safe to show, and "path_bytes" where it is not the path.

    path_bytes: base64 of the bytes of the path.
    """
    safe = shown(path)
    if safe == path:
        return {"path": path}
    return {"path": safe, "path_bytes": base64.b64encode(raw(path)).decode("ascii")}


def uri(path: str) -> str:
    """Percent-encode a path: a relative reference, or file:///... for an absolute one.

    A colon is encoded too: "a:b" would have the scheme "a". Source: RFC 3986, 4.2; SARIF 2.1.0, 3.10.2.
    """
    quoted = urllib.parse.quote_from_bytes(raw(tidy(path)))
    return f"file://{quoted}" if quoted.startswith("/") else quoted


def fingerprints(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Give each finding an identity that survives moved lines and changed numbers; 64 hex digits.

    Made of the code, the path, and how many findings of that code and path came before: unique in a run.
    The message is left out: it holds sizes, and each commit would close the old finding and open a new one.
    """
    seen: Counter[tuple[str, bytes]] = Counter()
    result = []
    for finding in findings:
        key = (finding.code, raw(tidy(finding.path)))
        result.append(hashlib.sha256(b"\0".join((raw(key[0]), key[1], b"%d" % seen[key]))).hexdigest())
        seen[key] += 1
    return tuple(result)
