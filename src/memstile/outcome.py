"""What a check is asked for, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from memstile.core.facts import Facts
from memstile.core.settings import Settings
from memstile.report.model import VaultSummary


class Request(NamedTuple):
    """A check to make. paths: as typed, () for the folder the person stands in. since: a ref to compare with.

    flags: settings given on the command line, by dotted key. tick: called often, for a progress display.
    """

    paths: tuple[str, ...] = ()
    since: str = ""
    flags: Mapping[str, object] = {}
    tick: Callable[[], None] = lambda: None


class Vault(NamedTuple):
    """A vault that was found. paths: absolute, links unresolved, every way to it that was seen; shown: as typed.

    governed_from: the folder whose settings hold for it. part_of: the vault with a repository of its own that it lies
    in and belongs to, absolute and resolved, "" for none.
    """

    paths: tuple[str, ...]
    real: str
    shown: str
    mode: str
    settings: Settings
    governed_from: str
    is_configured: bool
    is_present: bool
    part_of: str = ""


class Outcome(NamedTuple):
    """What a check saw. is_given: a vault was configured or named; is_usable: every setting could be used."""

    facts: tuple[Facts, ...] = ()
    vaults: tuple[VaultSummary, ...] = ()
    remarks: tuple[str, ...] = ()
    is_given: bool = False
    is_usable: bool = True
