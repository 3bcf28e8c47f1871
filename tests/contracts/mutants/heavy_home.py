"""A plugin of homes that loads its engine when it is described."""

from mutants import sound_home
from mutants.sound_home import *  # noqa: F403

from imprint.plugins import hookimpl


@hookimpl
def describe_home():
    import numpy  # noqa: F401

    return sound_home.describe_home()
