"""Text for a model: what fits is whole, what is recalled is fenced, what does not fit is cut where it says least."""

import re
import unicodedata

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint import errors
from imprint.domain.sources import Chunk, ChunkId, MemoryKind, Source, SourceKey, SourceKind, StoredChunk
from imprint.errors import ImprintError, InvalidPathError, RootOverlapError, StoreTooNewError, UnknownWorkspaceError
from imprint_mcp.rendering import cut_text, excerpt, fence, fit, label
from imprint_mcp.tools.remedies import explain

pieces = st.sampled_from(["</recalled>", "</recalled-2>", "< /Recalled-3 >", "＜／recalled＞", "</", "\n", "x", "-2"])
hostile = st.lists(pieces | st.text(max_size=5), max_size=8).map("".join)


@given(text=hostile)
def test_a_fence_is_closed_by_nothing_that_stands_inside_it(text: str):
    fenced = fence(text)

    opening, inside, closing = fenced[: fenced.index("\n")], fenced.split("\n", 1)[1], fenced.rpartition("\n")[2]
    mark = opening[1:-1]
    assert closing == f"</{mark}>"
    assert inside.rpartition("\n")[0] == text
    seen = "".join(unicodedata.normalize("NFKC", text).split()).casefold()
    assert f"</{mark}" not in seen


@given(items=st.lists(st.text(max_size=20)), room=st.integers(0, 100))
def test_as_many_items_as_fit_are_shown_and_the_others_are_counted(items: list[str], room: int):
    shown, left = fit(items, room)

    kept = items[: len(items) - left]
    assert shown == "\n".join(kept)
    assert len(shown) <= room or not kept
    assert not left or len("\n".join(items[: len(kept) + 1])) > room


@given(text=st.text(max_size=50), room=st.integers(1, 60))
def test_cut_text_is_never_longer_than_there_is_room_for(text: str, room: int):
    cut = cut_text(text, room)

    assert len(cut) <= room
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]))


@given(
    lines=st.lists(st.text(st.characters(exclude_characters="\n"), max_size=30), min_size=1),
    terms=st.lists(st.sampled_from(["a", "b", "zebra"])),
    room=st.integers(10, 80),
)
def test_an_excerpt_is_a_piece_of_the_text_and_keeps_the_room(lines: list[str], terms: list[str], room: int):
    text = "\n".join(lines)

    shown = excerpt(text, terms, room)

    assert len(shown) <= room + 2, "an ellipsis may stand before it and after it"
    assert shown.removeprefix("…").removesuffix("…") in text or shown in text


def test_an_excerpt_shows_the_lines_that_say_the_most():
    text = "\n".join([*(f"filler {number}" for number in range(50)), "the zebra", "crosses the street"] * 2)

    shown = excerpt(text, ["zebra", "crosses"], 60)

    assert "the zebra\ncrosses the street" in shown


def stored(**fields: object) -> StoredChunk:
    source = Source(key=SourceKey("/src/app.py"), kind=SourceKind.CODE)
    chunk = Chunk(text="", start_line=12, end_line=30, symbol="Store.open")
    return StoredChunk(
        id=ChunkId(1),
        ordinal=0,
        chunk=attrs.evolve(chunk, **{name: fields[name] for name in fields.keys() & {"end_line", "symbol"}}),
        source=attrs.evolve(source, **{name: fields[name] for name in fields.keys() & {"key", "memory_kind", "time"}}),
    )


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, '"/src/app.py" lines 12-30 in "Store.open"'),
        ({"end_line": 12, "symbol": ""}, '"/src/app.py" line 12'),
        ({"key": SourceKey("/a\nb")}, '"/a\\nb" lines 12-30 in "Store.open"'),
        ({"memory_kind": MemoryKind.DECISION, "time": "2026-01-31T10:00:00.000Z"}, "decision of 2026-01-31"),
    ],
)
def test_a_label_says_where_a_passage_is_from(fields: dict[str, object], shown: str):
    assert label(stored(**fields)) == shown


# --- errors as the answers of tools


def test_what_to_do_is_kept_when_what_is_wrong_must_be_cut():
    known = tuple(f"workspace-{number:04}" for number in range(2_000))

    said = explain(UnknownWorkspaceError("wrok", known, "workspace-0001"), 1_000)

    assert len(said) <= 1_000
    assert 'Did you mean "workspace-0001"?' in said
    assert said.endswith("call use_workspace with its name first.")


def test_what_only_a_command_can_do_is_left_to_the_user():
    assert "Tell the user: upgrade Imprint here too" in explain(StoreTooNewError("/x", 9, 3), 1_000)


def test_an_error_without_a_remedy_is_one_sentence():
    assert explain(InvalidPathError("x", "it is relative"), 1_000) == '"x" cannot be used: it is relative.'


def test_sharing_is_asked_of_the_user_first():
    said = explain(RootOverlapError("acme", "/w/app", (("team", "/w"),)), 1_000)

    assert said.startswith('/w/app overlaps /w of workspace "team"')
    assert "only if they agree, repeat the call with allow_overlap=true" in said


def leaves(kind: type[ImprintError]) -> set[type[ImprintError]]:
    below = kind.__subclasses__()
    return set().union(*map(leaves, below)) if below else {kind}


def example(kind: type[ImprintError]) -> ImprintError:
    """An error with facts of the declared types."""
    facts: dict[str, object] = {}
    for field in attrs.fields(kind) if attrs.has(kind) else ():
        type_name = getattr(field.type, "__name__", str(field.type))
        facts[field.name] = {"str": "word", "int": 3, "bool": True, "tuple": ("word",)}.get(type_name)
    if "conflicts" in facts:
        facts["conflicts"] = (("word", "/word"),)
    return kind(**facts)


def test_no_error_speaks_to_a_model_of_the_options_of_commands():
    """Whichever error comes out of the core one day: what is only on the command line is said to be the user's."""
    for name in dir(errors):
        getattr(errors, name)
    kinds = {kind for kind in leaves(ImprintError) if kind.__module__.startswith("imprint.errors")}
    assert len(kinds) > 30
    for kind in kinds:
        said = explain(example(kind), 4_000)
        if re.search(r" --\w", said):
            assert re.search(r"[Tt]ell the user|ask the user", said), said
