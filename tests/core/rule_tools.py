"""Facts for the tests of the rules, and what a rule says about them."""

from __future__ import annotations

from memstile.core.check import check
from memstile.core.facts import GITLINK, Asked, Facts, IndexFacts, Kind, Layer, Match, Reading, RepositoryFacts, Tracked
from memstile.core.finding import Finding
from memstile.core.measure import Size, measure
from memstile.core.rules.rule import Rule
from memstile.core.settings import DEFAULTS, Settings

RULE_LINE = Match(".gitignore", 1, "/v/")


def said(rule: Rule, facts: Facts) -> list[Finding]:
    """Give the findings of one rule."""
    return [*check([facts], [rule])]


def file(data: bytes) -> Reading:
    """Read a file whole."""
    return Reading(Kind.FILE, measure(data), data)


def sized(lines: int | None, size: int) -> Reading:
    """Know the size of a file and not its content."""
    return Reading(Kind.FILE, Size(lines, size))


def about(*indexes: IndexFacts, settings: Settings = DEFAULTS) -> Facts:
    """Know these indexes of the vault v."""
    return Facts("v", settings, "auto", indexes)


def on_disk(now: Reading, base: Reading | None = None, *, layer: Layer = Layer.DISK) -> IndexFacts:
    """Look at v/MEMORY.md, compared with HEAD where there is a base."""
    return IndexFacts("v/MEMORY.md", layer, now, base, "HEAD" if base else "", restore=("git restore x",))


def carried_by(*repositories: RepositoryFacts) -> Facts:
    """Know what these repositories say about the vault v."""
    return Facts("v", DEFAULTS, "auto", (), repositories)


# A project whose top is where the person stands, with the vault v in it.
PROJECT = RepositoryFacts("", "v")
IGNORED = PROJECT._replace(asked=(Asked("v", RULE_LINE),))
NOT_IGNORED = PROJECT._replace(asked=(Asked("v/MEMORY.md", None), Asked("v/note.md", None)))
TRACKED = IGNORED._replace(tracked=(Tracked("v/MEMORY.md", "100644"), Tracked("v/note.md", "100755")))
LINK = PROJECT._replace(unit_kind="symlink", asked=(Asked("v", None),))
NESTED = PROJECT._replace(unit_kind="repository", asked=(Asked("v", None),), tracked=(Tracked("v", GITLINK),))
FAULTY = PROJECT._replace(fault="git x exit 128: fatal: no", fault_hint="do this", fault_commands=("git y",))
