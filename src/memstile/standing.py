"""Where the person stands: the start folder, the environment, and how paths are shown to them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from memstile.carriers import is_below, relative

_MAX_UPS = 2


class Standing(NamedTuple):
    """cwd: absolute, as the shell sees it. environment: the process's own."""

    cwd: str
    environment: Mapping[str, str]

    def absolute(self, path: str) -> str:
        """Make a typed path absolute; links stay unresolved but for those that ".." goes up from, as in a shell."""
        whole = os.path.join(self.cwd, path)
        if os.pardir in path.split(os.sep):
            folder, name = os.path.split(whole.rstrip(os.sep))
            return os.path.realpath(whole) if name == os.pardir else os.path.join(os.path.realpath(folder), name)
        return os.path.normpath(whole)

    def shown(self, path: str) -> str:
        """Show an absolute path as the person would type it: "." for cwd, relative below it and near it, else whole."""
        for start in (self.cwd, os.path.realpath(self.cwd)):
            if is_below(path, start):
                return relative(path, start) or "."
        near = os.path.relpath(path, os.path.realpath(self.cwd))
        return near if near.count("..") <= _MAX_UPS else path

    def shown_top(self, top: str) -> str:
        """Show the work tree of a repository: "" when the person stands there."""
        shown = self.shown(top)
        return "" if shown == "." else shown
