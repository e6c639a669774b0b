"""What `memstile fix` prints, asks and answers."""

from __future__ import annotations

import os
import pty
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fix_situations import (
    changed_three_times,
    many_staged,
    not_ignored,
    odd,
    submodule,
    symlink,
    tracked,
    tracked_and_not_ignored,
)
from tests.fix_tools import Project, program, project
from tests.run_tools import digest
from tests.vault_tools import index, vault

STEPS = """\
1. append the rule /.memory/ to .gitignore, so that git ignores .memory
     $ printf '%s\\n' /.memory/ >> .gitignore
2. take 6 files of .memory out of the git index; what is on disk stays
     $ git rm -rqf --cached --sparse --ignore-unmatch -- .memory

"""


def said(made: Project, *words: str) -> tuple[int, str, str]:
    ran = made.memstile("fix", *words)
    return ran.code, ran.out.decode(), ran.err


def without_remedies(out: str) -> str:
    """Leave out hints and commands of findings, which are their rules' own."""
    return "".join(line for line in out.splitlines(keepends=True) if not line.startswith(("  hint:", "    $ ")))


def test_a_dry_run_shows_the_steps_and_changes_nothing(tmp_path: Path) -> None:
    made = tracked_and_not_ignored(tmp_path)
    before = digest(tmp_path)
    assert said(made, "--dry-run") == (1, STEPS, "")
    assert said(made, "--dry-run", "--yes") == (1, STEPS, "")
    assert digest(tmp_path) == before


def test_with_yes_the_steps_are_shown_and_carried_out(tmp_path: Path) -> None:
    made = tracked_and_not_ignored(tmp_path)
    head = made.repo.git("rev-parse", "HEAD")
    rest = f"""\
step 1 of 2 done
step 2 of 2 done

Checked again: git carries nothing of these vaults now.
.memory: info MS209: earlier commits carry files of the vault, the latest change in {head[:12]}

The files stay on disk here. Other clones lose theirs when they pull the commit, and this one does when it checks
out an older one and comes back: copy the vault to a place outside the repository first.

Nothing is committed yet. Next:
     $ git add -- .gitignore
     $ git commit -m 'keep the memory vault out of git'
"""
    code, out, err = said(made, "--yes")
    assert (code, without_remedies(out), err) == (0, STEPS + rest, "")


def test_where_nothing_is_to_be_done_it_says_so(tmp_path: Path) -> None:
    made = project(tmp_path, ignored="/.memory/\n")
    vault(made.repo.path / ".memory")
    assert said(made) == (0, "nothing to do\n", "")
    assert said(made, "--dry-run") == (0, "nothing to do\n", "")


def test_where_there_is_no_vault_it_says_so(tmp_path: Path) -> None:
    assert said(project(tmp_path)) == (0, "no vault found below .\nnothing to do\n", "")


def test_a_path_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    message = "memstile: no such folder: nope\n  hint: give a vault, or a folder with vaults below it\n"
    assert said(project(tmp_path), "nope") == (2, "", message)


def test_only_the_given_vault_is_mended(tmp_path: Path) -> None:
    made = project(tmp_path)
    for name in ("a", "b"):
        vault(made.repo.path / name)
    assert said(made, "--yes", "b")[0] == 0
    assert made.ignore_files() == {".gitignore": b"*.log\n/b/\n"}


def test_without_a_terminal_and_without_yes_the_steps_are_shown_and_nothing_is_done(tmp_path: Path) -> None:
    made = tracked_and_not_ignored(tmp_path)
    before = digest(tmp_path)
    reader, writer = os.pipe()
    os.close(writer)
    with program("fix", cwd=made.repo.path, outside=dict(made.repo.outside), stdin=reader) as process:
        out = process.stdout.read().decode() if process.stdout else ""
    os.close(reader)
    assert (process.returncode, out) == (
        2,
        STEPS + "memstile: nothing was changed: there is no terminal to ask on\n"
        "  hint: add --yes to carry out the steps shown\n",
    )
    assert digest(tmp_path) == before


