"""tree.py, and what it shares with commit.py: every relation of a vault to git, seen on disk and at the commit."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.case_tools import DISK, SINCE, STAGED, Case, alone, grown_to, past_window, project, rows, told
from tests.git_tools import Repo, clone, environment, init
from tests.run_tools import Checked, check, document_of, path_of
from tests.vault_tools import index, note, vault

SIZE = "6 lines 118 bytes"
LINK = "is not ignored by git; a rule with a trailing slash does not match a symlink"


def seen(*findings: str, vaults: list[str], code: int | None = None, remarks: list[str] | None = None) -> Checked:
    """Expect findings; an error decides about the exit code."""
    return Checked(
        any(row.startswith("error") for row in findings) if code is None else code, [*findings], vaults, remarks or []
    )


def disk_and_commit(
    *findings: str, path: str = "v", mode: str = "ignored", staged: str = "not in this commit; git index checked"
) -> dict[tuple[str, ...], Checked]:
    """Expect the same findings on disk, with a base and at the commit, about one vault."""
    disk = seen(*findings, vaults=[f"{path} ({mode}): on disk {SIZE}"])
    return {DISK: disk, SINCE: disk, STAGED: seen(*findings, vaults=[f"{path} ({mode}): {staged}"])}


def clean(path: str = "v", mode: str = "ignored") -> dict[tuple[str, ...], Checked]:
    """Expect nothing on disk, and a commit that is not about the vault."""
    disk = seen(vaults=[f"{path} ({mode}): on disk {SIZE}"])
    return {DISK: disk, SINCE: disk, STAGED: seen(vaults=[], remarks=["nothing of a vault in this commit"])}


# --- nested repositories and submodules


def three_deep(rule: str) -> Callable[[Path], Path]:
    """Build a project in a project in a project; the innermost holds the vault and this .gitignore."""

    def build(folder: Path) -> Path:
        outer = project(folder)
        project(outer.path, "b")
        inner = project(outer.path / "b", "c")
        inner.write(".gitignore", rule)
        vault(inner.path / "v")
        inner.commit()
        return outer.path

    return build


def gitlink(folder: Path) -> Path:
    """Build a project that has committed its vault, a repository, as a gitlink."""
    repo = project(folder)
    inner = init(repo.path / "v", repo.outside)
    vault(inner.path)
    inner.commit()
    repo.commit()
    return repo.path


def submodule(folder: Path) -> Path:
    """Build a project whose vault is a submodule."""
    source = init(folder / "source", environment(folder / "home"))
    vault(source.path)
    source.commit()
    repo = project(folder)
    repo.git("submodule", "--quiet", "add", f"file://{source.path}", "v")
    repo.commit()
    return repo.path


def inside_a_submodule(folder: Path) -> Path:
    """Build a project with a submodule that holds a vault."""
    source = project(folder, "source")
    repo = project(folder)
    repo.git("submodule", "--quiet", "add", f"file://{source.path}", "lib")
    repo.commit()
    vault(repo.path / "lib/v")
    return repo.path


def with_git_at(make: Callable[[Path], object]) -> Callable[[Path], Path]:
    """Build a project whose vault has something called .git in it."""

    def build(folder: Path) -> Path:
        repo = project(folder)
        make(vault(repo.path / "v") / ".git")
        return repo.path

    return build


def half_a_repository(place: Path) -> None:
    """Make what git takes for a repository from outside, and not once it looks inside."""
    for name in ("objects", "refs"):
        (place / name).mkdir(parents=True)
    (place / "HEAD").write_text("garbage")


NESTED = "error MS201 v: nested repository is not ignored by git"
MISSED = "error MS201 v: vault is not ignored by git"

NESTING = (
    Case(
        "three repositories deep: the innermost has to ignore it",
        three_deep(""),
        {
            DISK: seen(
                "error MS201 b/c/v: vault is not ignored by git",
                "error MS202 b/c/v: git tracks 6 files of the vault",
                vaults=[f"b/c/v (ignored): on disk {SIZE}"],
            ),
            STAGED: seen(vaults=[], remarks=["nothing of a vault in this commit"]),
        },
    ),
    Case("three repositories deep, ignored", three_deep("/v/\n"), clean("b/c/v")),
    Case(
        "a gitlink",
        gitlink,
        disk_and_commit("error MS206 v: the outer repository carries the vault as a gitlink", mode="dedicated"),
    ),
    Case(
        "a submodule",
        submodule,
        disk_and_commit("error MS206 v: the outer repository carries the vault as a submodule", mode="dedicated"),
    ),
    Case(
        "a vault inside a submodule is the submodule's to ignore",
        inside_a_submodule,
        {
            DISK: seen("error MS201 lib/v: vault is not ignored by git", vaults=[f"lib/v (ignored): on disk {SIZE}"]),
            STAGED: seen(vaults=[], remarks=["nothing of a vault in this commit"]),
        },
    ),
    Case("an empty .git hides nothing", with_git_at(Path.mkdir), disk_and_commit(MISSED)),
    Case("a .git that leads nowhere hides nothing", with_git_at(lambda p: p.symlink_to("x")), disk_and_commit(MISSED)),
    Case(
        "a .git file that leads nowhere",
        with_git_at(lambda place: place.write_text("gitdir: /nowhere\n")),
        disk_and_commit(NESTED, mode="dedicated"),
    ),
    Case("a .git that git cannot read", with_git_at(half_a_repository), disk_and_commit(NESTED, mode="dedicated")),
)


# --- symlinks


def linked(target: str, rule: str) -> Callable[[Path], Path]:
    """Build a project with a symlink to a vault: "real" inside, "../real" beside it; with this .gitignore."""

    def build(folder: Path) -> Path:
        repo = project(folder)
        vault(repo.path / target)
        (repo.path / "v").symlink_to(target)
        repo.write(".gitignore", rule)
        repo.git("add", ".gitignore")
        repo.git("commit", "--quiet", "--message", "rule")
        return repo.path

    return build


def chained(folder: Path) -> Path:
    """Build a project with a chain of symlinks, of which the last is ignored."""
    path = linked("../real", "/v\n")(folder)
    (path / "b").symlink_to("v")
    (path / "a").symlink_to("b")
    return path


def configured_link_to_nothing(folder: Path) -> Path:
    """Build a project whose configured vault is a symlink to nothing."""
    repo = project(folder)
    (repo.path / "v").symlink_to("../nowhere")
    repo.write("memstile.toml", '[[vault]]\npath = "v"\n')
    repo.git("add", "memstile.toml")
    return repo.path


SYMLINKS = (
    Case(
        "a symlink to the outside",
        linked("../real", ""),
        disk_and_commit(f"error MS207 v: symlink to the vault {LINK}"),
    ),
    Case("a symlink to the outside, ignored", linked("../real", "/v\n"), clean()),
    Case(
        "a symlink inside, of which the target alone is ignored",
        linked("real", "/real/\n/v/\n"),
        disk_and_commit(f"error MS207 v: symlink to the vault {LINK}", path="v"),
    ),
    Case(
        "a symlink inside, of which the link alone is ignored",
        linked("real", "/v\n"),
        {
            DISK: seen("error MS201 real: vault is not ignored by git", vaults=[f"v (ignored): on disk {SIZE}"]),
            STAGED: seen(
                "error MS201 real: vault is not ignored by git",
                vaults=["real (ignored): not in this commit; git index checked"],
            ),
        },
    ),
    Case("a symlink inside, both ignored", linked("real", "/real/\n/v\n"), clean("v")),
    Case(
        "every symlink of a chain",
        chained,
        disk_and_commit(
            f"error MS207 a: symlink to the vault {LINK}", f"error MS207 b: symlink to the vault {LINK}", path="a"
        ),
    ),
    Case(
        "a configured symlink to nothing",
        configured_link_to_nothing,
        {
            words: seen(
                f"error MS207 v: symlink to the vault {LINK}",
                vaults=["v (ignored): not in this checkout; git index checked"],
            )
            for words in (DISK, SINCE, STAGED, ("v",))
        },
    ),
)


# --- odd repositories


def corrupt(folder: Path) -> Path:
    """Build a project whose git index is garbage."""
    repo = project(folder)
    vault(repo.path / "v")
    repo.write(".git/index", b"garbage")
    return repo.path


def sparse(*words: str) -> Callable[[Path], Path]:
    """Build a project that tracks two vaults, of which a sparse checkout leaves out one."""

    def build(folder: Path) -> Path:
        repo = project(folder)
        vault(repo.path / "v")
        vault(repo.path / "w/v")
        repo.commit()
        repo.git("sparse-checkout", "set", *words, "w")
        return repo.path

    return build


def longer_ids(folder: Path) -> Path:
    """Build a vault in a repository with SHA-256 ids that grows over its cap."""
    repo = init(folder / "proj", environment(folder / "home"), "--object-format=sha256")
    vault(repo.path, index(210))
    repo.commit()
    vault(repo.path, index(211))
    repo.git("add", "--all")
    return repo.path


def half_made(folder: Path) -> Path:
    """Build a folder with an empty .git, and no repository around it."""
    vault(folder / "proj/v")
    (folder / "proj/.git").mkdir()
    return folder / "proj"


def another_work_tree(folder: Path) -> Path:
    """Build a project whose configuration says that its work tree is elsewhere."""
    repo = project(folder)
    vault(repo.path / "v")
    (folder / "elsewhere").mkdir()
    repo.git("config", "core.worktree", str(folder / "elsewhere"))
    return repo.path


def user_wide_rule(folder: Path) -> Path:
    """Build a project whose vault is ignored by a file of the user."""
    repo = project(folder)
    vault(repo.path / "v")
    (folder / "home/ignore").write_text("v/\n")
    repo.git("config", "--global", "core.excludesFile", "~/ignore")
    return repo.path


TRACKED = ("error MS201 {}: vault is not ignored by git", "error MS202 {}: git tracks 6 files of the vault")
NO_ANSWER = "could not verify what git does with the vault"
CORRUPT = "git ls-files exit 128: fatal: .git/index: index file smaller than expected"

ODD = (
    Case(
        "a corrupt git index",
        corrupt,
        {
            DISK: seen(f"error MS208 v: {NO_ANSWER}: {CORRUPT}", vaults=[f"v (ignored): on disk {SIZE}"]),
            SINCE: seen(f"error MS208 v: {NO_ANSWER}: {CORRUPT}", vaults=[f"v (ignored): on disk {SIZE}"]),
            STAGED: Checked(2, [], err=f"memstile: {CORRUPT}\n  hint: see what `git ls-files` says in {{proj}}\n"),
        },
    ),
    Case(
        "a sparse checkout: what is not on disk is in the git index all the same",
        sparse("--no-cone"),
        {
            DISK: seen(
                *(row.format(path) for path in ("w/v", "v") for row in TRACKED),
                vaults=[
                    f"w/v (ignored): on disk {SIZE}",
                    f"v (ignored): staged {SIZE}; not in this checkout; git index checked",
                ],
            ),
            STAGED: seen(
                *(row.format(path) for path in ("v", "w/v") for row in TRACKED),
                vaults=[f"v (ignored): staged {SIZE}", f"w/v (ignored): staged {SIZE}"],
            ),
        },
    ),
    Case(
        "longer ids",
        longer_ids,
        {
            SINCE: alone(
                "dedicated",
                "on disk 211 lines 2277 bytes",
                "error MS101 MEMORY.md: index on disk grew from 210 to 211 lines, hard cap 200 "
                "(base: the merge base with HEAD)",
                past_window("MEMORY.md", "index on disk", 201, 211),
                code=1,
            ),
            STAGED: alone(
                "dedicated",
                "staged 211 lines 2277 bytes",
                "error MS101 MEMORY.md: staged index grew from 210 to 211 lines, hard cap 200 (base: HEAD)",
                past_window("MEMORY.md", "staged index", 201, 211),
                code=1,
            ),
        },
    ),
    Case(
        "a .git that is no repository, and none around it",
        half_made,
        {
            DISK: seen(
                f"error MS208 v: {NO_ANSWER}: there is a .git in ., but it is no repository git would read",
                vaults=[f"v (ignored): on disk {SIZE}"],
            ),
        },
    ),
    Case(
        "a configuration that puts the work tree elsewhere",
        another_work_tree,
        {
            DISK: seen(
                f"error MS208 v: {NO_ANSWER}: git takes {{folder}}/elsewhere for the work tree",
                vaults=[f"v (ignored): on disk {SIZE}"],
            ),
        },
    ),
    Case(
        "a rule of the user's own",
        user_wide_rule,
        {
            DISK: seen(
                "info MS204 v: vault is ignored by {folder}/home/ignore alone; other clones do not have that rule",
                vaults=[f"v (ignored): on disk {SIZE}"],
            ),
            STAGED: seen(vaults=[], remarks=["nothing of a vault in this commit"]),
        },
    ),
)


def filled(case: Case, folder: Path) -> dict[tuple[str, ...], Checked]:
    """Give what a case expects, with the paths of this run."""

    def fill(text: str) -> str:
        return text.replace("{folder}", str(folder)).replace("{proj}", str(folder / "proj"))

    return {
        words: Checked(row.code, [fill(line) for line in row.findings], row.vaults, row.remarks, fill(row.err))
        for words, row in case.told.items()
    }


@rows((*NESTING, *SYMLINKS, *ODD))
def test_a_situation_is_told_by_its_own_code(case: Case, tmp_path: Path) -> None:
    assert told(case, tmp_path) == filled(case, tmp_path)


def test_a_sparse_git_index_is_expanded_by_git_which_may_store_trees(tmp_path: Path) -> None:
    """The one thing that a check adds to a repository; git has no option against it. No file changes or goes."""
    path = sparse("--cone", "--sparse-index")(tmp_path)
    variables = environment(tmp_path / "home")
    nothing = tmp_path / "nothing"
    nothing.mkdir()

    def files() -> dict[Path, bytes]:
        return {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}

    before = files()
    assert check(cwd=path, environment=variables, unchanged=nothing).findings == [
        row.format(path) for path in ("w/v", "v") for row in TRACKED
    ]
    assert check("--staged", cwd=path, environment=variables, unchanged=nothing).findings == [
        row.format(path) for path in ("v", "w/v") for row in TRACKED
    ]
    added = {file: data for file, data in files().items() if file not in before}
    assert files() == before | added
    assert all(file.is_relative_to(path / ".git/objects") for file in added)


# --- repositories named by the environment


@pytest.fixture
def dotfiles(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A home folder that is the work tree of a bare repository, with a vault in it."""
    home = tmp_path / "home"
    variables = environment(home) | {"GIT_DIR": str(tmp_path / "dots.git"), "GIT_WORK_TREE": str(home)}
    repo = Repo(home, variables)
    Repo(home, environment(home)).git("init", "--quiet", "--template=", "--bare", str(tmp_path / "dots.git"))
    vault(home / "v")
    repo.write(".profile", "x")
    repo.git("add", ".profile")
    repo.git("commit", "--quiet", "--message", "x")
    return home, variables


