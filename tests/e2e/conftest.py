"""The end-to-end tests run only where they are asked for by their folder: they need npm, and minutes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memstile.hook_spare import spare_place
from memstile.paths import state_folder
from tests.e2e.clients import CLIENTS, Client
from tests.e2e.drivers import DRIVERS
from tests.e2e.drivers.driver import Driver
from tests.e2e.npm import LIMIT_S, Missing, cache, installed
from tests.e2e.runs import RUN_LIMIT_S
from tests.e2e.site import Site, built

HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag for the clients that are not required."""
    parser.addoption("--all-clients", action="store_true", help="drive Gemini CLI, Copilot CLI and opencode too")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker of tests that are not for every client."""
    config.addinivalue_line("markers", "drivers(*names): drive these rows of DRIVERS only")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the folder out, unless the command line names it or a file in it."""
    named = [(config.invocation_params.dir / word.partition("::")[0]).resolve() for word in config.args]
    return None if any(path.is_relative_to(HERE) for path in named) else True


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Drive the required clients, and with --all-clients the others; not for a test that drives none."""
    if "driver" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("drivers")
    is_all = metafunc.config.getoption("--all-clients")
    rows = [
        (row, client)
        for row in DRIVERS
        for client in CLIENTS
        if client.name == row.client and (client.is_required or is_all) and (not marker or row.name in marker.args)
    ]
    metafunc.parametrize(("driver", "client"), rows, ids=[row.name for row, _ in rows])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test the time that an installation and two runs may take."""
    for item in items:
        item.add_marker(pytest.mark.timeout(LIMIT_S + 2 * RUN_LIMIT_S + 60))


@pytest.fixture
def programs(client: Client) -> Path:
    """The folder of the client's programs; skips a client that cannot be had."""
    try:
        return installed(client)
    except Missing as error:
        pytest.skip(str(error))


@pytest.fixture
def site(driver: Driver, programs: Path) -> Iterator[Site]:
    """The place of a run, with the client's settings in it and nothing of memstile's.

    It is not below the temporary folder: the sandboxes of clients let a hook write there, but not in a person's home.
    """
    with tempfile.TemporaryDirectory(dir=cache(), prefix=".run-", ignore_cleanup_errors=True) as root:
        place = built(Path(root))
        driver.prepare(place, programs)
        yield place
        kept = spare_place(state_folder(place.environment(programs)), "any")
        if kept:
            shutil.rmtree(Path(kept).parent)
