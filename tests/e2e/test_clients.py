"""Real agent clients, each headless against a scripted model on loopback, with the hooks that memstile installs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.clients import Client
from tests.e2e.drivers.driver import FOREIGN, Driver
from tests.e2e.installation import approve, install, uninstall
from tests.e2e.runs import played
from tests.e2e.scenes import expected, guarded, outcomes, switched_off, unguarded, was_greeted
from tests.e2e.site import SETTINGS, Site


def test_the_cap_holds_at_the_tool_calls(driver: Driver, client: Client, programs: Path, site: Site) -> None:
    told = install(driver, site, programs)
    approve(driver, site, programs)
    scene = guarded(site)
    run = played(client, driver, programs, site, scene)
    assert outcomes(scene, run.asked) == expected(scene), (told, run.output)
    assert run.code == 0, run.output
    assert was_greeted(run.asked)
    assert site.settings.read_text() == SETTINGS
    assert (site.project / FOREIGN).exists()
    print(f"{driver.name} {client.version}: {run.seconds:.1f} s")


def test_uninstall_leaves_every_file_as_it_was(driver: Driver, programs: Path, site: Site) -> None:
    before = site.files()
    install(driver, site, programs)
    assert site.files() != before
    uninstall(driver, site, programs)
    assert site.files() == before


def test_without_memstile_the_same_write_lands(driver: Driver, client: Client, programs: Path, site: Site) -> None:
    scene = unguarded(site)
    run = played(client, driver, programs, site, scene)
    assert outcomes(scene, run.asked) == expected(scene), run.output


@pytest.mark.drivers("codex", "codex-code-mode")
def test_without_a_persons_trust_no_hook_runs(driver: Driver, client: Client, programs: Path, site: Site) -> None:
    install(driver, site, programs)
    scene = unguarded(site)
    run = played(client, driver, programs, site, scene)
    assert outcomes(scene, run.asked) == expected(scene), run.output


@pytest.mark.drivers("claude-code")
def test_a_shell_cannot_switch_the_hooks_off(driver: Driver, client: Client, programs: Path, site: Site) -> None:
    install(driver, site, programs)
    scene = switched_off(site, "cat off.json > .claude/settings.local.json", '{"disableAllHooks": true}')
    run = played(client, driver, programs, site, scene)
    assert outcomes(scene, run.asked) == expected(scene), run.output
    assert (site.project / ".claude/settings.local.json").exists()
