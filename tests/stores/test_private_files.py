"""Files of our own are opened safely: no link, no pipe, no second name, nobody else's, for the owner alone."""

import os
import stat
from pathlib import Path

import pytest

from cruxfinder.errors import UnsafeFile
from cruxfinder.kernel.private_files import make_folder, open_private, read_tail

APPENDING = os.O_RDWR | os.O_CREAT | os.O_APPEND


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_and_a_new_file_are_their_owners_alone(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    os.close(open_private(tmp_path / "a" / "b" / "log", APPENDING))
    assert mode(tmp_path / "a") == mode(tmp_path / "a" / "b") == 0o700
    assert mode(tmp_path / "a" / "b" / "log") == 0o600


def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("x")
    (tmp_path / "log").chmod(0o666)
    os.close(open_private(tmp_path / "log"))
    assert mode(tmp_path / "log") == 0o600


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x")
    (tmp_path / "log").symlink_to(tmp_path / "precious")
    with pytest.raises(UnsafeFile, match="is a link"):
        open_private(tmp_path / "log", APPENDING)
    (tmp_path / "dangling").symlink_to(tmp_path / "made")
    with pytest.raises(UnsafeFile, match="is a link"):
        open_private(tmp_path / "dangling", APPENDING)
    assert not (tmp_path / "made").exists()


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "memory").symlink_to(tmp_path / "real")
    with pytest.raises(UnsafeFile, match="is a link"):
        make_folder(tmp_path / "memory")
    with pytest.raises(UnsafeFile, match="is a link"):
        open_private(tmp_path / "memory" / "log", APPENDING)
    assert list((tmp_path / "real").iterdir()) == []


def test_a_second_name_of_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bashrc").write_text("x")
    os.link(tmp_path / "bashrc", tmp_path / "log")
    with pytest.raises(UnsafeFile, match="second name"):
        open_private(tmp_path / "log", APPENDING)


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log")
    with pytest.raises(UnsafeFile, match="no regular file"):
        open_private(tmp_path / "log")
    with pytest.raises(UnsafeFile, match="no regular file"):
        open_private(tmp_path / "log", APPENDING)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_somebody_elses_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("x")
    os.chown(tmp_path / "log", 12345, 12345)
    with pytest.raises(UnsafeFile, match="somebody else"):
        open_private(tmp_path / "log")


@pytest.mark.parametrize(
    ("bytes_max", "read", "left_out"),
    [
        pytest.param(100, b"one\ntwo\nthree\n", 0, id="all of a short file"),
        pytest.param(7, b"three\n", 8, id="no line that was cut"),
        pytest.param(6, b"three\n", 8, id="a line that begins at the cut is whole"),
        pytest.param(3, b"", 14, id="not even one line"),
    ],
)
def test_the_tail_of_a_file_begins_with_a_line(tmp_path: Path, bytes_max: int, read: bytes, left_out: int) -> None:
    (tmp_path / "log").write_bytes(b"one\ntwo\nthree\n")
    descriptor = open_private(tmp_path / "log")
    try:
        assert read_tail(descriptor, bytes_max) == (read, left_out)
    finally:
        os.close(descriptor)
