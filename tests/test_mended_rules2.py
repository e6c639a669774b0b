"""Rules that go, settings in folders, attributes and streams: what a second search for faults found."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import memstile as package
from tests.case_tools import project
from tests.git_tools import Repo, clone, environment, init
from tests.run_tools import check, memstile
from tests.vault_tools import index, vault

STAGED = ("--staged",)


def codes(repo: Repo, *words: str, cwd: Path | None = None) -> set[str]:
    """Give the codes of all findings of a check, without those that only tell."""
    ran = check(*words, cwd=cwd or repo.path, environment=repo.outside, unchanged=repo.path)
    assert ran.err == "", ran
    assert ran.code == any(row.startswith("error") for row in ran.findings), ran
    return {row.split(" ")[1] for row in ran.findings if not row.startswith("info")}


# --- the commit that takes the rule away


def rule_is_staged_away(repo: Repo) -> None:
    """The git index loses the rule, and the disk keeps it."""
    repo.write(".gitignore", "y\n")
    repo.git("add", ".gitignore")
    repo.write(".gitignore", "y\n/.mem/\n/private/\n")


def file_is_untracked(repo: Repo) -> None:
    repo.git("rm", "--quiet", "--cached", ".gitignore")


def file_is_emptied(repo: Repo) -> None:
    repo.write(".gitignore", "")
    repo.git("add", ".gitignore")
    repo.write(".gitignore", "y\n/.mem/\n/private/\n")


TAKEN = pytest.mark.parametrize("change", [rule_is_staged_away, file_is_untracked, file_is_emptied])


@TAKEN
@pytest.mark.parametrize("place", [".mem", "private/deep/mem"])
@pytest.mark.parametrize("is_configured", [True, False], ids=["configured", "found"])
def test_the_commit_that_takes_the_rule_away_is_refused(
    change: Callable[[Repo], None], place: str, is_configured: bool, tmp_path: Path
) -> None:
    repo = project(tmp_path)
    repo.write(".gitignore", "y\n/.mem/\n/private/\n")
    vault(repo.path / place)
    if is_configured:
        repo.write("memstile.toml", f'[[vault]]\npath = "{place}"\n')
    repo.commit()
    assert codes(repo, *STAGED) == set()
    change(repo)
    ran = check(*STAGED, cwd=repo.path, environment=repo.outside)
    assert [row.split(":")[0] for row in ran.findings] == [f"error MS201 {place}"]
    assert ran.code == 1


@TAKEN
def test_what_another_rule_keeps_out_is_not_told(change: Callable[[Repo], None], tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".gitignore", "y\n/.mem/\n/private/\n")
    repo.write("private/.gitignore", "*\n")
    repo.write(".git/info/exclude", "/.mem/\n")
    vault(repo.path / ".mem")
    vault(repo.path / "private/mem")
    repo.commit()
    change(repo)
    assert codes(repo, *STAGED) == set()


def test_a_rule_that_goes_with_its_folder_is_not_missed(tmp_path: Path) -> None:
    """What `memstile fix` does to a vault that ignores itself and was added by force."""
    repo = project(tmp_path)
    vault(repo.path / "sub/mem")
    repo.write("sub/mem/.gitignore", "*\n")
    repo.commit(force=True)
    repo.git("rm", "-r", "--quiet", "--cached", "sub/mem")
    assert codes(repo, *STAGED) == set()


def test_a_rule_that_moves_to_another_file_is_not_missed(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("a/.gitignore", "/mem/\n")
    vault(repo.path / "a/mem")
    repo.write("a/x", "x\n")
    repo.commit()
    repo.git("rm", "--quiet", "--cached", "a/.gitignore")
    repo.write(".gitignore", "/a/mem/\n")
    repo.git("add", ".gitignore")
    assert codes(repo, *STAGED) == set()


# --- settings in folders where no vault shows

STRICT = "[index]\nhard_lines = 100\n"
LOOSE = "[index]\nhard_lines = 900\n"
TABLE = '[[vault]]\npath = ".mem"\nmode = "{}"\n'


def as_pyproject(text: str) -> str:
    return text.replace("[index]", "[tool.memstile.index]").replace("[[vault]]", "[[tool.memstile.vault]]")


def settings(repo: Repo, name: str, text: str | None) -> None:
    """Write a settings file, or delete it, and stage that."""
    if text is None:
        (repo.path / name).unlink()
    else:
        repo.write(name, as_pyproject(text) if name.endswith("pyproject.toml") else text)
    repo.git("add", "--all")


def loosened(repo: Repo, *words: str, cwd: Path | None = None) -> set[str]:
    """Give the files of which MS902 speaks."""
    ran = check(*words, cwd=cwd or repo.path, environment=repo.outside, unchanged=repo.path)
    rows = [row.removeprefix("error MS902 ") for row in ran.findings if row.startswith("error MS902")]
    return {row.partition(": ")[0] for row in rows}


# id: (settings before, after)
LOOSER = {
    "a cap raised": (STRICT, LOOSE),
    "the file emptied": (STRICT, ""),
    "the table of a vault taken out": (TABLE.format("ignored"), ""),
    "the file deleted": (STRICT, None),
    "a new file with a cap and a shared vault": (None, LOOSE + TABLE.format("shared")),
    "a vault shared": (TABLE.format("ignored"), TABLE.format("shared")),
}
SAME = {
    "a cap lowered": (LOOSE, STRICT),
    "unchanged": (LOOSE, LOOSE),
    "a comment": (STRICT, f"# x\n{STRICT}"),
    "a new stricter file": (None, STRICT),
}


@pytest.mark.parametrize(
    ("before", "after", "is_looser"),
    [(*row, True) for row in LOOSER.values()] + [(*row, False) for row in SAME.values()],
    ids=[*LOOSER, *SAME],
)
@pytest.mark.parametrize("name", ["p/memstile.toml", "p/q r/memstile.toml", "p/pyproject.toml"])
def test_looser_settings_are_told_where_no_vault_shows(
    name: str, before: str | None, after: str | None, is_looser: bool, tmp_path: Path
) -> None:
    """Not at the commit, since the vault is ignored, and not in a clone, where it is not."""
    repo = project(tmp_path)
    repo.write("p/src", "x\n")
    if before is not None:
        settings(repo, name, before)
    repo.write(".gitignore", ".mem/\n")
    vault(repo.path / name.rpartition("/")[0] / ".mem")
    repo.commit()
    settings(repo, name, after)
    told = {name} if is_looser else set()
    assert loosened(repo, *STAGED) == told
    repo.commit()
    other = clone(repo.path, tmp_path / "clone", repo.outside)
    assert loosened(other, "--since", "HEAD~1") == told
    assert loosened(other, "--since", "HEAD~1", cwd=other.path / "p") == {row.removeprefix("p/") for row in told}


def test_settings_above_or_beside_the_start_folder_are_not_told(tmp_path: Path) -> None:
    repo = project(tmp_path)
    for folder in ("a", "b"):
        repo.write(f"{folder}/memstile.toml", STRICT)
        repo.write(f"{folder}/x", "x\n")
    repo.commit()
    repo.write("a/memstile.toml", LOOSE)
    assert loosened(repo, "--since", "HEAD", "a") == {"a/memstile.toml"}
    assert loosened(repo, "--since", "HEAD", "b") == set()


@pytest.mark.parametrize("left", [(), ("p/kept",)], ids=["as a whole", "in part"])
def test_a_folder_that_goes_as_a_whole_takes_its_settings_along(left: tuple[str, ...], tmp_path: Path) -> None:
    repo = project(tmp_path)
    settings(repo, "p/memstile.toml", STRICT)
    for name in ("p/code/x", *left):
        repo.write(name, "x\n")
    repo.commit()
    repo.git("rm", "-r", "--quiet", "p/code", "p/memstile.toml")
    assert loosened(repo, *STAGED) == ({"p/memstile.toml"} if left else set())
    assert loosened(repo, "--since", "HEAD") == ({"p/memstile.toml"} if left else set())


def test_settings_that_go_from_around_a_vault_on_disk_are_told(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".gitignore", ".mem/\n")
    settings(repo, "p/memstile.toml", '[[vault]]\npath = ".mem"\n[index]\nhard_lines = 100\n')
    repo.write("p/.mem/MEMORY.md", "- [a](a.md)\n")
    repo.write("p/code/x", "x\n")
    repo.commit()
    repo.git("rm", "-r", "--quiet", "p")
    assert loosened(repo, *STAGED) == {"p/memstile.toml"}
    assert loosened(repo, "--since", "HEAD") == {"p/memstile.toml"}
    shutil.rmtree(repo.path / "p")
    assert loosened(repo, *STAGED) == set()


def test_what_a_merge_brings_in_was_decided_on_the_branch(tmp_path: Path) -> None:
    repo = project(tmp_path)
    settings(repo, "p/memstile.toml", STRICT)
    repo.commit()
    repo.git("checkout", "--quiet", "-b", "other")
    settings(repo, "p/memstile.toml", LOOSE)
    repo.commit()
    repo.git("checkout", "--quiet", "main")
    repo.write("x", "x\n")
    repo.commit()
    repo.git("merge", "--quiet", "--no-commit", "--no-ff", "other")
    assert loosened(repo, *STAGED) == set()
    settings(repo, "p/memstile.toml", LOOSE.replace("900", "901"))
    assert loosened(repo, *STAGED) == {"p/memstile.toml"}


def test_a_settings_file_that_a_sparse_checkout_hides_is_not_told(tmp_path: Path) -> None:
    repo = project(tmp_path)
    settings(repo, "p/memstile.toml", STRICT)
    repo.write("q/x", "x\n")
    repo.commit()
    settings(repo, "p/memstile.toml", STRICT + "# more\n")
    repo.commit()
    repo.git("sparse-checkout", "set", "q")
    assert loosened(repo, "--since", "HEAD~1") == set()


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_settings_file_that_is_only_edited_on_disk_is_told(algorithm: str, tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"), f"--object-format={algorithm}")
    settings(repo, "p/memstile.toml", STRICT)
    settings(repo, "broken/memstile.toml", "kept for tests [")
    repo.commit()
    assert codes(repo, "--since", "HEAD") == set()
    repo.write("p/memstile.toml", LOOSE)
    assert codes(repo, "--since", "HEAD") == {"MS902"}
    assert codes(repo, *STAGED) == set()


def test_the_first_commit_is_told_of_its_settings_too(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    settings(repo, "p/memstile.toml", LOOSE)
    assert loosened(repo, *STAGED) == {"p/memstile.toml"}


# --- ignore files past a limit of ours

HUGE_FILES = {
    "a long comment": b"#" + b"x" * 5000 + b"\n",
    "a long line": b"x" * 5000 + b"\n",
    "many lines": b"x\n" * 21_000,
    "large": b"#" + b"x" * 2_000_000 + b"\n",
    "no line end": b"z\n#" + b"x" * 5000,
    "the vault is let back in": b"!/.mem/\n#" + b"x" * 5000 + b"\n",
}


@pytest.mark.parametrize("data", HUGE_FILES.values(), ids=HUGE_FILES)
@pytest.mark.parametrize("place", [".mem", "a/b/mem"])
def test_fix_appends_a_rule_to_an_ignore_file_of_any_size(data: bytes, place: str, tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".gitignore", data)
    vault(repo.path / place)
    vault(repo.path / place / "inner")
    repo.commit()
    ran = memstile("fix", "--yes", cwd=repo.path, environment=repo.outside)
    assert ran.code == 0, ran
    repo.git("add", "--all")
    assert repo.git("ls-files").split("\n") == [".gitignore", "README"]
    assert (repo.path / ".gitignore").read_bytes().startswith(data)
    assert (repo.path / ".gitignore").read_bytes().endswith(f"\n/{place}/\n".encode())


def test_fix_appends_further_down_where_a_file_there_is_past_a_limit(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("a/b/.gitignore", HUGE_FILES["many lines"])
    vault(repo.path / "a/b/mem")
    repo.commit()
    assert memstile("fix", "--yes", cwd=repo.path, environment=repo.outside).code == 0
    repo.git("add", "--all")
    assert repo.git("ls-files").split("\n") == ["README", "a/b/.gitignore"]


def test_where_git_and_we_read_a_file_differently_nothing_is_taken_out(tmp_path: Path) -> None:
    """Without a rule it would be back after the next `git add`."""
    repo = project(tmp_path)
    repo.write(".gitignore", "/.mem/\n!/.MEM/\n")
    repo.git("config", "core.ignoreCase", "true")
    vault(repo.path / ".mem")
    repo.commit()
    before = repo.git("ls-files", "--stage")
    assert memstile("fix", "--yes", cwd=repo.path, environment=repo.outside).code == 1
    assert repo.git("ls-files", "--stage") == before


@pytest.mark.parametrize("length", [5_000, 500_000])
def test_a_staged_ignore_file_with_a_long_comment_is_followed(length: int, tmp_path: Path) -> None:
    """The staged file differs from the one on disk, so that it is ours to read."""
    repo = project(tmp_path)
    repo.write(".gitignore", b"#" * length + b"\n/.mem/\n")
    vault(repo.path / ".mem")
    repo.commit()
    repo.write(".gitignore", b"#" * length + b"\n/.mem/\nmore\n")
    assert codes(repo, *STAGED) == set()


# --- attributes that make the file on disk another one than git holds

FULL = index(150, 30_000) + b"$Id$ and $Id: x $\n"
ALTERED = {
    "UTF-16": ("*.md text working-tree-encoding=UTF-16LE eol=lf\n", FULL.decode().encode("utf-16-le")),
    "ident": ("*.md ident\n", FULL),
    "ident, and CRLF": ("*.md text eol=crlf ident\n", FULL),
}


def attributed(folder: Path, attributes: str, data: bytes) -> Repo:
    """Make a vault of its own in a clone, so that git has written the index on disk."""
    first = init(folder / "first", environment(folder / "home"))
    first.write(".gitattributes", attributes)
    vault(first.path, data)
    first.commit()
    repo = clone(first.path, folder / "clone", first.outside)
    repo.write("other", "x\n")
    repo.commit()
    return repo


@pytest.mark.parametrize(("attributes", "data"), ALTERED.values(), ids=ALTERED)
def test_an_index_that_attributes_alter_has_not_grown_by_that(attributes: str, data: bytes, tmp_path: Path) -> None:
    repo = attributed(tmp_path, attributes, data)
    assert codes(repo, "--since", "HEAD~1") - {"MS104"} == {"MS102"}
    assert codes(repo, "--since", "HEAD") - {"MS104"} == {"MS102"}


@pytest.mark.parametrize(("attributes", "data"), ALTERED.values(), ids=ALTERED)
def test_an_index_that_attributes_alter_grows_all_the_same(attributes: str, data: bytes, tmp_path: Path) -> None:
    repo = attributed(tmp_path, attributes, data)
    more = "> one line more\n".encode("utf-16-le" if "UTF-16" in attributes else "ascii")
    repo.write("MEMORY.md", (repo.path / "MEMORY.md").read_bytes() + more)
    repo.commit()
    assert "MS101" in codes(repo, "--since", "HEAD~1")


def test_an_ident_written_by_hand_excuses_no_growth(tmp_path: Path) -> None:
    """Git has the attribute not on, so that what is there is committed as it stands."""
    repo = attributed(tmp_path, "", FULL)
    repo.write("MEMORY.md", FULL.replace(b"$Id$", b"$Id: " + b"0" * 40 + b" $"))
    repo.commit()
    assert "MS101" in codes(repo, "--since", "HEAD~1")


# --- a check that could not be made, and streams that are not there


def closed(repo: Repo, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run memstile without a standard output."""
    program = f'exec "{sys.executable}" -m memstile "$@" >&-'
    variables = {**repo.outside, "PYTHONPATH": os.path.dirname(os.path.dirname(package.__file__))}
    words = ("sh", "-c", program, "sh", *words)
    return subprocess.run(words, cwd=repo.path, env=variables, capture_output=True, check=False)


