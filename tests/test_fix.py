"""Steps are carried out as shown or not at all; where one fails, those before it are named and can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memstile.core.steps import Step, undo
from memstile.fix import Stopped, carry_out
from memstile.outcome import Request
from memstile.standing import Standing
from memstile.survey import Survey, survey
from tests.fix_situations import (
    changed_three_times,
    gitlink,
    not_ignored,
    staged,
    submodule,
    tracked,
    tracked_and_not_ignored,
)
from tests.fix_tools import Project, project
from tests.vault_tools import vault


def surveyed(made: Project) -> Survey:
    return survey(Request(), Standing(str(made.repo.path), made.repo.outside))


def carried(seen: Survey) -> list[int]:
    told: list[int] = []
    carry_out(seen.work, told.append)
    return told


def stopped(seen: Survey) -> tuple[str, str, tuple[Step, ...]]:
    with pytest.raises(Stopped) as caught:
        carried(seen)
    return caught.value.message, caught.value.hint, caught.value.done


def test_each_step_is_told_once_it_is_done(tmp_path: Path) -> None:
    assert carried(surveyed(tracked_and_not_ignored(tmp_path))) == [1, 2]


# id: (the .gitignore before, after)
IGNORE_FILES = {
    "LF": (b"*.log\n", b"*.log\n/.memory/\n"),
    "CRLF": (b"*.log\r\n", b"*.log\r\n/.memory/\r\n"),
    "no final line break": (b"*.log", b"*.log\n/.memory/\n"),
    "CRLF, no final line break": (b"a\r\n*.log", b"a\r\n*.log\r\n/.memory/\r\n"),
    "BOM": (b"\xef\xbb\xbf*.log\n", b"\xef\xbb\xbf*.log\n/.memory/\n"),
    "BOM alone": (b"\xef\xbb\xbf", b"\xef\xbb\xbf/.memory/\n"),
    "empty": (b"", b"/.memory/\n"),
    "UTF-16, as some shells write it": ("*.log\r\n".encode("utf-16"), "*.log\r\n".encode("utf-16") + b"\n/.memory/\n"),
    "a backslash at the end": (b"x\\", b"x\\\n/.memory/\n"),
    "blank lines": (b"a\n\n\n", b"a\n\n\n/.memory/\n"),
}


@pytest.mark.parametrize(("before", "after"), IGNORE_FILES.values(), ids=IGNORE_FILES)
@pytest.mark.parametrize("mode", [0o644, 0o600, 0o664])
def test_an_ignore_file_keeps_its_bytes_and_its_mode(before: bytes, after: bytes, mode: int, tmp_path: Path) -> None:
    made = project(tmp_path, ignored=before)
    vault(made.repo.path / ".memory")
    file = made.repo.path / ".gitignore"
    file.chmod(mode)
    carried(surveyed(made))
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (after, mode)
    assert surveyed(made).work == ()


def ignore_file_changed(made: Project) -> None:
    made.repo.write(".gitignore", "theirs\n")


def ignore_file_gone(made: Project) -> None:
    (made.repo.path / ".gitignore").unlink()


def ignore_file_now_a_link(made: Project) -> None:
    made.repo.write("other", "*.log\n")
    (made.repo.path / ".gitignore").unlink()
    (made.repo.path / ".gitignore").symlink_to("other")


def note_staged(made: Project) -> None:
    made.repo.write(".memory/note-1.md", "changed\n")
    made.repo.git("add", "-f", ".memory/note-1.md")


def vault_untracked(made: Project) -> None:
    made.repo.git("rm", "-rq", "--cached", ".memory")


def git_index_locked(made: Project) -> None:
    made.repo.write(".git/index.lock", "")


# what happens after the steps were shown: (which step stops, what is said)
RACES = {
    ignore_file_changed: (1, ".gitignore was changed by somebody else after it was shown"),
    ignore_file_gone: (1, ".gitignore was changed by somebody else after it was shown"),
    ignore_file_now_a_link: (1, ".gitignore is a symlink, and git does not follow it"),
    note_staged: (2, "the git index was changed by somebody else after it was shown"),
    vault_untracked: (2, "the git index was changed by somebody else after it was shown"),
    git_index_locked: (2, "git update-index exit 128: fatal: Unable to create "),
}


@pytest.mark.parametrize(("happens", "told"), RACES.items(), ids=[row.__name__ for row in RACES])
def test_what_changed_since_it_was_shown_stops_the_step(
    happens: Callable[[Project], None], told: tuple[int, str], tmp_path: Path
) -> None:
    made = tracked_and_not_ignored(tmp_path)
    seen = surveyed(made)
    happens(made)
    before = (made.ignore_files(), made.git_index(), made.files())
    number, words = told
    message, hint, done = stopped(seen)
    assert message.startswith(f"step {number} was not carried out: {words}")
    assert (bool(hint), done) == (True, tuple(row.step for row in seen.work[: number - 1]))
    after = ({".gitignore": b"*.log\n/.memory/\n"} if done else before[0], *before[1:])
    assert (made.ignore_files(), made.git_index(), made.files()) == after


def test_a_change_of_gitmodules_stops_the_last_step_and_leaves_it(tmp_path: Path) -> None:
    made = submodule(tmp_path)
    seen = surveyed(made)
    with (made.repo.path / ".gitmodules").open("a") as file:
        file.write("# theirs\n")
    message, _, done = stopped(seen)
    assert (message, len(done)) == ("step 3 was not carried out: .gitmodules has changes that are not staged", 2)
    assert b'".memory"' in (made.repo.path / ".gitmodules").read_bytes()


@pytest.mark.parametrize("build", [tracked, staged, gitlink, submodule, changed_three_times])
def test_what_was_done_can_be_taken_back_as_told(build: Callable[[Path], Project], tmp_path: Path) -> None:
    made = build(tmp_path)
    if build is changed_three_times:
        made.repo.git("add", "-f", ".memory")  # a content that was staged alone is told by its blob, not undone
    before = (made.git_index(), made.files())
    seen = surveyed(made)
    carried(seen)
    assert made.git_index() != before[0]
    for row in reversed(seen.work):
        for line in undo(row.step):
            if line.startswith("$ "):
                made.bash(line.removeprefix("$ "))
    assert (made.git_index(), made.files()) == before


def test_the_staged_version_of_a_note_stays_readable(tmp_path: Path) -> None:
    made = changed_three_times(tmp_path)
    seen = surveyed(made)
    carried(seen)
    (blob,) = [entry.sha for row in seen.work for entry in row.only_staged]
    assert made.repo.git("cat-file", "-p", blob) == "staged"
    assert (made.repo.path / ".memory/note-1.md").read_text() == "on disk\n"


def test_nothing_of_the_repository_runs(tmp_path: Path) -> None:
    made = submodule(tmp_path)
    mark = tmp_path / "ran"
    made.repo.git("config", "filter.trap.clean", f"sh -c 'echo ran >> {mark}; cat'")
    made.repo.git("config", "core.fsmonitor", f"sh -c 'echo ran >> {mark}'")
    made.repo.write(".git/info/attributes", "* filter=trap\n")
    for name in ("post-index-change", "pre-commit", "post-checkout", "reference-transaction"):
        made.repo.hook(name, f"echo ran >> {mark}")
    assert carried(surveyed(made)) == [1, 2, 3]
    assert surveyed(made).work == ()
    assert not mark.exists()


def test_many_files_take_one_step(tmp_path: Path) -> None:
    """More names than fit on a command line."""
    made = not_ignored(tmp_path)
    blob = made.repo.git("hash-object", "-w", "main.py")
    names = (f".memory/{'long-' * 40}{number}.md" for number in range(12_000))
    made.repo.git("update-index", "--index-info", stdin="".join(f"100644 {blob}\t{n}\n" for n in names).encode())
    assert carried(surveyed(made)) == [1, 2]
    assert made.repo.git("ls-files") == ".gitignore\nmain.py"
