"""Sort findings to the vaults they are about."""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.finding import Finding
from memstile.core.record import NamedTuple
from memstile.report.model import Report, VaultSummary

_SETTINGS = "MS9"  # the codes about settings files: never about a vault, though "." is above every file


class Sorted(NamedTuple):
    """Findings by vault, in the order of the vaults; elsewhere: those about no vault of the report."""

    vaults: tuple[tuple[VaultSummary, tuple[Finding, ...]], ...]
    elsewhere: tuple[Finding, ...]


def tidy(path: str) -> str:
    """Drop "." and empty parts: "./a//b/" is "a/b", "" and "./" are ".".

    ".." stays: a symlink before it may lead elsewhere.
    """
    parts = "/".join(part for part in path.split("/") if part not in ("", "."))
    return "/" + parts if path.startswith("/") else parts or "."


def by_vault(report: Report) -> Sorted:
    """Give each finding to the innermost vault that holds its path, or else the first of its files.

    Each finding comes out exactly once, in its order.
    """
    homes: dict[str, int] = {}
    for number, vault in enumerate(report.vaults):
        for path in (vault.path, *(gauge.path for gauge in vault.gauges)):
            homes.setdefault(tidy(path), number)
    owned: list[list[Finding]] = [[] for _ in report.vaults]
    elsewhere: list[Finding] = []
    for finding in report.findings:
        owner = _owner(finding, homes)
        (elsewhere if owner is None else owned[owner]).append(finding)
    pairs = zip(report.vaults, map(tuple, owned), strict=True)
    return Sorted(tuple(pairs), tuple(elsewhere))


def _owner(finding: Finding, homes: dict[str, int]) -> int | None:
    if finding.code.startswith(_SETTINGS):
        return None
    found = (homes.get(place) for path in (finding.path, *finding.paths[:1]) for place in _upwards(tidy(path)))
    return next((number for number in found if number is not None), None)


def _upwards(path: str) -> Iterator[str]:
    """Yield a tidy path and the folders above it: "a/b", "a", "."; "/a", "/"; nothing above ".."."""
    yield path
    while "/" in path.rstrip("/"):
        path = path[: path.rindex("/")] or "/"
        yield path
    if path not in (".", "/", "..") and not path.startswith("../"):
        yield "."
