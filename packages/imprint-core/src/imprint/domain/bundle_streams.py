"""The members of a bundle as streams: what is written is what can be read, and nothing else can.

A stranger may have written what is read here, so that nothing is believed and memory is bounded: one source at a time,
of a size that a source can have.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import attrs

from imprint.domain.archives import MalformedError
from imprint.domain.bundle_records import (
    parse_chunk,
    parse_fact,
    parse_source,
    parse_vector,
    render_chunk,
    render_source,
    render_vector,
    vector_size,
)
from imprint.domain.bundles import BundledModel, BundleManifest
from imprint.domain.versions import FactVersion, SourceVersion

__all__ = [
    "MOST_CHUNKS",
    "MOST_SOURCE_BYTES",
    "Counter",
    "parse_fact_lines",
    "parse_source_lines",
    "parse_vector_records",
    "render_source_lines",
    "render_vector_records",
]

_T = TypeVar("_T")

MOST_CHUNKS = 1_000_000
MOST_SOURCE_BYTES = 2**30
"""Of one source, as lines: far more than a transcript of years."""


@attrs.define
class Counter:
    """How much went by."""

    sources: int = 0
    chunks: int = 0
    facts: int = 0


def render_source_lines(versions: Iterable[SourceVersion], counter: Counter) -> Iterator[bytes]:
    """Write sources, each followed by its chunks."""
    for version in versions:
        counter.sources += 1
        counter.chunks += len(version.chunks)
        yield render_source(version)
        yield from map(render_chunk, version.chunks)


def parse_source_lines(lines: Iterator[bytes], manifest: BundleManifest) -> Iterator[SourceVersion]:
    """Read sources, in key order and each key once.

    Raises:
        MalformedError: The lines are not those of sources, or not as many as the manifest says.
    """
    counter, last = Counter(), ""
    for line in lines:
        source, indexed_at, expected = parse_source(line)
        if expected > MOST_CHUNKS:
            raise MalformedError("a source has too many passages")
        if counter.sources and source.key <= last:
            raise MalformedError("the sources are not in order")
        last = source.key
        chunks, size = [], 0
        for _ in range(expected):
            line = _next(lines)
            size += len(line)
            if size > MOST_SOURCE_BYTES:
                raise MalformedError("a source is too large")
            chunks.append(parse_chunk(line))
        counter.sources += 1
        counter.chunks += expected
        yield SourceVersion(source=source, indexed_at=indexed_at, chunks=tuple(chunks))
    _compare("sources", counter.sources, manifest.sources)
    _compare("passages", counter.chunks, manifest.chunks)


def parse_fact_lines(lines: Iterable[bytes], manifest: BundleManifest) -> Iterator[FactVersion]:
    """Read facts.

    Raises:
        MalformedError: The lines are not those of facts, or not as many as the manifest says.
    """
    yield from _counted("facts", map(parse_fact, lines), manifest.facts)


def render_vector_records(rows: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
    """Write vectors."""
    return (render_vector(number, row) for number, row in rows)


def parse_vector_records(
    records: Iterable[bytes], model: BundledModel, manifest: BundleManifest
) -> Iterator[tuple[int, bytes]]:
    """Read the vectors of a model, in the order of their chunks and of each chunk one.

    Raises:
        MalformedError: The records are not those of such vectors, or not as many as the manifest says.
    """
    last = -1

    def check(record: bytes) -> tuple[int, bytes]:
        nonlocal last
        if len(record) != vector_size(model.width):
            raise MalformedError("a vector ends early")
        number, row = parse_vector(record)
        if not last < number < manifest.chunks:
            raise MalformedError("a vector belongs to no passage, or stands in the wrong place")
        last = number
        return number, row

    yield from _counted("vectors", map(check, records), model.vectors)


def _counted(what: str, items: Iterable[_T], expected: int) -> Iterator[_T]:
    count = 0
    for item in items:
        count += 1
        yield item
    _compare(what, count, expected)


def _compare(what: str, found: int, expected: int) -> None:
    if found != expected:
        raise MalformedError(f"it has {found:,} {what}, and its manifest says {expected:,}")


def _next(lines: Iterator[bytes]) -> bytes:
    line = next(lines, None)
    if line is None:
        raise MalformedError("a source ends early")
    return line
