"""`memstile mcp`."""

from __future__ import annotations

import click

from memstile.cli.terminal import standing
from memstile.config import NO_SUCH_FILE, Loaded, load
from memstile.errors import GuardError


@click.command("mcp", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--config", metavar="FILE", help="The user's settings file, where it is not at its usual place.")
def command(config: str | None) -> None:
    """Serve the control of the turn gate over MCP, on standard input and output; an agent's host starts it.

    Its tool `classify` declares a turn simple or complex, `status` tells the settings. It keeps no state: the host's
    hooks count what is declared. The host has to know it by the name memstile.

    \b
    Exit codes: 0 standard input ended, 2 usage, or the MCP SDK is missing.
    """
    try:
        from memstile.mcp_server import serve
    except ImportError as error:
        if (error.name or "").startswith("memstile"):
            raise
        raise GuardError("the MCP SDK (mcp 2) is not installed", "pip install 'memstile[mcp]'") from error
    here = standing()

    def settled() -> Loaded:
        # As the hooks read them: they are what the answers speak of. A file that `init` named need not be there yet.
        loaded = load(here.cwd, environment=here.environment, flags={}, config=config, is_hook=True)
        told = (fault for fault in loaded.faults if fault.key or fault.message != NO_SUCH_FILE)
        return loaded._replace(faults=tuple(told))

    serve(settled)
