"""What speaks for a passage before its text is compared."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest

from imprint.domain.priors import (
    DEFINITION_BONUS,
    PATH_BONUS,
    RECENCY_BONUS,
    TEST_MALUS,
    is_test_file,
    prior_of,
)
from imprint.domain.queries import parse_query
from imprint.domain.sources import (
    CanonicalPath,
    Chunk,
    ChunkId,
    MemoryKind,
    Source,
    SourceKey,
    SourceKind,
    StoredChunk,
)

NOW = "2026-06-01T00:00:00.000Z"
FILE = PurePosixPath("/app/a.py")


def stored(source: Source, **chunk: str) -> StoredChunk:
    return StoredChunk(id=ChunkId(1), ordinal=0, chunk=Chunk(text="text", **chunk), source=source)


def memory(time: str) -> StoredChunk:
    source = Source(key=SourceKey("memory:1"), kind=SourceKind.MEMORY, memory_kind=MemoryKind.DECISION, time=time)
    return stored(source)


def code(path: CanonicalPath = FILE, symbol: str = "") -> StoredChunk:
    return stored(Source(key=SourceKey(str(path)), kind=SourceKind.CODE, path=path), symbol=symbol)


def prior(passage: StoredChunk, query: str = "what was decided about billing") -> float:
    return prior_of(passage, parse_query(query), now=NOW)


def test_a_newer_memory_has_the_better_prior():
    recent, old, ancient = (
        prior(memory(time))
        for time in ("2026-05-31T00:00:00.000Z", "2025-06-01T00:00:00.000Z", "2019-01-01T00:00:00.000Z")
    )

    assert RECENCY_BONUS >= recent > old > ancient >= 0


@pytest.mark.parametrize("time", ["", "yesterday", "2026-05-31"])
def test_a_memory_of_unknown_time_has_no_prior(time):
    assert prior(memory(time)) == 0


def test_a_memory_of_the_future_is_as_new_as_one_of_now():
    assert prior(memory("2027-01-01T00:00:00.000Z")) == RECENCY_BONUS


@pytest.mark.parametrize("symbol", ["load_json", "Store.load_json", "save_json, Store.load_json"])
def test_the_definition_of_a_name_comes_before_its_uses(symbol):
    assert prior(code(symbol=symbol), "where is load_json called") == DEFINITION_BONUS


def test_other_definitions_have_no_prior():
    assert prior(code(symbol="Store.load"), "where is load_json called") == 0


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (PurePosixPath("/app/cli/rendering.py"), "cli/rendering.py"),
        (PurePosixPath("/app/cli/rendering.py"), "what does rendering.py draw?"),
        (PurePosixPath("/app/cli/rendering.py"), 'File "/app/cli/rendering.py", line 3, in draw'),
        (PurePosixPath("/app/cli/rendering.py"), "it fails at cli/rendering.py:36:12"),
        (PureWindowsPath("C:/app/cli/rendering.py"), "cli\\rendering.py"),
        (PurePosixPath("/app/docs/Makefile"), "docs/Makefile"),
    ],
)
def test_a_file_that_is_named_comes_before_those_that_mention_it(path, query):
    assert prior(code(path), query) == PATH_BONUS


@pytest.mark.parametrize(
    "query", ["rendering", "py", "app/rendering.py", "drawing.py", "cli rendering py", "ndering.py"]
)
def test_a_file_that_is_not_named_gains_nothing(query):
    assert prior(code(PurePosixPath("/app/cli/rendering.py")), query) == 0


def test_tests_stand_behind_unless_the_question_is_about_them():
    passage = code(PurePosixPath("/app/tests/test_billing.py"))

    assert prior(passage, "how is billing rounded") == -TEST_MALUS
    assert prior(passage, "is there a test of rounding") == 0
    assert prior(passage, "test_rounding fails") == 0


@pytest.mark.parametrize(
    "path",
    [
        "/app/tests/desks.py",
        "/app/test/Desk.java",
        "/app/src/__tests__/desk.js",
        "/app/test_desk.py",
        "/app/desk_test.go",
        "/app/desk.test.tsx",
        "/app/desk.spec.ts",
        "/app/desk_spec.rb",
        "/app/DeskTest.java",
        "/app/DeskTests.cs",
        "/app/conftest.py",
        "/app/test.c",
    ],
)
def test_files_of_tests_are_known_in_most_languages(path):
    assert is_test_file(PurePosixPath(path))


@pytest.mark.parametrize(
    "path",
    [
        "/app/latest.py",
        "/app/contest.rb",
        "/app/Protest.java",
        "/app/attestation.go",
        "/app/testament.py",
        "/app/Manifest.java",
        "/app/specs/clients.py",
        "/app/testing/checks.py",
        "/app/tests",
    ],
)
def test_other_files_hold_no_tests(path):
    assert not is_test_file(PurePosixPath(path))
