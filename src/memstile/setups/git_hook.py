"""git's own hooks: one script for pre-commit and pre-merge-commit, before the one that was there."""

from __future__ import annotations

from memstile.core.text import shell_quoted

NAMES = ("pre-commit", "pre-merge-commit")
BEFORE = ".before-memstile"
"""A hook that was there is kept under its name with this at the end, and run first."""

MARK = "# Written by `memstile init git`"

_SCRIPT = """\
#!/bin/sh
{mark}; `memstile uninstall git` takes it away. To commit once without it: git commit --no-verify
before="$0{before}"
if [ -x "$before" ]; then
  "$before" "$@" || exit
fi
if [ -x {python} ]; then
  exec {python} -P -m memstile check --staged
fi
if ! command -v memstile >/dev/null; then
  echo "memstile is gone: this commit cannot be checked, so it is refused" >&2
  echo "  hint: run 'memstile init git' again, or use 'git commit --no-verify' this once" >&2
  exit 2
fi
exec memstile check --staged
"""


def script(python: str) -> str:
    """Write the hook. python: the interpreter that has memstile, with its site-packages."""
    return _SCRIPT.format(mark=MARK, before=BEFORE, python=shell_quoted(python))


def is_ours(text: str) -> bool:
    """Tell whether a hook is one that was written here."""
    return MARK in text
