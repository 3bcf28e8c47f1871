"""Bundles as lines and bytes: what is written is read again as it was, and nothing but that is read."""

import struct
from pathlib import PurePosixPath, PureWindowsPath

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.archives import MalformedError, Member, parse_object, render_object
from imprint.domain.bundle_records import (
    parse_chunk,
    parse_fact,
    parse_source,
    parse_vector,
    render_fact,
    render_vector,
)
from imprint.domain.bundle_streams import (
    Counter,
    parse_fact_lines,
    parse_source_lines,
    parse_vector_records,
    render_source_lines,
    render_vector_records,
)
from imprint.domain.bundles import BundledModel, BundleManifest, parse_bundle_manifest, render_bundle_manifest
from imprint.domain.facts import NewFact
from imprint.domain.sources import Chunk, MemoryKind, Source, SourceKey, SourceKind
from imprint.domain.versions import FactVersion, SourceVersion

DIGEST = "0" * 64
moments = st.sampled_from(["2026-01-01T00:00:00.000Z", "2026-02-28T23:59:59Z", "1970-01-01T00:00:00.123456Z"])
words = st.text(st.characters(codec="utf-8"), max_size=12)
names = st.text(st.characters(codec="utf-8", exclude_characters="/\\:"), min_size=1, max_size=6)
paths = st.none() | st.sampled_from([PurePosixPath("/w/a é"), PureWindowsPath("C:\\w\\a"), PurePosixPath("/")])
numbers = st.none() | st.integers(0, 2**63 - 1)

sources = st.builds(
    Source,
    key=st.builds(SourceKey, st.sampled_from(["/w/a", "text:a", "C:\\w\\a"]) | names),
    kind=st.sampled_from(SourceKind),
    path=paths,
    origin=words,
    project=words,
    language=words,
    url=words,
    title=words,
    memory_kind=st.none() | st.sampled_from(MemoryKind),
    mtime_ns=st.none() | st.integers(-(2**63), 2**63 - 1),
    size=numbers,
    digest=words,
    time=moments | st.just(""),
)
chunks = st.builds(
    Chunk,
    text=words,
    start_line=numbers,
    end_line=numbers,
    symbol=words,
    role=words,
    time=moments | st.just(""),
    context=words,
)
versions = st.builds(SourceVersion, source=sources, indexed_at=moments, chunks=st.lists(chunks, max_size=4).map(tuple))
ordered_versions = st.lists(versions, max_size=5, unique_by=lambda version: version.source.key).map(
    lambda found: sorted(found, key=lambda version: version.source.key)
)
facts = st.builds(
    FactVersion,
    fact=st.builds(
        NewFact,
        subject=words,
        predicate=words,
        object=words,
        valid_from=st.just("2026-01-01T00:00:00.000Z"),
        valid_until=st.sampled_from(["", "2026-01-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"]),
        source=words,
    ),
    recorded_at=moments,
)


def manifest(**fields: object) -> BundleManifest:
    known: dict[str, object] = {
        "program": "1.0",
        "schema": 1,
        "workspace": "acme",
        "created_at": "2026-01-01T00:00:00.000Z",
        "sources": 0,
        "chunks": 0,
        "facts": 0,
        "models": (),
        "members": tuple(Member(name=name, size=0, digest=DIGEST) for name in ("sources.jsonl", "facts.jsonl")),
    }
    return BundleManifest(**(known | fields))  # type: ignore[arg-type]


@given(found=ordered_versions)
def test_sources_are_read_as_they_were_written(found: list[SourceVersion]):
    counter = Counter()
    lines = list(render_source_lines(found, counter))

    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    told = manifest(sources=counter.sources, chunks=counter.chunks)
    assert list(parse_source_lines(iter(lines), told)) == found


@given(found=st.lists(facts, max_size=4))
def test_facts_are_read_as_they_were_written(found: list[FactVersion]):
    assert list(parse_fact_lines(map(render_fact, found), manifest(facts=len(found)))) == found


@given(
    rows=st.dictionaries(
        st.integers(0, 99), st.lists(st.floats(width=16, allow_nan=False, allow_infinity=False), min_size=3, max_size=3)
    )
)
def test_vectors_are_read_as_they_were_written(rows: dict[int, list[float]]):
    given_rows = [(number, struct.pack("<3e", *row)) for number, row in sorted(rows.items())]
    model = BundledModel(name="m", digest="d", width=3, vectors=len(rows))

    records = render_vector_records(given_rows)

    assert list(parse_vector_records(records, model, manifest(chunks=100))) == given_rows


@given(number=st.floats(width=16))
def test_a_vector_that_is_not_finite_is_refused(number: float):
    record = render_vector(7, struct.pack("<2e", 1.0, number))

    if abs(number) < float("inf"):
        assert parse_vector(record) == (7, record[8:])
    else:
        with pytest.raises(MalformedError):
            parse_vector(record)


models = st.lists(
    st.builds(BundledModel, name=words, digest=words, width=st.integers(1, 4096), vectors=st.integers(0, 9)), max_size=3
)


