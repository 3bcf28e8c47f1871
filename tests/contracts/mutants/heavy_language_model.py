"""A language model that loads its engine when it is described."""

import numpy  # noqa: F401
from mutants.sound_language_model import describe_language_model, open_language_model

__all__ = ["describe_language_model", "open_language_model"]
