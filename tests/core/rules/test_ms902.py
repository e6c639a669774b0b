"""MS902 settings-loosened."""

from __future__ import annotations

from memstile.core.facts import Facts
from memstile.core.finding import Finding, Severity
from memstile.core.rules.ms902_settings_loosened import RULE
from memstile.core.settings import DEFAULTS, Loosening
from tests.core.rule_tools import said

HINT = (
    "a person has to decide that: let this one commit past the hook with `git commit --no-verify` (under pre-commit "
    "SKIP=memstile passes over this hook alone), or merge past the failed check"
)
ROWS = (Loosening("index.hard_lines", "200", "400"), Loosening("vault", '"a\nb" (auto)', "none"))


def test_every_key_that_became_looser_is_told() -> None:
    assert said(RULE, Facts("memstile.toml", DEFAULTS, "", loosenings=ROWS)) == [
        Finding(
            "MS902",
            Severity.ERROR,
            "memstile.toml",
            "this change loosens index.hard_lines from 200 to 400",
            HINT,
        ),
        Finding(
            "MS902", Severity.ERROR, "memstile.toml", 'this change loosens vault from "a\\nb" (auto) to none', HINT
        ),
    ]


def test_no_mode_turns_it_off() -> None:
    off = DEFAULTS._replace(index_mode="off", git_mode="off")
    assert len(said(RULE, Facts("memstile.toml", off, "", loosenings=ROWS))) == 2


def test_without_a_change_there_is_nothing_to_say() -> None:
    assert said(RULE, Facts("memstile.toml", DEFAULTS, "")) == []
