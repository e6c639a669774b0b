"""What a run has to report: the one value every output format is a function of."""

from __future__ import annotations

from memstile.core.caps import Caps
from memstile.core.finding import Finding
from memstile.core.record import NamedTuple


class Gauge(NamedTuple):
    """One index in one layer, with its size against its caps.

    path: as the person would type it, not escaped. layer: "on disk", "staged". lines, bytes: None where not
    measured. unloaded: entries a configured host window does not load, slugs or "line N", not escaped.
    unloaded_by: that window's name, "" if none. unloaded_count: of all entries, where `unloaded` names the first.
    """

    path: str
    layer: str
    lines: int | None
    bytes: int | None
    caps: Caps
    unloaded: tuple[str, ...] = ()
    unloaded_by: str = ""
    unloaded_count: int = 0

    @property
    def lost(self) -> int:
        """Count the entries that are not loaded, named or not."""
        return max(self.unloaded_count, len(self.unloaded))


class VaultSummary(NamedTuple):
    """One vault. mode: resolved: outside, ignored, dedicated, shared. note: one remark on it, "" if none.

    notes_count: None where the notes were not counted.
    """

    path: str
    mode: str
    note: str
    gauges: tuple[Gauge, ...]
    notes_count: int | None


class Origin(NamedTuple):
    """The repository that the person stands in. top: its work tree, absolute; folder: where, from the top."""

    top: str
    folder: str


class Report(NamedTuple):
    """One run. findings: in the order they are to be shown. remarks: lines on the run as a whole.

    origin: None outside a repository.
    """

    findings: tuple[Finding, ...]
    vaults: tuple[VaultSummary, ...]
    remarks: tuple[str, ...] = ()
    is_strict: bool = False
    origin: Origin | None = None


class Style(NamedTuple):
    """What the stream can show. width: columns; encoding: a codec name, for the formats a person reads."""

    use_colour: bool = False
    width: int = 80
    encoding: str = "utf-8"
