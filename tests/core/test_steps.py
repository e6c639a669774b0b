"""Which steps a repository needs, in which words, and that they are those the rules print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.check import check
from memstile.core.facts import Asked, Facts, Match, RepositoryFacts, Tracked
from memstile.core.finding import Finding, Severity
from memstile.core.rules import RULES
from memstile.core.settings import DEFAULTS
from memstile.core.steps import MENDED, Action, Place, Step, needs_rule, plan, title, undo, without_steps

RULE = Match(".gitignore", 1, "/.memory/")
NEGATED = Match(".gitignore", 2, "!.memory/note.md")
TOP = Place(".gitignore", b"*.log\n")
NOTE, OTHER = ".memory/note.md", ".memory/other.md"

UNTRACK = "git rm -rqf --cached --sparse --ignore-unmatch -- .memory"
APPEND = "printf '%s\\n' /.memory/ >> .gitignore"


VAULT = RepositoryFacts("", ".memory")


def tracked(*paths: str) -> tuple[Tracked, ...]:
    return tuple(Tracked(path, "100644") for path in paths)


# id: (facts, the commands of the steps)
PLANS = {
    "ignored": (VAULT._replace(asked=(Asked(".memory", RULE),)), []),
    "nobody asked": (VAULT, []),
    "no rule": (VAULT._replace(asked=(Asked(".memory", None),)), [APPEND]),
    "one file without a rule": (VAULT._replace(asked=(Asked(NOTE, RULE), Asked(OTHER, None))), [APPEND]),
    "one file let back in": (VAULT._replace(asked=(Asked(NOTE, NEGATED), Asked(OTHER, RULE))), [APPEND]),
    "tracked, ignored": (VAULT._replace(asked=(Asked(".memory", RULE),), tracked=tracked(NOTE)), [UNTRACK]),
    "staged, no rule": (
        VAULT._replace(asked=(Asked(".memory", None),), tracked=tracked(NOTE), staged=(NOTE,)),
        [APPEND, UNTRACK],
    ),
    "a link": (
        VAULT._replace(unit_kind="symlink", asked=(Asked(".memory", None),)),
        ["printf '%s\\n' /.memory >> .gitignore"],
    ),
    "a gitlink nobody asked about": (
        VAULT._replace(unit_kind="repository", tracked=(Tracked(".memory", "160000"),)),
        [APPEND, UNTRACK],
    ),
    "a submodule, ignored": (
        VAULT._replace(
            unit_kind="repository",
            asked=(Asked(".memory", RULE),),
            tracked=(Tracked(".memory", "160000"),),
            submodule="memory of mine",
        ),
        [
            UNTRACK,
            "git config -f .gitmodules --remove-section 'submodule.memory of mine'",
            "git add -- .gitmodules",
        ],
    ),
    "a section without a gitlink": (VAULT._replace(asked=(Asked(".memory", RULE),), submodule="m"), []),
    "another repository": (
        VAULT._replace(top="../a b", asked=(Asked(".memory", None),), tracked=tracked(NOTE)),
        ["printf '%s\\n' /.memory/ >> '../a b/.gitignore'", UNTRACK.replace("git", "git -C '../a b'", 1)],
    ),
    "wildcards in the name": (
        VAULT._replace(unit="m[1]", asked=(Asked("m[1]", None),), tracked=tracked("m[1]/a.md")),
        [
            "printf '%s\\n' '/m\\[1]/' >> .gitignore",
            "git --literal-pathspecs rm -rqf --cached --sparse --ignore-unmatch -- 'm[1]'",
        ],
    ),
    "pathspec magic": (
        VAULT._replace(unit=":m", asked=(Asked(":m", RULE),), tracked=tracked(":m/a.md")),
        ["git --literal-pathspecs rm -rqf --cached --sparse --ignore-unmatch -- :m"],
    ),
    "the work tree itself": (
        VAULT._replace(unit="", is_root=True, asked=(Asked("a.md", None),), tracked=tracked("a.md")),
        ["printf '%s\\n' '*' >> .gitignore", "git rm -rqf --cached --sparse --ignore-unmatch -- ."],
    ),
    "no answer": (VAULT._replace(fault="git rev-parse exit 128", tracked=tracked(NOTE)), []),
}


@pytest.mark.parametrize(("facts", "commands"), PLANS.values(), ids=PLANS)
def test_a_repository_gets_the_steps_it_needs(facts: RepositoryFacts, commands: list[str]) -> None:
    assert [command for step in plan(facts, TOP) for command in step.commands] == commands


# id: (the .gitignore the rule is for, what it holds, the command that appends to it)
PLACES = {
    "no file": (Place(".gitignore", b""), "printf '%s\\n' /docs/m/ >> .gitignore"),
    "no final line break": (Place(".gitignore", b"a"), "printf '\\n%s\\n' /docs/m/ >> .gitignore"),
    "CRLF": (Place(".gitignore", b"a\r\nb"), "printf '\\r\\n%s\\r\\n' /docs/m/ >> .gitignore"),
    "a folder down": (Place("docs/.gitignore", b"!m\n"), "printf '%s\\n' /m/ >> docs/.gitignore"),
}


@pytest.mark.parametrize(("place", "command"), PLACES.values(), ids=PLACES)
def test_the_command_fits_the_file(place: Place, command: str) -> None:
    facts = VAULT._replace(unit="docs/m", asked=(Asked("docs/m", None),))
    line = "/docs/m/" if place.file == ".gitignore" else "/m/"
    assert plan(facts, place) == (Step(Action.IGNORE, facts, (command,), place.file, line),)


def test_where_no_rule_would_win_the_rest_is_still_done() -> None:
    facts = VAULT._replace(asked=(Asked(".memory", None),), tracked=tracked(NOTE))
    assert [step.action for step in plan(facts, None)] == [Action.UNTRACK]


SUBMODULE = VAULT._replace(
    unit_kind="repository", submodule="m", tracked=(Tracked(".memory", "160000"),), asked=(Asked(".memory", RULE),)
)

# id: (step, its title, how to take it back)
STEPS = {
    "ignore": (
        plan(VAULT._replace(asked=(Asked(".memory", None),)), TOP)[0],
        "append the rule /.memory/ to .gitignore, so that git ignores .memory",
        ("delete the line /.memory/ at the end of .gitignore",),
    ),
    "untrack": (
        plan(VAULT._replace(tracked=tracked(NOTE, OTHER)), TOP)[0],
        "take 2 files of .memory out of the git index; what is on disk stays",
        ("$ git restore --staged -- .memory",),
    ),
    "untrack what was staged only": (
        plan(VAULT._replace(tracked=tracked(NOTE), staged=(NOTE,)), TOP)[0],
        "take 1 file of .memory out of the git index; what is on disk stays",
        ("$ git add -f -- .memory/note.md",),
    ),
    "untrack, one of them staged": (
        plan(VAULT._replace(tracked=tracked(NOTE, OTHER), staged=(NOTE,)), TOP)[0],
        "take 2 files of .memory out of the git index; what is on disk stays",
        ("$ git restore --staged -- .memory", "$ git add -f -- .memory/note.md"),
    ),
    "untrack many that were staged": (
        plan(
            VAULT._replace(
                tracked=tracked(*(f".memory/{n}.md" for n in range(1000))),
                staged=tuple(f".memory/{n}.md" for n in range(1000)),
            ),
            TOP,
        )[0],
        "take 1,000 files of .memory out of the git index; what is on disk stays",
        ("stage the 1,000 files again that were staged: git add -f",),
    ),
    "untrack a gitlink": (
        plan(SUBMODULE, TOP)[0],
        "take the gitlink .memory out of the git index; the repository stays on disk",
        ("$ git restore --staged -- .memory",),
    ),
    "forget": (
        plan(SUBMODULE, TOP)[1],
        "take the submodule m out of .gitmodules, and stage that",
        ("$ git restore --staged --worktree -- .gitmodules",),
    ),
    "forget what no commit has": (
        plan(SUBMODULE._replace(staged=(".memory",)), TOP)[1],
        "take the submodule m out of .gitmodules, and stage that",
        ("add the submodule m again: git submodule add",),
    ),
    "odd names": (
        plan(VAULT._replace(top="a\n", unit="b\x1b", asked=(Asked("b\x1b", None),)), TOP)[0],
        "append the rule /b\\x1b/ to a\\n/.gitignore, so that git ignores a\\n/b\\x1b",
        ("delete the line /b\\x1b/ at the end of a\\n/.gitignore",),
    ),
}


@pytest.mark.parametrize(("step", "words", "back"), STEPS.values(), ids=STEPS)
def test_a_step_says_what_it_does_and_how_to_take_it_back(step: Step, words: str, back: tuple[str, ...]) -> None:
    assert (title(step), undo(step)) == (words, back)


MATCHES = st.sampled_from([None, RULE, NEGATED])


@st.composite
def any_repository(draw: st.DrawFn) -> RepositoryFacts:
    """Make facts as git gives them: what is staged is tracked, a submodule has a gitlink."""
    kind = draw(st.sampled_from(["folder", "symlink", "repository"]))
    as_whole = kind != "folder" or draw(st.booleans())
    paths = [".memory"] if as_whole else [NOTE, OTHER]
    asked = tuple(Asked(path, draw(MATCHES)) for path in draw(st.sampled_from([paths, []])))
    modes = {"folder": "100644", "symlink": "120000", "repository": "160000"}
    rows = tuple(Tracked(path, modes[kind]) for path in draw(st.sampled_from([paths, paths[:1], []])))
    staged = tuple(row.path for row in rows if draw(st.booleans()))
    submodule = "m" if kind == "repository" and rows and draw(st.booleans()) else ""
    return VAULT._replace(unit_kind=kind, asked=asked, tracked=rows, staged=staged, submodule=submodule)


@given(any_repository())
def test_there_are_steps_exactly_where_a_rule_speaks_and_they_are_its_commands(facts: RepositoryFacts) -> None:
    findings = check([Facts(".memory", DEFAULTS, "ignored", repositories=(facts,))])
    printed = {command for row in findings if row.code in MENDED for command in row.commands}
    unknown_end = Place(".gitignore", b"a")  # then the step's command is the one a finding prints
    steps = plan(facts, unknown_end)
    commands = {command for step in steps for command in step.commands}
    # A finding about some staged files names them; the step takes out the whole vault.
    named = {command for command in printed if "rm -rqf" in command and not command.endswith("-- .memory")}
    assert printed - named == commands or (bool(named) and (printed - named) | {UNTRACK} == commands)
    assert bool(steps) is bool(printed)
    assert needs_rule(facts) is any(step.action is Action.IGNORE for step in steps)


@given(st.sampled_from([rule.code for rule in RULES]), st.sampled_from(Severity))
def test_only_what_steps_mend_loses_its_commands(code: str, severity: Severity) -> None:
    finding = Finding(code, severity, "v", "said", "hint", ("command",), ("v/a.md",))
    left = without_steps(finding)
    assert left.commands == (() if code in MENDED else ("command",))
    assert (left.hint == "hint") is (code not in MENDED)
    assert left._replace(hint="", commands=()) == finding._replace(hint="", commands=())
