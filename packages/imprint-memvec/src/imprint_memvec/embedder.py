"""A static embedding table as an embedder: a text's vector is the mean of its tokens' rows, made length 1.

The vectors equal those of ``model2vec.StaticModel.from_pretrained(MODEL_FOLDER)``, which costs twice the time to
load; a test holds the two together.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from imprint.plugins import ModelIdentity
from imprint_memvec.identity import IDENTITY, MODEL_FOLDER
from imprint_memvec.pieces import WordPieces
from imprint_memvec.words import WordSums

__all__ = ["MemvecEmbedder", "load_embedder"]

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix, Vector

    Table: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.int8]]
    _FloatArray = TypeVar("_FloatArray", Vector, Matrix)

_MAX_TOKENS: Final = 512
_MAX_CHARACTERS: Final = _MAX_TOKENS * 6
"""Texts are cut here before they are tokenised, then at so many tokens, as model2vec does: 6 is the median length of
the vocabulary's tokens."""


def load_embedder() -> "MemvecEmbedder":
    """Load the table and the tokenizer from the package."""
    tokenizer = Tokenizer.from_file(str(MODEL_FOLDER / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    table = load_file(MODEL_FOLDER / "model.safetensors")["embeddings"]
    return MemvecEmbedder(table, tokenizer)


class MemvecEmbedder:
    """The loaded model. Queries go through the tokenizer; documents, where it is safe, through `WordSums`."""

    def __init__(self, table: "Table", tokenizer: Tokenizer) -> None:
        self._table = table
        self._tokenizer = tokenizer
        self._unknown = tokenizer.token_to_id("[UNK]")

    @property
    def identity(self) -> ModelIdentity:
        return IDENTITY

    @cached_property
    def _words(self) -> WordSums:
        """Made for the first document: a question needs none of it."""
        pieces = WordPieces(self._tokenizer.get_vocab())

        def token_sum(word: str, limit: int) -> "tuple[Vector, int]":
            if word.isascii():
                ids = pieces.split(word)[:limit]
                return self._sum_of(ids), len(ids) or 1
            ids = self._tokenizer.encode(word, add_special_tokens=False).ids
            return self._sum_of(self._known(ids)), len(ids)

        return WordSums(token_sum, width=self._table.shape[1], limit=_MAX_TOKENS)

    def embed_documents(self, texts: Sequence[str]) -> "Matrix":
        rows = numpy.zeros((len(texts), self._table.shape[1]), dtype=numpy.float32)
        rest = []
        for place, text in enumerate(texts):
            if not self._words.add_up(text[:_MAX_CHARACTERS], out=rows[place]):
                rest.append(place)
        encodings = self._tokenizer.encode_batch_fast(
            [texts[place][:_MAX_CHARACTERS] for place in rest], add_special_tokens=False
        )
        for place, encoding in zip(rest, encodings, strict=True):
            rows[place] = self._sum_of(self._known(encoding.ids))
        return _of_length_one(rows)

    def embed_query(self, text: str) -> "Vector":
        encoding = self._tokenizer.encode(text[:_MAX_CHARACTERS], add_special_tokens=False)
        return _of_length_one(self._sum_of(self._known(encoding.ids)))

    def _known(self, ids: list[int]) -> list[int]:
        return [id for id in ids if id != self._unknown]

    def _sum_of(self, ids: list[int]) -> "Vector":
        total: Vector
        if len(ids) == 1:
            total = self._table[ids[0]].astype(numpy.float32)
        else:
            total = numpy.add.reduce(self._table.take(ids, axis=0), axis=0, dtype=numpy.float32)
        return total


def _of_length_one(rows: "_FloatArray") -> "_FloatArray":
    norms = numpy.sqrt(numpy.square(rows).sum(axis=-1, keepdims=True))
    rows /= numpy.where(norms > 0, norms, 1)
    return rows
