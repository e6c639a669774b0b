"""The compatibility envelope: whether a host's version is one that memstile is set up for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from memstile.core.text import shown

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?(-[0-9A-Za-z.-]+)?")


class Fit(Enum):
    """How a version lies to the envelope."""

    VERIFIED = "verified"
    IN_RANGE = "in range"
    OUTSIDE = "outside"
    UNKNOWN = "unknown"


def version_in(text: str) -> str:
    """Find the first version in what a program says about itself, "" where there is none."""
    found = _VERSION.search(text)
    return found.group() if found else ""


def fit(version: str, verified: Sequence[str], supported: tuple[str, str]) -> Fit:
    """Judge a version. supported: (first, first that is not), "" where there is no such end."""
    if not _VERSION.fullmatch(version):
        return Fit.UNKNOWN
    if version in verified:
        return Fit.VERIFIED
    first, end = supported
    is_old = bool(first) and _key(version) < _key(first)
    # A trial version of the first that is not supported has what that one has.
    is_new = bool(end) and _key(version)[0] >= _key(end)[0]
    return Fit.OUTSIDE if is_old or is_new else Fit.IN_RANGE


def _key(version: str) -> tuple[tuple[int, int, int], bool, tuple[tuple[bool, int, str], ...]]:
    found = _VERSION.fullmatch(version)
    if not found:
        return (0, 0, 0), False, ()
    major, minor, patch, trial = found.groups()
    parts = [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in (trial or "")[1:].split(".")]
    return (int(major), int(minor), int(patch or 0)), trial is None, tuple(parts)


def told(title: str, version: str, verified: Sequence[str], supported: tuple[str, str]) -> str:
    """Say in one line how a version lies to the envelope."""
    first, end = supported
    span = f"{first or 'any'} up to, without, {end}" if end else f"{first} and later" if first else "any version"
    tried = ", ".join(verified) or "none"
    return {
        Fit.VERIFIED: f"{title} {shown(version)}: a version that memstile was tried with",
        Fit.IN_RANGE: f"{title} {shown(version)}: in the supported range ({span}), not tried; tried: {tried}",
        Fit.OUTSIDE: f"{title} {shown(version)} is outside the supported range ({span}; tried: {tried})",
        Fit.UNKNOWN: f"{title}: its version could not be found out; supported: {span}; tried: {tried}",
    }[fit(version, verified, supported)]
