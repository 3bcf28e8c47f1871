"""A client's plugin that loads its engine when it is described."""

from mutants import sound_client
from mutants.sound_client import *  # noqa: F403

from imprint.plugins import hookimpl


@hookimpl
def describe_client():
    import numpy  # noqa: F401

    return sound_client.describe_client()
