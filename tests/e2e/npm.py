"""Install the clients with npm, outside of the clone: a folder a version in $XDG_CACHE_HOME/memstile-e2e.

`python -m tests.e2e.npm [--all]` installs what is missing, and tells of each client in a line.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.clients import CLIENTS, Client

LIMIT_S = 600.0

_ARCHITECTURES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_PLATFORM = f"{sys.platform}-{_ARCHITECTURES.get(platform.machine().lower(), 'unknown')}"
_TARGET = f"{platform.machine().lower()}-" + {"linux": "unknown-linux-musl", "darwin": "apple-darwin"}.get(
    sys.platform, "unknown"
)
_PROGRAMS = "programs"

# No install scripts: they load programs from places that are no registry, and a package of the platform has the same.
# No peers by themselves: `clients.py` names those that are needed.
_WORDS = ("install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--no-package-lock")


class Missing(Exception):
    """A client that cannot be had on this machine; the text is one line."""


def installed(client: Client) -> Path:
    """Give the folder that holds a client's programs, to be put on PATH; install it where it is not. Raises Missing."""
    folder = cache() / f"{client.name}-{client.version}"
    wanted = _manifest(client)
    manifest = folder / "package.json"
    if not manifest.is_file() or manifest.read_text() != wanted:
        _install(client, folder, wanted)
    program = folder / _PROGRAMS / next(iter(client.programs))
    if not os.access(program, os.X_OK):
        raise _missing(client, f"its packages have no program for {_PLATFORM}")
    return program.parent


def cache() -> Path:
    """Give the folder that is kept between runs."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memstile-e2e"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _here(text: str) -> str:
    return text.format(platform=_PLATFORM, target=_TARGET)


def _missing(client: Client, why: str) -> Missing:
    return Missing(f"{client.title} {client.version} is not driven: {why}")


def _manifest(client: Client) -> str:
    packages = {_here(name): version for name, version in client.packages.items()}
    document = {
        "private": True,
        "dependencies": packages,
        "overrides": dict(client.overrides),
        _PROGRAMS: {name: _here(path) for name, path in client.programs.items()},
    }
    return json.dumps(document, indent=1) + "\n"


def _install(client: Client, folder: Path, wanted: str) -> None:
    """Let npm install into a folder of its own, which takes its place when it is whole."""
    npm = shutil.which("npm")
    if npm is None:
        raise _missing(client, "there is no npm")
    made = Path(tempfile.mkdtemp(prefix=f".{client.name}-", dir=folder.parent))
    try:
        (made / "package.json").write_text(wanted)
        done = subprocess.run(
            [npm, *_WORDS], cwd=made, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=False
        )
        if done.returncode:
            raise _missing(client, f"npm ended with {done.returncode} ({_codes(done.stderr)})")
        (made / _PROGRAMS).mkdir()
        for name, path in client.programs.items():
            (made / _PROGRAMS / name).symlink_to(Path("..", _here(path)))
        shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(OSError):  # another run was there first
            made.rename(folder)
    except subprocess.TimeoutExpired:
        raise _missing(client, f"npm took more than {LIMIT_S:.0f} s") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _codes(output: bytes) -> str:
    """Give the error codes that npm names, without the addresses around them."""
    words = output.decode(errors="replace").split()
    return " ".join(dict.fromkeys(word for word in words if len(word) > 2 and word[0] == "E" and word.isupper()))


def main() -> int:
    """Install the clients. Result: 0; what is missing is told, and skipped by the tests."""
    for client in CLIENTS:
        if client.is_required or "--all" in sys.argv[1:]:
            began = time.monotonic()
            try:
                installed(client)
                print(f"{client.title} {client.version}: ready after {time.monotonic() - began:.0f} s", flush=True)
            except Missing as error:
                print(error, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
