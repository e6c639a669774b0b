"""commit.py: the next commit, judged by what is staged."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import memstile
from tests.case_tools import alone, past_window, project
from tests.git_tools import Repo, environment, init
from tests.run_tools import Checked, check
from tests.vault_tools import index, note, vault

HOOK = (
    f"PYTHONPATH={shlex.quote(str(Path(memstile.__file__).parent.parent))} "
    f"{shlex.quote(sys.executable)} -m memstile check --staged --format json"
)


@pytest.fixture
def own(tmp_path: Path) -> Repo:
    """A vault with a repository of its own, in which an index of 210 lines is committed."""
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path, index(210))
    repo.commit()
    return repo


def staged(repo: Repo, *words: str, **variables: str) -> Checked:
    return check("--staged", *words, cwd=repo.path, environment={**repo.outside, **variables})


def codes(result: Checked) -> list[str]:
    """Give severity and code of each finding, without those about a host's window."""
    return [" ".join(row.split()[:2]) for row in result.findings if "MS104" not in row]


GROWTH = [
    pytest.param(205, 0, ["warning MS102"], id="210 to 205"),
    pytest.param(210, 0, ["warning MS102"], id="210 to 210"),
    pytest.param(211, 1, ["error MS101"], id="210 to 211"),
    pytest.param(200, 0, ["warning MS103"], id="210 to 200"),
    pytest.param(100, 0, ["warning MS105"], id="210 to 100: less than half is left"),
]


@pytest.mark.parametrize(("after", "code", "told"), GROWTH)
def test_growth_over_the_cap_is_refused_and_nothing_else(after: int, code: int, told: list[str], own: Repo) -> None:
    vault(own.path, index(after))
    own.git("add", "--all")
    result = staged(own)
    assert (result.code, codes(result)) == (code, told)


@pytest.mark.parametrize(("after", "code", "told"), GROWTH[:3])
def test_growth_is_judged_through_a_rename_onto_the_index(after: int, code: int, told: list[str], own: Repo) -> None:
    own.write("draft.md", index(after))
    own.commit()
    own.git("mv", "--force", "draft.md", "MEMORY.md")
    result = staged(own)
    assert (result.code, codes(result)) == (code, told)


@pytest.mark.parametrize(("after", "code", "told"), GROWTH[:3])
def test_growth_is_judged_through_a_delete_and_a_new_file(after: int, code: int, told: list[str], own: Repo) -> None:
    own.git("rm", "--quiet", "MEMORY.md")
    vault(own.path, index(after))
    own.git("add", "--all")
    result = staged(own)
    assert (result.code, codes(result)) == (code, told)


MERGES = [
    pytest.param(211, 205, 205, ["warning MS102"], id="as small as one parent"),
    pytest.param(211, 205, 211, ["warning MS102"], id="as large as the larger parent"),
    pytest.param(211, 205, 212, ["error MS101"], id="larger than both"),
    pytest.param(205, 211, 211, ["warning MS102"], id="as large as the other parent"),
]


@pytest.mark.parametrize(("ours", "theirs", "merged", "told"), MERGES)
def test_a_merge_is_compared_with_its_largest_parent(
    ours: int, theirs: int, merged: int, told: list[str], own: Repo
) -> None:
    own.git("switch", "--quiet", "--create", "side")
    own.write("MEMORY.md", index(theirs))
    own.commit()
    own.git("switch", "--quiet", "main")
    own.write("MEMORY.md", index(ours))
    own.commit()
    own.git("merge", "--no-commit", "--strategy=ours", "side")
    own.write("MEMORY.md", index(merged))
    own.git("add", "MEMORY.md")
    assert codes(staged(own)) == told


def test_a_clean_merge_is_known_before_git_writes_it_down(own: Repo) -> None:
    """pre-merge-commit runs before MERGE_HEAD exists; git names the other parent in the environment."""
    own.git("switch", "--quiet", "--create", "side")
    own.write("MEMORY.md", index(215))
    side = own.commit()
    own.git("switch", "--quiet", "main")
    own.write("other", "x")
    own.commit()
    own.git("read-tree", "-m", "-u", "HEAD", "side")
    own.git("add", "--all")
    assert codes(staged(own)) == ["error MS101"]
    assert codes(staged(own, **{f"GITHEAD_{side}": "side"})) == ["warning MS102"]