@pytest.mark.parametrize(
    "words",
    [("check",), ("check", "--staged"), ("fix", "--dry-run"), ("status",), ("rule",), ("check", "--format", "sarif")],
    ids=" ".join,
)
def test_a_closed_output_is_told_and_is_no_bug(words: tuple[str, ...], tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / ".mem")
    done = closed(repo, *words)
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, b"memstile: standard output is closed")


UNCHECKED = {
    "a ref that is not there": ("--since", "nope"),
    "a path that is not there": ("nope",),
    "a path that is not there, at the commit": ("--staged", "nope"),
}


@pytest.mark.parametrize("words", UNCHECKED.values(), ids=UNCHECKED)
@pytest.mark.parametrize("format_name", ["sarif", "gitlab", "junit"])
def test_what_could_not_be_checked_is_a_report_that_says_so(
    words: tuple[str, ...], format_name: str, tmp_path: Path
) -> None:
    """An upload of an empty file fails, and hides why."""
    repo = project(tmp_path)
    vault(repo.path / ".mem")
    ran = memstile("check", *words, "--format", format_name, cwd=repo.path, environment=repo.outside)
    assert (ran.code, ran.err[:10]) == (2, "memstile: ")
    said = ran.err.removeprefix("memstile: ").partition("\n")[0]
    if format_name == "junit":
        failures = re.findall(r'<failure type="(.*?)" message="(.*?)"', ran.out.decode())
        assert failures == [("MS900", f"not checked: {said}")]
    elif format_name == "gitlab":
        assert [(row["check_name"][:5], row["severity"]) for row in json.loads(ran.out)] == [("MS900", "major")]
    else:
        results = json.loads(ran.out)["runs"][0]["results"]
        assert [(row["ruleId"], row["level"]) for row in results] == [("MS900", "error")]
        assert results[0]["message"]["text"].startswith(f"not checked: {said}")


