"""Install memstile's hooks with the real `memstile init`, and take them out with `memstile uninstall`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import memstile
from tests.e2e.drivers.driver import Driver
from tests.e2e.site import Site


def install(driver: Driver, site: Site, programs: Path) -> str:
    """Run `memstile init`. Result: what it printed."""
    # Forced, since the package under test may lie in a temporary folder.
    return _memstile(site, programs, "init", driver.client, *_scope(driver), "--force")


def approve(driver: Driver, site: Site, programs: Path) -> None:
    """Do what is left to the person after `memstile init`."""
    if driver.approve:
        driver.approve(site, programs)


def uninstall(driver: Driver, site: Site, programs: Path) -> str:
    """Run `memstile uninstall`. Result: what it printed."""
    return _memstile(site, programs, "uninstall", driver.client, *_scope(driver))


def _scope(driver: Driver) -> list[str]:
    return ["--project" if driver.is_project else "--user"]


def _memstile(site: Site, programs: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "memstile", *words],
        cwd=site.project,
        env={**site.environment(programs), "PYTHONPATH": str(Path(memstile.__file__).parent.parent)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    told = done.stdout.decode(errors="replace")
    assert done.returncode == 0, (words, told)
    return told