def commit(repo: Repo, *words: str) -> bool:
    """Commit with the hooks of the repository; tell whether it went through."""
    before = repo.git("rev-parse", "HEAD")
    repo.git("commit", "--quiet", "--message", "x", *words, accept=(0, 1))
    return repo.git("rev-parse", "HEAD") != before


def test_each_way_to_commit_is_judged_by_what_it_would_commit(own: Repo) -> None:
    own.hook("pre-commit", HOOK)
    vault(own.path, index(215))
    assert not commit(own, "--all")
    assert not commit(own, "--only", "--", "MEMORY.md")
    assert not commit(own, "--include", "--", "MEMORY.md")
    own.write("other", "x")
    own.git("add", "other")
    assert commit(own)  # the index on disk is over, and not part of this commit
    vault(own.path, index(205))
    assert commit(own, "--all")
    vault(own.path, index(206))
    assert not commit(own, "--all", "--amend")


def test_in_a_linked_worktree_the_commit_is_that_of_the_worktree(own: Repo, tmp_path: Path) -> None:
    own.hook("pre-commit", HOOK)
    own.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked", own.outside)
    vault(linked.path, index(211))
    assert not commit(linked, "--all")
    vault(linked.path, index(209))
    assert commit(linked, "--all")


def test_a_merge_that_adds_up_is_refused_by_the_hook(own: Repo) -> None:
    own.write("MEMORY.md", index(190))
    own.commit()
    own.git("switch", "--quiet", "--create", "side")
    own.write("MEMORY.md", b"".join(b"> side %d\n" % n for n in range(8)) + index(190))
    own.commit()
    own.git("switch", "--quiet", "main")
    own.write("MEMORY.md", index(198))
    before = own.commit()
    own.hook("pre-merge-commit", HOOK)
    own.git("merge", "--quiet", "--no-edit", "side", accept=(1,))
    assert own.git("rev-parse", "HEAD") == before


# --- privacy


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A project with an ignored vault."""
    repo = project(tmp_path)
    vault(repo.path / "v")
    repo.write(".gitignore", "/v/\n")
    repo.commit()
    return repo


NOTHING = Checked(0, [], remarks=["nothing of a vault in this commit"])
BESIDE = ["v (ignored): not in this commit; git index checked"]


def test_a_commit_that_is_about_something_else_passes(repo: Repo) -> None:
    repo.write("other", "x")
    repo.git("add", "other")
    assert staged(repo) == NOTHING


@pytest.mark.parametrize("words", [(), ("--intent-to-add",)], ids=["staged", "intent to add"])
def test_a_note_that_was_forced_in_is_refused(words: tuple[str, ...], repo: Repo) -> None:
    repo.git("add", "--force", *words, "v/note-1.md")
    assert staged(repo) == Checked(1, ["error MS203 v: 1 file of the vault would be committed"], BESIDE)


def test_notes_that_are_not_staged_are_no_part_of_the_commit(repo: Repo) -> None:
    repo.git("add", "--force", "v/note-1.md")
    repo.git("reset", "--quiet")
    assert staged(repo) == NOTHING


def test_the_staged_ignore_file_decides_and_not_the_one_on_disk(repo: Repo) -> None:
    repo.write("memstile.toml", '[[vault]]\npath = "v"\n')
    repo.git("add", "memstile.toml")
    repo.write(".gitignore", "/other/\n")
    repo.git("add", ".gitignore")
    repo.write(".gitignore", "/v/\n")
    missed = Checked(1, ["error MS201 v: vault is not ignored by git"], [f"v (ignored): on disk {SIZE}"])
    assert staged(repo) == missed
    repo.git("add", ".gitignore")
    repo.write(".gitignore", "/other/\n")
    assert staged(repo) == Checked(0, [], [f"v (ignored): on disk {SIZE}"])


SIZE = "6 lines 118 bytes"


def test_a_rule_taken_back_in_the_commit_uncovers_the_vault(repo: Repo) -> None:
    repo.write(".gitignore", "")
    repo.git("add", ".gitignore")
    assert staged(repo) == Checked(1, ["error MS201 v: vault is not ignored by git"], BESIDE)


@pytest.mark.parametrize("lines", [6, 210], ids=["healthy", "over the cap"])
def test_the_commit_that_untracks_a_vault_passes(lines: int, tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v", index(lines))
    repo.commit()
    repo.hook("pre-commit", HOOK)
    repo.write(".gitignore", "/v/\n")
    repo.git("rm", "-r", "--quiet", "--cached", "v")
    repo.git("add", ".gitignore")
    assert staged(repo) == Checked(0, [], ["v (ignored): this commit takes MEMORY.md out of the git index"])
    assert commit(repo)


def test_half_of_untracking_is_not_enough(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v")
    repo.commit()
    repo.git("rm", "--quiet", "--cached", "v/MEMORY.md", "v/note-1.md")
    repo.write(".gitignore", "/v/\n")
    repo.git("add", ".gitignore")
    assert staged(repo) == Checked(
        1,
        ["error MS202 v: git tracks 4 files of the vault"],
        ["v (ignored): this commit takes MEMORY.md out of the git index"],
    )


def test_a_vault_that_is_deleted_as_a_whole_passes(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v", index(210))
    repo.commit()
    repo.git("rm", "-r", "--quiet", "v")
    assert staged(repo) == NOTHING


def test_an_index_that_a_shared_vault_loses_is_told(own: Repo) -> None:
    own.git("rm", "--quiet", "MEMORY.md")
    assert staged(own) == Checked(
        0,
        ["warning MS105 MEMORY.md: staged index is gone; HEAD had 210 lines and 2,266 bytes"],
        [". (dedicated): this commit takes MEMORY.md out of the git index"],
    )


def test_notes_of_a_vault_whose_index_is_ignored_are_seen(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write(".gitignore", "MEMORY.md\n")
    vault(repo.path / "deep/er/v")
    repo.git("add", "--all")
    result = staged(repo)
    assert (result.code, result.findings) == (
        1,
        [
            "error MS201 deep/er/v: vault is not ignored by git: 5 files of 6",
            "error MS203 deep/er/v: 5 files of the vault would be committed",
        ],
    )


def test_a_link_to_a_vault_outside_is_not_taken_for_the_index_at_the_top(tmp_path: Path) -> None:
    """The vault's own index lies outside of the repository: no path in it stands for that."""
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path, index(210))
    vault(tmp_path / "real")
    (repo.path / "link").symlink_to("../real")
    repo.commit()
    result = staged(repo)
    assert (result.code, codes(result), result.vaults) == (
        1,
        ["warning MS102", "error MS202", "error MS207"],
        [
            ". (dedicated): staged 210 lines 2266 bytes",
            "link (ignored): not in this commit; git index checked",
        ],
    )


