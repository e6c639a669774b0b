"""Which commands commit what the steps did, and what is said about the rest that is staged."""

from __future__ import annotations

import pytest

from memstile.core.facts import RepositoryFacts
from memstile.core.next_commit import Pending, commands, warning

HERE = RepositoryFacts("", ".memory")
THERE = RepositoryFacts("p", ".memory")
RULE = Pending(HERE, (".gitignore",), (".gitignore",))
VAULT = RULE._replace(taken_out=(".memory",))
MANY = tuple(f"{number}.py" for number in range(11))

ADD, COMMIT = "git add -- .gitignore", "git commit -m 'keep the memory vault out of git'"
ALONG = (
    "The commit would take that along. To leave it out, unstage it first; what is on disk stays, a staged version",
    "that differs from it does not:",
)

# id: (what is pending, the commands, what is said before)
ROWS = {
    "nothing": (Pending(HERE), (), ()),
    "nothing, and others are staged": (Pending(HERE, others=("a.py",), operation="merge"), (), ()),
    "a rule": (RULE, (ADD, COMMIT), ()),
    "a rule that is staged": (RULE._replace(rules=()), (COMMIT,), ()),
    "a vault": (VAULT, (ADD, COMMIT), ()),
    "a vault under a rule that HEAD has": (Pending(HERE, taken_out=(".memory",)), (COMMIT,), ()),
    "a name with wildcards": (
        Pending(THERE, ("a [b]/.gitignore",), ("a [b]/.gitignore",), others=("a.py",)),
        (
            "git -C p --literal-pathspecs add -- 'a [b]/.gitignore'",
            "git -C p --literal-pathspecs commit -m 'keep the memory vault out of git' -- 'a [b]/.gitignore'",
        ),
        (
            "1 other path is staged in p: a.py",
            "The commit is limited to what was changed here, and leaves the rest staged.",
        ),
    ),
    "a conflict": (
        VAULT._replace(others=("a.py",), operation="merge", unmerged=("b\n.py",)),
        (ADD,),
        (
            "1 path with a conflict: b\\n.py",
            "Git commits nothing before they are resolved: resolve them, `git add` them, then commit.",
        ),
    ),
    "a conflict, and nothing was done": (Pending(THERE, unmerged=("a.py",)), (), ()),
    "conflicts elsewhere, under a rule that HEAD has": (
        Pending(THERE, taken_out=(".memory",), unmerged=MANY[:4]),
        (),
        (
            "4 paths with a conflict in p: 0.py, 1.py, 2.py and 1 more",
            "Git commits nothing before they are resolved: resolve them, `git add` them, then commit.",
        ),
    ),
    "a rule, others are staged": (
        RULE._replace(others=("a.py", "b\n.py")),
        (ADD, f"{COMMIT} -- .gitignore"),
        (
            "2 other paths are staged: a.py, b\\n.py",
            "The commit is limited to what was changed here, and leaves the rest staged.",
        ),
    ),
    "a vault, others are staged": (
        VAULT._replace(others=("a.py", "b\n.py")),
        (ADD, COMMIT),
        (
            "2 other paths are staged: a.py, b\\n.py",
            *ALONG,
            "     $ git restore --staged -- a.py $'b\\012.py'",
        ),
    ),
    "a vault, many others are staged": (
        VAULT._replace(repository=THERE, others=MANY),
        tuple(text.replace("git", "git -C p", 1) for text in (ADD, COMMIT)),
        (
            "11 other paths are staged in p: 0.py, 1.py, 2.py and 8 more",
            *ALONG,
            "     $ git -C p restore --staged -- . ':(exclude,literal).gitignore' ':(exclude,literal).memory'",
        ),
    ),
    "in a merge": (
        RULE._replace(others=("a.py",), operation="merge"),
        (ADD, COMMIT),
        (
            "1 other path is staged: a.py",
            "The commit ends the merge that is in progress, and takes all of it along; to keep them apart, end it "
            "first.",
        ),
    ),
    "in a rebase that has staged nothing": (
        RULE._replace(repository=THERE, operation="rebase"),
        tuple(text.replace("git", "git -C p", 1) for text in (ADD, COMMIT)),
        (
            "The commit ends the rebase that is in progress in p, and takes all of it along; to keep them apart, "
            "end it first.",
        ),
    ),
}


@pytest.mark.parametrize(("pending", "lines", "said"), ROWS.values(), ids=ROWS)
def test_the_commit_holds_what_was_mended_and_the_rest_is_named(
    pending: Pending, lines: tuple[str, ...], said: tuple[str, ...]
) -> None:
    assert (commands(pending), warning(pending)) == (lines, said)
