"""The configuration file on a real disk."""

import stat
import sys
from pathlib import Path

import pytest

from imprint.adapters.config_files import ConfigFile
from imprint.domain.settings import Origin
from imprint.errors import InvalidConfigFileError, UnwritableConfigError

COMMENTED = """\
# Mine.
[search]
# Few are enough.
limit = 5  # not 8

[vectors]
backend = "local"
"""


def test_a_missing_file_gives_no_values(tmp_path: Path):
    layer = ConfigFile(tmp_path / "config.toml").layer()

    assert (layer.origin, dict(layer.values)) == (Origin.FILE, {})


def test_a_value_that_was_set_is_read_back(tmp_path: Path):
    config = ConfigFile(tmp_path / "new" / "config.toml")

    assert config.set("search.limit", 3)
    assert config.set("plugins.blocked", ("a", "b"))

    assert dict(config.layer().values) == {"search.limit": 3, "plugins.blocked": ["a", "b"]}


def test_editing_keeps_comments_and_order(tmp_path: Path):
    path = tmp_path / "config.toml"
    path.write_text(COMMENTED)

    assert ConfigFile(path).set("search.limit", 6)

    assert path.read_text() == COMMENTED.replace("limit = 5", "limit = 6")


def test_saying_the_same_again_changes_nothing(tmp_path: Path):
    path = tmp_path / "config.toml"
    path.write_text(COMMENTED)
    before = path.stat()

    assert not ConfigFile(path).set("search.limit", 5)
    assert not ConfigFile(path).unset("embedder.model")

    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_misspelt_key_can_be_taken_out(tmp_path: Path):
    path = tmp_path / "config.toml"
    path.write_text("loose = 1\n[serch]\nlimit = 2\n")
    config = ConfigFile(path)

    assert config.unset("serch.limit")
    assert config.unset("loose")

    assert dict(config.layer().values) == {}


@pytest.mark.parametrize("content", [b"= nothing", b"\xff\xfe\x00", b"[search\nlimit = 1"])
def test_a_broken_file_is_an_error_that_names_it_and_stays_as_it_is(tmp_path: Path, content: bytes):
    path = tmp_path / "config.toml"
    path.write_bytes(content)

    with pytest.raises(InvalidConfigFileError) as read:
        ConfigFile(path).layer()
    with pytest.raises(InvalidConfigFileError):
        ConfigFile(path).set("search.limit", 1)

    assert read.value.path == str(path)
    assert path.read_bytes() == content


def test_a_byte_order_mark_is_fine(tmp_path: Path):
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xef\xbb\xbf[search]\nlimit = 2\n")

    assert dict(ConfigFile(path).layer().values) == {"search.limit": 2}


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")
def test_mode_and_link_survive_an_edit(tmp_path: Path):
    target = tmp_path / "dotfiles.toml"
    target.write_text(COMMENTED)
    target.chmod(0o640)
    link = tmp_path / "config.toml"
    link.symlink_to(target)

    ConfigFile(link).set("search.limit", 9)

    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert "limit = 9" in target.read_text()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["config.toml", "dotfiles.toml"]


def test_a_folder_that_cannot_be_written_is_an_error_that_names_the_file(tmp_path: Path):
    blocker = tmp_path / "file"
    blocker.write_text("")

    with pytest.raises((UnwritableConfigError, InvalidConfigFileError)) as caught:
        ConfigFile(blocker / "config.toml").set("search.limit", 1)

    assert caught.value.path == str(blocker / "config.toml")
