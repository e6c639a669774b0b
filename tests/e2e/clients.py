"""The agent clients that the end-to-end tests drive, with pinned versions, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

_NODE = ("node-{platform}", "24.22.3")
_NODE_PROGRAM = "node_modules/node-{platform}/bin/node"


class Client(NamedTuple):
    """One client. name: of the host, as memstile calls it. packages: npm package to its version.

    programs: name on PATH to the file below the installation; the first is the client itself. overrides: versions for
    packages that others ask for. is_required: a run without `--all-clients` drives it too.
    "{platform}" and "{target}" stand for what this machine is called by npm and by Rust.
    """

    name: str
    title: str
    version: str
    packages: Mapping[str, str]
    programs: Mapping[str, str]
    overrides: Mapping[str, str] = {}
    is_required: bool = False


_DSH = "0.1.0-rc.8"
_DSH_PEERS = (
    "anonymous-user-id", "atomic-write", "bash-local", "code-runtime", "compaction", "fs", "invariants",
    "output-retention", "sandbox", "scope", "session-telemetry", "session-title-llm", "shell", "spill",
    "subagent-in-process-driver", "timeout", "workflow",
)  # fmt: skip
"""What dsh's packages expect beside them. Named here, npm installs in 70 s; left to work it out, it was not through
after 7 minutes."""

# Of the machine's program, not of a script: their install scripts fetch it, or link it where it is looked for.
CLIENTS = (
    Client(
        "claude-code",
        "Claude Code",
        "2.1.332",
        {"@anthropic-ai/claude-code": "2.1.332"},
        {"claude": "node_modules/@anthropic-ai/claude-code-{platform}/claude"},
        is_required=True,
    ),
    Client(
        "codex",
        "Codex",
        "0.171.0",
        {"@openai/codex": "0.171.0"},
        {"codex": "node_modules/@openai/codex-{platform}/vendor/{target}/bin/codex"},
        is_required=True,
    ),
    Client(
        "dsh",
        "DeepSeek Harness",
        _DSH,
        {
            "@deepseek-ai/dsh": _DSH,
            **{f"@deepseek-ai/dsh-{name}": _DSH for name in _DSH_PEERS},
            "@deepseek-ai/cordis-plugin-group": "1.0.1",
            # The newest that are published. They are older than dsh, which loads them all the same; not so the bridge
            # for Codex hooks, 0.0.1-rc.1: dsh 0.1.0-rc.8 does not start with it ("waiting for service: bash").
            "@deepseek-ai/dsh-hooks-claude-code": "0.0.1-rc.5",
            "@deepseek-ai/dsh-hook-protocol": "0.0.1-rc.1",
            _NODE[0]: _NODE[1],
        },
        {"dsh": "node_modules/@deepseek-ai/dsh/lib/bin.js", "node": _NODE_PROGRAM},
        # With their newest releases dsh stops: "user patch-layer watching requires the Cordis HMR service".
        {
            "@deepseek-ai/cordis": "4.0.1",
            "@deepseek-ai/cordis-plugin-loader": "1.0.2",
            "@deepseek-ai/cordis-plugin-include": "1.0.6",
            "@deepseek-ai/cordis-plugin-hmr": "1.0.16",
            "@deepseek-ai/cordis-plugin-timer": "1.1.3",
        },
        is_required=True,
    ),
    Client(
        "gemini",
        "Gemini CLI",
        "0.61.0",
        {"@google/gemini-cli": "0.61.0", _NODE[0]: _NODE[1]},
        {"gemini": "node_modules/@google/gemini-cli/bundle/gemini.js", "node": _NODE_PROGRAM},
    ),
    Client(
        "copilot",
        "Copilot CLI",
        "1.0.102",
        {"@github/copilot": "1.0.102"},
        {"copilot": "node_modules/@github/copilot-{platform}/copilot"},
    ),
    Client(
        "opencode",
        "opencode",
        "1.18.33",
        {"opencode-ai": "1.18.33"},
        {"opencode": "node_modules/opencode-{platform}/bin/opencode"},
    ),
)
