"""A host's version is verified, in range, outside, or not known."""

from __future__ import annotations

import pytest

from memstile.setups.envelope import Fit, fit, told, version_in

VERIFIED, SUPPORTED = ("2.1.332", "0.1.0-rc.8"), ("2.1.0", "3.0.0")

ROWS = [
    ("2.1.332", SUPPORTED, Fit.VERIFIED),
    ("2.1.0", SUPPORTED, Fit.IN_RANGE),
    ("2.1.0-rc.1", SUPPORTED, Fit.OUTSIDE),
    ("2.0.999", SUPPORTED, Fit.OUTSIDE),
    ("2.999.0", SUPPORTED, Fit.IN_RANGE),
    ("3.0.0-beta", SUPPORTED, Fit.OUTSIDE),
    ("3.0.0", SUPPORTED, Fit.OUTSIDE),
    ("2.10", SUPPORTED, Fit.IN_RANGE),
    ("0.1.0-rc.8", ("0.1.0-rc.8", ""), Fit.VERIFIED),
    ("0.1.0-rc.10", ("0.1.0-rc.8", ""), Fit.IN_RANGE),
    ("0.1.0-rc.7", ("0.1.0-rc.8", ""), Fit.OUTSIDE),
    ("0.1.0", ("0.1.0-rc.8", "0.2.0"), Fit.IN_RANGE),
    ("99.0.0", ("", ""), Fit.IN_RANGE),
    ("", SUPPORTED, Fit.UNKNOWN),
    ("new", SUPPORTED, Fit.UNKNOWN),
]


@pytest.mark.parametrize(("version", "supported", "expected"), ROWS)
def test_a_version_lies_to_the_envelope(version: str, supported: tuple[str, str], expected: Fit) -> None:
    assert fit(version, VERIFIED, supported) is expected


SAID = [
    ("2.1.332 (Claude Code)\n", "2.1.332"),
    ("codex-cli 0.171.0", "0.171.0"),
    ("dsh 0.1.0-rc.8", "0.1.0-rc.8"),
    ("no number", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "version"), SAID)
def test_a_version_is_found_in_what_a_program_says(text: str, version: str) -> None:
    assert version_in(text) == version


def test_each_place_has_its_words() -> None:
    lines = [told("X", version, ("1.2.3",), ("1.0.0", "2.0.0")) for version in ("1.2.3", "1.5.0", "2.0.0", "")]
    assert lines == [
        "X 1.2.3: a version that memstile was tried with",
        "X 1.5.0: in the supported range (1.0.0 up to, without, 2.0.0), not tried; tried: 1.2.3",
        "X 2.0.0 is outside the supported range (1.0.0 up to, without, 2.0.0; tried: 1.2.3)",
        "X: its version could not be found out; supported: 1.0.0 up to, without, 2.0.0; tried: 1.2.3",
    ]
