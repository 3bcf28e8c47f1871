"""A vector backend that loads its engine when it is described."""

import numpy  # noqa: F401
from mutants.sound_vector_backend import describe_vector_backend, open_vector_backend

__all__ = ["describe_vector_backend", "open_vector_backend"]
