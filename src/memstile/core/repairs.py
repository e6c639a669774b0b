"""The commands that mend what the git rules find, ready to paste into a shell."""

from __future__ import annotations

from collections.abc import Iterable

from memstile.core.facts import RepositoryFacts
from memstile.core.text import ignore_pattern, shell_quoted


def shown_path(repository: RepositoryFacts, path: str) -> str:
    """Give a path inside a repository as the person would type it."""
    return "/".join(part for part in (repository.top, path) if part) or "."


def git(repository: RepositoryFacts) -> str:
    """Start a git command line for this repository."""
    return f"git -C {shell_quoted(repository.top)}" if repository.top else "git"


def pattern(repository: RepositoryFacts) -> str:
    """Write the rule for the top .gitignore that keeps the unit out of this repository."""
    if not repository.unit:
        return "*"
    return ignore_pattern(repository.unit, is_directory=repository.unit_kind != "symlink")


def ignore(repository: RepositoryFacts) -> str:
    """Append the rule to the top .gitignore; on a line of its own even if the file ends without a line break."""
    file = shell_quoted(shown_path(repository, ".gitignore"))
    return f"printf '\\n%s\\n' {shell_quoted(pattern(repository))} >> {file}"


def untrack(repository: RepositoryFacts, paths: Iterable[str] = ()) -> str:
    """Take the unit, or single paths of it, out of the git index; files stay on disk."""
    words = " ".join(shell_quoted(path) for path in paths or (repository.unit or ".",))
    return f"{git(repository)} --literal-pathspecs rm -r -q -f --cached -- {words}"


def forget_submodule(repository: RepositoryFacts) -> tuple[str, ...]:
    """Take the section of a submodule out of .gitmodules, and stage that."""
    if not repository.submodule:
        return ()
    modules = shell_quoted(shown_path(repository, ".gitmodules"))
    section = shell_quoted(f"submodule.{repository.submodule}")
    return (
        f"git config -f {modules} --remove-section {section}",
        f"{git(repository)} add -- .gitmodules",
    )
