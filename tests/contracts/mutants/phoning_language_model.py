"""A language model that asks somebody before it opens, and goes on when nobody answers."""

import socket
from contextlib import suppress

from mutants import sound_language_model
from mutants.sound_language_model import describe_language_model

from imprint.plugins import hookimpl

__all__ = ["describe_language_model", "open_language_model"]


@hookimpl
def open_language_model(settings):
    with suppress(OSError):
        socket.getaddrinfo("localhost", 80)
    return sound_language_model.open_language_model(settings)