def test_a_commit_is_not_about_what_another_repository_carries(tmp_path: Path) -> None:
    repo, other = project(tmp_path), project(tmp_path, "other")
    vault(other.path / "v")
    other.commit()
    (repo.path / "link").symlink_to("../other/v")
    repo.write(".gitignore", "/link\n")
    repo.write("memstile.toml", '[[vault]]\npath = "link"\n')
    repo.git("add", "memstile.toml", ".gitignore")
    assert staged(repo) == Checked(0, [], [f"link (ignored): on disk {SIZE}"])
    assert check(cwd=repo.path, environment=repo.outside).findings == [
        "error MS201 ../other/v: vault is not ignored by git",
        "error MS202 ../other/v: git tracks 6 files of the vault",
    ]


def test_a_configured_link_is_part_of_the_repository_it_lies_in(tmp_path: Path) -> None:
    repo = project(tmp_path)
    (repo.path / "v").symlink_to("../nowhere")
    (tmp_path / "way").symlink_to(repo.path)
    config = tmp_path / "home/.config/memstile/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'[[vault]]\npath = "{tmp_path}/way/v"\n')
    assert codes(staged(repo)) == ["error MS207"]


# --- a configured vault that the commit does not carry


@pytest.mark.parametrize(("words", "code"), [((), 0), (("--strict",), 1)], ids=["a warning", "an error if strict"])
def test_an_ignored_vault_over_its_cap_is_measured_on_disk(words: tuple[str, ...], code: int, repo: Repo) -> None:
    repo.write("memstile.toml", '[[vault]]\npath = "v"\n')
    repo.git("add", "memstile.toml")
    vault(repo.path / "v", index(201))
    assert staged(repo, *words) == Checked(
        code,
        [
            "warning MS102 v/MEMORY.md: index on disk is 201 lines, hard cap 200",
            past_window("v/MEMORY.md", "index on disk", 201, 201),
        ],
        ["v (ignored): on disk 201 lines 2167 bytes"],
    )


# --- where the person stands, and what is given


