"""The watcher on a real disk, with events and time given by hand."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from memstile.core.watch_report import Event
from memstile.errors import GuardError
from memstile.hook_told import take_told
from memstile.kept import kept, read_kept
from memstile.put_back import PutBack, put_back
from memstile.watch_files import beats
from tests.git_tools import environment, init
from tests.vault_tools import index, vault
from tests.watch_tools import Scene

START = ["started v"]


def scene(tmp_path: Path, lines: int = 140, mode: str = "audit") -> Scene:
    vault(tmp_path / "v", index(lines))
    made = Scene(tmp_path, "v", mode=mode)
    assert made.said()[0] == "started v"
    return made


def write(tmp_path: Path, lines: int, name: str = "v") -> Path:
    place = tmp_path / name / "MEMORY.md"
    place.write_bytes(index(lines))
    return place


def size(tmp_path: Path) -> int:
    return (tmp_path / "v" / "MEMORY.md").read_bytes().count(b"\n")


def test_it_listens_before_it_looks(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(230))
    made = Scene(tmp_path, "v")
    assert made.said() == ["started v", "found MS102 v", "found MS104 v"]
    assert made.hands.armed == {str(tmp_path / "v"): True}
    assert (made.settle(), made.end()) == ([], [])


def test_growth_is_told_once_after_it_settled(tmp_path: Path) -> None:
    made = scene(tmp_path)
    made.hands.put(write(tmp_path, 215))
    made.wait(0.29)
    assert made.said() == []
    made.wait(0.02)
    assert made.said() == ["found MS101 v"]
    assert (made.settle(), size(tmp_path)) == ([], 215)


def test_a_change_that_nobody_told_of_is_seen_within_a_second(tmp_path: Path) -> None:
    made = scene(tmp_path)
    write(tmp_path, 215)
    assert made.settle() == ["found MS101 v"]


def test_a_writer_who_never_pauses_is_judged_all_the_same(tmp_path: Path) -> None:
    made = scene(tmp_path)
    for number in range(60):
        made.hands.put(write(tmp_path, 201 + number))
        made.wait(0.1)
    assert made.said()[0] == "found MS101 v"


def test_a_change_at_the_very_end_is_judged(tmp_path: Path) -> None:
    made = scene(tmp_path)
    made.hands.put(write(tmp_path, 215))
    made.wait(0.01)
    assert made.end() == ["found MS101 v"]


def test_a_restart_repeats_nothing_and_sees_what_happened_in_between(tmp_path: Path) -> None:
    made = scene(tmp_path)
    write(tmp_path, 215)
    assert made.settle() == ["found MS101 v"]
    made.end()
    again = Scene(tmp_path, "v", mode="enforce")
    assert again.said() == START
    again.end()
    write(tmp_path, 216)
    last = Scene(tmp_path, "v", mode="enforce")
    assert last.said() == [*START, "found MS101 v", "not_restored v"]
    assert size(tmp_path) == 216


def test_growth_seen_live_is_put_back_and_what_was_written_is_kept(tmp_path: Path) -> None:
    made = scene(tmp_path, mode="enforce")
    place = write(tmp_path, 215)
    made.hands.put(place)
    assert made.settle() == ["found MS101 v", "restored v"]
    assert size(tmp_path) == 140
    (kept_there,) = (made.state / "quarantine").iterdir()
    assert (kept_there.read_bytes(), kept_there.stat().st_mode & 0o777) == (index(215), 0o600)
    told = take_told(str(made.state), str(place))
    assert str(kept_there) in told
    assert take_told(str(made.state), str(place)) == ""
    assert (made.settle(), made.end()) == ([], [])


def test_what_was_changed_since_the_verdict_is_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = scene(tmp_path, mode="enforce")
    later = iter([index(150)])

    def meanwhile(index: str, judged: bytes, accepted: bytes, quarantine: str, now: float) -> PutBack:
        for data in later:
            (tmp_path / "v" / "MEMORY.md").write_bytes(data)
        return put_back(index, judged, accepted, quarantine, now)

    monkeypatch.setattr("memstile.watch_restoring.put_back", meanwhile)
    made.hands.put(write(tmp_path, 215))
    assert made.settle() == ["found MS101 v"]
    assert size(tmp_path) == 150


def test_a_fight_ends_after_three_times(tmp_path: Path) -> None:
    made = scene(tmp_path, mode="enforce")
    told = []
    for number in range(6):
        write(tmp_path, 215 + number)
        told.append(made.settle())
    assert told[:3] == [["found MS101 v", "restored v"]] * 3
    assert told[3:] == [["found MS101 v", "not_restored v"], ["found MS101 v"], ["found MS101 v"]]
    write(tmp_path, 140)
    made.wait(70.0)
    assert made.said() == ["cleared MS102 v"]
    write(tmp_path, 141)
    assert made.settle() == []
    write(tmp_path, 215)
    assert made.settle() == ["found MS101 v", "restored v"]


def test_a_folder_that_is_gone_and_comes_back_is_no_loss(tmp_path: Path) -> None:
    made = scene(tmp_path)
    (tmp_path / "v").rename(tmp_path / "away")
    assert made.settle() == ["gone v"]
    made.wait(20.0)
    assert (made.said(), made.hands.armed) == ([], {})
    (tmp_path / "away").rename(tmp_path / "v")
    assert made.settle() == ["back v"]
    assert made.hands.armed == {str(tmp_path / "v"): True}
    write(tmp_path, 215)
    assert made.settle() == ["found MS101 v"]


@pytest.mark.parametrize("mode", ["audit", "enforce"])
def test_a_folder_that_is_another_one_is_never_put_back(mode: str, tmp_path: Path) -> None:
    made = scene(tmp_path, mode=mode)
    vault(tmp_path / "other", index(215))
    (tmp_path / "v").rename(tmp_path / "away")
    (tmp_path / "other").rename(tmp_path / "v")
    said = made.settle()
    assert said[:2] == ["back v", "found MS101 v"]
    assert (said[2:], size(tmp_path)) == (["not_restored v"] if mode == "enforce" else [], 215)


def test_what_came_back_as_it_was_is_put_back_when_it_grows(tmp_path: Path) -> None:
    made = scene(tmp_path, mode="enforce")
    (tmp_path / "v").rename(tmp_path / "away")
    made.settle()
    shutil.copytree(tmp_path / "away", tmp_path / "v")
    assert made.settle() == ["back v"]
    write(tmp_path, 215)
    assert made.settle() == ["found MS101 v", "restored v"]


@pytest.mark.parametrize("command", [("switch", "--quiet", "big"), ("merge", "--quiet", "--no-edit", "big")])
def test_what_git_checked_out_is_not_put_back(command: tuple[str, ...], tmp_path: Path) -> None:
    repo = init(tmp_path / "v", environment(tmp_path / "home"))
    vault(repo.path, index(140))
    repo.commit()
    repo.git("switch", "--quiet", "--create", "big")
    vault(repo.path, index(215))
    repo.commit()
    repo.git("switch", "--quiet", "main")
    made = Scene(tmp_path, "v", mode="enforce")
    made.settle()
    repo.git(*command)
    assert made.settle() == ["found MS101 v", "not_restored v"]
    assert size(tmp_path) == 215


def test_a_commit_of_something_else_leaves_the_watcher_ready(tmp_path: Path) -> None:
    repo = init(tmp_path / "v", environment(tmp_path / "home"))
    vault(repo.path, index(140))
    repo.commit()
    made = Scene(tmp_path, "v", mode="enforce")
    repo.write("other.md", "x")
    repo.commit()
    made.wait(3.0)
    made.said()
    write(tmp_path, 215)
    assert made.settle() == ["found MS101 v", "restored v"]


def test_a_vault_that_is_moved_in_is_watched_from_then_on(tmp_path: Path) -> None:
    made = scene(tmp_path)
    vault(tmp_path / "incoming", index(215), notes=50)
    (tmp_path / "incoming").rename(tmp_path / "v" / "imported")
    made.hands.put(folders=(tmp_path / "v" / "imported",))
    assert made.settle() == ["started v/imported", "found MS102 v/imported", "found MS104 v/imported"]
    assert made.hands.armed == {str(tmp_path / "v"): True}
    write(tmp_path, 216, "v/imported")
    assert made.settle() == ["found MS101 v/imported"]


def test_lost_events_have_everything_looked_at(tmp_path: Path) -> None:
    made = scene(tmp_path)
    vault(tmp_path / "v" / "deep" / "inner", index(215))
    write(tmp_path, 215)
    made.hands.put(is_lost=True)
    assert sorted(made.settle()) == [
        "found MS101 v",
        "found MS102 v/deep/inner",
        "found MS104 v/deep/inner",
        "started v/deep/inner",
    ]


def test_after_very_many_events_folders_are_looked_through(tmp_path: Path) -> None:
    made = scene(tmp_path)
    vault(tmp_path / "v" / "inner", index(6))
    made.hands.put(others=20_000)
    made.wait(32.0)
    assert made.said() == ["started v/inner"]


def test_after_a_step_that_failed_everything_is_looked_at_again(tmp_path: Path) -> None:
    made = scene(tmp_path)
    made.hands.put(write(tmp_path, 215))
    made.wait(0.1)
    made.watcher.recover()
    made.wait(2.5)
    assert made.said() == ["found MS101 v"]


def test_a_content_that_cannot_be_kept_is_told_once(tmp_path: Path) -> None:
    made = scene(tmp_path)
    shutil.rmtree(made.state / "kept")
    (made.state / "kept").write_text("no folder")
    write(tmp_path, 141)
    assert made.settle() == ["trouble v"]
    made.wait(40.0)
    assert made.said() == []


def test_a_content_changed_behind_every_sign_is_found_at_the_reconcile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memstile import watch_look, watch_run

    for module in (watch_look, watch_run):
        monkeypatch.setattr(module, "signature", lambda path: (1,))
    made = scene(tmp_path)
    write(tmp_path, 215)
    made.wait(28.0)
    assert made.said() == []
    made.wait(4.0)
    assert made.said() == ["found MS101 v"]


def test_a_dead_part_is_started_again_and_told(tmp_path: Path) -> None:
    made = scene(tmp_path)
    made.hands.dead.add("dispatch")
    assert made.settle() == ["trouble"]
    assert (made.hands.revived, made.watcher.lives.restarts) == (1, 1)
    assert made.hands.armed == {str(tmp_path / "v"): True}


def test_a_part_that_dies_again_and_again_is_tried_less_often(tmp_path: Path) -> None:
    made = scene(tmp_path)
    for _ in range(60):
        made.hands.dead.add("dispatch")
        made.wait(1.0)
    assert 4 <= made.hands.revived <= 7
    write(tmp_path, 215)
    assert "found MS101 v" in made.settle()


def test_where_nobody_tells_of_changes_it_says_so_and_looks_by_itself(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    made = Scene(tmp_path, "v", refusal="inotify watch limit reached")
    assert made.said() == ["trouble v", "started v"]
    write(tmp_path, 215)
    assert made.settle() == ["found MS101 v"]


def test_a_link_that_leads_elsewhere_by_now(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    outside = tmp_path / "outside"
    outside.mkdir()
    for name, lines in (("a.md", 140), ("b.md", 215)):
        (outside / name).write_bytes(index(lines))
    link = tmp_path / "v" / "MEMORY.md"
    link.unlink()
    link.symlink_to(outside / "a.md")
    made = Scene(tmp_path, "v", mode="enforce")
    assert made.hands.armed == {str(tmp_path / "v"): True, str(outside): False}
    (tmp_path / "next").symlink_to(outside / "b.md")
    os.replace(tmp_path / "next", link)
    made.said()
    assert made.settle() == ["found MS101 v", "not_restored v"]
    assert (outside / "b.md").read_bytes() == index(215)


def test_a_vault_whose_link_leads_elsewhere_by_now(tmp_path: Path) -> None:
    vault(tmp_path / "one", index(140))
    vault(tmp_path / "two", index(215))
    (tmp_path / "v").symlink_to("one")
    made = Scene(tmp_path, "v", mode="enforce")
    assert made.said() == START
    (tmp_path / "next").symlink_to("two")
    os.replace(tmp_path / "next", tmp_path / "v")
    assert made.settle() == ["started v", "found MS102 v", "found MS104 v"]
    (tmp_path / "two" / "MEMORY.md").write_bytes(index(216))
    assert made.settle() == ["found MS101 v", "restored v"]
    (tmp_path / "one" / "MEMORY.md").write_bytes(index(216))
    assert made.settle() == ["found MS101 v", "restored v"]


def test_a_configured_vault_is_watched_before_it_is_there(tmp_path: Path) -> None:
    (tmp_path / "memstile.toml").write_text('[[vault]]\npath = "v"\n')
    made = Scene(tmp_path, mode="enforce")
    assert (made.said(), made.settle()) == (START, [])
    vault(tmp_path / "v", index(140))
    assert made.settle() == ["back v"]
    write(tmp_path, 215)
    assert made.settle() == ["found MS101 v", "restored v"]


def test_a_folder_made_again_in_the_same_place_on_disk_is_listened_to_and_not_put_back(tmp_path: Path) -> None:
    """A file system may give the new folder the number of the old one; then only the deaf part tells."""
    made = scene(tmp_path, mode="enforce")
    made.hands.dead.add(str(tmp_path / "v"))
    write(tmp_path, 215)
    assert made.settle() == ["trouble", "found MS101 v", "not_restored v"]


def test_a_folder_that_could_not_be_listened_to_is_tried_again(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    made = Scene(tmp_path, "v", refusal="inotify watch limit reached")
    assert made.said() == ["trouble v", "started v"]
    made.wait(40.0)
    made.hands.refusal = ""
    made.wait(40.0)
    assert (made.said(), made.watcher.vaults[0].polled) == ([], "")


def test_growth_through_another_name_of_the_file_is_seen(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    os.link(tmp_path / "v" / "MEMORY.md", tmp_path / "other-name")
    made = Scene(tmp_path, "v")
    made.said()
    with open(tmp_path / "other-name", "wb") as file:
        file.write(index(215))
    assert made.settle() == ["found MS101 v"]


def test_what_was_accepted_is_kept_for_restore(tmp_path: Path) -> None:
    made = scene(tmp_path)
    for lines in (120, 130, 215):
        write(tmp_path, lines)
        made.settle()
    rows = kept(str(made.state), str(tmp_path / "v" / "MEMORY.md"))
    assert [read_kept(row) for row in rows] == [index(130), index(120), index(140)]


def test_settings_are_read_again(tmp_path: Path) -> None:
    made = scene(tmp_path)
    (tmp_path / "memstile.toml").write_text("[index]\nhard_lines = 100\nsoft_lines = 90\n")
    made.wait(32.0)
    assert made.said() == ["found MS102 v"]
    (tmp_path / "memstile.toml").write_text("[index]\nhard_lines = none\n")
    made.wait(32.0)
    assert made.said() == ["trouble v"]


def test_a_setting_that_cannot_be_used_is_told_at_the_start(tmp_path: Path) -> None:
    vault(tmp_path / "v")
    (tmp_path / "memstile.toml").write_text("[index]\nhard_lines = -1\nmode = 'x'\n")
    with pytest.raises(GuardError, match=r"index.hard_lines.*index.mode|index.mode.*index.hard_lines"):
        Scene(tmp_path, "v")


def test_of_two_watchers_of_a_vault_the_second_says_who_the_first_is(tmp_path: Path) -> None:
    made = scene(tmp_path)
    with pytest.raises(GuardError, match=rf"v is watched already, by process {os.getpid()}, since "):
        Scene(tmp_path, "v")
    vault(tmp_path / "w")
    both = Scene(tmp_path, "v", "w")
    assert (both.said(), list(both.started.held)) == (["started w"], ["v"])
    made.end()
    assert Scene(tmp_path, "v").said() == START


def test_signs_of_life_are_given_and_taken_away(tmp_path: Path) -> None:
    made = scene(tmp_path)
    (first,) = beats(str(made.state)).values()
    made.wait(6.0)
    (second,) = beats(str(made.state)).values()
    rows = second["vaults"]
    assert (first["time"], second["time"]) == (1_800_000_000.0, pytest.approx(1_800_000_005.0, abs=1.0))
    assert isinstance(rows, list)
    assert (rows[0]["lines"], rows[0]["is_reached"], second["threads"]) == (
        140,
        True,
        {"dispatch": True, str(tmp_path / "v"): True},
    )
    made.end()
    assert beats(str(made.state)) == {}


def test_a_new_watcher_takes_the_place_of_one_that_was_killed(tmp_path: Path) -> None:
    made = scene(tmp_path)
    for lock in made.started.locks:
        lock.release()
    vault(tmp_path / "a")
    Scene(tmp_path, "a", "v")
    assert len(beats(str(made.state))) == 1


def test_once_looks_once_and_does_not_wait(tmp_path: Path) -> None:
    vault(tmp_path / "v", index(140))
    said = []
    for data in (index(140), index(10), index(10), index(215), index(215)):
        (tmp_path / "v" / "MEMORY.md").write_bytes(data)
        made = Scene(tmp_path, "v", is_once=True, mode="enforce")
        said.append(made.end())
    assert said == [START, [*START, "found MS105 v"], START, [*START, "found MS101 v", "not_restored v"], START]
    assert size(tmp_path) == 215


def test_a_state_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    vault(tmp_path / "v")
    (tmp_path / "state").write_text("no folder")
    with pytest.raises(GuardError, match="state folder"):
        Scene(tmp_path, "v")


def test_no_vault_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GuardError, match="no vault"):
        Scene(tmp_path)


def test_a_report_says_where_and_how_large(tmp_path: Path) -> None:
    made = scene(tmp_path)
    write(tmp_path, 215)
    made.wait(1.4)
    seen, found = made.reports
    assert (seen.event, seen.message) == (Event.SEEN, f"now 215 lines and {len(index(215)):,} bytes")
    assert (found.path, found.file, found.before and found.before.lines, found.after and found.after.lines) == (
        "v/MEMORY.md",
        str(tmp_path / "v" / "MEMORY.md"),
        140,
        215,
    )
