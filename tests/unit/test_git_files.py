"""Git's own files, as far as they are read; the real ones are met in the integration tests."""

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.git_files import InvalidIndexError, TrackedFiles, parse_config, parse_index

paths = st.sets(st.text(st.characters(codec="latin-1", exclude_characters="\0"), min_size=1, max_size=30), max_size=8)


def write_index(names: list[str]) -> bytes:
    data = struct.pack(">4sII", b"DIRC", 2, len(names))
    for name in sorted(names):
        entry = bytes(60) + struct.pack(">H", min(len(name), 0xFFF)) + name.encode("latin-1")
        data += entry + bytes(8 - len(entry) % 8)
    return data + bytes(20)


@given(names=paths)
def test_an_index_gives_the_paths_that_were_written(names: set[str]) -> None:
    tracked = parse_index(write_index(list(names)))

    assert tracked == TrackedFiles(tuple(sorted(names)))
    assert all(tracked.has(name) for name in names)


@given(data=st.binary(max_size=200))
def test_what_cannot_be_read_fails_in_one_way_only(data: bytes) -> None:
    for beginning in (b"", b"DIRC\0\0\0\x02\0\0\0\x09", b"DIRC\0\0\0\x04\0\0\0\x09"):
        with contextlib.suppress(InvalidIndexError):
            assert all(isinstance(path, str) for path in parse_index(beginning + data).paths)


def test_a_cut_index_is_refused() -> None:
    with pytest.raises(InvalidIndexError):
        parse_index(write_index(["a/long/path", "b/long/path"])[:100])


def test_folders_that_hold_tracked_files_are_known_by_components() -> None:
    tracked = TrackedFiles(("a-b/x", "a/x", "a0/x", "sub"))

    assert [tracked.has_below(folder) for folder in ("a", "a-b", "a0", "sub", "a-", "b", "")] == [
        *(True, True, True, True, False, False, False)
    ]


def test_a_configuration_is_read_as_git_reads_it() -> None:
    data = rb"""
# comment
[core]
    excludesFile = ~/x ; comment
    IgnoreCase
[Core "sub"] name = "a ; b\\c\"" # comment
[remote "Origin"]
    url = one \
two
  trailing = spaces\x20\x20
nonsense line = 1 2
[extensions] objectFormat=sha256
[core]
    excludesFile = "/last wins"
""".replace(rb"\x20", b" ")

    settings = parse_config(data)

    assert settings["core.excludesfile"] == "/last wins"
    assert settings["core.ignorecase"] == "true"
    assert settings["core.sub.name"] == 'a ; b\\c"'
    assert settings["remote.Origin.url"] == "one two"
    assert settings["remote.Origin.trailing"] == "spaces"
    assert settings["extensions.objectformat"] == "sha256"


@given(data=st.binary(max_size=200))
def test_no_configuration_makes_it_fail(data: bytes) -> None:
    parse_config(data)
