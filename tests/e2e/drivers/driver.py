"""What it takes to drive a client: its model's wire format, its tools' names, its settings, its command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.e2e.dialects import Call, Dialect
from tests.e2e.site import Site
from tests.e2e.steps import Step

TASK = "Keep the memory up to date."
"""The person's prompt. What is done about it is in the script."""

FOREIGN = "foreign-hook-ran"
"""A file in the project that the hook of somebody else leaves, which each client's settings hold."""


class Driver(NamedTuple):
    """One row of DRIVERS.

    client: a name of CLIENTS. spell: puts a step into a tool call. prepare: (site, the client's folder) writes the
    client's own settings, with a hook of somebody else, before memstile is installed. environment: (site, model's
    address) to the variables that the client needs. words: (model's address) to what follows the program on the
    command line. is_project: `memstile init --project`. approve: what a person does once after `memstile init`, (site,
    the client's folder); None where that is nothing.
    """

    name: str
    client: str
    dialect: Dialect
    spell: Callable[[Step], Call]
    prepare: Callable[[Site, Path], None]
    environment: Callable[[Site, str], Mapping[str, str]]
    words: Callable[[str], Sequence[str]]
    is_project: bool = False
    approve: Callable[[Site, Path], None] | None = None
