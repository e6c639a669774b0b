"""What is shipped: the wheel, the source distribution, and what they say of themselves."""

from __future__ import annotations

import email
import importlib
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from memstile import __version__
from tests.git_tools import Repo
from tests.hook_tools import ROOT, Ran, person, run
from tests.vault_tools import vault

# The build backend alone: pip around it would make an environment and ask the package index.
BUILD = "import hatchling.build, sys; print(getattr(hatchling.build, sys.argv[1])(sys.argv[2]))"

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def built(source: Path, kind: str, target: Path) -> Path:
    """Build a distribution from a source tree. kind: build_wheel or build_sdist."""
    words = [sys.executable, "-c", BUILD, kind, str(target)]
    done = subprocess.run(words, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, "build_wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, "build_sdist", tmp_path_factory.mktemp("sdist"))


def files(wheel: Path) -> dict[str, bytes]:
    """Read a wheel: name to content."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sources() -> dict[str, bytes]:
    """Read the package as it lies in the source tree."""
    package = ROOT / "src"
    names = [path.relative_to(package) for path in package.rglob("*") if path.is_file()]
    ours = [name for name in names if not any(part.startswith((".", "__pycache__")) for part in name.parts)]
    return {name.as_posix(): (package / name).read_bytes() for name in ours}


def examples() -> dict[str, bytes]:
    """Give the examples that `memstile init` copies, by their place in the wheel."""
    names = ("github-actions/memstile.yml", "hosts/opencode-memstile.js")
    return {f"memstile/examples/{Path(name).name}": (ROOT / "examples" / name).read_bytes() for name in names}


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel: Path) -> None:
    shipped = {name: data for name, data in files(wheel).items() if ".dist-info/" not in name}
    assert shipped == {**sources(), **examples()}


def test_the_wheel_holds_what_is_read_at_run_time(wheel: Path) -> None:
    data = {name for name in files(wheel) if not name.endswith(".py") and ".dist-info/" not in name}
    assert data == {
        "memstile/py.typed",
        "memstile/builtin_settings.toml",
        "memstile/settings.schema.json",
        "memstile/report/report.schema.json",
        *examples(),
    }


def test_the_wheel_says_of_itself(wheel: Path) -> None:
    shipped = files(wheel)
    info = f"memstile-{__version__}.dist-info"
    metadata = email.message_from_bytes(shipped[f"{info}/METADATA"])
    told = {name: metadata.get_all(name) for name in ("Name", "Version", "License-Expression", "Requires-Python")}
    assert told == {
        "Name": ["memstile"],
        "Version": [__version__],
        "License-Expression": ["MIT"],
        "Requires-Python": [">=3.11"],
    }
    assert metadata.get_all("Provides-Extra") == ["dev", "mcp", "test"]
    assert shipped[f"{info}/licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
    assert metadata.get_payload() == (ROOT / "README.md").read_text()


def test_what_everybody_installs_is_this_alone(wheel: Path) -> None:
    metadata = email.message_from_bytes(files(wheel)[f"memstile-{__version__}.dist-info/METADATA"])
    always = [row for row in metadata.get_all("Requires-Dist", []) if "extra ==" not in row]
    assert sorted(row.split(">=")[0] for row in always) == ["click", "pathspec", "pyyaml", "watchdog"]


def test_each_console_script_leads_to_a_function(wheel: Path) -> None:
    text = files(wheel)[f"memstile-{__version__}.dist-info/entry_points.txt"].decode()
    assert text.split("\n") == [
        "[console_scripts]",
        "memstile = memstile.cli.main:main",
        "memstile-hook = memstile.hook:main",
        "",
    ]
    for script in PROJECT["scripts"].values():
        module, _, function = script.partition(":")
        assert callable(getattr(importlib.import_module(module), function))


def test_the_source_distribution_holds_what_its_tests_need(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {
        *("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "pyproject.toml"),
        *(".pre-commit-hooks.yaml", ".pre-commit-config.yaml", ".ci/run"),
        *("examples/git-hook/pre-commit", "tests/test_package.py", "src/memstile/py.typed"),
    }
    assert wanted - names == set()


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    again = built(tmp_path / f"memstile-{__version__}", "build_wheel", tmp_path)
    assert files(again) == files(wheel)


def test_the_wheel_alone_checks_a_vault(wheel: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(wheel, tmp_path / "unpacked", "zip")
    here = Repo(vault(tmp_path / "vault"), {**person(tmp_path / "home"), "PYTHONPATH": str(tmp_path / "unpacked")})
    assert run(here, sys.executable, "-m", "memstile", "--version") == Ran(0, f"memstile {__version__}\n")
    assert run(here, sys.executable, "-m", "memstile", "check").code == 0
