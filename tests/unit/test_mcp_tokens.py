"""The HTTP server's token: made once, private, never one that others could have read."""

import os
import stat
import threading
from pathlib import Path

import pytest

from imprint_mcp.tokens import read_token

posix_only = pytest.mark.skipif(os.name != "posix", reason="modes, links and pipes are POSIX's")


def test_a_token_is_made_once_and_is_long(tmp_path: Path):
    file = tmp_path / "token"

    token = read_token(file)

    assert len(token) >= 40
    assert read_token(file) == token
    assert file.read_text() == f"{token}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["token"]


@posix_only
def test_nobody_else_can_read_it_whatever_the_umask(tmp_path: Path):
    before = os.umask(0)
    try:
        read_token(tmp_path / "token")
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600


@posix_only
def test_a_token_that_others_could_have_read_is_made_anew(tmp_path: Path):
    file = tmp_path / "token"
    token = read_token(file)
    file.chmod(0o644)

    anew = read_token(file)

    assert anew != token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_token(file) == anew


def test_an_empty_file_gets_a_token(tmp_path: Path):
    file = tmp_path / "token"
    file.touch(mode=0o600)

    assert read_token(file)
    assert read_token(file) == read_token(file)


def test_servers_that_start_at_once_share_one_token(tmp_path: Path):
    found: list[str] = []
    barrier = threading.Barrier(8)

    def start() -> None:
        barrier.wait()
        found.append(read_token(tmp_path / "token"))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 8
    assert set(found) == {read_token(tmp_path / "token")}


@posix_only
@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_what_is_no_regular_file_is_refused_and_left_alone(tmp_path: Path, kind: str):
    file, other = tmp_path / "token", tmp_path / "other"
    other.write_text("a token of somebody else's\n")
    {"link": lambda: file.symlink_to(other), "fifo": lambda: os.mkfifo(file), "folder": file.mkdir}[kind]()

    with pytest.raises(OSError):
        read_token(file)

    assert other.read_text() == "a token of somebody else's\n"
    assert not file.is_file() or file.is_symlink()
