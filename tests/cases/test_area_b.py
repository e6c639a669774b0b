"""Area B of the real-world cases: the growth rule."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.case_tools import DISK, SINCE, STAGED, Case, alone, changed, numbers, past_window, rows, told
from tests.git_tools import Repo, environment, init
from tests.run_tools import Checked, check
from tests.vault_tools import index, vault

NOT_HERE = {
    "019": "the watcher's part: a settled state; here what a check says of each state on the way",
    "027": "the rule on conflict markers is one of those on content; here that an unmerged index is never clean",
}


def draft_renamed(folder: Path) -> Path:
    """Build a vault onto whose index a committed draft was renamed by git."""
    repo = init(folder / "proj", environment(folder / "home"))
    vault(repo.path, index(230, 24_000))
    (repo.path / "MEMORY.md").rename(repo.path / "draft.md")
    repo.commit()
    repo.git("mv", "draft.md", "MEMORY.md")
    return repo.path


def unborn(folder: Path) -> Path:
    """Build a vault staged for the first commit of its repository."""
    repo = init(folder / "proj", environment(folder / "home"))
    vault(repo.path, index(215, 24_000))
    repo.git("add", "--all")
    return repo.path


def staged_over_disk_under(folder: Path) -> Path:
    """Build a vault that was repaired on disk only."""
    path = changed(index(180), index(215))(folder)
    vault(path, index(190))
    return path


def two_branches(folder: Path) -> Repo:
    """Make two branches that add eight lines each to 190, in different places."""
    repo = init(folder / "proj", environment(folder / "home"))
    vault(repo.path, index(190))
    repo.commit()
    repo.git("switch", "--quiet", "--create", "side")
    head, rest = index(190).split(b"\n", 1)
    repo.write("MEMORY.md", head + b"\n" + b"".join(b"> side %d\n" % n for n in range(8)) + rest)
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write("MEMORY.md", index(198))
    repo.commit()
    return repo


def merging(folder: Path) -> Path:
    """Build the moment before a clean merge is committed."""
    repo = two_branches(folder)
    repo.git("merge", "--quiet", "--no-commit", "side")
    return repo.path


def in_conflict(folder: Path) -> Path:
    """Build an unfinished merge: both sides and markers are in the index."""
    repo = init(folder / "proj", environment(folder / "home"))
    vault(repo.path, index(195))
    repo.commit()
    repo.git("switch", "--quiet", "--create", "side")
    repo.write("MEMORY.md", index(195).replace(b"> line 190\n", b"> side wrote this\n"))
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write("MEMORY.md", index(195).replace(b"> line 190\n", b"> main wrote this\n"))
    repo.commit()
    repo.git("merge", "--quiet", "side", accept=(1,))
    return repo.path


def judged(
    size: str, since: tuple[str, ...], staged: tuple[str, ...], plain: tuple[str, ...]
) -> Mapping[tuple[str, ...], Checked]:
    """Expect these findings; "{}" in them is the layer. An error decides about the exit code."""

    def one(layer: str, where: str, findings: tuple[str, ...]) -> Checked:
        shown = [finding.replace("{}", layer) for finding in findings]
        code = int(any(finding.startswith("error") for finding in shown))
        return alone("dedicated", f"{where} {size}", *shown, code=code)

    return {
        DISK: one("index on disk", "on disk", plain),
        SINCE: one("index on disk", "on disk", since),
        STAGED: one("staged index", "staged", staged),
    }


def passing(lines: int, size: int, over: str, lost: tuple[int, int] | None) -> Mapping[tuple[str, ...], Checked]:
    """Expect an index that is over its hard cap and did not grow: a warning where a base is known."""
    window = (past_window("MEMORY.md", "{}", *lost),) if lost else ()
    return judged(
        f"{lines} lines {size} bytes",
        (f"warning MS102 MEMORY.md: {{}} is {over}; not larger than the merge base with HEAD", *window),
        (f"warning MS102 MEMORY.md: {{}} is {over}; not larger than HEAD", *window),
        (f"error MS102 MEMORY.md: {{}} is {over}", *window),
    )


def refused(
    lines: int, size: int, grew: str, over: str, lost: tuple[int, int] | None, base: str = "HEAD"
) -> Mapping[tuple[str, ...], Checked]:
    """Expect an index that grew over its hard cap."""
    window = (past_window("MEMORY.md", "{}", *lost),) if lost else ()
    return judged(
        f"{lines} lines {size} bytes",
        (f"error MS101 MEMORY.md: {{}} grew {grew} (base: the merge base with HEAD)", *window),
        (f"error MS101 MEMORY.md: {{}} grew {grew} (base: {base})", *window),
        (f"error MS102 MEMORY.md: {{}} is {over}", *window),
    )


CASES = (
    Case(
        "016 shrinks but is still over",
        changed(index(230, 20_000), index(221, 19_500)),
        passing(221, 19_500, "221 lines, hard cap 200", (201, 221)),
    ),
    Case(
        "017a lines down below the cap, bytes up while legal",
        changed(index(210, 20_000), index(199, 20_900)),
        judged(
            "199 lines 20900 bytes",
            *[("warning MS103 MEMORY.md: {} is 199 lines, soft cap 150; 20,900 bytes, soft cap 20,480",)] * 3,
        ),
    ),
    Case(
        "017b lines up while legal, bytes down",
        changed(index(150, 27_000), index(160, 26_500)),
        passing(160, 26_500, "26,500 bytes, hard cap 25,600", (151, 160)),
    ),
    Case(
        "017c lines down, bytes up past the cap: bytes alone are named",
        changed(index(230, 20_000), index(225, 26_000)),
        refused(
            225,
            26_000,
            "from 20,000 to 26,000 bytes, hard cap 25,600",
            "225 lines, hard cap 200; 26,000 bytes, hard cap 25,600",
            (201, 225),
        ),
    ),
    Case(
        "019 a save that passes through zero: the wiped state",
        changed(index(230, 24_000), b""),
        {
            DISK: alone("dedicated", "on disk 0 lines 0 bytes"),
            SINCE: alone(
                "dedicated",
                "on disk 0 lines 0 bytes",
                "warning MS105 MEMORY.md: index on disk fell from 230 lines and 24,000 bytes to 0 lines and 0 bytes "
                "(base: the merge base with HEAD)",
            ),
            STAGED: alone(
                "dedicated",
                "staged 0 lines 0 bytes",
                "warning MS105 MEMORY.md: staged index fell from 230 lines and 24,000 bytes to 0 lines and 0 bytes "
                "(base: HEAD)",
            ),
        },
    ),
    Case(
        "019 a save that passes through zero: the completed state",
        changed(index(230, 24_000), index(222, 23_000)),
        passing(222, 23_000, "222 lines, hard cap 200", (201, 222)),
    ),
    Case(
        "021 a draft renamed onto the index is judged against the index, of which there was none",
        draft_renamed,
        refused(230, 24_000, "from 0 to 230 lines, hard cap 200", "230 lines, hard cap 200", (201, 230)),
    ),
    Case(
        "022 first commit, no HEAD",
        unborn,
        {
            DISK: alone(
                "dedicated",
                "on disk 215 lines 24000 bytes",
                "error MS102 MEMORY.md: index on disk is 215 lines, hard cap 200",
                past_window("MEMORY.md", "index on disk", 201, 215),
                code=1,
            ),
            SINCE: Checked(
                2,
                [],
                err="memstile: cannot resolve the base ref 'HEAD'\n"
                "  hint: there is no commit yet to compare with: leave --since out\n",
            ),
            STAGED: alone(
                "dedicated",
                "staged 215 lines 24000 bytes",
                "error MS101 MEMORY.md: staged index grew from 0 to 215 lines, hard cap 200 (base: no commit yet)",
                past_window("MEMORY.md", "staged index", 201, 215),
                code=1,
            ),
        },
    ),
    Case(
        "023 staged over, disk already repaired",
        staged_over_disk_under,
        {
            DISK: alone(
                "dedicated",
                "on disk 190 lines 2046 bytes",
                "warning MS103 MEMORY.md: index on disk is 190 lines, soft cap 150",
            ),
            SINCE: alone(
                "dedicated",
                "on disk 190 lines 2046 bytes",
                "warning MS103 MEMORY.md: index on disk is 190 lines, soft cap 150",
            ),
            STAGED: alone(
                "dedicated",
                "staged 215 lines 2321 bytes",
                "error MS101 MEMORY.md: staged index grew from 180 to 215 lines, hard cap 200 (base: HEAD)",
                past_window("MEMORY.md", "staged index", 201, 215),
                code=1,
            ),
        },
    ),
    Case(
        "025 a clean merge adds up",
        merging,
        refused(
            206,
            2_206,
            "from 198 to 206 lines, hard cap 200",
            "206 lines, hard cap 200",
            (201, 206),
            base="HEAD and the merged commits",
        ),
    ),
    Case(
        "027 conflict markers in the index",
        in_conflict,
        {
            DISK: alone(
                "dedicated",
                "on disk 199 lines 2160 bytes",
                "warning MS103 MEMORY.md: index on disk is 199 lines, soft cap 150",
            ),
            STAGED: alone(
                "dedicated",
                "staged None lines None bytes",
                "error MS106 MEMORY.md: staged index cannot be measured: unmerged: the git index holds several "
                "versions",
                code=1,
            ),
        },
    ),
)


@rows(CASES)
def test_case(case: Case, tmp_path: Path) -> None:
    assert told(case, tmp_path) == dict(case.told)


def test_every_case_of_the_area_is_here() -> None:
    assert numbers(CASES) == {"016", "017", "019", "021", "022", "023", "025", "027"}
    assert set(NOT_HERE) <= numbers(CASES)


MERGES = [
    pytest.param("side", "from 198 to 206 lines", id="against the merged branch"),
    pytest.param("HEAD~1", "from 198 to 206 lines", id="against the first parent"),
    pytest.param("HEAD~2", "from 190 to 206 lines", id="against where the branches parted"),
]


@pytest.mark.parametrize(("ref", "grew"), MERGES)
def test_025_ci_finds_the_merge_that_no_hook_saw(ref: str, grew: str, tmp_path: Path) -> None:
    repo = two_branches(tmp_path)
    repo.git("merge", "--quiet", "--no-edit", "--no-verify", "side")
    assert check("--since", ref, cwd=repo.path, environment=repo.outside, unchanged=tmp_path) == alone(
        "dedicated",
        "on disk 206 lines 2206 bytes",
        f"error MS101 MEMORY.md: index on disk grew {grew}, hard cap 200 (base: the merge base with {ref})",
        past_window("MEMORY.md", "index on disk", 201, 206),
        code=1,
    )