@pytest.mark.parametrize("format_name", ["text", "github", "markdown"])
def test_what_a_person_reads_gets_no_second_message(format_name: str, tmp_path: Path) -> None:
    repo = project(tmp_path)
    ran = memstile("check", "nope", "--format", format_name, cwd=repo.path, environment=repo.outside)
    assert (ran.code, ran.out) == (2, b"")


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
@pytest.mark.parametrize("first", [(), ("fix", "--yes")], ids=["a rule on disk", "a rule of fix"])
def test_the_hint_stages_a_rule_in_a_file_that_git_add_passes_over(
    first: tuple[str, ...], flag: str, tmp_path: Path
) -> None:
    repo = project(tmp_path)
    repo.write(".gitignore", "y\n")
    repo.commit()
    vault(repo.path / ".mem", index(1))
    repo.git("update-index", flag, ".gitignore")
    if first:
        assert memstile(*first, cwd=repo.path, environment=repo.outside).code == 0
    else:
        repo.write(".gitignore", "y\n/.mem/\n")
    ran = memstile("check", "--staged", "--format", "json", cwd=repo.path, environment=repo.outside)
    (finding,) = json.loads(ran.out)["findings"]
    for command in finding["commands"]:
        subprocess.run(command, shell=True, cwd=repo.path, env=dict(repo.outside), check=True)  # noqa: S602 - as pasted
    assert codes(repo, *STAGED) == set()
    assert repo.git("diff", "--cached", "--name-only") == ".gitignore"
