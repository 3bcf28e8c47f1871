"""An extractor that loads its engine when it is described."""

import numpy  # noqa: F401
from mutants.sound_extractor import describe_extractor, extract

__all__ = ["describe_extractor", "extract"]
