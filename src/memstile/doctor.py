"""Examine a whole setup, layer by layer: memstile's own switches, each host, the commit hook."""

from __future__ import annotations

from collections.abc import Sequence

from memstile.doctor_check import Group, State, off
from memstile.doctor_commit import examine as examine_commits
from memstile.doctor_host import examine
from memstile.doctor_settings import examine as examine_settings
from memstile.doctor_subject import SETUPS
from memstile.installing_repository import REPOSITORY_HOOKS
from memstile.standing import Standing

LEFT = (
    "still open: a shell can edit these settings, pause the hooks or end one; it is seen after the fact (docs/hosts.md)"
)
"""What stays open when all is well, in a line."""


def _hosts(hosts: Sequence[str], standing: Standing) -> list[Group]:
    return [
        group
        for host in SETUPS
        if not hosts or host in hosts
        for group in examine(host, standing, is_asked=host in hosts)
    ]


def _commits(hosts: Sequence[str], standing: Standing) -> list[Group]:
    return examine_commits(standing) if not hosts or set(hosts) & {"git", "pre-commit"} else []


def _none(hosts: Sequence[str], commits: Sequence[Group]) -> list[Group]:
    """Say that no host is set up, unless something else was asked for or proved: commits may be all that is wanted."""
    if hosts or any(check.state is State.OK for group in commits for check in group.checks):
        return []
    tried = f"look into the settings of {len(SETUPS)} hosts, and into the record of `memstile init`"
    return [Group("agent hosts", "none", (off("hosts", tried, "no host is set up", "memstile init HOST"),))]


NAMES = (*SETUPS, *(name for name in REPOSITORY_HOOKS if name != "github-actions"))
"""What can be asked for. Of a job in CI nothing can be tried here."""


def examined(hosts: Sequence[str], standing: Standing) -> list[Group]:
    """Examine what was asked for. Nothing of memstile's is changed by it; Codex, when asked, writes its own logs."""
    commits = _commits(hosts, standing)
    return [examine_settings(standing), *(_hosts(hosts, standing) or _none(hosts, commits)), *commits]
