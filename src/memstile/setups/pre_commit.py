"""pre-commit: a hook in .pre-commit-config.yaml; comments and order stay."""

from __future__ import annotations

from functools import partial

from memstile.setups.setup import File, Unmergeable
from memstile.setups.yaml_edit import insert_lines, is_null, member, plain, quoted, root, sequence

NAME = ".pre-commit-config.yaml"
STAGES_KEY = "default_install_hook_types"
_STAGES = f"{STAGES_KEY}: [pre-commit, pre-merge-commit] # memstile: for a clean merge git runs only the second"


def config(path: str, address: str = "", revision: str = "") -> File:
    """Describe the configuration with our hook.

    address, revision: of the repository memstile was installed from; "" for a hook that runs the installed program.
    """
    lines = (f"from {address} at {revision}",) if address else ("runs `memstile` from PATH",)
    return File(path, partial(put, item=_item(address, revision)), take, lines)


def _item(address: str, revision: str) -> list[str]:
    if address:
        return [f"- repo: {quoted(address)}", f"  rev: {quoted(revision)}", "  hooks:", "    - id: memstile"]
    return [
        "- repo: local",
        "  hooks:",
        "    - id: memstile",
        "      name: memstile",
        "      entry: memstile check --staged",
        "      language: system",
        "      stages: [pre-commit, pre-merge-commit, manual]",
        "      pass_filenames: false",
        "      always_run: true",
        "      require_serial: true",
    ]


def put(text: str | None, item: list[str]) -> str:
    """Add our hook; a configuration that has it stays as it is. Raises Unmergeable."""
    text = text or ""
    node = root(text)
    if node is None:
        return insert_lines(text, len(text), [_STAGES, "repos:", *(f"  {line}" for line in item)])
    repos = member(node, "repos")
    if repos is None:
        raise Unmergeable("it has no list `repos`", "add one, then run this again")
    if "memstile" in _hook_ids(plain(repos)):
        return text
    if not repos.value:
        text = text[: repos.start_mark.index] + text[repos.end_mark.index :]
        at = text.find("\n", repos.start_mark.index)
        text = insert_lines(text, len(text) if at < 0 else at + 1, [f"  {line}" for line in item])
    else:
        found = sequence(text, repos)
        text = insert_lines(text, found.end, [found.indent + line for line in item])
    return text if member(node, STAGES_KEY) is not None else _with_stages(text)


def _with_stages(text: str) -> str:
    first = root(text)
    at = text.rfind("\n", 0, first.start_mark.index) + 1 if first is not None else 0
    return insert_lines(text, at, [_STAGES])


def take(text: str) -> str:
    """Take our hook out again. Raises Unmergeable."""
    repos = member(root(text), "repos")
    items = sequence(text, repos).items if repos is not None and repos.value and not is_null(repos) else ()
    for item in reversed(items):
        if _hook_ids([item.value]) == ["memstile"]:
            text = text[: item.start] + text[item.end :]
    if items and _is_empty(text):
        at = _after_key(text)
        text = f"{text[:at]} []{text[at:]}"  # nothing at all is no list, and pre-commit refuses it
    return "".join(line for line in text.splitlines(keepends=True) if line.rstrip("\r\n") != _STAGES)


def _after_key(text: str) -> int:
    rows = getattr(root(text), "value", [])
    return next(text.index(":", key.end_mark.index) + 1 for key, _ in rows if key.value == "repos")


def _is_empty(text: str) -> bool:
    repos = member(root(text), "repos")
    return repos is not None and plain(repos) == ""


def _hook_ids(repos: object) -> list[str]:
    """List the ids of the hooks of ours in a list of repositories."""
    rows = [row for row in repos if isinstance(row, dict)] if isinstance(repos, list) else []
    hooks = [hook for row in rows for hook in row.get("hooks") or () if isinstance(hook, dict)]
    return ["memstile" if str(hook.get("id")).startswith("memstile") else str(hook.get("id")) for hook in hooks]


def misses_merges(text: str) -> bool:
    """Tell whether a configuration keeps `pre-commit install` from writing the hook that merges run."""
    kinds = member(root(text), STAGES_KEY)
    return kinds is not None and "pre-merge-commit" not in (plain(kinds) or ())  # type: ignore[operator]
