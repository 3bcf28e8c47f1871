"""Secrets that were stored before a rule knew them are taken out for good."""

import attrs

from imprint.adapters.locks import FileLocks
from imprint.adapters.text_searches import DataFolderSearch
from imprint.domain.identifiers import index_text
from imprint.domain.redaction import Redactor
from imprint.domain.sources import Chunk, MemoryKind, Source, SourceKey, SourceKind, WorkspaceName
from imprint.protocols.text_indexes import ChunkFilter, TextQuery
from imprint.services.extraction import Extractors
from imprint.services.facts import WorkspaceFacts
from imprint.services.memories import Memories
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


def memories_of(device, redact) -> Memories:
    return Memories(device.stores, Extractors([]), FixedClock(), redact)


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


def test_a_memory_that_lost_a_secret_is_the_same_memory_when_it_is_remembered_again(device) -> None:
    allowing = memories_of(device, lambda text: (text, 0))
    strict = memories_of(device, Redactor().redact)
    allowing.remember(WORKSPACE, f"The token is {SECRET}.", kind="decision", project="acme", origin="text:a")
    allowing.remember(WORKSPACE, "Nothing to see.")

    list(rescan_of(device, []).run(Silent()))
    again = strict.remember(WORKSPACE, f"The token is {SECRET}.", project="acme")
    said = strict.remember(WORKSPACE, "The token is [redacted GitHub token].", project="acme")

    assert (again.repeated, said.repeated, said.key) == (True, True, again.key)
    with device.stores.open(WORKSPACE) as store:
        held = {found.source.key: found.source for found in store.sources(kinds=(SourceKind.MEMORY,))}
    assert len(held) == 2
    assert (held[again.key].memory_kind, held[again.key].origin) == (MemoryKind.DECISION, "text:a")


def test_two_memories_that_say_the_same_without_their_secrets_become_one(device) -> None:
    allowing = memories_of(device, lambda text: (text, 0))
    strict = memories_of(device, Redactor().redact)
    kept = strict.remember(WORKSPACE, f"The token is {SECRET}.")
    allowing.remember(WORKSPACE, f"The token is {SECRET}.")

    list(rescan_of(device, []).run(Silent()))

    with device.stores.open(WORKSPACE) as store:
        assert [found.source.key for found in store.sources()] == [kept.key]
    assert not DataFolderSearch(device.folder).find(WORKSPACE, [SECRET])
