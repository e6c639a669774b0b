"""Open repositories once, and gather what each says about a set of vaults."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memstile.carriers import (
    Carrier,
    Surroundings,
    ancestors,
    carriers,
    git_folder,
    git_folder_around,
    is_repository,
)
from memstile.core.facts import RepositoryFacts
from memstile.git import Git, GitFault, Patience, environment
from memstile.git_facts import Asker, Question, ask_repository, faulty
from memstile.outcome import Vault
from memstile.repository import Repository, ask_ignored, is_bare, open_repository, says_bare
from memstile.standing import Standing

_NAMES_A_REPOSITORY = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE")


class Repositories:
    """The repositories around the vaults of one run, opened when first asked for.

    The one that git's environment names, if any, is asked with that environment; every other without it.
    """

    def __init__(self, standing: Standing, patience: Patience | None = None) -> None:
        """Look at the environment only. patience: how long git may hang in this run."""
        self._standing = standing
        self._patience = patience or Patience()
        self._opened: dict[str, Repository | GitFault] = {}
        self._carriers: dict[tuple[str, ...], list[Carrier]] = {}
        self._bare: dict[str, bool] = {}
        self.current: Repository | None = None
        if any(standing.environment.get(name) for name in _NAMES_A_REPOSITORY):
            self.current = self._open_current()
        self._surroundings = Surroundings(self.current.top if self.current else None)

    def _open_current(self) -> Repository | None:
        cwd = self._standing.cwd
        here = next(filter(is_repository, ancestors(os.path.realpath(cwd))), "")
        outside = _of_one_repository(self._standing.environment, cwd, here)
        if not any(outside.get(name) for name in _NAMES_A_REPOSITORY):
            return None
        try:
            repository = open_repository(self._git(here or cwd, environment(outside, cwd, is_current=True)))
        except GitFault:
            return None  # where it matters, opening by place meets the fault again and tells it
        if _is_of_another(repository, outside):
            return None
        self._opened[repository.top] = repository
        return repository

    def _git(self, folder: str, outside: Mapping[str, str]) -> Git:
        return Git(folder, outside, self._patience)

    def open(self, top: str) -> Repository:
        """Open the repository whose work tree is `top`. Raises GitFault."""
        if top not in self._opened:
            outside = environment(self._standing.environment, self._standing.cwd, is_current=False)
            try:
                self._opened[top] = open_repository(self._git(top, outside))
            except GitFault as fault:
                self._opened[top] = fault
        opened = self._opened[top]
        if isinstance(opened, GitFault):
            raise opened
        return opened

    def adopt(self, repository: Repository) -> Repository:
        """Take an opened repository for the current one, with the patience of this run; give it back."""
        self.current = repository._replace(git=repository.git._replace(patience=self._patience))
        self._opened[repository.top] = self.current
        self._carriers = {}
        self._surroundings = Surroundings(repository.top)
        return self.current

    def around(self, vault: Vault) -> list[Carrier]:
        """List the repositories that could carry a vault."""
        if vault.paths not in self._carriers:
            every = (row for path in vault.paths for row in carriers(path, around=self._surroundings))
            rows = (row for row in every if not self._is_bare(row.top))
            self._carriers[vault.paths] = list(dict.fromkeys(rows))
        return self._carriers[vault.paths]

    def _is_bare(self, top: str) -> bool:
        """Tell whether a folder is no work tree: linked worktrees lie beside a bare repository in its .git."""
        if top not in self._bare:
            outside = environment(self._standing.environment, self._standing.cwd, is_current=False)
            self._bare[top] = says_bare(top) and is_bare(self._git(top, outside))
        return self._bare[top]

    def facts(
        self,
        vaults: list[Vault],
        *,
        asker: Asker = ask_ignored,
        with_history: bool = True,
        only: str | None = None,
    ) -> dict[str, tuple[RepositoryFacts, ...]]:
        """Ask every repository about the vaults it could carry.

        only: the one work tree to ask, for a commit. Result: by the vault's resolved folder.
        """
        questions: dict[str, list[tuple[Vault, Question]]] = {}
        for vault in vaults:
            for carrier in self.around(vault):
                if is_exempt(vault, carrier) or (only is not None and carrier.top != only):
                    continue
                question = Question(carrier, vault.real, vault.settings.index_name)
                questions.setdefault(carrier.top, []).append((vault, question))
        rows: dict[str, tuple[RepositoryFacts, ...]] = {}
        for top, pairs in questions.items():
            answers = self._ask(top, [question for _, question in pairs], asker, with_history)
            for (vault, _), answer in zip(pairs, answers, strict=True):
                rows[vault.real] = (*rows.get(vault.real, ()), answer)
        return rows

    def _ask(self, top: str, questions: list[Question], asker: Asker, with_history: bool) -> list[RepositoryFacts]:
        shown_top = self._standing.shown_top(top)
        try:
            if questions[0].carrier.is_broken:
                raise GitFault(f"there is a .git in {shown_top or '.'}, but it is no repository git would read")
            repository = self.open(top)
            if os.path.realpath(repository.top) != top:
                raise GitFault(f"git takes {repository.top} for the work tree")
        except GitFault as fault:
            return [faulty(question.carrier, shown_top, fault) for question in questions]
        return ask_repository(repository, questions, shown_top, asker=asker, with_history=with_history)


def _of_one_repository(outside: Mapping[str, str], cwd: str, here: str) -> Mapping[str, str]:
    """Leave out a GIT_INDEX_FILE that is another repository's, or that leads nowhere from here.

    A hook of one repository may go to another, or to a folder of its own: git names the git index to a hook, at times
    relative to the top, and without the repository that it belongs to. Source: githooks(5); observed with git 2.39.
    """
    named = outside.get("GIT_INDEX_FILE", "")
    place = os.path.join(cwd, named)
    own = os.path.realpath(os.path.join(cwd, outside.get("GIT_DIR") or "")) if outside.get("GIT_DIR") else ""
    own = own or (git_folder(here) if here else "")
    is_lost = not os.path.isabs(named) and not os.path.lexists(place)
    if named and not is_lost and git_folder_around(os.path.realpath(place)) in ("", own):
        return outside
    return {name: value for name, value in outside.items() if name != "GIT_INDEX_FILE"}


def _is_of_another(repository: Repository, outside: Mapping[str, str]) -> bool:
    """Tell whether a work tree has a git folder of its own, and git only takes it for the one of GIT_DIR."""
    if not is_repository(repository.top) or (outside.get("GIT_DIR") and outside.get("GIT_WORK_TREE")):
        return False
    return git_folder(repository.top) != os.path.realpath(repository.git_dir)


def is_exempt(vault: Vault, carrier: Carrier) -> bool:
    """Tell whether a repository may carry a vault: it is shared on purpose, or it is the vault's own repository.

    That of a vault around it, of which it is a part, is its own too.
    """
    is_own = carrier.is_root or (bool(vault.part_of) and vault.part_of == carrier.top)
    return vault.mode == "shared" or (is_own and vault.mode != "ignored")


def resolved_mode(vault: Vault, around: list[Carrier]) -> str:
    """Say what the vault is to git: outside, ignored (inside a project), dedicated or shared."""
    if vault.mode == "shared":
        return "shared"
    if (vault.part_of or any(carrier.is_root for carrier in around)) and vault.mode != "ignored":
        return "dedicated"
    return "ignored" if around else "outside"
