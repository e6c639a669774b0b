"""One file a client; DRIVERS has all ways in which clients are driven."""

from tests.e2e.drivers import claude_code, codex, copilot, dsh, gemini, opencode

DRIVERS = (
    *claude_code.DRIVERS,
    *codex.DRIVERS,
    *dsh.DRIVERS,
    *gemini.DRIVERS,
    *copilot.DRIVERS,
    *opencode.DRIVERS,
)
