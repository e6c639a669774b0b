"""hook.py: its own deadline is met before a host's, and what leaves then is the failure policy's answer."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent_tools import LAUNCHER

pytestmark = pytest.mark.slow

LATE = "POLICY_INTERNAL_ERROR: memstile could not judge this event (it took too long)"


def blocked() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})


@pytest.mark.parametrize("policy", ["open", "closed"])
def test_a_host_that_never_closes_stdin_gets_an_answer(policy: str, tmp_path: Path) -> None:
    """The alarm comes through where the parent has blocked it, as some do."""
    command = [sys.executable, "-I", "-S", "-c", LAUNCHER, "claude-code", "--on-error", policy]
    options = ["--config", str(tmp_path / "none"), "--state", str(tmp_path / "state")]
    with subprocess.Popen(
        [*command, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=blocked,
        env={"HOME": str(tmp_path)},
    ) as process:
        code = process.wait(timeout=9)
        assert process.stderr is not None
        assert LATE in process.stderr.read().decode()
    assert code == (2 if policy == "closed" else 0)
