"""Transcripts as they lie on a disk, while somebody else writes them."""

import os
import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.adapters.transcripts import RealTranscriptFiles
from imprint.errors import TranscriptTooLargeError, TranscriptUnreadableError

FILES = RealTranscriptFiles(longest_line=40, largest_document=200)


def pure(path: Path) -> PurePosixPath:
    return PurePosixPath(path)


@given(
    lines=st.lists(st.binary(max_size=60).map(lambda line: line.replace(b"\n", b" ")), max_size=12), torn=st.binary()
)
def test_every_whole_line_is_given_once_wherever_reading_begins(
    lines: list[bytes], torn: bytes, tmp_path_factory: pytest.TempPathFactory
):
    path = tmp_path_factory.getbasetemp() / "lines.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines) + torn.replace(b"\n", b" "))

    with FILES.open(pure(path)) as reader:
        found = list(reader.lines())

        assert [line.data for line in found] == [line if len(line) <= 40 else b"" for line in lines]
        assert [line.number for line in found] == list(range(1, len(lines) + 1))
        for place, line in enumerate(found):
            assert list(reader.lines(line.end, line.number)) == found[place + 1 :]


@pytest.mark.parametrize("length", [1 << 20, (1 << 20) - 1, (1 << 20) + 1, 3 << 20])
def test_lines_that_meet_the_ends_of_blocks_are_whole(tmp_path: Path, length: int):
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"a" * length + b"\n" + b"b" * 5 + b"\n")

    with RealTranscriptFiles(longest_line=4 << 20).open(pure(path)) as reader:
        found = list(reader.lines())

    assert [(len(line.data), line.end) for line in found] == [(length, length + 1), (5, length + 7)]


def test_a_line_of_any_length_costs_the_memory_of_the_longest_that_is_kept(tmp_path: Path):
    path = tmp_path / "t.jsonl"
    with path.open("wb") as file:
        for _ in range(64):
            file.write(b"x" * (1 << 20))
        file.write(b"\nshort\n")
    with RealTranscriptFiles(longest_line=1 << 20).open(pure(path)) as reader:
        tracemalloc.start()
        found = list(reader.lines())
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert [line.data for line in found] == [b"", b"short"]
    assert peak < 8 << 20


def test_what_is_written_meanwhile_belongs_to_the_next_reading(tmp_path: Path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"one\n")

    with FILES.open(pure(path)) as reader:
        with path.open("ab") as file:
            file.write(b"two\n")
        found = [line.data for line in reader.lines()]

    assert found == [b"one"]


def test_a_file_that_grew_keeps_its_mark_and_another_has_none_of_it(tmp_path: Path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"one\n" * 2000)
    mark = FILES.mark(pure(path), 8000)

    with path.open("ab") as file:
        file.write(b"two\n")
    grew = FILES.is_marked(pure(path), mark)
    path.write_bytes(b"one\n" * 1999)
    shrank = FILES.is_marked(pure(path), mark)
    path.write_bytes(b"one\n" * 1999 + b"two\nmore\n")
    replaced = FILES.is_marked(pure(path), mark)

    assert (grew, shrank, replaced, FILES.is_marked(pure(path), "nonsense")) == (True, False, False, False)


def test_what_is_no_regular_file_is_told_and_not_waited_for(tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()

    assert FILES.look(pure(folder)) is None
    assert FILES.look(pure(tmp_path / "none")) is None
    with pytest.raises(TranscriptUnreadableError), FILES.open(pure(folder)):
        pass
    with pytest.raises(TranscriptUnreadableError), FILES.open(pure(tmp_path / "none")):
        pass


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(TranscriptUnreadableError), FILES.open(pure(tmp_path / "pipe")):
        pass


def test_a_document_is_given_whole_up_to_a_size(tmp_path: Path):
    path = tmp_path / "t.json"
    path.write_bytes(b"{}")
    with FILES.open(pure(path)) as reader:
        assert reader.document() == b"{}"
    path.write_bytes(b" " * 201)
    with FILES.open(pure(path)) as reader, pytest.raises(TranscriptTooLargeError):
        reader.document()


def test_rows_are_read_while_their_client_writes_and_nothing_is_written(tmp_path: Path):
    path = tmp_path / "state ?.db"
    with closing(sqlite3.connect(path)) as client:
        client.execute("PRAGMA journal_mode = WAL")
        client.execute("CREATE TABLE said (text TEXT)")
        client.execute("INSERT INTO said VALUES (cast(x'ff61' AS TEXT))")
        client.commit()
        client.execute("BEGIN IMMEDIATE")
        client.execute("INSERT INTO said VALUES ('later')")

        with FILES.open(pure(path)) as reader:
            rows = list(reader.rows("SELECT text FROM said WHERE text <> ?", ("x",)))
            with pytest.raises(TranscriptUnreadableError):
                list(reader.rows("SELECT * FROM missing"))
            with pytest.raises(TranscriptUnreadableError):
                list(reader.rows("DELETE FROM said"))
        client.commit()
        assert client.execute("SELECT count(*) FROM said").fetchone() == (2,)

    assert rows == [("\ufffda",)]


def test_what_is_no_database_is_told(tmp_path: Path):
    path = tmp_path / "t.db"
    path.write_bytes(b"no database" * 100)

    with FILES.open(pure(path)) as reader, pytest.raises(TranscriptUnreadableError):
        list(reader.rows("SELECT 1 FROM sqlite_schema"))
