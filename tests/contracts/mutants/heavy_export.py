"""A plugin for exports that loads its engine when it is described."""

import numpy  # noqa: F401
from mutants.sound_export import describe_conversation, describe_export, read_conversation

__all__ = ["describe_conversation", "describe_export", "read_conversation"]
