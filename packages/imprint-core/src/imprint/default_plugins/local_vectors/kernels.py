"""Arithmetic over many rows: dot products, rounding to bytes, the best of many scores.

numkong has the fast kernels. Whether it has them here is found out by one tiny product whose answer is known, for a
build may lack a kernel and say so only when it is called; without it numpy does the same, some three times slower.
"""

from functools import cache
from types import ModuleType
from typing import Any, Final, TypeAlias

import numpy

__all__ = [
    "Codes",
    "HalfRows",
    "Ids",
    "Mask",
    "Places",
    "Scores",
    "Vector",
    "best_places",
    "byte_dots",
    "exact_dots",
    "round_to_bytes",
]

Codes: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.int8]]
HalfRows: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float16]]
Ids: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]]
Mask: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.bool_]]
Places: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.signedinteger[Any]]]
Scores: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.float32]]
Vector: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.float32]]

_BLOCK: Final = 64
_ROWS_AT_ONCE: Final = 4_096


def round_to_bytes(
    rows: "HalfRows | numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]",
) -> tuple[Codes, Scores]:
    """Round rows to 8-bit integers, each row by a scale that makes its largest component 127.

    The scale of a row of zeros is 0, that of a row with components that are not finite is not finite.
    """
    wide = rows.astype(numpy.float32)
    scales = numpy.abs(wide).max(axis=1, initial=0.0) / numpy.float32(127)
    with numpy.errstate(invalid="ignore"):
        wide /= numpy.where(scales > 0, scales, 1)[:, None]
        return numpy.rint(wide, out=wide).astype(numpy.int8), scales


def byte_dots(codes: Codes, query: Vector) -> Scores:
    """The dot product of every row of codes with a query that is rounded likewise; exact integers up to one factor."""
    rounded, _ = round_to_bytes(query[None])
    numkong = _numkong()
    if numkong is None or not len(codes):
        return _by_blocks(codes, rounded[0].astype(numpy.float32))
    products: Scores = numpy.asarray(numkong.cdist(rounded, codes, "dot"))[0].astype(numpy.float32)
    return products


def exact_dots(rows: HalfRows, query: Vector) -> Scores:
    """The dot product of every float16 row with a float32 query.

    The kernel wants one type, so the query is split into a float16 and the float16 of what that leaves over.
    """
    numkong = _numkong()
    if numkong is None or not len(rows):
        return _by_blocks(rows, query)
    upper = query.astype(numpy.float16)
    halves = numpy.stack([upper, (query - upper).astype(numpy.float16)])
    products: Scores = numpy.asarray(numkong.cdist(halves, rows, "dot")).sum(axis=0).astype(numpy.float32)
    return products


def best_places(scores: Scores, limit: int) -> Places:
    """The places of the highest scores, in no order.

    Sought among the blocks with the highest maxima, for each of the best lies in one of these: six times faster than
    partitioning the whole.
    """
    whole = len(scores) // _BLOCK * _BLOCK
    if whole // _BLOCK <= limit:
        return _partition(scores, limit)
    blocks = _partition(scores[:whole].reshape(-1, _BLOCK).max(axis=1), limit)
    candidates = numpy.concatenate(
        [(blocks[:, None] * _BLOCK + numpy.arange(_BLOCK)).ravel(), numpy.arange(whole, len(scores))]
    )
    return candidates[_partition(scores[candidates], limit)]


def _partition(scores: Scores, limit: int) -> Places:
    if limit >= len(scores):
        return numpy.arange(len(scores))
    return numpy.argpartition(scores, len(scores) - limit)[len(scores) - limit :]


def _by_blocks(rows: Codes | HalfRows, query: Vector) -> Scores:
    products = numpy.empty(len(rows), dtype=numpy.float32)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        products[block] = rows[block].astype(numpy.float32) @ query
    return products


@cache
def _numkong() -> ModuleType | None:
    try:
        import numkong

        products = [
            numkong.cdist(numpy.array([[3, 4]], dtype=type), numpy.array([[2, -5]], dtype=type), "dot")
            for type in (numpy.int8, numpy.float16)
        ]
    except (ImportError, LookupError, RuntimeError, TypeError, ValueError):
        return None
    return numkong if all(numpy.asarray(product) == -14 for product in products) else None