@pytest.fixture
def shared(tmp_path: Path) -> Repo:
    """A project with a vault that is committed on purpose, and staged over its cap."""
    repo = project(tmp_path)
    repo.write("sub/x", "x")
    repo.write("memstile.toml", '[[vault]]\npath = "v"\nmode = "shared"\n')
    vault(repo.path / "v", index(100))
    repo.commit()
    vault(repo.path / "v", index(201))
    repo.git("add", "--all")
    return repo


def grown(path: str, name: str) -> Checked:
    return Checked(
        1,
        [
            f"error MS101 {name}: staged index grew from 100 to 201 lines, hard cap 200 (base: HEAD)",
            past_window(name, "staged index", 201, 201),
        ],
        [f"{path} (shared): staged 201 lines 2167 bytes"],
    )


PLACES = [
    pytest.param(".", (), "v", "v/MEMORY.md", id="at the top"),
    pytest.param("sub", (), "../v", "../v/MEMORY.md", id="below it"),
    pytest.param("v", (), ".", "MEMORY.md", id="in the vault"),
    pytest.param("sub", ("../v",), "../v", "../v/MEMORY.md", id="the vault given"),
    pytest.param(".", ("{top}/v",), "v", "v/MEMORY.md", id="an absolute path given"),
]


@pytest.mark.parametrize(("cwd", "words", "path", "name"), PLACES)
def test_paths_are_shown_from_where_the_person_stands(
    cwd: str, words: tuple[str, ...], path: str, name: str, shared: Repo
) -> None:
    given = [word.replace("{top}", str(shared.path)) for word in words]
    assert staged(Repo(shared.path / cwd, shared.outside), *given) == grown(path, name)


def test_a_given_folder_without_a_vault_is_said(shared: Repo) -> None:
    assert staged(shared, "sub") == Checked(0, [], remarks=["nothing of a vault in this commit at the given paths"])


def test_outside_of_a_repository_there_is_no_commit(tmp_path: Path) -> None:
    folder = vault(tmp_path / "v")
    assert check("--staged", cwd=folder, environment=environment(tmp_path / "home")) == Checked(
        2,
        [],
        err="memstile: --staged needs a git repository, and there is none here\n  hint: run it inside a repository\n",
    )


# --- against a ref


def test_a_ref_may_be_given_for_the_base_by_a_person_or_by_pre_commit(own: Repo) -> None:
    own.git("branch", "base")
    own.write("MEMORY.md", index(215))
    own.commit()
    expected = alone(
        "dedicated",
        "staged 215 lines 2321 bytes",
        "error MS101 MEMORY.md: staged index grew from 210 to 215 lines, hard cap 200 (base: the merge base with base)",
        past_window("MEMORY.md", "staged index", 201, 215),
        code=1,
    )
    assert codes(staged(own)) == ["warning MS102"]
    assert staged(own, "--since", "base") == expected
    assert staged(own, PRE_COMMIT_FROM_REF="base") == expected
    assert staged(own, "--since", "nope").code == 2


# --- odd git indexes


def test_the_index_of_the_git_index_may_be_a_folder_or_a_repository_now(own: Repo) -> None:
    (own.path / "MEMORY.md").unlink()
    own.write("MEMORY.md/x.md", note("x"))
    own.git("add", "--all")
    assert codes(staged(own)) == ["warning MS105"]
    own.git("rm", "-r", "--quiet", "--cached", "MEMORY.md")
    init(own.path / "MEMORY.md", own.outside).commit()
    own.git("add", "--all")
    assert codes(staged(own)) == ["error MS106"]


def test_an_index_in_the_place_of_a_folder_is_new(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path)
    (repo.path / "MEMORY.md").unlink()
    repo.write("MEMORY.md/x", "x")
    repo.commit()
    repo.git("rm", "-r", "--quiet", "MEMORY.md")
    vault(repo.path, index(201))
    repo.git("add", "--all")
    assert staged(repo).findings[0] == (
        "error MS101 MEMORY.md: staged index grew from 0 to 201 lines, hard cap 200 (base: HEAD)"
    )


def test_an_index_too_large_to_read_is_judged_by_its_bytes(own: Repo) -> None:
    with (own.path / "MEMORY.md").open("wb") as file:
        file.truncate(8 * 1024 * 1024 + 1)
    own.git("add", "--all")
    assert staged(own) == alone(
        "dedicated",
        "staged None lines 8388609 bytes",
        "error MS101 MEMORY.md: staged index grew from 2,266 to 8,388,609 bytes, hard cap 25,600 (base: HEAD)",
        "warning MS106 MEMORY.md: staged index cannot be measured: 8,388,609 bytes",
        code=1,
    )
