"""put_back.py: an index gets its accepted content back; whatever else was there is kept, and a newer one stays."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.exchange import Exchange, exchange
from memstile.left_beside import content
from memstile.put_back import Outcome, PutBack, put_back, recover
from memstile.quarantine import quarantined
from tests.put_back_race import text
from tests.second_disk import elsewhere as elsewhere
from tests.unprivileged import public_folder, unprivileged

BAD, GOOD, NEWER, NEWEST = b"bad\n" * 300, b"good\n", b"newer\n", b"newest\n"

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")


def unable(one: str, other: str) -> bool:
    return False


EACH_WAY = pytest.mark.parametrize("swap", [exchange, unable], ids=["exchange", "aside"])


class Place(NamedTuple):
    """A vault and a quarantine."""

    vault: Path
    quarantine: Path

    @property
    def file(self) -> Path:
        return self.vault / "MEMORY.md"

    def put_back(self, swap: Exchange = exchange, judged: bytes = BAD, accepted: bytes = GOOD) -> PutBack:
        return put_back(str(self.file), judged, accepted, str(self.quarantine), 5.0, swap)

    def held(self) -> list[bytes]:
        """Give the contents in quarantine; each has to be for the person alone."""
        paths = sorted(self.quarantine.iterdir()) if self.quarantine.exists() else []
        assert {stat.S_IMODE(path.stat().st_mode) for path in paths} <= {0o600}
        return [path.read_bytes() for path in paths]

    def beside(self) -> list[str]:
        return sorted(path.name for path in self.vault.iterdir() if path.name not in ("MEMORY.md", "note.md"))


def made(folder: Path, data: bytes = BAD) -> Place:
    place = Place(folder / "vault", folder / "state/quarantine")
    place.vault.mkdir(parents=True)
    place.file.write_bytes(data)
    return place


@EACH_WAY
def test_the_accepted_content_comes_back_and_the_rejected_one_is_held(swap: Exchange, tmp_path: Path) -> None:
    place = made(tmp_path)
    done = place.put_back(swap)
    rows = quarantined(str(place.quarantine), str(place.file))
    assert done == PutBack(Outcome.DONE, rows[0].place)
    assert (place.file.read_bytes(), place.held(), place.beside()) == (GOOD, [BAD], [])
    assert [(row.time, row.size) for row in rows] == [(5.0, (300, 1200))]
    assert stat.S_IMODE(place.quarantine.stat().st_mode) == 0o700


def test_what_is_accepted_already_is_left_alone(tmp_path: Path) -> None:
    place = made(tmp_path)
    before = place.file.stat()
    assert place.put_back(accepted=BAD) == PutBack(Outcome.DONE)
    after = place.file.stat()
    assert (after.st_ino, after.st_ctime_ns, place.quarantine.exists()) == (before.st_ino, before.st_ctime_ns, False)


@EACH_WAY
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755, 0o444])
def test_the_mode_stays(mode: int, swap: Exchange, tmp_path: Path) -> None:
    place = made(tmp_path)
    place.file.chmod(mode)
    assert place.put_back(swap).outcome is Outcome.DONE
    assert (stat.S_IMODE(place.file.stat().st_mode), place.held()) == (mode, [BAD])


@needs_root
@EACH_WAY
def test_owner_and_group_stay(swap: Exchange, tmp_path: Path) -> None:
    place = made(tmp_path)
    os.chown(place.file, 12345, 12346)
    assert place.put_back(swap).outcome is Outcome.DONE
    assert (place.file.stat().st_uid, place.file.stat().st_gid) == (12345, 12346)


@needs_root
def test_the_file_of_another_user_is_left_alone() -> None:
    with public_folder() as folder:
        place = made(folder)
        place.vault.chmod(0o777)
        with unprivileged():
            assert place.put_back() == PutBack(Outcome.FAILED, why="it belongs to another user")
        place.vault.chmod(0o755)
        assert (place.file.read_bytes(), place.beside()) == (BAD, [])


def test_where_the_folder_cannot_be_written_nothing_changes() -> None:
    with public_folder() as folder:
        place = made(folder)
        os.chown(place.file, 65534, -1)
        (folder / "state").mkdir()
        (folder / "state").chmod(0o777)
        with unprivileged():
            assert place.put_back() == PutBack(Outcome.FAILED, why="Permission denied")
        assert (place.file.read_bytes(), place.beside()) == (BAD, [])


def test_where_quarantine_cannot_be_made_nothing_changes(tmp_path: Path) -> None:
    place = made(tmp_path)
    (tmp_path / "state").write_bytes(b"")
    assert place.put_back().outcome is Outcome.FAILED
    assert (place.file.read_bytes(), place.beside()) == (BAD, [])


@EACH_WAY
def test_a_symlink_stays_one_and_its_target_is_replaced(swap: Exchange, tmp_path: Path) -> None:
    place = made(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    place.file.rename(tmp_path / "elsewhere/target.md")
    place.file.symlink_to("../elsewhere/target.md")
    assert place.put_back(swap).outcome is Outcome.DONE
    assert (os.readlink(place.file), place.file.read_bytes(), place.held()) == ("../elsewhere/target.md", GOOD, [BAD])
    assert (place.beside(), os.listdir(tmp_path / "elsewhere")) == ([], ["target.md"])


@EACH_WAY
def test_a_hard_link_is_broken_and_the_other_name_keeps_content_and_mode(swap: Exchange, tmp_path: Path) -> None:
    place = made(tmp_path)
    place.file.chmod(0o640)
    os.link(place.file, tmp_path / "other")
    done = place.put_back(swap)
    assert (done.outcome, done.why) == (Outcome.DONE, "1 other name of the file keeps the rejected content")
    assert (place.file.read_bytes(), (tmp_path / "other").read_bytes(), place.held()) == (GOOD, BAD, [BAD])
    assert [stat.S_IMODE(path.stat().st_mode) for path in (place.file, tmp_path / "other")] == [0o640, 0o640]
    assert ((tmp_path / "other").stat().st_nlink, place.beside()) == (1, [])


@pytest.mark.parametrize("where", ["vault/q", "vault/sub/q", "q", ".git/q"])
def test_quarantine_in_the_repository_of_the_vault_is_refused(where: str, tmp_path: Path) -> None:
    place = made(tmp_path)._replace(quarantine=tmp_path / where)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    why = "quarantine would be in the repository of the vault"
    assert place.put_back() == PutBack(Outcome.FAILED, why=why)
    assert (place.file.read_bytes(), (tmp_path / where).exists()) == (BAD, False)


def test_so_is_one_in_the_repository_that_a_symlink_to_the_index_lies_in(tmp_path: Path) -> None:
    place = made(tmp_path / "project")
    place.file.rename(tmp_path / "target")
    place.file.symlink_to("../../target")
    subprocess.run(["git", "init", "--quiet", tmp_path / "project"], check=True)
    assert place.put_back().outcome is Outcome.FAILED
    assert place._replace(quarantine=tmp_path / "state").put_back().outcome is Outcome.DONE


def by_rename(place: Place, data: bytes) -> None:
    (place.vault.parent / "draft").write_bytes(data)
    (place.vault.parent / "draft").rename(place.file)


def in_place(place: Place, data: bytes) -> None:
    place.file.write_bytes(data)


def removed(place: Place, data: bytes) -> None:
    place.file.unlink()


def moved_away(place: Place, data: bytes) -> None:
    place.file.rename(place.vault.parent / "moved")


def a_folder(place: Place, data: bytes) -> None:
    place.file.unlink()
    place.file.mkdir()
    (place.file / "inside").write_bytes(data)


def a_symlink(place: Place, data: bytes) -> None:
    (place.vault.parent / "target").write_bytes(data)
    place.file.unlink()
    place.file.symlink_to("../target")


def seen(place: Place) -> object:
    """Say what is at the place of the index."""
    if place.file.is_symlink():
        return ("a link", os.readlink(place.file), place.file.read_bytes())
    if place.file.is_dir():
        return ("a folder", [(path.name, path.read_bytes()) for path in place.file.iterdir()])
    return place.file.read_bytes() if place.file.exists() else None


Change = Callable[[Place, bytes], None]
CHANGES: list[Change] = [by_rename, in_place, removed, moved_away, a_folder, a_symlink]
EACH_CHANGE = pytest.mark.parametrize("change", CHANGES, ids=[change.__name__ for change in CHANGES])


@EACH_WAY
@EACH_CHANGE
def test_what_changed_before_is_left_alone(change: Change, swap: Exchange, tmp_path: Path) -> None:
    place = made(tmp_path)
    change(place, NEWER)
    before = seen(place)
    assert place.put_back(swap).outcome is Outcome.CHANGED
    assert (seen(place), place.beside(), place.quarantine.exists()) == (before, [], False)


@EACH_WAY
@EACH_CHANGE
def test_what_changes_at_the_last_moment_stays(change: Change, swap: Exchange, tmp_path: Path) -> None:
    place, times = made(tmp_path), list[object]()

    def late(one: str, other: str) -> bool:
        if not times:
            change(place, NEWER)
            times.append(seen(place))
        return swap(one, other)

    assert place.put_back(late).outcome is Outcome.CHANGED
    assert (seen(place), place.held(), place.beside()) == (times[0], [], [])


@pytest.mark.parametrize("change", [by_rename, in_place], ids=["by_rename", "in_place"])
def test_a_second_newer_one_wins_and_the_first_is_held(change: Change, tmp_path: Path) -> None:
    """NEWER comes between verdict and exchange, NEWEST between that and the way back."""
    place, times = made(tmp_path), [NEWEST, NEWER]

    def busy(one: str, other: str) -> bool:
        if times:
            change(place, times.pop())
        return exchange(one, other)

    done = place.put_back(busy)
    assert (done.outcome, done.why) == (Outcome.CHANGED, "it was written to after it was judged")
    assert (place.file.read_bytes(), place.held(), place.beside()) == (NEWEST, [NEWER], [])


def test_a_writer_that_never_pauses_ends_it_and_nothing_is_lost(tmp_path: Path) -> None:
    place, written = made(tmp_path), list[bytes]()

    def endless(one: str, other: str) -> bool:
        written.append(b"%d" % len(written))
        by_rename(place, written[-1])
        return exchange(one, other)

    done = place.put_back(endless)
    assert (done.outcome, done.why) == (Outcome.CHANGED, "somebody writes without a pause")
    assert sorted([place.file.read_bytes(), *place.held()]) == sorted(written[-2:])
    assert (len(written), place.beside()) == (17, [])


def test_an_index_removed_on_the_way_back_leaves_the_newer_one_held(tmp_path: Path) -> None:
    place, changes = made(tmp_path), [removed, by_rename]

    def unlucky(one: str, other: str) -> bool:
        changes.pop()(place, NEWER)
        return exchange(one, other)

    assert place.put_back(unlucky).outcome is Outcome.CHANGED
    assert (seen(place), place.held(), place.beside()) == (None, [NEWER], [])


def test_a_link_that_leads_elsewhere_by_then_is_noticed(tmp_path: Path) -> None:
    place = made(tmp_path)
    (tmp_path / "one").write_bytes(BAD)
    (tmp_path / "two").write_bytes(NEWER)
    place.file.unlink()
    place.file.symlink_to("../one")

    def turned(one: str, other: str) -> bool:
        place.file.unlink(missing_ok=True)
        place.file.symlink_to("../two")
        return exchange(one, other)

    assert place.put_back(turned).outcome is Outcome.CHANGED
    assert ((tmp_path / "one").read_bytes(), (tmp_path / "two").read_bytes(), place.held()) == (BAD, NEWER, [])


@EACH_WAY
def test_who_has_the_file_open_goes_on_writing_in_quarantine(swap: Exchange, tmp_path: Path) -> None:
    place = made(tmp_path)
    with open(place.file, "ab") as editor:
        assert place.put_back(swap).outcome is Outcome.DONE
        editor.write(b"more\n")
    assert (place.file.read_bytes(), place.held()) == (GOOD, [BAD + b"more\n"])


def test_so_does_who_opened_the_accepted_content_while_it_was_the_index(tmp_path: Path) -> None:
    place, opened, times = made(tmp_path), list[int](), [NEWER]

    def busy(one: str, other: str) -> bool:
        if times:
            by_rename(place, times.pop())
        else:
            opened.append(os.open(place.file, os.O_WRONLY | os.O_TRUNC | os.O_APPEND))
            os.write(opened[0], GOOD)
        return exchange(one, other)

    assert place.put_back(busy).outcome is Outcome.CHANGED
    os.write(opened[0], b"more\n")
    os.close(opened[0])
    assert (place.file.read_bytes(), place.held(), place.beside()) == (NEWER, [GOOD + b"more\n"], [])


@EACH_WAY
def test_on_another_file_system_what_is_open_stays_beside_until_it_is_closed(
    swap: Exchange, tmp_path: Path, elsewhere: Path
) -> None:
    place = made(tmp_path)._replace(quarantine=elsewhere / "q")
    with open(place.file, "ab") as editor:
        done = place.put_back(swap)
        assert (done.outcome, place.file.read_bytes(), place.held()) == (Outcome.DONE, GOOD, [BAD])
        editor.write(b"more\n")
    assert Path(done.quarantined).parent == place.vault
    assert len(recover(str(place.quarantine), str(place.vault))) == 1
    assert (place.held(), place.beside()) == ([BAD + b"more\n"], [])


def test_where_quarantine_takes_nothing_the_rejected_content_stays_beside_for_the_next_start(tmp_path: Path) -> None:
    place = made(tmp_path)

    def gone(one: str, other: str) -> bool:
        place.quarantine.rmdir()
        return exchange(one, other)

    done = place.put_back(gone)
    assert (done.outcome, Path(done.quarantined).parent, place.file.read_bytes()) == (Outcome.DONE, place.vault, GOOD)
    assert Path(done.quarantined).read_bytes() == BAD
    found = recover(str(place.quarantine), str(place.vault))
    assert ([Path(path).read_bytes() for path in found], place.held(), place.beside()) == ([BAD], [BAD], [])


CONTENTS = st.binary(max_size=60)


@given(judged=CONTENTS, accepted=CONTENTS, late=CONTENTS, is_late=st.booleans(), can_exchange=st.booleans())
def test_for_any_contents_all_of_them_are_accounted_for(
    judged: bytes,
    accepted: bytes,
    late: bytes,
    is_late: bool,
    can_exchange: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = made(tmp_path_factory.mktemp("any"), judged)

    def swap(one: str, other: str) -> bool:
        if is_late:
            by_rename(place, late)
        return can_exchange and exchange(one, other)

    done, was = place.put_back(swap, judged, accepted), late if is_late else judged
    if judged == accepted:
        assert (done, place.file.read_bytes(), place.held()) == (PutBack(Outcome.DONE), judged, [])
    elif was == judged:
        assert (done.outcome, place.file.read_bytes(), place.held()) == (Outcome.DONE, accepted, [judged])
    else:
        assert done.outcome is Outcome.CHANGED
        assert place.file.read_bytes() in {late, accepted}
        assert late in (place.file.read_bytes(), *place.held())
    assert place.beside() == []


@EACH_WAY
def test_against_a_writer_in_another_process_every_content_is_accounted_for(swap: Exchange, tmp_path: Path) -> None:
    place, count, done = made(tmp_path, GOOD), 400, dict.fromkeys(Outcome, 0)
    words = [sys.executable, "-m", "tests.put_back_race", str(place.file), str(count), str(tmp_path / "out")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path])}
    with subprocess.Popen(words, env=environment) as writer:
        while writer.poll() is None:
            judged = content(str(place.file)) or GOOD
            if judged != GOOD:
                done[place.put_back(swap, judged).outcome] += 1
    assert writer.returncode == 0
    replaced = [row.encode() for row in json.loads((tmp_path / "out").read_bytes()) if row]
    there = [place.file.read_bytes(), *place.held(), *replaced]
    assert sorted(row for row in there if row != GOOD) == sorted(text(number) for number in range(count))
    assert (place.beside(), done[Outcome.FAILED]) == ([], 0)
    assert done[Outcome.DONE]


# What a killed process may leave, beside a whole index: name without its end, content, what becomes of it.
LEFT = {
    "new, whole": ("memstile-new-0a1b2c3d", GOOD, "removed"),
    "new, half": ("memstile-new-0a1b2c3d", GOOD[:2], "removed"),
    "back, before the exchange": ("memstile-back-DIGEST-0a1b2c3d", GOOD, "removed"),
    "back, after it": ("memstile-back-DIGEST-0a1b2c3d", BAD, "held"),
    "aside": ("memstile-aside-DIGEST-0a1b2c3d", BAD, "held"),
    "aside, the accepted one": ("memstile-aside-DIGEST-0a1b2c3d", GOOD, "removed"),
    "no digest": ("memstile-back-0a1b2c3d", BAD, "stays"),
    "new with a digest": ("memstile-new-DIGEST-0a1b2c3d", BAD, "stays"),
    "another program's": ("memstile-backup-0a1b2c3d", BAD, "stays"),
    "of a step of fix": ("memstile-0a1b2c3d", BAD, "stays"),
    "a note": ("memstile-back-DIGEST-0a1b2c3d.md", BAD, "stays"),
}


@pytest.mark.parametrize(("ending", "data", "what"), LEFT.values(), ids=LEFT)
def test_what_a_killed_process_left_is_cleared_up(ending: str, data: bytes, what: str, tmp_path: Path) -> None:
    place = made(tmp_path, NEWER)
    name = f"MEMORY.md.{ending}".replace("DIGEST", digest(tmp_path))
    (place.vault / name).write_bytes(data)
    found = recover(str(place.quarantine), str(place.vault))
    assert [Path(path).read_bytes() for path in found] == place.held() == ([data] if what == "held" else [])
    assert (place.file.read_bytes(), place.beside()) == (NEWER, [name] if what == "stays" else [])


def digest(folder: Path) -> str:
    """Find the digest of GOOD in a name, as put_back writes it."""
    names = list[str]()

    def see(one: str, other: str) -> bool:
        names.append(one)
        return exchange(one, other)

    made(folder / "other").put_back(see)
    return names[0].rsplit("-", 2)[1]


def test_an_index_that_was_aside_when_the_process_was_killed_is_back(tmp_path: Path) -> None:
    place = made(tmp_path)
    ending = f"{digest(tmp_path)}-0a1b2c3d"
    place.file.rename(place.vault / f"MEMORY.md.memstile-aside-{ending}")
    (place.vault / f"MEMORY.md.memstile-back-{ending}").write_bytes(GOOD)
    assert recover(str(place.quarantine), str(place.vault)) == ()
    assert (place.file.read_bytes(), place.held(), place.beside()) == (BAD, [], [])


def test_what_is_left_where_a_symlinked_index_leads_to_is_found(tmp_path: Path) -> None:
    place = made(tmp_path)
    (tmp_path / "far").mkdir()
    place.file.rename(tmp_path / "far/index")
    place.file.symlink_to("../far/index")
    (tmp_path / f"far/index.memstile-back-{digest(tmp_path)}-0a1b2c3d").write_bytes(NEWER)
    assert len(recover(str(place.quarantine), str(place.vault))) == 1
    assert (place.held(), os.listdir(tmp_path / "far")) == ([NEWER], ["index"])
    assert [row.size.bytes for row in quarantined(str(place.quarantine), str(place.file))] == [len(NEWER)]


def test_where_nothing_was_left_nothing_is_made(tmp_path: Path) -> None:
    place = made(tmp_path)
    assert recover(str(place.quarantine), str(place.vault)) == recover(str(place.quarantine), "/no/such") == ()
    assert not place.quarantine.parent.exists()
