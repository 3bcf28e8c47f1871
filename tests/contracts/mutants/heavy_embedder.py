"""An embedder that loads its engine when it is described."""

import numpy  # noqa: F401
from mutants.sound_embedder import describe_embedder, open_embedder

__all__ = ["describe_embedder", "open_embedder"]
