"""cli/rule.py: the manual pages of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from tests.git_tools import environment
from tests.run_tools import Ran, memstile

LIST = """\
MS101  error    index-grew-over-cap        the index is over its hard cap and larger than the base
MS102  error    index-over-cap             the index is over its hard cap
MS103  warning  index-over-soft-cap        the index is over its soft cap
MS104  warning  index-past-host-window     a host does not load the whole index
MS105  warning  index-shrank-sharply       the index lost more than half of its content
MS106  error    index-unmeasurable         the index is unreadable, not a regular file, or too large to parse
MS201  error    vault-not-ignored          the vault lies in a project and git does not ignore it
MS202  error    vault-tracked              git tracks files of the vault
MS203  error    vault-staged               the next commit adds or changes files of the vault
MS204  info     ignored-only-locally       the vault is ignored by a rule that other clones do not have
MS205  error    vault-re-included          a negated rule lets files of the vault back in
MS206  error    vault-nested-repository    an outer repository carries the vault as a gitlink or submodule
MS207  error    vault-symlink-not-ignored  a symlink to the vault is not ignored by git
MS208  error    git-gave-no-answer         git gave no answer about the vault
MS209  info     vault-in-history           old commits carry files of the vault
MS901  error    setting-not-usable         a setting is unknown, unusable or looser than allowed, and was not used
MS902  error    settings-loosened          this change weakens the settings
"""


def run(*words: str, folder: Path) -> Ran:
    return memstile("rule", *words, cwd=folder, environment=environment(folder / "home"))


def test_without_a_code_all_rules_are_listed(tmp_path: Path) -> None:
    ran = run(folder=tmp_path)
    listed = [line for line in ran.out.decode().splitlines() if not line.startswith("MS3")]
    assert (ran.code, listed, ran.err) == (0, LIST.splitlines(), "")


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_page_is_found_by_code_or_name_in_any_case(rule: Rule, tmp_path: Path) -> None:
    page = f"{rule.code} {rule.name} ({rule.severity.name.lower()})\n\n{rule.page.strip()}\n"
    for word in (rule.code, rule.code.lower(), rule.name, rule.name.upper()):
        assert run(word, folder=tmp_path) == Ran(0, page.encode(), "")


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_page_says_what_is_found_and_what_passes(rule: Rule) -> None:
    lines = rule.page.splitlines()
    assert lines[0].endswith(".")
    assert [word for word in ("Found:", "Passes:") if not any(line.strip().startswith(word) for line in lines)] == []


@pytest.mark.parametrize("word", ["MS2", "ms2", "MS20"])
def test_the_beginning_of_a_code_lists_those_that_begin_so(word: str, tmp_path: Path) -> None:
    lines = "".join(line for line in LIST.splitlines(keepends=True) if line.startswith("MS2"))
    assert run(word, folder=tmp_path) == Ran(0, lines.encode(), "")


# word: what is meant by it
NONE = {
    "MS999": "list them with `memstile rule`",
    "index": "list them with `memstile rule`",
    "": "list them with `memstile rule`",
    "ms101 ": "did you mean MS101",
    "M101": "did you mean MS101",
    "index-over-caps": "did you mean index-over-cap",
    "Vault-trakced": "did you mean vault-tracked",
    "vault-tracked" * 10_000: "list them with `memstile rule`",
}


@pytest.mark.parametrize(("word", "hint"), NONE.items(), ids=[word[:20] for word in NONE])
def test_a_rule_that_is_none_is_told(word: str, hint: str, tmp_path: Path) -> None:
    assert run(word or " ", folder=tmp_path) == Ran(2, b"", f"memstile: no rule {word or ' '}\n  hint: {hint}\n")
