"""Full text of a real store."""

import sqlite3
from contextlib import closing

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imprint.adapters.sqlite_files import SqliteFile
from imprint.adapters.store_schema import STORE_SCHEMA
from imprint.domain.misspellings import choose_correction
from imprint.domain.sources import MemoryKind, SourceKey, SourceKind, WorkspaceName
from imprint.protocols.text_indexes import ChunkFilter, TextQuery

EVERYTHING = ChunkFilter()
WORKSPACE = WorkspaceName("default")


def found(store, *terms: str, where: ChunkFilter = EVERYTHING, limit: int = 10) -> list[str]:
    hits = store.match(TextQuery(terms=terms), limit, where)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [chunk.chunk.text for chunk in store.chunks([hit.id for hit in hits])]


def test_a_store_whose_triggers_fed_the_index_is_migrated_and_indexes_each_text_once(device, make_source):
    """In version 1 a trigger did what writers do now; both together would leave words behind when a text goes."""
    path = device.folder.store_file(WORKSPACE)
    path.parent.mkdir(parents=True)
    SqliteFile(path, attrs.evolve(STORE_SCHEMA, migrations=STORE_SCHEMA.migrations[:1])).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TRIGGER passage_added AFTER INSERT ON passages BEGIN
                INSERT INTO full_text (rowid, text, words, names, place, context)
                VALUES (new.chunk, new.text, new.words, new.names, new.place, new.context);
            END;
            """
        )

    with device.stores.open(WORKSPACE) as store:
        store.replace_source(*make_source("/a", ["once"]))
        before = found(store, "once")
        store.replace_source(*make_source("/a", ["twice"]))

        assert (before, found(store, "once"), found(store, "twice")) == (["once"], [], ["twice"])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO full_text (full_text, rank) VALUES ('integrity-check', 1)")


def test_words_are_found_by_their_stem_without_accents_and_as_phrases(store, make_source):
    store.replace_source(*make_source("/a", ["running late", "the naive approach", "unrelated"]))

    assert found(store, "runs") == ["running late"]
    assert found(store, "NAÏVE") == ["the naive approach"]
    assert found(store, "naive approach") == ["the naive approach"]
    assert found(store, "approach naive") == []
    assert found(store, "unrelated", "naive") == ["unrelated", "the naive approach"]
    assert found(store, "unrelated", limit=0) == found(store) == found(store, "", " ") == []


def test_parts_of_identifiers_are_found(store, make_source):
    store.replace_source(*make_source("/a", ["def loadHTTPServer(): pass", "other"]))

    assert found(store, "server") == ["def loadHTTPServer(): pass"]


def test_weights_decide_which_column_matters(store, make_source):
    store.replace_source(*make_source("/w/apple.py", ["about pears"]))
    store.replace_source(*make_source("/w/pear.py", ["about apples"]))

    by_text = store.match(TextQuery(terms=("apple",), weights=(9, 0, 0, 1, 0)), 2, EVERYTHING)
    by_place = store.match(TextQuery(terms=("apple",), weights=(1, 0, 0, 9, 0)), 2, EVERYTHING)

    assert [chunk.source.key for chunk in store.chunks([hit.id for hit in by_text])] == ["/w/pear.py", "/w/apple.py"]
    assert [hit.id for hit in by_place] == [hit.id for hit in reversed(by_text)]


def test_each_filter_narrows_and_they_narrow_together(store, make_source):
    store.replace_source(*make_source("/w/a.py", ["word a"], project="acme", time="2026-01-01T00:00:00.000Z"))
    store.replace_source(*make_source("/w/b.md", ["word b"], kind=SourceKind.DOCUMENT, time="2026-01-02T00:00:00.000Z"))
    store.replace_source(
        *make_source("memory:1", ["word c"], kind=SourceKind.MEMORY, memory_kind=MemoryKind.BUG, project="acme")
    )
    expected = {
        ChunkFilter(project="acme"): {"word a", "word c"},
        ChunkFilter(kinds=("document",)): {"word b"},
        ChunkFilter(kinds=("bug", "code")): {"word a", "word c"},
        ChunkFilter(source_glob="/w/*"): {"word a", "word b"},
        ChunkFilter(source_glob="*.py"): {"word a"},
        ChunkFilter(since="2026-01-02T00:00:00.000Z"): {"word b"},
        ChunkFilter(until="2026-01-02T00:00:00.000Z"): {"word a"},
        ChunkFilter(project="acme", source_glob="/w/*"): {"word a"},
        ChunkFilter(project="nowhere"): set(),
    }

    for where, texts in expected.items():
        assert set(found(store, "word", where=where)) == texts, where
        ids = store.select_ids(where, 10)
        assert {chunk.chunk.text for chunk in store.chunks(ids)} == texts, where


def test_a_chunks_own_time_goes_before_its_sources(store, make_source):
    import attrs

    source, chunks = make_source("conversation:1", ["early word", "late word"], time="2026-01-01T00:00:00.000Z")
    chunks[1] = (attrs.evolve(chunks[1][0], time="2026-02-01T00:00:00.000Z"), chunks[1][1])
    store.replace_source(source, chunks)

    assert found(store, "word", where=ChunkFilter(since="2026-01-15T00:00:00.000Z")) == ["late word"]
    assert found(store, "word", where=ChunkFilter(until="2026-01-15T00:00:00.000Z")) == ["early word"]


def test_selecting_more_ids_than_the_limit_gives_none(store, make_source):
    store.replace_source(*make_source("/a", ["x", "y"]))

    assert store.select_ids(EVERYTHING, 1) is None
    assert len(store.select_ids(EVERYTHING, 2)) == 2


def test_replaced_and_removed_words_are_found_no_more(store, make_source):
    store.replace_source(*make_source("/a", ["zebra"]))
    store.replace_source(*make_source("/a", ["lion"]))
    assert (found(store, "zebra"), found(store, "lion")) == ([], ["lion"])

    store.remove_sources([SourceKey("/a")])

    assert found(store, "lion") == []
    assert store.document_frequencies(["zebra", "lion"]) == {"zebra": 0, "lion": 0}
    assert store.chunk_count() == 0


def test_hits_that_nobody_sees_do_not_crowd_out_those_that_are_seen(store, device, make_source):
    """A large version in the making may hold more and better matches than are asked for."""
    import sqlite3
    from contextlib import closing

    store.replace_source(*make_source("/large", ["word"] * 300))
    store.replace_source(*make_source("/small", ["word among many others here"]))
    with closing(sqlite3.connect(device.folder.store_file(store.workspace), isolation_level=None)) as connection:
        connection.execute("UPDATE sources SET state = 'staged' WHERE key = '/large'")

    assert found(store, "word", limit=3) == ["word among many others here"]
    assert found(store, "word", limit=3, where=ChunkFilter(source_glob="/*")) == ["word among many others here"]
    assert store.chunk_count() == 1
    assert len(store.select_ids(EVERYTHING, 10)) == 1


def test_document_frequencies_count_chunks_by_stem(store, make_source):
    store.replace_source(*make_source("/a", ["run run", "running", "walk"]))

    assert store.document_frequencies(["runs", "walk", "fly", '"', "a b"]) == {
        "runs": 2,
        "walk": 1,
        "fly": 0,
        '"': 0,
        "a b": 0,
    }


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(term=st.text(max_size=8))
def test_any_term_is_literal(store, make_source, term: str):
    """Operators, quotes, columns and NULs in a question are words to look for, never syntax."""
    store.replace_source(*make_source("/a", ["AND OR NOT NEAR text"]))

    assert set(found(store, term, "text")) == {"AND OR NOT NEAR text"}
    assert store.document_frequencies([term])[term] in (0, 1)


@pytest.mark.parametrize("term", ["a AND b", "text:x", "x*", "^x", "NEAR(a b)", "{a}", "-x", 'a"b', "a\0b"])
def test_query_syntax_is_text(store, make_source, term: str):
    store.replace_source(*make_source("/z", ["nothing of it"]))

    assert found(store, term) == []


@pytest.fixture
def crowd(store, make_source):
    """Many chunks with one common word; a few that something lifts above them."""
    store.replace_source(*make_source("/crowd", [f"return row {n}" for n in range(20)]))
    store.replace_source(*make_source("/both", ["return the value"]))
    store.replace_source(*make_source("/rare", ["zygote"]))
    store.replace_source(*make_source("/value", ["one value"]))
    return store


def found_outstanding(
    store,
    where: ChunkFilter = EVERYTHING,
    terms: tuple[str, ...] = ("return", "value", "zygote"),
    common: tuple[str, ...] = ("return", "value"),
) -> set[str]:
    query = TextQuery(terms=terms, common=common)
    return {chunk.source.key for chunk in store.chunks([hit.id for hit in store.match(query, 50, where)])}


def test_of_common_terms_a_chunk_has_to_have_two(crowd):
    assert found_outstanding(crowd) == {"/both", "/rare"}


def test_leaving_the_crowd_out_changes_no_score(crowd):
    terms = ("return", "value", "zygote")

    every = {hit.id: hit.score for hit in crowd.match(TextQuery(terms=terms), 50, EVERYTHING)}
    outstanding = crowd.match(TextQuery(terms=terms, common=("return", "value")), 50, EVERYTHING)

    assert {hit.id: hit.score for hit in outstanding}.items() < every.items()
    assert outstanding[0].score == max(every.values())


def test_common_terms_and_filters_narrow_together(crowd):
    assert found_outstanding(crowd, ChunkFilter(source_glob="/b*")) == {"/both"}


def test_one_common_term_finds_only_what_has_another(crowd):
    assert found_outstanding(crowd, terms=("return", "zygote"), common=("return",)) == {"/rare"}


@pytest.mark.parametrize(
    ("misspelled", "meant"),
    [
        ("worktre", "worktree"),
        ("exclussion", "exclusion"),
        ("recieve", "receive"),
        ("confguration", "configuration"),
        ("servre", "server"),
        ("delievry", "delivery"),
        ("zuerich", "zürich"),
    ],
)
def test_words_that_may_be_meant_are_given_as_they_are_written(store, make_source, misspelled, meant):
    texts = [
        "A linked worktree.",
        "No exclusive exclusion.",
        "They receive a configuration.",
        "HTTPServer",
        "Zürich",
        "deliveries and delivery",
    ]
    store.replace_source(*make_source("/a", texts))

    written = store.words_like(misspelled)

    assert choose_correction(misspelled, written) == (meant if meant.isascii() else "")
    assert meant.isascii() or written == []


def test_words_of_a_text_that_is_gone_are_not_meant(store, make_source):
    store.replace_source(*make_source("/a", ["A linked worktree."]))
    store.replace_source(*make_source("/b", ["other words"]))
    store.remove_sources([SourceKey("/a")])

    assert "worktree" not in store.words_like("worktre")


def test_nothing_is_meant_where_nothing_is_stored(store):
    assert store.words_like("worktre") == []
