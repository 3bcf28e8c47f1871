"""Archives that a stranger made: refused for what they are, in memory and time that stay small."""

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path

import pytest
from exported_accounts import claude, write_zip
from hypothesis import given, settings
from hypothesis import strategies as st

from imprint.adapters.export_files import RealExportFiles
from imprint.adapters.json_streams import stream_values
from imprint.domain.archives import MalformedError
from imprint.errors import ExportDamagedError, ExportRefusedError, ImprintError, UnreadableFileError

MEMBERS = ("conversations.json", "conversations-*.json")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def files(downloads: Path = Path("/nowhere")) -> RealExportFiles:
    return RealExportFiles(lambda: downloads)


def read(path: Path) -> list[object]:
    with files().open(path, MEMBERS) as content:
        return list(content.entries())


def encrypted(path: Path) -> Path:
    """The bit that says so, in both of a member's headers."""
    data = bytearray(write_zip(path, [claude("a", "secret")]).read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    return path


def bomb(path: Path) -> Path:
    return write_zip(path, [" " * 20_000_000])


def lying_bomb(path: Path) -> Path:
    """A bomb whose directory tells of a small file."""
    data = bytearray(bomb(path).read_bytes())
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        begin = data.index(mark) + place
        data[begin : begin + 4] = struct.pack("<I", 1000)
    path.write_bytes(data)
    return path


def doubled(path: Path) -> Path:
    write_zip(path, [claude("a", "one")], **{"conversations-json": json.dumps([claude("a", "two")])})
    path.write_bytes(path.read_bytes().replace(b"conversations-json", b"conversations.json"))
    return path


def crowded(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(50_001):
            archive.writestr(f"{number}", "")
    return path


def endless_directory(path: Path) -> Path:
    """The end record tells of a directory of a hundred megabytes, which are there, as a hole."""
    size = 100 << 20
    with path.open("wb") as file:
        file.write(b"PK\x03\x04")
        file.truncate(size)
        file.seek(size)
        file.write(struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 9, 9, size - 4, 4, 0))
    return path


def other_packing(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("conversations.json", "[]")
    return path


def escaping(name: str):
    return lambda path: write_zip(path, [claude("a", "text")], **{name: "text"})


HOSTILE = {
    "a bomb": bomb,
    "encrypted": encrypted,
    "a name twice": doubled,
    "too many members": crowded,
    "a directory without end": endless_directory,
    "packed in a way of its own": other_packing,
    "above": escaping("../../.bashrc"),
    "above, in the middle": escaping("images/../../x"),
    "absolute": escaping("/etc/passwd"),
    "above, with backslashes": escaping("..\\..\\x"),
    "a drive": escaping("C:x"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_archives_are_refused_before_anything_is_read(tmp_path: Path, what: str):
    path = HOSTILE[what](tmp_path / "hostile.zip")

    with pytest.raises(ExportRefusedError) as raised, files().open(path, MEMBERS):
        pass

    assert raised.value.path == str(path)


def test_a_bomb_that_lies_about_its_size_gives_no_more_than_it_says(tmp_path: Path):
    path = lying_bomb(tmp_path / "bomb.zip")

    with pytest.raises(ExportDamagedError):
        read(path)


def test_an_archive_in_the_archive_is_never_opened(tmp_path: Path):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("conversations.json", json.dumps([claude("inner", "text")]))
    path = tmp_path / "outer.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("export.zip", inner.getvalue())
        archive.writestr("conversations-1.json", inner.getvalue())

    with pytest.raises(ExportDamagedError):
        read(path)


def test_files_about_the_user_are_not_opened(tmp_path: Path):
    """They are damaged here: reading one would raise."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("users.json", "me@example.com")
        archive.writestr("user.json", "me@example.com")
        archive.writestr("conversations.json", json.dumps([claude("a", "text")]))
    path.write_bytes(path.read_bytes().replace(b"me@example.com", b"me@EXAMPLE.com"))

    assert [entry["uuid"] for entry in read(path)] == ["a"]
    with zipfile.ZipFile(path) as archive, pytest.raises(zipfile.BadZipFile):
        archive.read("users.json")


@pytest.mark.parametrize("depth", [2_000, 3_000_000])
def test_json_of_absurd_depth_is_refused(tmp_path: Path, depth: int):
    path = tmp_path / "conversations.json"
    path.write_text("[" + "[" * depth + "]" * depth + "]")

    with pytest.raises(ExportDamagedError):
        read(path)


def test_a_folder_or_pipe_in_the_place_of_a_file_is_told(tmp_path: Path):
    (tmp_path / "conversations.json").mkdir()

    with pytest.raises(UnreadableFileError):
        read(tmp_path)


def test_archives_cut_anywhere_are_told(tmp_path: Path):
    whole = write_zip(tmp_path / "whole.zip", [claude("a", "one", "two"), claude("b", "three")]).read_bytes()
    cut = tmp_path / "cut.zip"

    for end in range(7, len(whole), 7):
        cut.write_bytes(whole[:end])
        with pytest.raises(ImprintError):
            read(cut)


@settings(deadline=None)
@given(data=st.data())
def test_archives_with_any_byte_changed_are_read_or_told(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    whole = bytearray(write_zip(folder / "changed.zip", [claude("a", "one", "two"), claude("b", "three")]).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    (folder / "changed.zip").write_bytes(whole)

    try:
        entries = read(folder / "changed.zip")
    except ImprintError:
        return
    assert all(isinstance(entry, dict) for entry in entries)


def in_pieces(text: str, size: int):
    stream = io.StringIO(text)
    return lambda _: stream.read(size)


@given(st.lists(JSON, max_size=5), st.integers(1, 9), st.sampled_from([None, 1]))
def test_items_of_an_array_are_what_json_finds_in_it(values, size, indent):
    text = json.dumps(values, indent=indent)

    assert list(stream_values(in_pieces(text, size), longest=10_000)) == values


@given(st.lists(JSON.filter(lambda value: not isinstance(value, list)), max_size=5), st.integers(1, 9))
def test_values_on_lines_of_their_own_are_what_json_finds_on_them(values, size):
    text = "".join(json.dumps(value) + "\n" for value in values)

    assert list(stream_values(in_pieces(text, size), longest=10_000)) == values


@given(st.text(alphabet='[]{}",:0 \\uD8é\n', max_size=40), st.integers(1, 9))
def test_any_text_is_streamed_or_malformed(text, size):
    try:
        values = list(stream_values(in_pieces(text, size), longest=10_000))
    except MalformedError:
        return
    assert len(values) <= len(text)


def test_a_value_that_is_too_long_ends_the_stream():
    with pytest.raises(MalformedError, match="more than 100 characters"):
        list(stream_values(in_pieces(json.dumps(["x" * 1000]), 10), longest=100))


def test_the_download_folder_is_looked_through_by_names(tmp_path: Path):
    write_zip(tmp_path / "account.zip", [claude("a", "text")])
    (tmp_path / "unpacked").mkdir()
    (tmp_path / "unpacked" / "conversations-000.json").write_text("[]")
    (tmp_path / "conversations.json").write_text("[]")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04" + zlib.compress(b"nothing"))
    (tmp_path / "letter.txt").write_text("nothing")
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("one.jpg", "")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "nowhere.zip").symlink_to(tmp_path / "nowhere.zip")
    (tmp_path / "conversations-000.json").mkdir()

    found = files(tmp_path).find(MEMBERS)

    assert {path.name for path in found} == {"account.zip", "unpacked", "conversations.json"}
    assert files(tmp_path / "none").find(MEMBERS) == ()
