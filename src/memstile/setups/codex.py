"""Codex CLI: hooks in hooks.json, beside what config.toml holds. Source: docs/hosts.md, runs of 0.171.0."""

from __future__ import annotations

from memstile.setups.hook_lists import hooks_file
from memstile.setups.setup import TIMEOUT_S, Command, File, Setup, Where

MATCHERS = {
    "SessionStart": "",
    "UserPromptSubmit": "",
    "PreToolUse": "^(apply_patch|Edit|Write|Bash|mcp__.*)$",
    "PostToolUse": "",
}


def files(where: Where, command: Command) -> tuple[File, ...]:
    """Give hooks.json with our hooks."""
    hook = {"type": "command", "command": command.closing_line(), "timeout": TIMEOUT_S}
    entries = {
        event: [{"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}]
        for event, matcher in MATCHERS.items()
    }
    return (hooks_file(f"{where.own('CODEX_HOME', '.codex')}/hooks.json", entries),)


def notes(where: Where) -> tuple[str, ...]:
    """Say that Codex passes over a hook, without a word, until a person has trusted it."""
    project = ("and trust the project: Codex reads .codex/ of trusted projects only",) if where.is_project else ()
    return (
        "Codex runs none of these hooks until you trust them: start `codex`, type /hooks, look, and trust them",
        *project,
        "a change of the command line, as by another `memstile init`, asks for that again",
    )


SETUP = Setup(
    host="codex",
    program="codex",
    files=files,
    # Codex looks for skills in .agents/skills: its page "Agent Skills", developers' documentation.
    skill=lambda where: f"{where.project if where.is_project else where.home}/.agents/skills/memstile/SKILL.md",
    notes=notes,
)
