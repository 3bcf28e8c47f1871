"""Secrets that were stored before a rule knew them are taken out for good."""

import attrs

from imprint.adapters.locks import FileLocks
from imprint.adapters.text_searches import DataFolderSearch
from imprint.domain.identifiers import index_text
from imprint.domain.redaction import Redactor
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, WorkspaceName
from imprint.protocols.stores import ChunkFilter, TextQuery
from imprint.services.facts import WorkspaceFacts
from imprint.services.redaction import Rescan
from imprint.testing.fakes import FixedClock

WORKSPACE = WorkspaceName("default")
SECRET = "ghp_" + "aB3dE6gH9" * 4


class Silent:
    def start(self, activity, total_bytes): ...

    def advance(self, count, bytes, current): ...

    def finish(self): ...


def source(name: str, title: str = "") -> Source:
    return Source(key=SourceKey(f"text:{name}"), kind=SourceKind.DOCUMENT, title=title)


def write(store, source: Source, *chunks: Chunk) -> None:
    store.replace_source(source, [(chunk, index_text(chunk, source)) for chunk in chunks])


def rescan_of(device, embedded: list[int]) -> Rescan:
    return Rescan(
        registry=device.registry,
        stores=device.stores,
        locks=FileLocks(device.folder, FixedClock()),
        redact=Redactor().redact,
        embed=lambda store, _: embedded.append(store.chunk_count()),
    )


def test_a_rescan_takes_secrets_out_of_passages_titles_and_facts_and_leaves_no_copy(device) -> None:
    plain = Chunk(text="nothing to see")
    holding = Chunk(text=f"one\ntoken {SECRET}\nthree", start_line=1, end_line=3, symbol=f"Of {SECRET}", context=SECRET)
    facts = WorkspaceFacts(device.stores, FixedClock(), lambda text: (text, 0))
    facts.add(WORKSPACE, subject="bot", predicate="logs in with", object=SECRET)
    with device.stores.open(WORKSPACE) as store:
        write(store, source("a"), plain, holding, plain)
        write(store, source("b", title=SECRET), plain)
        untouched = [chunk.id for chunk in store.source_chunks(SourceKey("text:a"))][::2]
    assert DataFolderSearch(device.folder).find(WORKSPACE, [SECRET])
    embedded: list[int] = []

    (freed,) = rescan_of(device, embedded).run(Silent())

    assert (freed.redactions, freed.is_finished, freed.failure) == (5, True, None)
    assert embedded
    assert not DataFolderSearch(device.folder).find(WORKSPACE, [SECRET])
    with device.stores.open(WORKSPACE) as store:
        first, second, third = store.source_chunks(SourceKey("text:a"))
        assert [first.id, third.id] == untouched
        assert second.chunk == attrs.evolve(
            holding,
            text="one\ntoken [redacted GitHub token]\nthree",
            symbol="Of [redacted GitHub token]",
            context="[redacted GitHub token]",
        )
        assert store.match(TextQuery(terms=(SECRET.lower(),)), 5, ChunkFilter()) == []
        assert second.id in [hit.id for hit in store.match(TextQuery(terms=("three",)), 5, ChunkFilter())]
        assert [found.source.title for found in store.sources()] == ["", "[redacted GitHub token]"]
        assert [fact.object for fact in store.facts()] == ["[redacted GitHub token]"]


def test_a_second_rescan_finds_nothing_and_embeds_nothing(device) -> None:
    with device.stores.open(WORKSPACE) as store:
        write(store, source("a"), Chunk(text=f"token {SECRET}"))
    rescan = rescan_of(device, [])
    list(rescan.run(Silent()))
    embedded: list[int] = []

    (again,) = rescan_of(device, embedded).run(Silent())

    assert (again.redactions, again.is_finished) == (0, True)
    assert embedded == []
