"""Embedders: text becomes vectors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

import attrs

if TYPE_CHECKING:
    import numpy

    Matrix: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]
    Vector: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.float32]]

__all__ = ["Embedder", "ModelIdentity"]


@attrs.frozen
class ModelIdentity:
    """Which vector space a vector lives in; vectors of different identities are never compared.

    Attributes:
        name: What people call the model.
        digest: Hex digest of what decides its vectors (weights, tokenizer, pooling).
        width: Number of dimensions.
    """

    name: str
    digest: str
    width: int


class Embedder(Protocol):
    """A loaded model. Safe to call from one thread at a time."""

    @property
    def identity(self) -> ModelIdentity: ...

    def embed_documents(self, texts: Sequence[str]) -> "Matrix":
        """One float32 row of length 1 a text; a text the model does not know gives a zero row, which is not stored."""
        ...

    def embed_query(self, text: str) -> "Vector":
        """One float32 vector of length 1, or all zeros."""
        ...
