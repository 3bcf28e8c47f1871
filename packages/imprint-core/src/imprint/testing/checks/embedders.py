"""Checks of the group ``imprint.embedders``."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Final

import attrs
import numpy

from imprint.plugins import Embedder, EmbedderInfo, EmbedderSettings
from imprint.plugins.handles import PluginHandle
from imprint.testing.conformance import Check, ensure, make_checks
from imprint.testing.probes import find_network_calls
from imprint.testing.subjects import ensure_description_is_light, ensure_description_reads_well, hold

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix

__all__ = ["embedder_checks"]

_TEXTS: Final = (
    "The store keeps one database file for each workspace.",
    "def parse_query(text): return text.split()",
    "Tuesday's meeting moved to the small room upstairs",
    "green apples and a loaf of bread",
    "retry the upload with exponential backoff after a timeout",
)
_STRANGE_TEXTS: Final = (
    "",
    " \n\t ",
    "\0",
    "記憶は端末に残る",
    "მეხსიერება",
    "🦊🦊",
    "a" * 5_000,
    "e\u0301\u200d\ufeff",
)
_LENGTH_TOLERANCE: Final = 0.01
_REPEAT_TOLERANCE: Final = 1e-4
# Engines that quantize a batch as a whole move a row a little.
_BATCH_TOLERANCE: Final = 0.05


@attrs.frozen
class _Subject:
    handle: PluginHandle
    settings: EmbedderSettings

    @contextmanager
    def open(self) -> Iterator[Embedder]:
        with self.handle.call("open_embedder", settings=self.settings) as embedder:
            yield embedder


def embedder_checks(
    plugin: ModuleType,
    *,
    settings: EmbedderSettings | None = None,
    expected_failures: Mapping[str, str] = MappingProxyType({}),
) -> list[Check]:
    """Make the checks of an embedder.

    Args:
        plugin: The plugin's module.
        settings: What to open it with; a model that lies on this machine, if the plugin has none of its own.
        expected_failures: Names of checks that this plugin is known to fail, with the reason.

    Raises:
        PluginInvalidError: The module does not fit the group, so there is nothing to check.
    """
    return make_checks(
        (
            describes_itself,
            describing_is_light,
            works_without_a_network,
            identity_is_stable,
            rows_have_the_declared_shape,
            query_is_one_vector,
            rows_are_of_length_one_or_zero,
            no_texts_give_no_rows,
            strange_texts_give_rows,
            long_texts_give_rows,
            same_text_gives_same_row,
            reopening_gives_the_same_rows,
            row_does_not_depend_on_its_batch,
            rows_keep_the_order_of_their_texts,
            query_finds_its_own_text,
        ),
        _Subject(hold(plugin, "imprint.embedders"), settings or EmbedderSettings()),
        expected_failures,
    )


def describes_itself(subject: _Subject) -> None:
    """The plugin has a name of one word and a summary of one line.

    If this fails, look at ``describe_embedder``.
    """
    info: EmbedderInfo = subject.handle.call("describe_embedder")
    ensure_description_reads_well(info)


def describing_is_light(subject: _Subject) -> None:
    """Listing plugins loads no engine: the standard library, attrs and the plugin's own package are enough.

    If this fails, look at the imports at the top of the plugin's module and move them into ``open_embedder``.
    """
    ensure_description_is_light(subject.handle, "describe_embedder")


def works_without_a_network(subject: _Subject) -> None:
    """Opening and embedding never try to reach another machine, not even in vain.

    If this fails, look at what loads the model: it may ask a hub whether there is a newer one.
    """
    calls = find_network_calls(subject.handle.module.__name__, subject.settings.model)
    ensure(not calls, f"it called {', '.join(calls)}")


def identity_is_stable(subject: _Subject) -> None:
    """The same settings give the same identity, with a name, a hex digest and a width.

    If this fails, look at what the digest is computed from: the model's bytes, and nothing of this run or machine.
    """
    with subject.open() as first, subject.open() as second:
        ensure(first.identity == second.identity, f"{first.identity} the first time, {second.identity} the second")
        identity = first.identity
    ensure(identity.name, "the name is empty")
    ensure(
        len(identity.digest) >= 16 and set(identity.digest) <= set("0123456789abcdef"), f"digest {identity.digest!r}"
    )
    ensure(identity.width > 0, f"width {identity.width}")


def rows_have_the_declared_shape(subject: _Subject) -> None:
    """Documents give a float32 matrix: a row a text, as wide as the identity says.

    If this fails, look at what ``embed_documents`` returns: ``astype(numpy.float32)``, and the model's true width.
    """
    with subject.open() as embedder:
        _ensure_array(embedder.embed_documents(_TEXTS), (len(_TEXTS), embedder.identity.width))


def query_is_one_vector(subject: _Subject) -> None:
    """A query gives one float32 vector of length 1 or zero, as wide as the identity says.

    If this fails, look at ``embed_query``: it returns a vector, not a matrix of one row.
    """
    with subject.open() as embedder:
        query = embedder.embed_query(_TEXTS[0])
        _ensure_array(query, (embedder.identity.width,))
        _ensure_lengths(query[None, :])


def rows_are_of_length_one_or_zero(subject: _Subject) -> None:
    """Every row has length 1, or is all zeros; a dot product is then a cosine.

    If this fails, look at the normalization at the end of ``embed_documents``.
    """
    with subject.open() as embedder:
        _ensure_lengths(embedder.embed_documents(_TEXTS))


def no_texts_give_no_rows(subject: _Subject) -> None:
    """An empty list gives an empty matrix of the right width.

    If this fails, look at the first lines of ``embed_documents``: most engines cannot take an empty batch.
    """
    with subject.open() as embedder:
        rows = embedder.embed_documents([])
        ensure(rows.shape == (0, embedder.identity.width), f"shape {rows.shape}")


def strange_texts_give_rows(subject: _Subject) -> None:
    """Empty texts, unknown scripts, emoji and control characters give a row of length 1 or zeros, never NaN.

    If this fails, look at the division by the length: a text without any known token has length 0.
    """
    with subject.open() as embedder:
        rows = embedder.embed_documents(_STRANGE_TEXTS)
        ensure(len(rows) == len(_STRANGE_TEXTS), f"{len(rows)} rows for {len(_STRANGE_TEXTS)} texts")
        ensure(numpy.isfinite(rows).all(), "a row holds NaN or infinity")
        ensure(numpy.isfinite(embedder.embed_query(_STRANGE_TEXTS[0])).all(), "an empty query gives NaN or infinity")


def long_texts_give_rows(subject: _Subject) -> None:
    """A text far beyond the model's limit is cut, and gives a row like any other.

    If this fails, look at how texts are tokenized: truncation has to be turned on.
    """
    with subject.open() as embedder:
        rows = embedder.embed_documents([" ".join(_TEXTS) * 1_000])
        ensure(len(rows) == 1 and numpy.isfinite(rows).all() and rows.any(), "the row is not one of a text")


def same_text_gives_same_row(subject: _Subject) -> None:
    """Embedding twice gives the same rows.

    If this fails, look for dropout or sampling that was left on.
    """
    with subject.open() as embedder:
        _ensure_near(embedder.embed_documents(_TEXTS), embedder.embed_documents(_TEXTS), _REPEAT_TOLERANCE)


def reopening_gives_the_same_rows(subject: _Subject) -> None:
    """Two instances of one identity embed alike, so vectors outlive the process that made them.

    If this fails, look for a random or per-process seed (``hash()`` of a string is one).
    """
    with subject.open() as first, subject.open() as second:
        _ensure_near(first.embed_documents(_TEXTS), second.embed_documents(_TEXTS), _REPEAT_TOLERANCE)


def row_does_not_depend_on_its_batch(subject: _Subject) -> None:
    """A text embedded alone gives one of the rows that it gives among others.

    If this fails, look at padding: tokens that only fill up a batch must be masked.
    """
    with subject.open() as embedder:
        batch = embedder.embed_documents(_TEXTS)
        for text in _TEXTS:
            distances = numpy.abs(batch - embedder.embed_documents([text])).max(axis=1)
            ensure(distances.min() <= _BATCH_TOLERANCE, f"{text!r} is off by {distances.min():.3f} in a batch")


def rows_keep_the_order_of_their_texts(subject: _Subject) -> None:
    """Rows come in the order of their texts.

    If this fails, look at batching by length: rows have to be put back into place.
    """
    with subject.open() as embedder:
        forward = embedder.embed_documents(_TEXTS)
        backward = embedder.embed_documents(_TEXTS[::-1])
        _ensure_near(forward, backward[::-1], _BATCH_TOLERANCE)


def query_finds_its_own_text(subject: _Subject) -> None:
    """A query that repeats a document is nearer to it than to the others.

    If this fails, look at whether queries and documents go through the same model, tokenizer and pooling.
    """
    with subject.open() as embedder:
        rows = numpy.concatenate([embedder.embed_documents([text]) for text in _TEXTS])
        for index, text in enumerate(_TEXTS):
            best = int(numpy.argmax(rows @ embedder.embed_query(text).reshape(-1)))
            ensure(best == index, f"the query {text!r} is nearest to {_TEXTS[best]!r}")


def _ensure_array(array: Any, shape: tuple[int, ...]) -> None:
    ensure(isinstance(array, numpy.ndarray), f"it is a {type(array).__name__}, not a numpy array")
    ensure(array.shape == shape, f"shape {array.shape}, not {shape}")
    ensure(array.dtype == numpy.float32, f"dtype {array.dtype}, not float32")


def _ensure_lengths(rows: "Matrix") -> None:
    for length in numpy.linalg.norm(rows.astype(numpy.float64), axis=1):
        ensure(length == 0 or abs(length - 1) <= _LENGTH_TOLERANCE, f"a row has length {length:.3f}")


def _ensure_near(left: "Matrix", right: "Matrix", tolerance: float) -> None:
    distance = float(numpy.abs(left - right).max())
    ensure(distance <= tolerance, f"rows differ by up to {distance:.2g}")
