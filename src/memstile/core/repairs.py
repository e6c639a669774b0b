"""The commands that mend what the git rules find, ready to paste into a shell; `memstile fix` shows the same ones."""

from __future__ import annotations

from collections.abc import Iterable

from memstile.core.facts import GITLINK, RepositoryFacts
from memstile.core.text import ignore_pattern, shell_quoted
from memstile.core.wording import some

IGNORE_NAME = ".gitignore"
MODULES_NAME = ".gitmodules"


def shown_path(repository: RepositoryFacts, path: str) -> str:
    """Give a path inside a repository as the person would type it."""
    return "/".join(part for part in (repository.top, path) if part) or "."


def git(repository: RepositoryFacts) -> str:
    """Start a git command line for this repository."""
    return f"git -C {shell_quoted(repository.top)}" if repository.top else "git"


def on_paths(repository: RepositoryFacts, words: str, paths: Iterable[str]) -> str:
    """Write a git command that takes paths, relative to the work tree, by name: nothing in them is a wildcard."""
    named = tuple(paths)
    literal = " --literal-pathspecs" if any(map(_is_magic, named)) else ""
    return f"{git(repository)}{literal} {words} -- {' '.join(map(shell_quoted, named))}"


def _is_magic(path: str) -> bool:
    return path.startswith(":") or any(c in path for c in "*?[\\")


def has_gitlink(repository: RepositoryFacts) -> bool:
    """Tell whether the repository carries the unit as a gitlink."""
    return any(row.mode == GITLINK and row.path == repository.unit for row in repository.tracked)


def is_ignored(repository: RepositoryFacts) -> bool:
    """Tell whether git ignores all that was asked about; where nothing was asked, nobody knows."""
    return bool(repository.asked) and all(row.is_ignored for row in repository.asked)


def is_ignore_file(source: str) -> bool:
    """Tell whether the source of a rule is a .gitignore of the repository; git gives a user-wide file from the root."""
    is_absolute = source.startswith("/") or source[1:2] == ":"
    return source.rpartition("/")[2] == IGNORE_NAME and not is_absolute


def pattern(repository: RepositoryFacts, file: str = IGNORE_NAME) -> str:
    """Write the rule that keeps the unit out of this repository.

    file: the .gitignore it is for, from the top; the unit lies below its folder.
    """
    folder = file.removesuffix(IGNORE_NAME)
    unit = repository.unit.removeprefix(folder)
    return ignore_pattern(unit, is_directory=repository.unit_kind != "symlink") if unit else "*"


def ignore(repository: RepositoryFacts, file: str = IGNORE_NAME, *, opening: str = "\\n", end: str = "\\n") -> str:
    """Append the rule to a .gitignore.

    opening, end: what printf writes before and after it. Where nobody looked into the file, a line break comes first,
    so that the rule gets a line of its own even if the file ends without one.
    """
    place = shell_quoted(shown_path(repository, file))
    return f"printf '{opening}%s{end}' {shell_quoted(pattern(repository, file))} >> {place}"


def ignored_by_rule(repository: RepositoryFacts) -> tuple[str, ...]:
    """Add the rule where it wins; for a commit also stage the file, since its staged version decides.

    Where the rule is on disk already, staging it is all. Where a conflict is in such a file there is no command: it
    would write below the conflict's marks, or commit them.
    """
    if repository.unmerged:
        return ()
    if repository.rules_to_stage:
        return stage(repository, repository.rules_to_stage)
    rule = ignore(repository, repository.ignore_file)
    return (rule, on_paths(repository, "add", [repository.ignore_file])) if repository.is_commit else (rule,)


def stage(repository: RepositoryFacts, files: Iterable[str]) -> tuple[str, ...]:
    """Stage files as they are on disk; git refuses to look at a flagged one, and takes one flag off a command."""
    named = tuple(files)
    flagged = tuple(file for file in named if file in repository.flagged)
    flags = ("--no-assume-unchanged", "--no-skip-worktree") if flagged else ()
    taken_off = (on_paths(repository, f"update-index {flag}", flagged) for flag in flags)
    return (*taken_off, on_paths(repository, "add", named))


def how_to_ignore(repository: RepositoryFacts, otherwise: str) -> str:
    """Say what the commands of `ignored_by_rule` do. otherwise: what there is to do where no rule is on disk yet."""
    if repository.unmerged:
        return f"{resolve(repository, repository.unmerged)}; until then nobody knows which rules it will have"
    if not repository.rules_to_stage:
        return otherwise
    files = some(shown_path(repository, file) for file in repository.rules_to_stage)
    return f"the rule is in {files} on disk, and its staged version is what the commit goes by: stage it"


def resolve(repository: RepositoryFacts, files: Iterable[str]) -> str:
    """Say that ignore files are unmerged, and what comes first."""
    named = [shown_path(repository, file) for file in files]
    verb = "is" if len(named) == 1 else "are"
    return f"{some(named)} {verb} unmerged: resolve the conflict, then git add"


def travelling(repository: RepositoryFacts) -> str:
    """Stage the ignore file that only this clone has."""
    return on_paths(repository, "add -f" if repository.is_source_ignored else "add", [repository.local_source])


def untrack(repository: RepositoryFacts, paths: Iterable[str] = ()) -> str:
    """Take the unit, or single paths of it, out of the git index; files stay on disk.

    --sparse: without it git rm passes over entries marked skip-worktree, in silence. --ignore-unmatch: two findings
    may speak about one file, and the second command is no failure then.
    """
    return on_paths(repository, "rm -rqf --cached --sparse --ignore-unmatch", tuple(paths) or (repository.unit or ".",))


def forget_submodule(repository: RepositoryFacts) -> tuple[str, ...]:
    """Take the section of a submodule out of .gitmodules, and stage that."""
    if not repository.submodule:
        return ()
    modules = shell_quoted(shown_path(repository, MODULES_NAME))
    section = shell_quoted(f"submodule.{repository.submodule}")
    return (
        f"git config -f {modules} --remove-section {section}",
        on_paths(repository, "add", [MODULES_NAME]),
    )
