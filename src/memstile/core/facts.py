"""What the places saw of one vault, as values: the only thing rules look at.

Paths are "as shown": relative to where the person stands, not escaped. Paths inside a repository are relative to the
top of its work tree, with "/" between parts.
"""

from __future__ import annotations

from enum import Enum

from memstile.core.reading import MISSING as MISSING
from memstile.core.reading import Kind as Kind
from memstile.core.reading import Reading as Reading
from memstile.core.record import NamedTuple
from memstile.core.settings import Fault, Loosening, Settings


class Layer(Enum):
    """Which bytes of an index were read; line-end conversion and filters make them differ."""

    DISK = "on disk"
    STAGED = "staged"
    FILTERED = "on disk, behind a git filter"


class IndexFacts(NamedTuple):
    """An index in one layer, with what it is compared with.

    base: sizes and contents of the base, None where no base is known (then nothing is said about growth).
    base_name: what the base is, for a message: "HEAD", "the merge base with origin/main".
    is_carried: the place is about these bytes; if not, an error about them is a warning.
    may_vanish: a missing index is no loss here (the vault is being untracked).
    restore: the commands that bring the base's content back.
    """

    path: str
    layer: Layer
    now: Reading
    base: Reading | None = None
    base_name: str = ""
    is_carried: bool = True
    may_vanish: bool = False
    restore: tuple[str, ...] = ()


class Match(NamedTuple):
    """The last ignore rule that matches a path. source: file as git names it; line: 1-based; is_negated: "!..."."""

    source: str
    line: int
    pattern: str

    @property
    def is_negated(self) -> bool:
        """Tell whether the rule lets the path back in."""
        return self.pattern.startswith("!")


class Asked(NamedTuple):
    """A path inside the repository and the rule that decides about it, None when no rule matches."""

    path: str
    match: Match | None

    @property
    def is_ignored(self) -> bool:
        """Tell whether git leaves the path out of the repository."""
        return self.match is not None and not self.match.is_negated


class Tracked(NamedTuple):
    """An entry of the git index. mode: git's octal text: 100644, 100755, 120000 a symlink, 160000 a gitlink."""

    path: str
    mode: str


GITLINK = "160000"
SYMLINK = "120000"


class RepositoryFacts(NamedTuple):
    """What one repository that contains the vault, or a link to it, says about it.

    top: its work tree, as shown; "" when the person stands there. unit: what this repository would carry: the
    vault's folder, the symlink that leads to it, or the nested repository that holds it; "" when the vault is the
    work tree itself. fault: why git gave no answer; every other field is then empty.
    asked: the unit if a rule decides about it as a whole, else each of its files.
    local_source: the ignore file that other clones do not have, when the vault is ignored by it alone: as git names it;
    a .gitignore is one that is not in the git index.
    rules_to_stage: the ignore files that keep the unit out as they are on disk, and not as they are staged.
    flagged: those of them that `git add` passes over, being marked assume-unchanged or skip-worktree.
    unmerged: the ignore files above the unit of which a conflict leaves several versions in the git index.
    """

    top: str
    unit: str
    unit_kind: str = "folder"  # "folder", "symlink" or "repository"
    is_root: bool = False
    fault: str = ""
    fault_hint: str = ""
    fault_commands: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    tracked: tuple[Tracked, ...] = ()
    staged: tuple[str, ...] = ()
    local_source: str = ""
    is_source_ignored: bool = False  # local_source: `git add` takes it by force alone
    submodule: str = ""  # name of the .gitmodules section that carries the unit
    in_history: str = ""  # a commit that carries the vault
    ignore_file: str = ".gitignore"  # where a rule for the unit wins, from the top
    is_commit: bool = False  # the staged version of the ignore file decides
    rules_to_stage: tuple[str, ...] = ()
    flagged: tuple[str, ...] = ()
    unmerged: tuple[str, ...] = ()


class Facts(NamedTuple):
    """One vault, as one place saw it, or one settings file (then only `faults` and `loosenings` are filled).

    path: the vault's folder or the file, as shown; "." is where the person stands.
    """

    path: str
    settings: Settings
    mode: str  # the vault's own: auto, outside, ignored, dedicated, shared
    indexes: tuple[IndexFacts, ...] = ()
    repositories: tuple[RepositoryFacts, ...] = ()
    is_configured: bool = False
    is_present: bool = True
    faults: tuple[Fault, ...] = ()
    loosenings: tuple[Loosening, ...] = ()
