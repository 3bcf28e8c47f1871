"""Memories and inline texts, on a real store."""

import attrs
import pytest

from imprint.domain.purge import Exclusion
from imprint.domain.redaction import Redactor
from imprint.domain.sources import MemoryKind, SourceKey, SourceKind, WorkspaceName
from imprint.errors import (
    EmptyTextError,
    ExcludedSourceError,
    InvalidMemoryKindError,
    NotForgettableError,
    UnknownPassageError,
)
from imprint.protocols.text_indexes import ChunkFilter, TextQuery
from imprint.services.extraction import Extractors
from imprint.services.memories import Memories
from imprint.testing.fakes import FixedClock

WORKSPACE = WorkspaceName("default")


@pytest.fixture
def memories(device) -> Memories:
    return Memories(device.stores, Extractors([]), FixedClock(), Redactor().redact)


def sources(device) -> dict[str, str]:
    with device.stores.open(WORKSPACE) as store:
        return {
            stored.source.key: "\n".join(chunk.chunk.text for chunk in store.source_chunks(stored.source.key))
            for stored in store.sources()
        }


def test_a_memory_is_stored_with_what_was_said_about_it(memories: Memories, device):
    remembered = memories.remember(
        WORKSPACE, "  We use uv. \n", kind="decision", project="acme", origin="https://x.org/adr"
    )

    assert remembered.repeated is False
    with device.stores.open(WORKSPACE) as store:
        source = store.find_source(remembered.key).source
        assert [chunk.id for chunk in store.source_chunks(remembered.key)] == list(remembered.ids)
        (hit,) = store.match(TextQuery(terms=("uv",)), 5, ChunkFilter(kinds=("decision",), project="acme"))
    assert (hit.id,) == remembered.ids
    assert (source.kind, source.memory_kind, source.project) == (SourceKind.MEMORY, MemoryKind.DECISION, "acme")
    assert (source.origin, source.time, source.path) == ("https://x.org/adr", "2026-01-02T03:04:05.678Z", None)


def test_saying_the_same_again_stores_it_once(memories: Memories, device):
    first = memories.remember(WORKSPACE, "We use uv.", kind="decision")

    again = memories.remember(WORKSPACE, "We use uv.\n")

    assert again == attrs.evolve(first, repeated=True)
    assert len(sources(device)) == 1
    assert memories.remember(WORKSPACE, "We use uv.", project="acme").key != first.key


def test_another_kind_or_origin_corrects_a_memory(memories: Memories, device):
    first = memories.remember(WORKSPACE, "We use uv.", origin="/adr.md")
    later = Memories(device.stores, Extractors([]), FixedClock("2026-02-01T00:00:00.000Z"), Redactor().redact)

    corrected = later.remember(WORKSPACE, "We use uv.", kind="decision")

    assert (corrected.key, corrected.repeated) == (first.key, False)
    with device.stores.open(WORKSPACE) as store:
        source = store.find_source(first.key).source
    assert (source.memory_kind, source.origin, source.time) == (
        MemoryKind.DECISION,
        "/adr.md",
        "2026-01-02T03:04:05.678Z",
    )


def test_a_long_memory_has_several_passages_and_is_forgotten_by_any(memories: Memories, device):
    remembered = memories.remember(WORKSPACE, "\n\n".join(f"Paragraph {n}. {'text ' * 80}" for n in range(10)))
    assert len(remembered.ids) > 1

    forgotten = memories.forget(WORKSPACE, [str(remembered.ids[1]), str(remembered.ids[0])])

    assert forgotten.keys == (remembered.key,)
    assert sources(device) == {}


def test_half_characters_do_not_break_a_memory(memories: Memories, device):
    remembered = memories.remember(WORKSPACE, "caf\udce9 \ud83d uv")

    assert sources(device) == {remembered.key: "caf? ? uv"}


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_nothing_cannot_be_remembered(memories: Memories, device, text: str):
    with pytest.raises(EmptyTextError):
        memories.remember(WORKSPACE, text)
    with pytest.raises(EmptyTextError):
        memories.add_text(WORKSPACE, "notes", text)
    with pytest.raises(EmptyTextError):
        memories.add_text(WORKSPACE, text, "notes")

    assert sources(device) == {}


def test_an_unknown_kind_is_refused_with_those_there_are(memories: Memories):
    with pytest.raises(InvalidMemoryKindError) as caught:
        memories.remember(WORKSPACE, "x", kind="idea")

    assert caught.value.kind == "idea"
    assert "decision" in caught.value.known