@pytest.mark.parametrize("relative", [False, True], ids=["absolute", "relative"])
def test_dotfiles_are_known_by_the_environment_alone(
    relative: bool, dotfiles: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    home, variables = dotfiles
    if relative:
        variables = variables | {"GIT_DIR": "../dots.git", "GIT_WORK_TREE": "."}
    expected = disk_and_commit(MISSED)
    assert {w: check(*w, cwd=home, environment=variables, unchanged=tmp_path) for w in expected} == expected


def test_dotfiles_without_their_environment_are_no_repository(
    dotfiles: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    home, variables = dotfiles
    plain = {name: value for name, value in variables.items() if name not in ("GIT_DIR", "GIT_WORK_TREE")}
    assert check(cwd=home, environment=plain, unchanged=tmp_path) == seen(vaults=[f"v (outside): on disk {SIZE}"])


def test_dotfiles_that_show_no_untracked_files_are_not_walked_at_the_commit(
    dotfiles: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    home, variables = dotfiles
    Repo(home, variables).git("config", "status.showUntrackedFiles", "no")
    assert check("--staged", cwd=home, environment=variables, unchanged=tmp_path) == seen(
        vaults=[], remarks=["nothing of a vault in this commit"]
    )
    assert check(cwd=home, environment=variables, unchanged=tmp_path) == disk_and_commit(MISSED)[DISK]


def test_the_environment_of_one_repository_says_nothing_about_another(tmp_path: Path) -> None:
    committing = project(tmp_path, "committing")
    other = project(committing.path, "other")
    vault(other.path / "v")
    other.write(".gitignore", "/v/\n")
    other.commit()
    variables = {
        **committing.outside,
        "GIT_DIR": str(committing.path / ".git"),
        "GIT_INDEX_FILE": str(committing.path / ".git/index"),
        "GIT_WORK_TREE": str(committing.path),
    }
    assert check(cwd=committing.path, environment=variables, unchanged=tmp_path) == seen(
        vaults=[f"other/v (ignored): on disk {SIZE}"]
    )


# --- without git


def test_without_git_on_path_a_vault_in_a_project_has_no_answer(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v")
    variables = {**repo.outside, "PATH": "/nowhere"}
    started = "git could not be started: No such file or directory"
    assert check(cwd=repo.path, environment=variables, unchanged=tmp_path) == seen(
        f"error MS208 v: {NO_ANSWER}: {started}", vaults=[f"v (ignored): on disk {SIZE}"]
    )
    for words in (SINCE, STAGED):
        assert check(*words, cwd=repo.path, environment=variables, unchanged=tmp_path) == Checked(
            2, [], err=f"memstile: {started}\n  hint: install git, or put it on PATH\n"
        )


def test_without_git_on_path_a_vault_of_its_own_is_measured(tmp_path: Path) -> None:
    path = grown_to(index(201))(tmp_path)
    variables = environment(tmp_path / "home") | {"PATH": "/nowhere"}
    assert check(cwd=path, environment=variables, unchanged=tmp_path) == alone(
        "dedicated",
        "on disk 201 lines 2167 bytes",
        "error MS102 MEMORY.md: index on disk is 201 lines, hard cap 200",
        past_window("MEMORY.md", "index on disk", 201, 201),
        code=1,
    )._replace(remarks=["git does not say which vaults it tracks: git could not be started: No such file or directory"])


def test_no_answer_from_git_and_no_vault_in_sight_is_not_clean(tmp_path: Path) -> None:
    repo = project(tmp_path)
    foreign = {**repo.outside, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    told = check(cwd=repo.path, environment=foreign)
    assert (told.code, told.findings) == (2, [])
    assert "dubious ownership" in told.err
    assert "safe.directory" in told.err


def test_below_the_top_the_way_up_is_named(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v")
    (repo.path / "a/b").mkdir(parents=True)
    told = check(cwd=repo.path / "a/b", environment=repo.outside)
    assert (told.code, told.remarks) == (
        0,
        ["no vault found below .", "the repository begins at ../..: memstile check ../.."],
    )


def test_a_vault_that_a_sparse_checkout_hides_below_a_vault_of_its_own_is_seen(tmp_path: Path) -> None:
    repo = init(tmp_path / "own", environment(tmp_path / "home"))
    vault(repo.path)
    vault(repo.path / ".hidden", index(210))
    repo.write("other/file", "x")
    repo.commit()
    repo.git("sparse-checkout", "set", "other")
    told = check(cwd=repo.path, environment=repo.outside)
    assert [row.partition(" (")[0] for row in told.vaults] == [".", ".hidden"]
    assert [row.partition(":")[0] for row in told.findings] == [
        "error MS102 .hidden/MEMORY.md",
        "warning MS104 .hidden/MEMORY.md",
        "error MS201 .hidden",
        "error MS202 .hidden",
    ]


# --- a number of processes that does not grow


@pytest.fixture
def counted(tmp_path: Path) -> Callable[..., int]:
    """Count the git processes of one check."""
    program, log = tmp_path / "bin/git", tmp_path / "log"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)

    def count(*words: str, cwd: Path) -> int:
        log.write_text("")
        variables = environment(tmp_path / "home") | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
        check(*words, cwd=cwd, environment=variables)
        return log.read_text().count("\n")

    return count


def with_vaults(folder: Path, name: str, *, vaults: int, notes: int, is_tracked: bool) -> Path:
    """Build a project with some vaults in folders of their own, none of them ignored."""
    repo = project(folder, name)
    for number in range(vaults):
        vault(repo.path / f"pkg{number}/v", index(notes + 1, notes=notes), notes=notes)
    if is_tracked:
        repo.commit()
        repo.git("rm", "-r", "--quiet", "--cached", ".")
        repo.commit()
    return repo.path


@pytest.mark.parametrize("words", [DISK, SINCE, STAGED], ids=["disk", "since", "staged"])
@pytest.mark.parametrize("is_tracked", [False, True], ids=["untracked", "tracked, once and again"])
def test_the_number_of_git_processes_is_that_of_the_repositories(
    words: tuple[str, ...], is_tracked: bool, counted: Callable[..., int], tmp_path: Path
) -> None:
    few = counted(*words, cwd=with_vaults(tmp_path, "few", vaults=2, notes=3, is_tracked=is_tracked))
    many = counted(*words, cwd=with_vaults(tmp_path, "many", vaults=8, notes=60, is_tracked=is_tracked))
    assert few == many
    assert few <= 20


@pytest.mark.parametrize("words", [DISK, SINCE, STAGED], ids=["disk", "since", "staged"])
def test_git_is_asked_as_often_about_many_folders_that_are_no_vaults(
    words: tuple[str, ...], counted: Callable[..., int], tmp_path: Path
) -> None:
    """Each has an index that points to nothing, so that the openings of its notes are looked at."""
    repo = project(tmp_path)
    counts = []
    for number in range(4):
        repo.write(f"d{number}/MEMORY.md", "of a chip\n")
        repo.write(f"d{number}/x.md", f"{number}\n")
        repo.git("add", "--all")
        counts.append(counted(*words, cwd=repo.path))
    assert counts == counts[:1] * 4


def test_a_vault_of_its_own_is_asked_only_for_vaults_that_the_disk_does_not_show(
    counted: Callable[..., int], tmp_path: Path
) -> None:
    assert counted(cwd=grown_to(index())(tmp_path)) == 3


# --- bases on disk


def test_a_vault_that_moved_is_new_where_it_is(tmp_path: Path) -> None:
    repo = project(tmp_path)
    repo.write("memstile.toml", '[[vault]]\npath = "*"\nmode = "shared"\n')
    vault(repo.path / "old", index(210))
    repo.commit()
    repo.git("mv", "old", "new")
    for words, layer, where, base in (
        (SINCE, "index on disk", "on disk", "the merge base with HEAD"),
        (STAGED, "staged index", "staged", "HEAD"),
    ):
        assert check(*words, cwd=repo.path, environment=repo.outside, unchanged=tmp_path) == seen(
            f"error MS101 new/MEMORY.md: {layer} grew from 0 to 210 lines, hard cap 200 (base: {base})",
            past_window("new/MEMORY.md", layer, 201, 210),
            vaults=[f"new (shared): {where} 210 lines 2266 bytes"],
        )


def deleted_and_made_again(repo: Repo, data: bytes) -> None:
    repo.git("rm", "--quiet", "MEMORY.md")
    repo.commit()
    repo.write("MEMORY.md", data)
    repo.commit()


def renamed_onto(repo: Repo, data: bytes) -> None:
    repo.write("draft.md", data)
    repo.commit()
    repo.git("mv", "--force", "draft.md", "MEMORY.md")
    repo.commit()


def merged_in(repo: Repo, data: bytes) -> None:
    repo.git("switch", "--quiet", "--create", "side")
    repo.write("MEMORY.md", data)
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write("other", "x")
    repo.commit()
    repo.git("merge", "--quiet", "--no-edit", "side")


@pytest.mark.parametrize("change", [deleted_and_made_again, renamed_onto, merged_in])
@pytest.mark.parametrize(("after", "code"), [(205, "MS102"), (210, "MS102"), (211, "MS101")])
def test_however_an_index_came_to_be_it_is_compared_with_what_it_was(
    after: int, code: str, change: Callable[[Repo, bytes], None], tmp_path: Path
) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path, index(210))
    repo.commit()
    repo.git("branch", "base")
    change(repo, index(after))
    result = check("--since", "base", cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert (result.code, [row.split()[1] for row in result.findings]) == (int(code == "MS101"), [code, "MS104"])


def test_a_checkout_with_crlf_is_compared_with_a_base_as_it_would_be_checked_out(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    repo.write(".gitattributes", "MEMORY.md text eol=crlf\n")
    vault(repo.path, index(120, 25_500))
    repo.commit()
    (repo.path / "MEMORY.md").unlink()
    repo.git("checkout", "--", "MEMORY.md")
    window = past_window("MEMORY.md", "index on disk", 118, 120)
    over = "warning MS102 MEMORY.md: index on disk is 25,620 bytes, hard cap 25,600"
    result = check(*SINCE, cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert result == alone(
        "dedicated", "on disk 120 lines 25620 bytes", f"{over}; not larger than the merge base with HEAD", window
    )
    vault(repo.path, index(121, 25_500 + 122, end="\r\n"))
    grown = check(*SINCE, cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert grown.findings[0] == (
        "error MS101 MEMORY.md: index on disk grew from 25,620 to 25,622 bytes, hard cap 25,600 "
        "(base: the merge base with HEAD)"
    )


def test_line_ends_that_a_change_brings_are_growth(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path, index(120, 25_500))
    repo.commit()
    repo.git("branch", "base")
    vault(repo.path, index(120, 25_620, end="\r\n"))
    repo.commit()
    result = check("--since", "base", cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert result.findings[0] == (
        "error MS101 MEMORY.md: index on disk grew from 25,500 to 25,620 bytes, hard cap 25,600 "
        "(base: the merge base with base)"
    )


@pytest.mark.parametrize(("after", "code"), [(205, 0), (210, 0), (211, 1)])
def test_an_index_that_is_a_symlink_is_compared_with_what_it_led_to(after: int, code: int, tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path, index(210))
    (repo.path / "MEMORY.md").rename(repo.path / "real.md")
    (repo.path / "MEMORY.md").symlink_to("real.md")
    repo.commit()
    repo.write("real.md", index(after))
    repo.git("add", "--all")
    results = [check(*w, cwd=repo.path, environment=repo.outside, unchanged=tmp_path) for w in (SINCE, STAGED)]
    assert [(row.code, row.findings[0].split()[1]) for row in results] == [(code, "MS101" if code else "MS102")] * 2


def test_a_partial_clone_judges_nothing_against_a_base_it_does_not_have(tmp_path: Path) -> None:
    repo = init(tmp_path / "origin", environment(tmp_path / "home"))
    vault(repo.path, index(210))
    repo.commit()
    repo.git("branch", "base")
    vault(repo.path, index(211))
    repo.commit()
    repo.git("config", "uploadpack.allowFilter", "true")
    partial = clone(repo.path, tmp_path / "proj", repo.outside, "--filter=blob:none")
    unread = "growth not verified: the merge base with origin/base could not be read"
    words = ("--since", "origin/base")
    assert check(*words, cwd=partial.path, environment=repo.outside, unchanged=tmp_path) == alone(
        "dedicated",
        "on disk 211 lines 2277 bytes",
        f"error MS102 MEMORY.md: index on disk is 211 lines, hard cap 200; {unread}",
        past_window("MEMORY.md", "index on disk", 201, 211),
    )._replace(code=1)
    assert check("--staged", *words, cwd=partial.path, environment=repo.outside, unchanged=tmp_path) == alone(
        "dedicated",
        "staged 211 lines 2277 bytes",
        f"error MS102 MEMORY.md: staged index is 211 lines, hard cap 200; {unread}",
        past_window("MEMORY.md", "staged index", 201, 211),
    )._replace(code=1)


def test_each_path_is_compared_in_its_own_repository(tmp_path: Path) -> None:
    places = []
    for name, after in (("a", 205), ("b", 211)):
        repo = init(tmp_path / name, environment(tmp_path / "home"))
        vault(repo.path, index(210))
        repo.commit()
        vault(repo.path, index(after))
        places.append(name)
    result = check(*places, *SINCE, cwd=tmp_path, environment=environment(tmp_path / "home"))
    assert [row.partition(", hard")[0] for row in result.findings if "MS104" not in row] == [
        "warning MS102 a/MEMORY.md: index on disk is 205 lines",
        "error MS101 b/MEMORY.md: index on disk grew from 210 to 211 lines",
    ]


# --- names

NAMES = [
    *(
        "it's",
        'say "hi"',
        "two\nlines",
        "cr\rx",
        "tab\tx",
        "m[1]",
        "*",
        "a?",
        "-n",
        "--all-files",
        "-",
        " lead",
        "trail ",
    ),
    *(
        "back\\slash",
        "trail\\ ",
        "!not",
        "#hash",
        "$(touch x)",
        "`id`",
        "a;b",
        "a&&b",
        "%s",
        "~",
        ":(top)",
        ":x",
        ":!x",
    ),
    *("プラン", "e\u0301", "\u202e", "\x1b[31m", "\x7f", "\udcff\udcfe", "\u2028", "x" * 200, ".hidden", "...", "a:b"),
]


def test_a_vault_may_have_any_name(tmp_path: Path) -> None:
    repo = project(tmp_path)
    for name in NAMES:
        vault(repo.path / name, notes=1)
    repo.commit()
    expected = sorted((code, name) for code in ("MS201", "MS202") for name in NAMES)
    for words in (DISK, SINCE, STAGED, ("--", *NAMES), ("--staged", "--", *NAMES)):
        document, ran = document_of(*words, cwd=repo.path, environment=repo.outside)
        assert sorted((row["code"], path_of(row)) for row in document["findings"]) == expected
        assert ran.code == 1
        named = {path_of(file) for row in document["findings"] for file in row["files"]}
        assert named == {f"{name}/{file}" for name in NAMES for file in ("MEMORY.md", "note-1.md")}


# --- an index that is no file


def test_an_index_behind_a_folder_that_is_no_longer_there(tmp_path: Path) -> None:
    repo = project(tmp_path)
    vault(repo.path / "v")
    repo.write("memstile.toml", '[[vault]]\npath = "v"\nmode = "shared"\n')
    repo.commit()
    shutil.rmtree(repo.path / "v")
    expected = seen(vaults=[f"v (shared): staged {SIZE}; not in this checkout; git index checked"])
    for words in (DISK, SINCE):
        assert check(*words, cwd=repo.path, environment=repo.outside, unchanged=tmp_path) == expected


KINDS: list[object] = [
    pytest.param(lambda place: place.mkdir(), "a folder", id="a folder"),
    pytest.param(os.mkfifo, "a FIFO", id="a FIFO"),
    pytest.param(lambda place: place.symlink_to("nowhere"), "a symlink to nothing", id="a symlink to nothing"),
    pytest.param(
        lambda place: place.symlink_to(place.name), "Too many levels of symbolic links", id="a symlink to itself"
    ),
    pytest.param(lambda place: place.symlink_to("/proc/self/mem"), "Input/output error", id="unreadable"),
    pytest.param(lambda place: place.symlink_to("/dev/zero"), "a device", id="a device"),
]


@pytest.mark.parametrize(("make", "why"), KINDS)
@pytest.mark.parametrize(
    "words", [DISK, ("v",), ("v/MEMORY.md",), SINCE], ids=["found", "given", "index given", "since"]
)
def test_an_index_that_is_no_file_is_never_clean(
    make: Callable[[Path], object], why: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    repo = project(tmp_path)
    (repo.path / "v").mkdir()
    (repo.path / "v/note.md").write_bytes(note("note"))
    make(repo.path / "v/MEMORY.md")
    repo.write(".gitignore", "/v/\n")
    repo.git("add", ".gitignore")
    if words == ("v/MEMORY.md",) and why == "a folder":
        words = ("v",)  # a folder that is given by name is one to look below
    result = check(*words, cwd=repo.path, environment=repo.outside, unchanged=tmp_path)
    assert (result.code, result.findings) == (
        1,
        [f"error MS106 v/MEMORY.md: index on disk cannot be measured: {why}"],
    )


# the given paths: what is said of those that hold no vault
GIVEN = {
    ("v", "empty"): ["no vault found below empty"],
    ("v/MEMORY.md", "empty", "other/"): ["no vault found below empty, other"],
    ("v", "link", "./v/"): [],
    ("in", "v"): [],
    (".", "v"): [],
}


@pytest.mark.parametrize(("words", "remarks"), GIVEN.items(), ids=[" ".join(words) for words in GIVEN])
def test_a_given_path_without_a_vault_is_named_among_others(
    words: tuple[str, ...], remarks: list[str], tmp_path: Path
) -> None:
    place = tmp_path / "plain"
    for name in ("v", "in/deep/v"):
        vault(place / name)
    for name in ("empty", "other"):
        (place / name).mkdir()
    (place / "link").symlink_to("v")
    told = check(*words, cwd=place, environment=environment(tmp_path / "home"))
    assert (told.code, told.remarks) == (0, remarks)


def test_without_a_path_a_configured_vault_elsewhere_is_enough(tmp_path: Path) -> None:
    vault(tmp_path / "elsewhere" / "v")
    (tmp_path / "plain").mkdir()
    outside = environment(tmp_path / "home")
    settings = tmp_path / "home" / ".config" / "memstile" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[[vault]]\npath = {str(tmp_path / 'elsewhere' / 'v')!r}\n")
    told = check(cwd=tmp_path / "plain", environment=outside)
    assert (told.code, told.remarks, len(told.vaults)) == (0, [], 1)