@pytest.mark.parametrize(
    ("answer", "code", "last"),
    [
        ("y\n", 0, "     $ git commit -m 'keep the memory vault out of git'\n"),
        ("n\n", 1, "Carry out 2 steps? [y/N]: nothing was changed\n"),
        ("\n", 1, "Carry out 2 steps? [y/N]: nothing was changed\n"),
        ("\x04", 130, "Carry out 2 steps? [y/N]: memstile: interrupted\n"),
    ],
    ids=["yes", "no", "enter", "end of input"],
)
def test_on_a_terminal_it_asks_once(answer: str, code: int, last: str, tmp_path: Path) -> None:
    made = tracked_and_not_ignored(tmp_path)
    before = digest(tmp_path)
    ours, theirs = pty.openpty()
    try:
        with program("fix", cwd=made.repo.path, outside=dict(made.repo.outside), stdin=theirs) as process:
            os.write(ours, answer.encode())
            out = process.stdout.read().decode() if process.stdout else ""
    finally:
        os.close(ours)
        os.close(theirs)
    assert (process.returncode, out.startswith(STEPS), out.count("[y/N]")) == (code, True, 1)
    assert out.replace("\n" + last, last).endswith(last)
    assert (digest(tmp_path) == before) is (code != 0)


def test_a_step_that_fails_ends_it_and_tells_how_to_take_the_others_back(tmp_path: Path) -> None:
    made = tracked_and_not_ignored(tmp_path)
    made.repo.write(".git/index.lock", "")
    code, out, err = said(made, "--yes")
    assert (code, out) == (
        2,
        STEPS + "step 1 of 2 done\n\nTo take back what was done:\n"
        "     delete the line /.memory/ at the end of .gitignore\n",
    )
    assert err.startswith("memstile: step 2 was not carried out: git update-index exit 128: fatal: Unable to create")


def test_a_file_that_may_not_be_changed_ends_it_before_anything_is_done(tmp_path: Path) -> None:
    made = tracked_and_not_ignored(tmp_path)
    made.repo.write("rules", "*.log\n")
    (made.repo.path / ".gitignore").unlink()
    (made.repo.path / ".gitignore").symlink_to("rules")
    before = digest(tmp_path)
    message = "memstile: .gitignore is a symlink, and git does not follow it\n  hint: replace it by a file of its own\n"
    assert said(made, "--yes") == (2, "", message)
    assert digest(tmp_path) == before


def test_a_staged_version_that_would_be_left_alone_is_named_before_it_asks(tmp_path: Path) -> None:
    made = changed_three_times(tmp_path)
    blob = made.repo.git("rev-parse", ":.memory/note-1.md")
    line = f"     the staged .memory/note-1.md is not the file on disk; it stays readable as blob {blob}\n"
    assert line in said(made, "--dry-run")[1]


def test_many_staged_versions_are_counted(tmp_path: Path) -> None:
    made = many_staged(tmp_path)
    for path in (made.repo.path / ".memory").glob("*.md"):
        path.write_bytes(path.read_bytes() + b"more\n")
    out = said(made, "--dry-run")[1]
    assert (out.count("as blob"), "     and 3 more such files: `git fsck --lost-found`\n" in out) == (10, True)


def test_what_it_does_not_mend_is_named_with_a_way_on(tmp_path: Path) -> None:
    made = project(tmp_path)
    vault(made.repo.path / ".memory", index(lines=210))
    made.repo.write(".git/info/exclude", ".memory/\n")
    code, out, _ = said(made)
    assert (code, [line[:55] for line in without_remedies(out).split("\n")]) == (
        0,
        [
            ".memory/MEMORY.md: error MS102: index on disk is 210 li",
            "  not mended here; `memstile rule MS102` says how to go",
            ".memory/MEMORY.md:201: warning MS104: claude-code does ",
            "  not mended here; `memstile rule MS104` says how to go",
            ".memory: info MS204: vault is ignored by .git/info/excl",
            "nothing to do: for git all is well, and the rest is for",
            "",
        ],
    )


