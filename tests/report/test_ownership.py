"""report/ownership.py: which vault a finding is about."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from memstile.core.caps import Caps
from memstile.core.finding import Finding, Severity
from memstile.report.model import Gauge, Report, VaultSummary
from memstile.report.ownership import by_vault
from tests.report.test_formats import ANY_REPORT


def vault(path: str, *gauges: str) -> VaultSummary:
    return VaultSummary(path, "ignored", "", tuple(Gauge(g, "on disk", 1, 1, Caps()) for g in gauges), 0)


VAULTS = ["a", "./a/b/", ".", "/abs", "../up", "far"]

OWNERS = [
    pytest.param("MS201", "a", (), "a", id="the vault itself"),
    pytest.param("MS101", "a/MEMORY.md", (), "a", id="a file of it"),
    pytest.param("MS101", "./a/b/c/d.md", (), "./a/b/", id="the innermost of nested vaults"),
    pytest.param("MS101", "ab/MEMORY.md", (), ".", id="a longer name is another folder"),
    pytest.param("MS101", "/abs/x", (), "/abs", id="absolute"),
    pytest.param("MS101", "/other/x", (), None, id="absolute, in no vault"),
    pytest.param("MS101", "../up/x", (), "../up", id="above"),
    pytest.param("MS101", "../x", (), None, id="above, in no vault"),
    pytest.param("MS205", "../.gitignore", ("a/n.md", "/abs/n.md"), "a", id="by its first file"),
    pytest.param("MS102", "/link/MEMORY.md", (), "far", id="by the index that was measured"),
    pytest.param("MS901", "memstile.toml", (), None, id="settings, although . is a vault"),
    pytest.param("MS902", "a/memstile.toml", (), None, id="settings in a vault"),
]


@pytest.mark.parametrize(("code", "path", "paths", "owner"), OWNERS)
def test_a_finding_belongs_to_the_innermost_vault(
    code: str, path: str, paths: tuple[str, ...], owner: str | None
) -> None:
    finding = Finding(code, Severity.ERROR, path, "", paths=paths)
    vaults = tuple(vault(v, *(["/link/MEMORY.md"] if v == "far" else [])) for v in VAULTS)
    result = by_vault(Report((finding,), vaults))
    assert [v.path for v, findings in result.vaults if findings] == ([owner] if owner else [])
    assert result.elsewhere == (() if owner else (finding,))


@given(ANY_REPORT)
@settings(max_examples=100, deadline=None)
def test_each_finding_comes_out_once(report: Report) -> None:
    result = by_vault(report)
    assert tuple(v for v, _ in result.vaults) == report.vaults
    given_out = [*(f for _, findings in result.vaults for f in findings), *result.elsewhere]
    assert sorted(map(repr, given_out)) == sorted(map(repr, report.findings))
