"""Area J of the real-world cases: more than one vault."""

from __future__ import annotations

from pathlib import Path

from tests.case_tools import DISK, SINCE, STAGED, Case, past_window, project, rows, told
from tests.git_tools import environment
from tests.run_tools import Checked, check
from tests.vault_tools import index, vault

SIZE = "6 lines 118 bytes"
AGENTS = ".claude/agent-memory-local"


def several(folder: Path) -> Path:
    """Build a project with an ignored vault, two tracked ones of agents, and a MEMORY.md that is no index."""
    repo = project(folder)
    repo.write(".gitignore", ".memory/\n")
    repo.write("docs/MEMORY.md", "# Memory layout of the chip\n")
    vault(repo.path / ".memory")
    vault(repo.path / AGENTS / "tester", index(215))
    vault(repo.path / AGENTS / "engineer")
    vault(folder / "home/.claude/projects/-p/memory")
    repo.commit()
    return repo.path


def tracked(name: str) -> list[str]:
    """Give the findings on a vault that git tracks without a rule."""
    return [
        f"error MS201 {AGENTS}/{name}: vault is not ignored by git",
        f"error MS202 {AGENTS}/{name}: git tracks 6 files of the vault",
    ]


def over(layer: str, severity: str, compared: str) -> list[str]:
    """Give the findings on the index that is over its cap."""
    path = f"{AGENTS}/tester/MEMORY.md"
    return [
        f"{severity} MS102 {path}: {layer} is 215 lines, hard cap 200{compared}",
        past_window(path, layer, 201, 215),
    ]


ON_DISK = [
    f"{AGENTS}/engineer (ignored): on disk {SIZE}",
    f"{AGENTS}/tester (ignored): on disk 215 lines 2321 bytes",
    f".memory (ignored): on disk {SIZE}",
]
REMARKS = [
    "docs/MEMORY.md was seen and not taken for a vault (no pointers to notes beside it): "
    "memstile check docs, or a [[vault]] table, makes it one"
]

CASES = (
    Case(
        "158 several vaults on one machine",
        several,
        {
            DISK: Checked(
                1, [*tracked("engineer"), *over("index on disk", "error", ""), *tracked("tester")], ON_DISK, REMARKS
            ),
            SINCE: Checked(
                1,
                [
                    *tracked("engineer"),
                    *over("index on disk", "warning", "; not larger than the merge base with HEAD"),
                    *tracked("tester"),
                ],
                ON_DISK,
                REMARKS,
            ),
            STAGED: Checked(
                1,
                [
                    *tracked("engineer"),
                    *over("staged index", "warning", "; not larger than HEAD"),
                    *tracked("tester"),
                ],
                [
                    f"{AGENTS}/engineer (ignored): staged {SIZE}",
                    f"{AGENTS}/tester (ignored): staged 215 lines 2321 bytes",
                ],
            ),
        },
    ),
)


@rows(CASES)
def test_case(case: Case, tmp_path: Path) -> None:
    assert told(case, tmp_path) == dict(case.told)


def test_158_the_users_vault_is_checked_without_git(tmp_path: Path) -> None:
    several(tmp_path)
    variables = environment(tmp_path / "home") | {"PATH": "/nowhere"}
    assert check(cwd=tmp_path / "home", environment=variables, unchanged=tmp_path) == Checked(
        0, [], [f".claude/projects/-p/memory (outside): on disk {SIZE}"]
    )


def test_158_the_vault_of_an_agent_that_is_meant_to_be_committed_is_shared(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / ".claude/agent-memory/reviewer", index(151))
    repo.commit()
    path = ".claude/agent-memory/reviewer"
    for words, layer, where in ((DISK, "index on disk", "on disk"), (STAGED, "staged index", "staged")):
        assert check(*words, cwd=repo.path, environment=repo.outside, unchanged=tmp_path) == Checked(
            0,
            [f"warning MS103 {path}/MEMORY.md: {layer} is 151 lines, soft cap 150"],
            [f"{path} (shared): {where} 151 lines 1617 bytes"],
        )
