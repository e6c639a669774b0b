"""reach.py: which vaults `memstile fix` changes, and which only where they are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fix_tools import Project, project
from tests.git_tools import init
from tests.run_tools import digest
from tests.vault_tools import vault

OUTSIDE = "it lies outside this project, and only the project's own settings name it"
WHOLE = "it is the whole work tree"


@pytest.fixture
def made(tmp_path: Path) -> Project:
    """A project, and beside it another one with a folder of sources that are tracked."""
    other = init(tmp_path / "other", project(tmp_path).repo.outside)
    other.write("src/main.py", "")
    other.write("src/deep/memory/n.md", "")
    other.commit()
    return Project(tmp_path, other._replace(path=tmp_path / "proj"))


def settings(*paths: str) -> str:
    return "".join(f'[[vault]]\npath = "{path}"\nmode = "ignored"\n' for path in paths)


def left(path: str, why: str) -> str:
    return (
        f"{path}: left alone, since {why}\n"
        f"  hint: if git is to forget all of it, name it\n"
        f"    $ memstile fix -- {path}\n"
    )


LEFT_ALONE = [
    pytest.param("../other/src", "../other/src", OUTSIDE, id="beside it"),
    pytest.param("../other/*/deep", "../other/src/deep", OUTSIDE, id="by a star"),
    pytest.param("link", "link", OUTSIDE, id="by a link"),
    pytest.param("whole", "whole", WHOLE, id="another work tree, by a link"),
    pytest.param(".", ".", WHOLE, id="the project itself"),
    pytest.param("sub/..", ".", WHOLE, id="the project itself, by another spelling"),
    pytest.param("self", "self", WHOLE, id="the project itself, by a link"),
]


@pytest.mark.parametrize(("path", "shown", "why"), LEFT_ALONE)
def test_what_only_a_clone_names_is_left_alone(path: str, shown: str, why: str, made: Project, tmp_path: Path) -> None:
    for name, target in {"link": "../other/src", "whole": "../other", "self": "../proj"}.items():
        (made.repo.path / name).symlink_to(target)
    made.repo.write(".gitignore", "/link\n/whole\n/self\n")
    made.repo.write("memstile.toml", settings(path))
    before = digest(tmp_path)
    ran = made.memstile("fix", "--yes")
    assert (ran.code, left(shown, why) in ran.out.decode(), digest(tmp_path) == before) == (1, True, True)


@pytest.mark.parametrize("path", ["../other/src", "."])
def test_what_the_command_line_names_is_changed(path: str, made: Project) -> None:
    made.repo.write("memstile.toml", settings(path))
    ran = made.memstile("fix", "--yes", "--", path)
    assert (ran.code, "left alone" in ran.out.decode()) == (0, False)


def test_a_folder_that_the_person_names_too_is_changed(made: Project, tmp_path: Path) -> None:
    place = tmp_path / "home/.config/memstile/config.toml"
    place.parent.mkdir(parents=True)
    place.write_text(settings(str(tmp_path / "other/src")))
    made.repo.write("memstile.toml", settings("../other/src"))
    ran = made.memstile("fix", "--yes")
    assert (ran.code, "left alone" in ran.out.decode()) == (0, False)


def test_what_may_be_changed_is_changed_beside_what_is_left_alone(made: Project) -> None:
    vault(made.repo.path / "m")
    made.repo.write("memstile.toml", settings("m", "../other/src"))
    ran = made.memstile("fix", "--yes")
    assert (ran.code, made.ignore_files()[".gitignore"]) == (1, b"*.log\n/m/\n")
    assert left("../other/src", OUTSIDE) in ran.out.decode()


def test_an_outer_repository_is_changed_for_a_vault_inside_the_project(made: Project) -> None:
    inner = init(made.repo.path / "inner", made.repo.outside)
    inner.write("memstile.toml", settings("m"))
    vault(inner.path / "m")
    made.repo.git("add", "--force", "inner/m/MEMORY.md", accept=(0, 1, 128))
    ran = Project(made.root, inner).memstile("fix", "--yes")
    assert (ran.code, "left alone" in ran.out.decode()) == (0, False)


def test_a_folder_outside_that_needs_no_change_is_not_spoken_of(made: Project) -> None:
    made.repo.write("memstile.toml", settings("../other/gone"))
    made.repo._replace(path=made.root / "other").write(".gitignore", "/gone/\n")
    ran = made.memstile("fix", "--yes")
    assert (ran.code, "left alone" in ran.out.decode()) == (0, False)
