"""The turn gate in real clients, with the real basic-memory: one session, two turns, enforced and audited."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memstile.core.gate_words import DENIALS
from memstile.core.log_row import Row, read
from memstile.hook_spare import spare_place
from memstile.paths import state_folder
from memstile.settings_places import user_file
from memstile.store import store_place
from tests.e2e.basic_memory import Server, installed, server
from tests.e2e.clients import Client
from tests.e2e.drivers.driver import Driver
from tests.e2e.gate_drivers import GATED
from tests.e2e.gate_scenes import Beat, expected, outcomes, reasons, script, turns
from tests.e2e.installation import approve, install
from tests.e2e.npm import Missing
from tests.e2e.runs import Played, scripted
from tests.e2e.site import Site

pytestmark = pytest.mark.drivers(*GATED)


@pytest.fixture
def memory(driver: Driver, programs: Path, site: Site) -> Server:
    """The memory server, mounted in the client; skips one that cannot be had."""
    try:
        python = installed()
    except Missing as error:
        pytest.skip(str(error))
    memory = server(python, site.home.parent)
    GATED[driver.name].mount(site, programs, memory)
    return memory


def has_server() -> bool:
    """Tell whether a host could start memstile's MCP server: the SDK is there, and memstile without PYTHONPATH."""
    asked = [sys.executable, "-P", "-c", "import mcp, memstile"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return not subprocess.run(asked, cwd="/", env=environment, capture_output=True, check=False).returncode


@pytest.mark.parametrize("has_tool", [False, True], ids=["by a shell", "by a tool"])
def test_a_write_waits_for_what_its_turn_lacks(
    has_tool: bool, driver: Driver, client: Client, programs: Path, site: Site, memory: Server
) -> None:
    if has_tool and not has_server():
        pytest.skip("memstile is not installed in this Python, with memstile[mcp]: no host can start its server")
    scene = turns(tells_batches=GATED[driver.name].tells_batches, has_tool=has_tool)
    run = played(scene, "enforce", driver, client, programs, site, memory)
    assert outcomes(scene, run.asked) == expected(scene, is_enforced=True), run.output
    assert run.code == 0, run.output
    print(f"{driver.name} {client.version}, enforce: {run.seconds:.1f} s")


def test_audit_lets_all_through_and_records_it(
    driver: Driver, client: Client, programs: Path, site: Site, memory: Server
) -> None:
    scene = turns(tells_batches=GATED[driver.name].tells_batches)
    run = played(scene, "audit", driver, client, programs, site, memory)
    assert outcomes(scene, run.asked) == expected(scene, is_enforced=False), run.output
    assert recorded(site, programs) == [(reason, reason in DENIALS) for reason in reasons(scene)]
    print(f"{driver.name} {client.version}, audit: {run.seconds:.1f} s")


def test_without_memstile_all_writes_land(
    driver: Driver, client: Client, programs: Path, site: Site, memory: Server
) -> None:
    scene = turns(tells_batches=False)
    run = driven(scene, driver, client, programs, site, memory)
    assert outcomes(scene, run.asked) == expected(scene, is_enforced=False), run.output


def played(
    scene: list[list[Beat]], mode: str, driver: Driver, client: Client, programs: Path, site: Site, memory: Server
) -> Played:
    """Play the scene with memstile's hooks. mode: of the gate, in the person's settings."""
    settings = Path(user_file(site.environment(programs)))
    site.write(settings, f'[gate]\nmode = "{mode}"\n')
    install(driver, site, programs)
    approve(driver, site, programs)
    return driven(scene, driver, client, programs, site, memory)


def driven(
    scene: list[list[Beat]], driver: Driver, client: Client, programs: Path, site: Site, memory: Server
) -> Played:
    """Play the scene: one process a turn, or one for both."""
    gated = GATED[driver.name]
    lines = [driver.words, *([gated.again] if gated.again else [])]
    waiting = driver._replace(environment=lambda site, url: {**driver.environment(site, url), **gated.environment})
    answers = script(scene, driver, gated)
    return scripted(client, waiting, programs, site, answers, lambda: "\n".join(memory.titles()).encode(), lines)


def recorded(site: Site, programs: Path) -> list[tuple[str, bool]]:
    """Read what the decision log has about writes, in order: the reason code, and whether audit let it pass."""
    state = state_folder(site.environment(programs))
    spare = spare_place(state, "any")
    places = [store_place(folder) for folder in (state, *([str(Path(spare).parent)] if spare else []))]
    rows = [row for place in places if Path(place).exists() for row in _rows(place)]
    return [(row.reason_code, row.audit_override) for row in rows if row.kind == "write" and row.reason_code]


def _rows(place: str) -> list[Row]:
    with contextlib.closing(sqlite3.connect(place)) as connection:
        texts = [text for (text,) in connection.execute("SELECT text FROM log ORDER BY id")]
    return [row for text in texts if (row := read(text))]
