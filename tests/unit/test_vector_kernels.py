"""The arithmetic under vector search, against the plainest way to write it."""

import subprocess
import sys

import numpy
from hypothesis import given
from hypothesis import strategies as st

from imprint.default_plugins.local_vectors.kernels import best_places, byte_dots, exact_dots, round_to_bytes


def unit_rows(count: int, width: int, seed: int = 1):
    rows = numpy.random.default_rng(seed).standard_normal((count, width)).astype(numpy.float32)
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


@given(st.lists(st.integers(-50, 50), max_size=400), st.integers(1, 70))
def test_the_best_places_are_those_of_the_highest_scores(values, limit):
    scores = numpy.array(values, dtype=numpy.float32)

    places = best_places(scores, limit)

    assert len(set(places.tolist())) == len(places) == min(limit, len(values))
    assert sorted(scores[places].tolist(), reverse=True) == sorted(values, reverse=True)[:limit]


def test_among_many_blocks_the_best_places_are_found_wherever_they_lie():
    scores = numpy.random.default_rng(3).standard_normal(100_003).astype(numpy.float32)
    scores[[0, 63, 64, 99_999, 100_002]] += 100

    assert set(best_places(scores, 5).tolist()) == {0, 63, 64, 99_999, 100_002}
    assert set(best_places(scores, 100).tolist()) == set(numpy.argsort(-scores)[:100].tolist())


def test_rounded_rows_times_their_scale_are_the_rows_again():
    rows = unit_rows(50, 33)

    codes, scales = round_to_bytes(rows)

    assert numpy.abs(codes).max(axis=1).tolist() == [127] * 50
    numpy.testing.assert_allclose(codes * scales[:, None], rows, atol=float(scales.max()) / 2 + 1e-6)


def test_rows_without_a_direction_have_a_scale_that_says_so():
    rows = numpy.array([[0, 0], [numpy.nan, 1], [numpy.inf, 1], [3, 4]], dtype=numpy.float16)

    codes, scales = round_to_bytes(rows)

    assert (numpy.isfinite(scales) & (scales > 0)).tolist() == [False, False, False, True]
    assert codes[3].tolist() == [95, 127]


def test_exact_products_are_exact_to_the_sixth_digit():
    rows, query = unit_rows(300, 256).astype(numpy.float16), unit_rows(1, 256, seed=2)[0]

    numpy.testing.assert_allclose(exact_dots(rows, query), rows.astype(numpy.float32) @ query, atol=1e-6)


def test_byte_products_rank_like_exact_ones():
    rows, query = unit_rows(300, 256), unit_rows(1, 256, seed=2)[0]
    codes, scales = round_to_bytes(rows)

    ours, exact = byte_dots(codes, query) * scales, rows @ query

    assert numpy.corrcoef(ours, exact)[0, 1] > 0.999


def test_no_rows_have_no_products():
    query = unit_rows(1, 8)[0]

    assert len(byte_dots(numpy.empty((0, 8), dtype=numpy.int8), query)) == 0
    assert len(exact_dots(numpy.empty((0, 8), dtype=numpy.float16), query)) == 0


def test_without_numkong_numpy_gives_the_same_products():
    """In a process where numkong cannot be imported."""
    code = """
import sys
sys.modules["numkong"] = None
import numpy
from imprint.default_plugins.local_vectors.kernels import byte_dots, exact_dots, round_to_bytes
rows = numpy.random.default_rng(1).standard_normal((9_000, 24)).astype(numpy.float16)
query = rows[0].astype(numpy.float32)
numpy.testing.assert_allclose(exact_dots(rows, query), rows.astype(numpy.float32) @ query, rtol=1e-4, atol=1e-4)
codes, _ = round_to_bytes(rows)
rounded, _ = round_to_bytes(query[None])
assert (byte_dots(codes, query) == codes.astype(int) @ rounded[0].astype(int)).all()
print("same")
"""

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("same\n", "")
