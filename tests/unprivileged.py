"""Look at files as a user whom permissions hold back, also where the tests run as root."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def unprivileged() -> Iterator[None]:
    """Give up root's rights for a while; nothing changes for any other user."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


@contextmanager
def public_folder() -> Iterator[Path]:
    """Make a folder that every user may look into; pytest's own are private."""
    folder = Path(tempfile.mkdtemp()).resolve()
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for path in (folder, *folder.rglob("*")):
            if not path.is_symlink() and path.is_dir():
                path.chmod(0o755)
        shutil.rmtree(folder)