def test_what_was_purged_does_not_come_back_as_a_memory_or_a_text(memories: Memories, device):
    for target in ("/w/secret", "text:notes"):
        device.registry.add_exclusion(Exclusion(workspace=WORKSPACE, target=target, recursive=True, added_at=""))

    with pytest.raises(ExcludedSourceError) as caught:
        memories.remember(WORKSPACE, "x", origin="/w/secret/a.md")
    with pytest.raises(ExcludedSourceError):
        memories.add_text(WORKSPACE, "notes", "x")

    assert attrs.astuple(caught.value) == ("/w/secret/a.md", "default")
    assert sources(device) == {}


@pytest.mark.parametrize("unknown", ["99", "0", "-1", "", "x", "memory:none", "9" * 30, "１"])
def test_an_unknown_reference_is_an_error_and_forgets_nothing(memories: Memories, device, unknown: str):
    remembered = memories.remember(WORKSPACE, "stays")

    with pytest.raises(UnknownPassageError) as caught:
        memories.forget(WORKSPACE, [str(remembered.ids[0]), unknown])

    assert caught.value.ids == (unknown,)
    assert set(sources(device)) == {remembered.key}


def test_passages_of_files_are_not_forgotten_but_purged(memories: Memories, device, make_source):
    remembered = memories.remember(WORKSPACE, "stays")
    with device.stores.open(WORKSPACE) as store:
        store.replace_source(*make_source("/w/a.py", ["code"]))
        (chunk,) = store.source_chunks(SourceKey("/w/a.py"))

    with pytest.raises(NotForgettableError) as caught:
        memories.forget(WORKSPACE, [str(remembered.ids[0]), str(chunk.id)])

    assert caught.value.source == "/w/a.py"
    assert len(sources(device)) == 2


def test_what_was_forgotten_can_be_remembered_again(memories: Memories):
    first = memories.remember(WORKSPACE, "We use uv.")
    memories.forget(WORKSPACE, [first.key])

    again = memories.remember(WORKSPACE, "We use uv.")

    assert again.repeated is False
    assert set(again.ids).isdisjoint(first.ids)


def test_the_words_of_a_forgotten_memory_are_not_in_its_row_any_more(memories: Memories, device):
    remembered = memories.remember(WORKSPACE, "the password is xyzzyplugh")

    memories.forget(WORKSPACE, [remembered.key])

    with device.stores.open(WORKSPACE) as store:
        assert store.document_frequencies(["xyzzyplugh"]) == {"xyzzyplugh": 0}
        assert store.chunks(list(remembered.ids)) == []


def test_a_text_is_stored_under_its_name_and_replaced(memories: Memories, device):
    added = memories.add_text(WORKSPACE, "notes.md", "# Title\r\n\r\nfirst", project="acme")
    repeated = memories.add_text(WORKSPACE, "notes.md", "# Title\n\nfirst", project="acme")
    replaced = memories.add_text(WORKSPACE, "notes.md", "second", project="acme")

    assert (added.changed, repeated.changed, replaced.changed) == (True, False, True)
    assert repeated.ids == added.ids
    assert sources(device) == {"text:notes.md": "second"}
    assert memories.forget(WORKSPACE, [str(replaced.ids[0])]).keys == ("text:notes.md",)


@pytest.mark.parametrize(
    ("name", "format", "kind", "language"),
    [
        ("notes", "", SourceKind.DOCUMENT, ""),
        ("tool.py", "", SourceKind.CODE, "python"),
        ("tool", "py", SourceKind.CODE, "python"),
        ("tool", ".py", SourceKind.CODE, "python"),
        ("tool.py", "md", SourceKind.DOCUMENT, ""),
    ],
)
def test_a_texts_format_decides_what_it_is(memories: Memories, device, name, format, kind, language):
    added = memories.add_text(WORKSPACE, name, "x = 1", format=format)

    with device.stores.open(WORKSPACE) as store:
        source = store.find_source(added.key).source
    assert (source.kind, source.language, source.title) == (kind, language, name)


def test_a_secret_is_not_remembered(device, memories):
    secret = "ghp_" + "aB3dE6gH9" * 4

    first = memories.remember(WORKSPACE, f"The deploy token is {secret}.")
    again = memories.remember(WORKSPACE, f"The deploy token is {secret}.")

    assert sources(device) == {first.key: "The deploy token is [redacted GitHub token]."}
    assert (first.redactions, again.redactions, again.repeated) == (1, 1, True)


def test_a_secret_is_not_added_with_a_text_or_its_name(device, memories):
    secret = "ghp_" + "aB3dE6gH9" * 4

    added = memories.add_text(WORKSPACE, f"notes {secret}", f"# Token {secret}\n\nIt is {secret}.\n", format="md")

    with device.stores.open(WORKSPACE) as store:
        assert not store.holds_text(secret)
        (chunk,) = store.source_chunks(added.key)
        assert secret not in f"{chunk.chunk.symbol} {chunk.source}"
    assert added.redactions == 3
