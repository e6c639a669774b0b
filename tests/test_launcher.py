"""The launcher finds the package, answers when it is gone, and is not made for an interpreter that will vanish."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import memstile
from memstile.errors import GuardError
from memstile.launcher import (
    compile_package,
    interpreter,
    is_compiled,
    opening,
    package_folder,
    passing,
    place,
    require_answer,
    require_lasting,
    script,
)

SOURCE = str(Path(memstile.__file__).parent.parent)


def launcher(state: Path, package: str = SOURCE) -> list[str]:
    path = Path(place(str(state)))
    path.parent.mkdir(parents=True)
    path.write_text(script(package))
    return [interpreter(), *opening(str(path))]


def run(words: list[str], payload: object) -> tuple[int, str, str]:
    done = subprocess.run(words, input=json.dumps(payload), capture_output=True, text=True, check=False, cwd="/")
    return done.returncode, done.stdout, done.stderr


def test_it_starts_the_hook(tmp_path: Path) -> None:
    words = launcher(tmp_path / "state")
    require_answer(words)
    index = tmp_path / "MEMORY.md"
    payload = {
        "hook_event_name": "PreToolUse",
        "cwd": str(tmp_path),
        "tool_name": "Write",
        "tool_input": {"file_path": str(index), "content": "- x\n" * 201},
    }
    code, out, err = run(
        [*words, "claude-code", "--config", str(tmp_path / "none"), "--state", str(tmp_path / "s")], payload
    )
    assert (code, json.loads(out)["hookSpecificOutput"]["permissionDecision"], err) == (0, "deny", "")


GONE = [
    (["codex"], 0, "", "; the call was let through\n"),
    (["codex", "--on-error", "open"], 0, "", "; the call was let through\n"),
    (["codex", "--on-error", "closed"], 2, "", " again\n"),
    (["codex", "--on-error=closed"], 2, "", " again\n"),
    (["cline", "--on-error", "closed"], 0, '{"cancel": true', ""),
]


@pytest.mark.parametrize(("words", "code", "out", "err"), GONE)
def test_without_the_package_it_answers_as_the_failure_policy_says(
    words: list[str], code: int, out: str, err: str, tmp_path: Path
) -> None:
    ran = run([*launcher(tmp_path, str(tmp_path / "nowhere")), *words], {})
    assert (ran[0], ran[1].startswith(out) and bool(ran[1]) == bool(out), ran[2][-len(err) :] if err else ran[2]) == (
        code,
        True,
        err,
    )
    assert ran[2].count("\n") == (1 if err else 0)


LOST = [
    pytest.param(lambda path: path.unlink(), "FileNotFoundError", id="its file"),
    pytest.param(lambda path: shutil.rmtree(path.parent.parent), "FileNotFoundError", id="the state folder"),
    pytest.param(lambda path: path.write_text("("), "SyntaxError", id="half of it"),
]


@pytest.mark.parametrize(("lose", "what"), LOST)
@pytest.mark.parametrize(("policy", "code"), [([], 0), (["--on-error", "open"], 0), (["--on-error", "closed"], 2)])
def test_without_the_launcher_too(
    lose: Callable[[Path], object], what: str, policy: list[str], code: int, tmp_path: Path
) -> None:
    words = launcher(tmp_path / "state")
    lose(Path(place(str(tmp_path / "state"))))
    ran = run([*words, "codex", "--state", "/closed", *policy], {})
    assert ran == (code, "", f"memstile: {what} in its launcher; run memstile init again\n")


def test_how_the_launcher_is_opened_is_one_line_that_a_shell_and_json_leave_as_it_is() -> None:
    code = opening("/s")[-2]
    assert (code.isprintable(), [sign for sign in "'`$\\!%" if sign in code]) == (True, [])


def test_a_launcher_that_does_not_answer_is_told(tmp_path: Path) -> None:
    with pytest.raises(GuardError, match="the launcher does not answer"):
        require_answer(launcher(tmp_path, str(tmp_path / "nowhere")))
    with pytest.raises(GuardError, match="No such file"):
        require_answer([str(tmp_path / "python")])


PATHS = [
    ("/usr/bin/python3", ""),
    ("/home/me/.local/share/uv/tools/memstile/bin/python", ""),
    ("/home/me/.local/share/pipx/venvs/memstile/bin/python", ""),
    ("/home/me/.cache/uv/archive-v0/Ab/bin/python", "uv's cache, as uvx uses it"),
    ("/home/me/.cache/uv/environments-v2/x/bin/python", "uv's cache"),
    ("/opt/uv/archive-v0/Ab/bin/python", "uv's cache, as uvx uses it"),
    ("/home/me/.local/pipx/.cache/ab/bin/python", "pipx's cache, as `pipx run` uses it"),
    ("/home/me/.cache/pre-commit/repo1/py_env-python3/bin/python", "pre-commit's cache"),
    ("/var/x/pip-build-env-1/overlay/bin/python", "an environment that pip builds in"),
    ("/private/var/folders/ve/bin/python", "a folder for temporary files"),
    ("/private/tmpx/python", ""),
    ("/scratch/python", "a folder for temporary files"),
    ("/uvx/python", "uv's cache, as uvx uses it"),
]


@pytest.mark.parametrize(("path", "why"), PATHS)
def test_a_place_that_will_vanish_is_known(path: str, why: str) -> None:
    assert passing(path, {"TMPDIR": "/scratch", "UV_CACHE_DIR": "/uvx"}) == why


def test_a_link_to_a_place_that_will_vanish_is_seen_through(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "link").symlink_to("cache")
    path = str(tmp_path / "link" / "python")
    with pytest.raises(GuardError, match="will not last"):
        require_lasting([path], {"UV_CACHE_DIR": str(tmp_path / "cache")})


def test_below_a_virtual_environment_the_interpreter_is_pinned() -> None:
    assert interpreter() == getattr(sys, "_base_executable", sys.executable)
    assert Path(interpreter()).is_file()


def test_a_package_is_compiled_once(tmp_path: Path) -> None:
    module = tmp_path / "p" / "m.py"
    module.parent.mkdir()
    module.write_text("x = 1\n")
    assert not is_compiled(str(module.parent))
    assert compile_package(str(module.parent))
    assert is_compiled(str(module.parent))
    module.write_text("x = 12\n")
    assert not is_compiled(str(module.parent))


def test_the_package_is_the_one_that_runs() -> None:
    assert package_folder() == str(Path(memstile.__file__).parent)
