"""File systems that do not tell, folders that are others, files that changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memstile.watch_places import identity, polled_type, signature, type_of

MOUNTS = r"""
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /mnt/nas rw,relatime - nfs4 server:/x rw
31 30 0:41 / /mnt/nas/deep rw - ext4 /dev/sdb1 rw
32 22 0:42 / /mnt/with\040space rw - fuse.sshfs host:/ rw
33 22 0:43 / /mnt/c rw,noatime master:1 shared:2 - 9p drvfs rw
nonsense
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/me", "ext4"),
        ("/mnt/nas", "nfs4"),
        ("/mnt/nas/vault", "nfs4"),
        ("/mnt/nas/deep/vault", "ext4"),
        ("/mnt/nasty", "ext4"),
        ("/mnt/with space/vault", "fuse.sshfs"),
        ("/mnt/c/Users", "9p"),
    ],
)
def test_the_innermost_mount_counts(folder: str, kind: str) -> None:
    assert type_of(folder, MOUNTS) == kind


@pytest.mark.parametrize(
    ("folder", "kind"),
    [("/home/me", ""), ("/mnt/nas/x", "nfs4"), ("/mnt/with space", "fuse.sshfs"), ("/mnt/c", "9p")],
)
def test_network_and_virtual_file_systems_are_polled(
    folder: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mountinfo").write_text(MOUNTS)
    monkeypatch.setattr("memstile.watch_places._MOUNTS", str(tmp_path / "mountinfo"))
    assert polled_type(folder) == kind


def test_where_the_system_does_not_tell_of_mounts_nothing_is_polled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memstile.watch_places._MOUNTS", "/nowhere/at/all")
    assert polled_type("/mnt/nas") == ""


def test_a_folder_made_again_is_another_one(tmp_path: Path) -> None:
    first = tmp_path / "a"
    first.mkdir()
    before = identity(str(first))
    first.rename(tmp_path / "b")
    assert identity(str(first)) is None
    first.mkdir()
    assert identity(str(first)) not in (None, before)
    (tmp_path / "file").touch()
    assert (identity(str(tmp_path / "file")), identity("\0")) == (None, None)


def test_every_way_to_change_a_file_changes_its_signature(tmp_path: Path) -> None:
    file, other = tmp_path / "f", tmp_path / "g"
    file.write_text("one")
    seen = [signature(str(file))]
    file.write_text("two")
    seen.append(signature(str(file)))
    os.utime(file, ns=(seen[0][3], seen[0][3]))
    seen.append(signature(str(file)))
    file.chmod(0o600)
    seen.append(signature(str(file)))
    other.write_text("two")
    os.replace(other, file)
    seen.append(signature(str(file)))
    file.rename(other)
    seen.append(signature(str(file)))
    file.symlink_to("nowhere")
    seen.append(signature(str(file)))
    file.unlink()
    file.symlink_to(other)
    seen.append(signature(str(file)))
    file.unlink()
    assert (len(set(seen)), signature(str(file))) == (8, ())
