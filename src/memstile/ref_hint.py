"""Say what a person can do about a base ref that stands for no commit here."""

from __future__ import annotations

import os
import re

from memstile.core.text import shell_quoted, shown
from memstile.repository import Repository, resolve_commit

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NO_BRANCH = re.compile(r"[~^:?*\[\\@{\x00-\x20\x7f]|^-")
_SPELLING = "check the spelling: `git branch --all` lists the branches, `git tag` the tags"
_CHECKOUT = "or fetch-depth: 0 in the checkout step"


def unresolved(repository: Repository, ref: str) -> str:
    """Give the hint for a ref that does not resolve. ref: as typed. Raises GitFault."""
    if ".." in ref:
        start = ref.partition("..")[0] or "HEAD"
        return f"name one ref and no range; its merge base with HEAD is the base: --since {_word(start)}"
    if ref in ("HEAD", "@"):
        return "there is no commit yet to compare with: leave --since out"
    remotes = os.fsdecode(repository.git.ask("remote")).split()
    remote, branch = _parts(ref, remotes)
    if repository.is_shallow:
        fetch = f" {_refspec(remote, branch)}" if remote else ""
        return f"this clone is shallow: `git fetch --unshallow{fetch}`, {_CHECKOUT}"
    if remote:
        return f"fetch it first: `git fetch {_refspec(remote, branch)}`"
    known = [f"{name}/{ref}" for name in remotes if resolve_commit(repository, f"refs/remotes/{name}/{ref}")]
    if known:
        return f"a branch of a remote has that name: --since {' or --since '.join(map(_word, known))}"
    return _elsewhere(ref, remotes)


def _elsewhere(ref: str, remotes: list[str]) -> str:
    """Give the hint where nothing here has that name."""
    if not remotes or _NO_BRANCH.search(ref):
        return _SPELLING
    remote = "origin" if "origin" in remotes else remotes[0]
    if _HASH.fullmatch(ref):
        return f"fetch it first: `git fetch {_word(remote)} {ref}`"
    fetched = _word(f"{remote}/{ref}")
    return f"{_SPELLING}; if {shown(remote)} has it: `git fetch {_refspec(remote, ref)}`, then --since {fetched}"


def _parts(ref: str, remotes: list[str]) -> tuple[str, str]:
    """Part "origin/main" into remote and branch, ("", "") where no remote is called so; its name may hold a slash."""
    named = [name for name in remotes if ref.startswith(f"{name}/") and not _NO_BRANCH.search(ref)]
    remote = max(named, key=len, default="")
    return remote, ref.removeprefix(f"{remote}/") if remote else ""


def _refspec(remote: str, branch: str) -> str:
    """Write what to fetch. A clone of a single branch stores no other unless it is told where to."""
    return f"{_word(remote)} {_word(f'{branch}:refs/remotes/{remote}/{branch}')}"


def _word(text: str) -> str:
    return shown(shell_quoted(text))
