"""Area C of the real-world cases: private from git."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.case_tools import DISK, SINCE, STAGED, Case, numbers, past_window, project, rows, told
from tests.git_tools import Repo, environment, init
from tests.run_tools import Checked, check, document_of, path_of
from tests.vault_tools import index, note, vault

SIZE = "6 lines 118 bytes"

NOTHING = Checked(0, [], remarks=["nothing of a vault in this commit"])


def on_disk(*findings: str, code: int = 0, path: str = ".memory", mode: str = "ignored") -> Checked:
    """Expect findings on the one vault, seen on disk."""
    return Checked(code, list(findings), [f"{path} ({mode}): on disk {SIZE}"])


def staged(*findings: str, code: int = 0, path: str = ".memory", mode: str = "ignored") -> Checked:
    """Expect findings on the one vault, whose index is in the git index."""
    return Checked(code, list(findings), [f"{path} ({mode}): staged {SIZE}"])


def beside(*findings: str, code: int = 0, path: str = ".memory", mode: str = "ignored") -> Checked:
    """Expect findings on the one vault, whose index is not in the git index."""
    return Checked(code, list(findings), [f"{path} ({mode}): not in this commit; git index checked"])


def everywhere(*findings: str, code: int = 0, commit: Checked | None = None) -> Mapping[tuple[str, ...], Checked]:
    """Expect the same of the disk with and without a base, and this of a commit (else that it is about no vault)."""
    disk = on_disk(*findings, code=code)
    return {DISK: disk, SINCE: disk, STAGED: commit or NOTHING}


def with_vault(rule: str | bytes, *, message: str = "rule") -> Callable[[Path], Path]:
    """Build a project with a vault, whose .gitignore has this content and is committed alone."""

    def build(folder: Path) -> Path:
        repo = project(folder)
        repo.write(".gitignore", rule)
        vault(repo.path / ".memory")
        repo.git("add", ".gitignore")
        repo.git("commit", "--quiet", "--message", message)
        return repo.path

    return build


def tracked(folder: Path, data: bytes | None = None) -> Repo:
    """Make a project whose vault was committed."""
    repo = project(folder)
    vault(repo.path / ".memory", data)
    repo.commit()
    return repo


def tracked_before_the_rule(folder: Path) -> Path:
    """Build a project that ignores a vault it has committed before; the index on disk has grown since."""
    repo = tracked(folder)
    repo.write(".gitignore", ".memory/\n")
    repo.commit()
    repo.write(".memory/MEMORY.md", index() + b"> new line\n")
    return repo.path


def forced_add(folder: Path) -> Path:
    """Build a project with an ignored vault, of which one note is staged, beside a file of the project."""
    path = with_vault(".memory/\n")(folder)
    repo = Repo(path, environment(folder / "home"))
    repo.git("add", "--force", ".memory/note-3.md")
    repo.write("other", "x")
    repo.git("add", "other")
    return path


def ignoring_itself(folder: Path) -> Path:
    """Build a project without a rule, whose vault holds a .gitignore with a lone star."""
    repo = project(folder)
    vault(repo.path / ".memory")
    repo.write(".memory/.gitignore", "*\n")
    return repo.path


def excluded_locally(folder: Path) -> Path:
    """Build a project whose only rule is in .git/info/exclude."""
    repo = project(folder)
    vault(repo.path / ".memory")
    repo.write(".git/info/exclude", ".memory/\n")
    return repo.path


def folder_rule_against_a_link(folder: Path) -> Path:
    """Build a project that has committed the symlink to its vault, in spite of a rule with a trailing slash."""
    repo = project(folder)
    vault(folder / "real-vault")
    (repo.path / ".memory").symlink_to("../real-vault")
    repo.write(".gitignore", ".memory/\n")
    repo.commit()
    return repo.path


def tracked_vault(folder: Path) -> Path:
    """Build a project that has committed its vault."""
    return tracked(folder).path


def changed_and_not_staged(folder: Path) -> Path:
    """Build a vault with a repository of its own; on disk it is over the cap, in the git index it is not."""
    repo = init(folder / "proj", environment(folder / "home"))
    vault(repo.path, index(180))
    repo.commit()
    vault(repo.path, index(215))
    return repo.path


def linked_worktree(folder: Path) -> Path:
    """Build a project that is a linked worktree: its .git is a file."""
    repo = project(folder, "main-checkout")
    repo.git("worktree", "add", "--quiet", "../proj", "-b", "work")
    vault(folder / "proj/.memory")
    return folder / "proj"


def linked_worktree_excluding(folder: Path) -> Path:
    """Build a linked worktree whose vault is excluded by the info/exclude of the main one."""
    path = linked_worktree(folder)
    Repo(folder / "main-checkout", {}).write(".git/info/exclude", ".memory/\n")
    return path


def repository_inside(folder: Path) -> Path:
    """Build a project without a rule for its vault, which is a repository of its own."""
    repo = project(folder)
    inner = init(repo.path / ".memory", repo.outside)
    vault(inner.path)
    inner.commit()
    return repo.path


def brackets(folder: Path) -> Path:
    """Build a project with the ignored vault m[1] and the tracked one m1."""
    repo = project(folder)
    vault(repo.path / "m[1]")
    vault(repo.path / "m1")
    repo.write(".gitignore", "m\\[1\\]/\n")
    repo.commit()
    return repo.path


def clean_now(folder: Path) -> Path:
    """Build a project whose vault is ignored and untracked today, and was committed once."""
    repo = tracked(folder)
    repo.write(".gitignore", ".memory/\n")
    repo.git("rm", "-r", "--quiet", "--cached", ".memory")
    repo.commit()
    repo.write("later", "x")
    repo.commit()
    return repo.path


def untracking(folder: Path) -> Path:
    """Build the moment before the commit that untracks a vault over the cap and adds the rule."""
    repo = tracked(folder, index(215))
    repo.write(".gitignore", ".memory/\n")
    repo.git("rm", "-r", "--quiet", "--cached", ".memory")
    repo.git("add", ".gitignore")
    return repo.path


def behind_a_filter(folder: Path) -> Path:
    """Build a vault whose clean filter leaves three lines of 230."""
    repo = init(folder / "proj", environment(folder / "home"))
    repo.write(".gitattributes", "MEMORY.md filter=stub\n")
    repo.git("config", "filter.stub.clean", "head -n 3")
    vault(repo.path, index(230))
    repo.git("add", "--all")
    return repo.path


def anchored_rule(folder: Path) -> Path:
    """Build a project with two vaults and a rule that holds for the one at the top."""
    path = with_vault("/.memory/\n")(folder)
    vault(path / "pkg/.memory")
    return path


NOT_IGNORED = "error MS201 .memory: vault is not ignored by git"
TRACKED = "error MS202 .memory: git tracks 6 files of the vault"
ONE_STAGED = "error MS203 .memory: 1 file of the vault would be committed"
LET_IN = "error MS205 .memory: 1 path of the vault let back in by .gitignore:2: !.memory/note-2.md"
LINK = (
    "error MS202 .memory: git tracks 1 file of the vault",
    "error MS207 .memory: symlink to the vault is not ignored by git; a rule with a trailing slash does not match a "
    "symlink",
)
DUBIOUS = "git rev-parse exit 128: fatal: detected dubious ownership in repository at "

CASES = (
    Case(
        "030 tracked first, rule added later",
        tracked_before_the_rule,
        {
            DISK: Checked(1, [TRACKED], [".memory (ignored): on disk 7 lines 129 bytes"]),
            SINCE: Checked(1, [TRACKED], [".memory (ignored): on disk 7 lines 129 bytes"]),
            STAGED: staged(TRACKED, code=1),
        },
    ),
    Case("031 forced in", forced_add, everywhere(ONE_STAGED, code=1, commit=beside(ONE_STAGED, code=1))),
    Case("032 negation under an excluded folder", with_vault(".memory/\n!.memory/MEMORY.md\n"), everywhere()),
    Case(
        "033 contents rule keeps one note out",
        with_vault(".memory/*\n!.memory/note-2.md\n"),
        everywhere(LET_IN, code=1, commit=beside(LET_IN, code=1)),
    ),
    Case("036 the vault ignores itself", ignoring_itself, everywhere()),
    Case(
        "037 rule in .git/info/exclude only",
        excluded_locally,
        everywhere(
            "info MS204 .memory: vault is ignored by .git/info/exclude alone; other clones do not have that rule"
        ),
    ),
    Case(
        "040 blank before the rule",
        with_vault(" .memory/\n"),
        everywhere(NOT_IGNORED, code=1, commit=beside(NOT_IGNORED, code=1)),
    ),
    Case("041 BOM and CRLF in .gitignore", with_vault(b"\xef\xbb\xbf.memory/\r\n*.log\r\n"), everywhere()),
    Case(
        "043 the rule is only mentioned",
        with_vault("# .memory/ is private\n\\#.memory/\n.memory-cache/\ndocs/.memory/\n"),
        everywhere(NOT_IGNORED, code=1, commit=beside(NOT_IGNORED, code=1)),
    ),
    Case(
        "045 folder rule, symlinked vault",
        folder_rule_against_a_link,
        everywhere(*LINK, code=1, commit=beside(*LINK, code=1)),
    ),
    Case(
        "048 a plain look at the git index sees what is staged, not what is on disk",
        changed_and_not_staged,
        {
            DISK: Checked(
                1,
                [
                    "error MS102 MEMORY.md: index on disk is 215 lines, hard cap 200",
                    past_window("MEMORY.md", "index on disk", 201, 215),
                ],
                [". (dedicated): on disk 215 lines 2321 bytes"],
            ),
            STAGED: Checked(
                0,
                ["warning MS103 MEMORY.md: staged index is 180 lines, soft cap 150"],
                [". (dedicated): staged 180 lines 1936 bytes"],
            ),
        },
    ),
    Case(
        "049 linked worktree: .git is a file",
        linked_worktree,
        everywhere(NOT_IGNORED, code=1, commit=beside(NOT_IGNORED, code=1)),
    ),
    Case(
        "050 private repository inside a project",
        repository_inside,
        {
            words: seen("error MS201 .memory: nested repository is not ignored by git", code=1, mode="dedicated")
            for words, seen in ((DISK, on_disk), (STAGED, beside))
        },
    ),
    Case(
        "054 brackets in the path",
        brackets,
        {
            DISK: Checked(
                1,
                [
                    "error MS201 m1: vault is not ignored by git",
                    "error MS202 m1: git tracks 6 files of the vault",
                ],
                [f"m1 (ignored): on disk {SIZE}", f"m[1] (ignored): on disk {SIZE}"],
            ),
            STAGED: staged(
                "error MS201 m1: vault is not ignored by git",
                "error MS202 m1: git tracks 6 files of the vault",
                code=1,
                path="m1",
            ),
        },
    ),
    Case(
        "059 the commit that repairs it",
        untracking,
        {
            STAGED: Checked(0, [], [".memory (ignored): this commit takes MEMORY.md out of the git index"]),
        },
    ),
    Case(
        "062 a filter hides the size",
        behind_a_filter,
        {
            DISK: Checked(
                1,
                [
                    "error MS102 MEMORY.md: index on disk is 230 lines, hard cap 200",
                    past_window("MEMORY.md", "index on disk", 201, 230),
                ],
                [". (dedicated): on disk 230 lines 2486 bytes"],
            ),
            STAGED: Checked(
                0,
                [
                    "warning MS102 MEMORY.md: index on disk (git filters it) is 230 lines, hard cap 200",
                    past_window("MEMORY.md", "index on disk (git filters it)", 201, 230),
                ],
                [". (dedicated): staged 3 lines 52 bytes; on disk, behind a git filter 230 lines 2486 bytes"],
            ),
            ("--staged", "--strict"): Checked(
                1,
                [
                    "warning MS102 MEMORY.md: index on disk (git filters it) is 230 lines, hard cap 200",
                    past_window("MEMORY.md", "index on disk (git filters it)", 201, 230),
                ],
                [". (dedicated): staged 3 lines 52 bytes; on disk, behind a git filter 230 lines 2486 bytes"],
            ),
        },
    ),
    Case(
        "063 anchored rule, second vault",
        anchored_rule,
        {
            DISK: Checked(
                1,
                ["error MS201 pkg/.memory: vault is not ignored by git"],
                [f".memory (ignored): on disk {SIZE}", f"pkg/.memory (ignored): on disk {SIZE}"],
            ),
            STAGED: beside("error MS201 pkg/.memory: vault is not ignored by git", code=1, path="pkg/.memory"),
        },
    ),
)


@rows(CASES)
def test_case(case: Case, tmp_path: Path) -> None:
    assert told(case, tmp_path) == dict(case.told)


def test_every_case_of_the_area_is_here() -> None:
    tests = {name[5:8] for name in globals() if name[5:8].isdigit()}
    area = "030 031 032 033 036 037 040 041 043 045 046 048 049 050 054 055 058 059 062 063"
    assert numbers(CASES) | tests == set(area.split())


def test_046_git_that_will_not_say_is_an_error_and_never_a_pass(tmp_path: Path) -> None:
    path = tracked_vault(tmp_path)
    variables = environment(tmp_path / "home") | {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    place = f"{DUBIOUS}'{path}'"
    assert check(cwd=path, environment=variables, unchanged=tmp_path) == on_disk(
        f"error MS208 .memory: could not verify what git does with the vault: {place}", code=1
    )
    refusal = Checked(
        2,
        [],
        err=f"memstile: {place}\n  hint: the repository belongs to another user; if you trust it, mark it as safe; "
        f"`git config --global --add safe.directory {path}`\n",
    )
    for words in (SINCE, STAGED):
        assert check(*words, cwd=path, environment=variables, unchanged=tmp_path) == refusal


def test_046_the_command_that_is_shown_mends_it(tmp_path: Path) -> None:
    path = tracked_vault(tmp_path)
    repo = Repo(path, environment(tmp_path / "home"))
    variables = {**repo.outside, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    document, _ = document_of(cwd=path, environment=variables, unchanged=tmp_path)
    commands = [command for row in document["findings"] for command in row["commands"]]
    assert commands == [f"git config --global --add safe.directory {path}"]
    repo.git(*commands[0].split()[1:])
    assert check(cwd=path, environment=variables, unchanged=tmp_path) == on_disk(NOT_IGNORED, TRACKED, code=1)


def test_049_info_exclude_comes_from_the_common_folder(tmp_path: Path) -> None:
    path = linked_worktree_excluding(tmp_path)
    exclude = tmp_path / "main-checkout/.git/info/exclude"
    variables = environment(tmp_path / "home")
    assert check(cwd=path, environment=variables, unchanged=tmp_path) == on_disk(
        f"info MS204 .memory: vault is ignored by {exclude} alone; other clones do not have that rule"
    )
    assert check("--staged", cwd=path, environment=variables, unchanged=tmp_path) == NOTHING


ODD_NAMES = ["プラン", 'say "hi"', "two\nlines", "back\\slash", "it's", " lead", "byte\udcff"]


def test_055_names_that_git_quotes_are_all_reported(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / ".memory")
    for name in ODD_NAMES:
        (repo.path / ".memory" / f"{name}.md").write_bytes(note("n"))
    repo.commit()
    repo.write(".gitignore", ".memory/\n")
    named = ["MEMORY.md", *(f"note-{n}.md" for n in range(1, 6)), *(f"{name}.md" for name in ODD_NAMES)]
    for words in (DISK, STAGED):
        document, ran = document_of(*words, cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
        assert ran.code == 1
        errors = [row for row in document["findings"] if row["code"] == "MS202"]
        assert [row["message"] for row in errors] == ["git tracks 13 files of the vault"]
        assert sorted(map(path_of, errors[0]["files"])) == sorted(f".memory/{name}" for name in named)


def test_058_clean_today_public_yesterday_is_told_and_passes(tmp_path: Path) -> None:
    path = clean_now(tmp_path)
    repo = Repo(path, environment(tmp_path / "home"))
    commit = repo.git("rev-parse", "HEAD~1")
    document, ran = document_of(cwd=path, environment=repo.outside, unchanged=tmp_path)
    assert ran.code == 0
    assert [(row["code"], row["severity"], row["message"]) for row in document["findings"]] == [
        ("MS209", "info", f"earlier commits carry files of the vault, the latest change in {commit[:12]}")
    ]
    look = document["findings"][0]["commands"][0].split()
    assert [line.split()[0] for line in repo.git(*look[1:]).splitlines() if not line.startswith(" ")] == [
        commit[:7],
        repo.git("rev-parse", "HEAD~2")[:7],
    ]
    assert check("--staged", cwd=path, environment=repo.outside, unchanged=tmp_path) == NOTHING


def test_058_a_branch_that_a_merge_took_nothing_of_is_public_too(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.git("switch", "--quiet", "--create", "side")
    vault(repo.path / ".memory")
    repo.commit()
    repo.git("rm", "-r", "--quiet", "--cached", ".memory")
    repo.write(".gitignore", ".memory/\n")
    gone = repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write(".gitignore", ".memory/\n")
    repo.commit()
    repo.git("merge", "--quiet", "--no-edit", "side")
    repo.git("branch", "--delete", "side")
    assert check(cwd=repo.path, environment=repo.outside, unchanged=tmp_path) == on_disk(
        f"info MS209 .memory: earlier commits carry files of the vault, the latest change in {gone[:12]}"
    )


SIDE_INDEXES = [
    pytest.param(("--all",), id="commit -a: index.lock"),
    pytest.param(("--only", "--", "MEMORY.md"), id="commit -- PATH: next-index"),
    pytest.param(("--include", "--", "MEMORY.md"), id="commit -i PATH: index.lock"),
]


@pytest.mark.parametrize("words", SIDE_INDEXES)
def test_048_the_side_index_of_a_commit_is_the_one_that_counts(words: tuple[str, ...], tmp_path: Path) -> None:
    path = changed_and_not_staged(tmp_path)
    repo = Repo(path, environment(tmp_path / "home"))
    # The hook passes on what git told it; the check itself runs in this process.
    repo.hook("pre-commit", 'env | grep "^GIT_" > ../hook-environment; cp "$GIT_INDEX_FILE" ../side; exit 1')
    repo.git("commit", "--message", "grow", *words, accept=(1,))
    told_hook = dict(line.split("=", 1) for line in (tmp_path / "hook-environment").read_text().splitlines())
    assert "GIT_INDEX_FILE" in told_hook
    variables = {**repo.outside, "GIT_INDEX_FILE": str(tmp_path / "side")}
    assert check("--staged", cwd=path, environment=variables, unchanged=tmp_path) == Checked(
        1,
        [
            "error MS101 MEMORY.md: staged index grew from 180 to 215 lines, hard cap 200 (base: HEAD)",
            past_window("MEMORY.md", "staged index", 201, 215),
        ],
        [". (dedicated): staged 215 lines 2321 bytes"],
    )
