"""Find the top of the repository that the person stands in, for the formats that count paths from it."""

from __future__ import annotations

import os

from memstile.carriers import ancestors, is_below, is_repository, relative
from memstile.report.model import Origin
from memstile.repositories import Repositories
from memstile.standing import Standing


def origin(standing: Standing) -> Origin | None:
    """Give the work tree around the start folder: the one that git's environment names, else the innermost."""
    here = os.path.realpath(standing.cwd)
    current = Repositories(standing).current
    top = current.top if current and is_below(here, current.top) else next(filter(is_repository, ancestors(here)), None)
    return Origin(top, relative(here, top)) if top else None
