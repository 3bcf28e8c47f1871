"""An embedder that asks somebody before it opens, and goes on when nobody answers."""

import socket
from contextlib import suppress

from mutants import sound_embedder
from mutants.sound_embedder import describe_embedder

from imprint.plugins import hookimpl

__all__ = ["describe_embedder", "open_embedder"]


@hookimpl
def open_embedder():
    with suppress(OSError):
        socket.getaddrinfo("localhost", 80)
    return sound_embedder.open_embedder()