@given(models=models, workspace=words, sizes=st.lists(st.integers(0, 2**40), min_size=5, max_size=5))
def test_a_manifest_is_read_as_it_was_written(models: list[BundledModel], workspace: str, sizes: list[int]):
    named = ["sources.jsonl", "facts.jsonl", *(f"vectors-{place}.f16" for place, _ in enumerate(models, start=1))]
    written = manifest(
        workspace=workspace,
        models=tuple(models),
        members=tuple(Member(name=name, size=size, digest=DIGEST) for name, size in zip(named, sizes, strict=False)),
    )

    assert parse_bundle_manifest(render_bundle_manifest(written)) == written


def test_of_a_newer_format_only_the_number_is_believed():
    assert parse_bundle_manifest(b'{"kind": "imprint-bundle", "format": 7, "what": "ever"}').format == 7


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "imprint-backup"},
        {"format": 0},
        {"format": "1"},
        {"sources": -1},
        {"sources": True},
        {"chunks": 2**63},
        {"created_at": "yesterday"},
        {"created_at": "2026-02-31T00:00:00Z"},
        {"extra": 1},
        {"members": []},
        {"members": [{"name": "../sources.jsonl", "bytes": 1, "sha256": DIGEST}]},
        {"models": [{"name": "m", "digest": "d", "width": 0, "vectors": 1}]},
        {"models": [{"name": "m", "digest": "d", "width": 10**9, "vectors": 1}]},
        {"workspace": None},
    ],
)
def test_a_manifest_that_we_would_not_write_is_refused(change: dict[str, object]):
    fields = parse_object(render_bundle_manifest(manifest()))

    with pytest.raises(MalformedError):
        parse_bundle_manifest(render_object({**fields, **change}))


SOURCE = b'{"source":{"key":"/w/a","kind":"code"},"indexed_at":"2026-01-01T00:00:00Z","chunks":0}'


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b'{"a":1,"a":1}',
        SOURCE.replace(b'"code"', b'"spell"'),
        SOURCE.replace(b'"chunks":0', b'"chunks":-1'),
        SOURCE.replace(b'"chunks":0', b'"chunks":0,"more":1'),
        SOURCE.replace(b'"kind"', b'"path":"../x","kind"'),
        SOURCE.replace(b'"kind"', b'"path":"/w/../x","kind"'),
        SOURCE.replace(b'"kind"', b'"path":"/w/\\u0000x","kind"'),
        SOURCE.replace(b"/w/a", b"/w/../a"),
        SOURCE.replace(b"/w/a", b""),
        SOURCE.replace(b"/w/a", b"\\ud800"),
        SOURCE.replace(b"2026-01-01T00:00:00Z", b"2026-13-01T00:00:00Z"),
        SOURCE.replace(b'"code"', b'"code","memory_kind":"spell"'),
        SOURCE.replace(b'"code"', b'"code","size":1.5'),
    ],
)
def test_a_line_that_we_would_not_write_is_refused(line: bytes):
    assert parse_source(SOURCE)[0].key == "/w/a"
    with pytest.raises(MalformedError):
        parse_source(line)


@given(
    line=st.binary(max_size=60) | st.recursive(st.none() | st.integers() | words, st.lists).map(repr).map(str.encode)
)
@pytest.mark.parametrize("parse", [parse_source, parse_chunk, parse_fact, parse_bundle_manifest])
def test_rubbish_is_refused_in_one_way(parse, line: bytes):
    if parse is parse_chunk and line.strip() == b"{}":
        return
    with pytest.raises(MalformedError):
        parse(line)


def test_a_fact_that_ends_before_it_begins_is_refused():
    fact = NewFact(subject="s", predicate="p", object="o", valid_from="2026-01-02T00:00:00Z")
    ended = attrs.evolve(fact, valid_until="2026-01-01T00:00:00Z")

    with pytest.raises(MalformedError):
        parse_fact(render_fact(FactVersion(fact=ended, recorded_at="2026-01-01T00:00:00Z")))


def read(lines: list[bytes], **counts: int) -> list[SourceVersion]:
    return list(parse_source_lines(iter(lines), manifest(**counts)))


def test_sources_must_be_as_many_and_in_order_as_the_manifest_says():
    one, two = SOURCE, SOURCE.replace(b"/w/a", b"/w/b")
    assert len(read([one, two], sources=2)) == 2

    for lines, counts in (
        ([one], {"sources": 2}),
        ([one, two], {"sources": 1}),
        ([two, one], {"sources": 2}),
        ([one, one], {"sources": 2}),
        ([one.replace(b'"chunks":0', b'"chunks":1')], {"sources": 1, "chunks": 1}),
        ([one.replace(b'"chunks":0', b'"chunks":2000000')], {"sources": 1}),
        ([one, b'{"text":"x"}'], {"sources": 1, "chunks": 1}),
    ):
        with pytest.raises(MalformedError):
            read(lines, **counts)


@pytest.mark.parametrize(
    "records",
    [
        [render_vector(0, b"\0" * 4), render_vector(0, b"\0" * 4)],
        [render_vector(1, b"\0" * 4), render_vector(0, b"\0" * 4)],
        [render_vector(0, b"\0" * 4), render_vector(2, b"\0" * 4)],
        [render_vector(0, b"\0" * 4), b"\0" * 5],
        [render_vector(0, b"\0" * 4)],
    ],
)
def test_vectors_must_belong_to_passages_in_order(records: list[bytes]):
    model = BundledModel(name="m", digest="d", width=2, vectors=2)

    with pytest.raises(MalformedError):
        list(parse_vector_records(records, model, manifest(chunks=2)))
