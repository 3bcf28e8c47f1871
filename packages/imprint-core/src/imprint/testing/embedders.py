"""An embedder for tests: small, fast, and the same everywhere."""

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy

from imprint.plugins import ModelIdentity

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix, Vector

__all__ = ["FakeEmbedder"]

_WORD = re.compile(r"[a-z0-9]+")


class FakeEmbedder:
    """Every word has a direction that is hashed from it, and a text is the sum of its words.

    Texts with words in common are near each other; a text with no ASCII letters or digits gives a zero row.
    """

    def __init__(self, width: int = 32, name: str = "fake") -> None:
        """Make a model; another name gives another space."""
        self.identity = ModelIdentity(name, blake2b(f"{name} {width}".encode(), digest_size=16).hexdigest(), width)
        self._directions: dict[str, Vector] = {}

    def embed_documents(self, texts: Sequence[str]) -> "Matrix":
        """One row a text."""
        rows = numpy.zeros((len(texts), self.identity.width), dtype=numpy.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                row += self._direction(word)
            length = float(numpy.linalg.norm(row))
            if length:
                row /= length
        return rows

    def embed_query(self, text: str) -> "Vector":
        """As a document."""
        query: Vector = self.embed_documents([text])[0]
        return query

    def _direction(self, word: str) -> "Vector":
        known = self._directions.get(word)
        if known is None:
            width = self.identity.width
            data = blake2b(f"{self.identity.name} {word}".encode(), digest_size=32).digest()
            known = numpy.random.default_rng(list(data)).standard_normal(width).astype(numpy.float32)
            self._directions[word] = known
        return known
