"""`memstile fix` where standard input is closed: nobody can be asked, and that is said."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from tests.git_tools import environment, init
from tests.vault_tools import index, vault


def test_with_standard_input_closed_there_is_no_terminal_to_ask_on(tmp_path: Path) -> None:
    repo = init(tmp_path / "proj", environment(tmp_path / "home"))
    vault(repo.path / ".mem", index(2))
    repo.commit()
    words = f"{shlex.quote(sys.executable)} -m memstile fix <&-"
    source = str(Path(__file__).resolve().parent.parent / "src")
    ran = subprocess.run(
        ["bash", "--norc", "-c", words],
        cwd=repo.path,
        env={**repo.outside, "PYTHONPATH": source},
        capture_output=True,
        check=False,
    )
    is_said = b"nothing was changed: there is no terminal to ask on" in ran.stderr
    assert (ran.returncode, is_said, (repo.path / ".gitignore").exists()) == (2, True, False), ran.stderr
