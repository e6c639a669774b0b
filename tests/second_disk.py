"""A folder on another file system than pytest's, so that nothing can be moved there in one step."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ANOTHER_FILE_SYSTEM = "/dev/shm"  # noqa: S108 - for the two folders that are on another one than pytest's


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Path]:
    """Make it, or skip the test where there is no second file system."""
    if not os.path.isdir(ANOTHER_FILE_SYSTEM) or os.stat(ANOTHER_FILE_SYSTEM).st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no second file system")
    with tempfile.TemporaryDirectory(dir=ANOTHER_FILE_SYSTEM) as folder:
        yield Path(folder)
