"""Prove a commit hook: a copy of it runs in a repository that is thrown away, on a commit that has to be refused.

Of a configuration of pre-commit only our own hook runs there. Where pre-commit would have to fetch something for it,
it is not run.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

from memstile.core.text import shown
from memstile.doctor_canary import planted
from memstile.doctor_check import Check, bad, off, ok, unknown
from memstile.doctor_payloads import Canary
from memstile.doctor_process import Ran, run
from memstile.hook_settings import Source, settings_of
from memstile.setups.pre_commit import NAME as CONFIG
from memstile.setups.setup import Unmergeable
from memstile.setups.yaml_edit import member, plain, root, sequence
from memstile.standing import Standing

_LIMIT_S = 60.0
_GIT = ("-c", "user.name=memstile", "-c", "user.email=memstile@localhost", "-c", "commit.gpgSign=false")


class Ours(NamedTuple):
    """Our part of a configuration of pre-commit.

    text: a configuration with our repositories alone; others: ids of hooks of others in them; sources: (address,
    revision) of those that pre-commit fetches.
    """

    text: str
    others: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()


def ours(text: str) -> Ours:
    """Pick our part of a configuration. Raises Unmergeable where it cannot be taken apart."""
    repos = member(root(text), "repos")
    items = sequence(text, repos).items if repos is not None else ()
    parts, others, sources = [], [], []
    for item in items:
        row = item.value if isinstance(item.value, dict) else {}
        ids = [str(hook.get("id")) for hook in row.get("hooks") or () if isinstance(hook, dict)]
        if any(name.startswith("memstile") for name in ids):
            parts.append(text[item.start : item.end].rstrip("\n") + "\n")
            others += [name for name in ids if not name.startswith("memstile")]
            if row.get("repo") != "local":
                sources.append((str(row.get("repo")), str(row.get("rev"))))
    return Ours("repos:\n" + "".join(parts), tuple(others), tuple(sources))


def is_ours(text: str) -> bool:
    """Tell whether a configuration of pre-commit has a hook of ours. Raises Unmergeable."""
    repos = member(root(text), "repos")
    rows = plain(repos) if repos is not None else []
    listed = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    hooks = [hook for row in listed for hook in row.get("hooks") or () if isinstance(hook, dict)]
    return any(str(hook.get("id")).startswith("memstile") for hook in hooks)


def prove(name: str, path: str, config: str, standing: Standing) -> Check:
    """Try a hook. path: of the hook; config: text of pre-commit's configuration, "" for a hook that needs none."""
    tried = f"run {name} on a commit that has to be refused"
    try:
        part = ours(config) if config else Ours("")
    except Unmergeable as error:
        return unknown(name, tried, f"our part of {CONFIG} cannot be tried by itself: {error.message}", error.hint)
    missing = [source for source in part.sources if not _is_fetched(source, standing.environment)]
    if missing:
        seen = f"pre-commit has not fetched {shown(' '.join(missing[0]))} yet"
        return unknown(name, tried, seen, "pre-commit install-hooks, then run this again")
    with tempfile.TemporaryDirectory(prefix="memstile-doctor-") as folder:
        settings = settings_of(folder, Source(standing.environment)).settings
        if settings.index_mode != "enforce":
            return off(name, tried, f"not refused: index.mode is {settings.index_mode}", "see `memstile status`")
        canary = planted(folder, settings)
        ran = _committed(canary, path, part, folder, standing.environment)
    if ran.code not in (0, None) and re.search(r"\berror MS10[12]\b", ran.out + ran.err):
        return ok(name, tried, f"refused in {ran.ms:.0f} ms")
    seen = "the commit went through" if ran.code == 0 else f"it ended otherwise: {shown(ran.last)}"
    return bad(name, tried, seen, "pre-commit install" if config else "memstile init git")


def _committed(canary: Canary, path: str, part: Ours, folder: str, environment: Mapping[str, str]) -> Ran:
    hooks = os.path.join(folder, "hooks")
    os.mkdir(hooks)
    shutil.copy(path, os.path.join(hooks, "pre-commit"))
    with open(canary.path, "w", encoding="utf-8") as file:
        file.write(canary.content)
    outside = {name: value for name, value in environment.items() if not name.startswith("GIT_")}
    outside |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    if part.text:
        with open(os.path.join(canary.folder, CONFIG), "w", encoding="utf-8") as file:
            file.write(part.text)
        outside["SKIP"] = ",".join(part.others)
        if not part.sources:  # it needs nothing of what was fetched, and leaves nothing beside it
            outside["PRE_COMMIT_HOME"] = os.path.join(folder, "cache")
    made = run(("git", "init", "--quiet", "--template="), canary.folder, outside, seconds=_LIMIT_S)
    staged = run(("git", "add", "--", os.path.basename(canary.path)), canary.folder, outside, seconds=_LIMIT_S)
    if made.code != 0 or staged.code != 0:
        return made._replace(code=None) if made.code != 0 else staged._replace(code=None)
    words = ("git", *_GIT, "-c", f"core.hooksPath={hooks}", "commit", "--quiet", "-m", "memstile doctor")
    return run(words, canary.folder, outside, seconds=_LIMIT_S)


def _is_fetched(source: tuple[str, str], environment: Mapping[str, str]) -> bool:
    """Tell whether pre-commit has a repository, and an environment made of it. Source: store.py of pre-commit 4."""
    home = environment.get("HOME") or os.path.expanduser("~")
    cache = environment.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    base = environment.get("PRE_COMMIT_HOME") or os.path.join(cache, "pre-commit")
    address = f"file:{quote(os.path.join(base, 'db.db'))}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as store:
            question = "select path from repos where ref = ? and (repo = ? or repo like ?)"
            rows = store.execute(question, (source[1], source[0], f"{source[0]}:%")).fetchall()
    except sqlite3.Error:
        return False
    return any(glob.glob(os.path.join(glob.escape(str(path)), "*_env*")) for (path,) in rows)
