"""A person whose hosts are set up by the real `memstile init`, with stand-ins for the hosts' programs."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import memstile
from memstile.doctor_check import Group, State
from memstile.installing import Request, plan_install
from memstile.launcher import compile_package, place, script
from memstile.paths import state_folder
from memstile.standing import Standing
from tests.git_tools import Repo, init
from tests.hook_tools import install, person

PROGRAMS = ("claude", "codex", "dsh", "gemini", "copilot", "cursor-agent", "cline", "opencode", "windsurf")

# Speaks what Codex 0.171.0 was seen to say; LIST is a file with the answer to hooks/list, as it is at that time.
_CODEX = """\
#!{python}
import json, os, sys
if sys.argv[1:] == ["--version"]:
    print("codex-cli 0.171.0")
    sys.exit()
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({{"method": "remoteControl/status/changed", "params": {{"status": "disabled"}}}}))
    if asked["method"] == "initialize":
        result = {{"userAgent": "x/0.171.0", "codexHome": "/home/me/.codex"}}
    else:
        with open({listed!r}) as file:
            rows = json.load(file)
        result = {{"data": [{{"cwd": asked["params"]["cwds"][0], "errors": [], **rows}}]}}
    print(json.dumps({{"id": asked["id"], "result": result}}), flush=True)
"""


def compiled_package(folder: Path) -> Path:
    """Copy the package and compile it: the checkout may change under a test. Result: what holds the package."""
    source = Path(memstile.__file__).parent
    shutil.copytree(source, folder / "memstile", ignore=shutil.ignore_patterns("__pycache__"))
    assert compile_package(str(folder / "memstile"))
    return folder


def outside_path() -> str:
    """Give PATH without the folders that hold a real host."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(row for row in folders if not any(os.path.exists(f"{row}/{name}") for name in PROGRAMS))


class Person:
    """Somebody with a home, a project in git, and programs of hosts on PATH. package: a compiled copy of memstile."""

    def __init__(self, root: Path, package: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.bin = root / "bin"
        self.bin.mkdir()
        self.environment = {**person(self.home), "PATH": f"{self.bin}:{outside_path()}"}
        self.repo: Repo = init(root / "project", self.environment)
        self.project = self.repo.path
        self.package = package
        self.listed = root / "listed.json"

    @property
    def standing(self) -> Standing:
        return Standing(str(self.project), self.environment)

    @property
    def state(self) -> Path:
        return Path(state_folder(self.environment))

    @property
    def launcher(self) -> Path:
        return Path(place(str(self.state)))

    def program(self, name: str, version: str) -> None:
        """Put a program on PATH that tells a version."""
        install(self.bin, f"#!/bin/sh\necho '{version}'\n", [name])

    def bridge(self) -> None:
        """Put the bridge for Claude Code's hooks beside dsh."""
        folder = self.bin / "node_modules" / "@deepseek-ai" / "dsh-hooks-claude-code"
        self.write(folder / "package.json", '{"main": "lib/index.js"}')
        self.write(folder / "lib" / "index.js", "export {}\n")

    def codex(self, status: str = "trusted", **fields: object) -> None:
        """Put a Codex on PATH that lists what hooks.json holds."""
        install(self.bin, _CODEX.format(python=sys.executable, listed=str(self.listed)), ["codex"])
        path = self.home / ".codex" / "hooks.json"
        events = json.loads(path.read_text())["hooks"] if path.exists() else {}
        rows = [
            {
                "key": f"{path}:{event}:0:0",
                "eventName": event[0].lower() + event[1:],
                "command": hook["command"],
                "sourcePath": str(path),
                "source": "user",
                "enabled": True,
                "isManaged": False,
                "trustStatus": status,
                **fields,
            }
            for event, groups in events.items()
            for group in groups
            for hook in group["hooks"]
        ]
        self.listed.write_text(json.dumps({"hooks": rows, "warnings": []}))

    def set_up(self, host: str, **fields: object) -> None:
        """Run `memstile init`; its launcher starts the compiled copy."""
        asked = Request(host, is_forced=True)._replace(**fields)  # type: ignore[arg-type]
        for step in plan_install(asked, self.standing).steps:
            if not step.title.startswith("compile"):
                step.do()
        self.launcher.write_text(script(str(self.package)))

    def edit(self, path: Path, change: Callable[[Any], object]) -> None:
        """Change a JSON file."""
        value = json.loads(path.read_text())
        change(value)
        path.write_text(json.dumps(value, indent=2))

    def write(self, path: Path, text: str) -> None:
        """Write a file, and the folders it needs."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def config(self, text: str) -> None:
        """Write the user's settings."""
        self.write(self.home / ".config" / "memstile" / "config.toml", text)


def told(groups: list[Group]) -> list[str]:
    """Give each check that is not ok: "bad launcher: what was seen"."""
    rows = [check for group in groups for check in group.checks]
    return [f"{row.state.value} {row.name}: {row.seen}" for row in rows if row.state is not State.OK]


def names(groups: list[Group]) -> set[str]:
    """Give each check that is not ok, without what was seen: "bad launcher"."""
    return {line.partition(":")[0] for line in told(groups)}


def hooks_of(settings: Mapping[str, Any], event: str) -> list[dict[str, Any]]:
    """Give the hooks of an event in Claude Code's settings."""
    return [hook for group in settings["hooks"][event] for hook in group["hooks"]]