def test_a_repository_without_an_answer_is_no_success(tmp_path: Path) -> None:
    made = not_ignored(tmp_path)
    other = made._replace(
        repo=made.repo._replace(outside={**made.repo.outside, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    )
    code, out, _ = said(other)
    assert (code, out.split("\n")[0][:22], out.split("\n")[-2]) == (
        1,
        ".memory: error MS208: ",
        "nothing done: no step mends what is left",
    )


def test_where_no_rule_would_win_the_rest_is_done_and_the_way_by_hand_is_told(tmp_path: Path) -> None:
    """What is taken out without a rule would be back after the next `git add`."""
    made = project(tmp_path, ignored="/.memory/\n!/.MEMORY/\n")
    made.repo.git("config", "core.ignoreCase", "true")
    vault(made.repo.path / ".memory")
    vault(made.repo.path / "other")
    made.repo.commit()
    code, out, _ = said(made, "--yes")
    assert (code, made.git_index().count(".memory"), made.git_index().count("other")) == (1, 6, 0)
    assert (
        "Checked again: not all is mended.\n"
        ".memory: no rule that could be appended would win over those that are there\n"
        "  hint: this names the rule that decides; edit its file so that /.memory/ comes last\n"
        "    $ git check-ignore -v --no-index -- .memory\n"
        ".memory: error MS201: "
    ) in out


def test_a_rule_beside_the_vault_is_committed_from_there(tmp_path: Path) -> None:
    made = not_ignored(tmp_path, "docs/[m]")
    made.repo.write("docs/.gitignore", "![[]m]\n")
    code, out, _ = said(made, "--yes")
    commands = "     $ git add -- docs/.gitignore\n     $ git commit -m 'keep the memory vault out of git'\n"
    assert (code, out[-len(commands) :]) == (0, commands)


@pytest.mark.parametrize("name", ["::error::x", "##[error]x", "a\nb", "\x1b[31mx"])
def test_names_give_no_order_to_a_terminal_or_a_ci(name: str, tmp_path: Path) -> None:
    made = odd(tmp_path, name)
    for words in (("--dry-run",), ("--yes",)):
        out = said(made, *words)[1]
        assert [line for line in out.split("\n") if line.lstrip().startswith("::") or "##[" in line] == []
        assert out.replace("\n", "").isprintable()


@pytest.mark.parametrize("build", [symlink, submodule, tracked])
def test_a_second_run_changes_nothing_and_says_again_what_to_stage(
    build: Callable[[Path], Project], tmp_path: Path
) -> None:
    made = build(tmp_path)
    assert said(made, "--yes")[0] == 0
    before = digest(tmp_path)
    code, out, _ = said(made, "--yes")
    assert (code, out.split("\n")[-3:], digest(tmp_path)) == (
        0,
        ["    $ git add -- .gitignore", "nothing to do", ""],
        before,
    )


HELP = """\
Usage: memstile fix [OPTIONS] [PATH...]

  Keep vaults out of git: ignore and untrack them, step by step.

  PATH is a vault, or a folder with vaults below it; without one, the
  configured vaults and all below this folder. Three things are changed only
  where PATH names them: a whole work tree, a folder outside this project that
  only the project's own settings name, and one that no settings name and that
  holds more than notes or is taken for a vault by little. All steps are shown
  first, each with the command that does the same by hand. Then you are asked
  once.

  memstile fix                      show the steps, ask, carry them out
  memstile fix --dry-run            show the steps; exit code 1 if there are any
  memstile fix --yes .agent-memory  one vault, without asking

  Steps:
    ignore      one line at the end of the project's .gitignore; the rest of
                that file stays as it is, byte for byte
    untrack     the vault leaves the git index; its files stay on disk
    submodule   its section leaves .gitmodules

  Nothing is committed: the commands for that are shown at the end. Commits
  made before still carry the vault; see `memstile rule MS209`. To keep a
  vault that is committed on purpose, say `mode = "shared"` in its [[vault]]
  table.

  Exit codes: 0 nothing is left to mend, 1 something is, 2 could not mend or
              nobody to ask, 130 interrupted.

Options:
  --dry-run   Show the steps and stop.
  --yes       Carry the steps out without asking.
  -h, --help  Show this message and exit.
"""


def test_the_help_text(tmp_path: Path) -> None:
    assert said(project(tmp_path), "--help") == (0, HELP, "")
