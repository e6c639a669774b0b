"""Whole outputs, pinned in files: each is the output of one format for RICH or CLEAN of samples.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from memstile import __version__
from tests.report.samples import CLEAN, RICH

DATA = Path(__file__).parent / "data"

both_reports = pytest.mark.parametrize(("name", "value"), [("rich", RICH), ("clean", CLEAN)], ids=["rich", "clean"])


def pinned(name: str) -> str:
    """Read a pinned output; VERSION stands for the version of memstile."""
    return (DATA / name).read_text(encoding="utf-8").replace('"version": "VERSION"', f'"version": "{__version__}"')
