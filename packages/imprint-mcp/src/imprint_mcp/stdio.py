"""Serving one client over the standard streams: the front first, and the SDK once it is needed."""

import io
import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

from imprint_mcp.front import Front, load_snapshot, relay
from imprint_mcp.session import Session

__all__ = ["serve"]


def serve(begin: Callable[[], Session]) -> None:
    """Serve until the client leaves.

    Args:
        begin: Begins the session; done before anything is answered.
    """
    read_from, write_to = _claim_streams()
    _end_quietly_on_signals()
    session = begin()
    try:
        front = Front(load_snapshot())
        rest = relay(front, lambda size: os.read(read_from, size), lambda data: _write_all(write_to, data))
        if rest is not None:
            _serve_with_sdk(session, _Wire(read_from, front.replay + rest), write_to, front.has_given)
    except* BrokenPipeError:
        # The client reads no more: it has left. What is still to be written to it must not complain at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), write_to)
    finally:
        session.close()


def _claim_streams() -> tuple[int, int]:
    """Take the client's two streams for the protocol alone: others read nothing, and what they print goes to stderr."""
    read_from, write_to = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nothing, 1)
    os.close(nothing)
    return read_from, write_to


def _end_quietly_on_signals() -> None:
    """Clients end their servers by signals. Everything written is safe at any moment, so nothing has to be tidied."""

    def end(_signum: int, _frame: FrameType | None) -> None:
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _serve_with_sdk(session: Session, wire: "_Wire", write_to: int, is_muted: Callable[[str], bool]) -> None:
    import gc

    gc.disable()  # It would go over the half million objects that the SDK makes, again and again.
    import anyio
    from mcp.server.stdio import stdio_server

    from imprint_mcp.server import build_server

    low = build_server(session)._lowlevel_server
    gc.freeze()
    gc.enable()
    # As the SDK wraps its own streams, whose claim to them is made already.
    incoming = io.TextIOWrapper(io.BufferedReader(wire), encoding="utf-8", errors="replace")
    outgoing = _Outgoing(os.fdopen(write_to, "wb"), is_muted)

    async def run() -> None:
        stdin: Any = anyio.wrap_file(incoming)
        stdout: Any = anyio.wrap_file(outgoing)
        async with stdio_server(stdin, stdout) as (read, write):
            await low.run(read, write, low.create_initialization_options())

    anyio.run(run)


class _Wire(io.RawIOBase):
    """The client's stream, with what was read of it before in front."""

    def __init__(self, descriptor: int, ahead: bytes) -> None:
        self._descriptor = descriptor
        self._ahead = ahead

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        data = self._ahead[: len(view)] or os.read(self._descriptor, len(view))
        self._ahead = self._ahead[len(data) :]
        view[: len(data)] = data
        return len(data)


class _Outgoing(io.TextIOWrapper):
    """Writes messages, leaving out the answer that the client has had from the front."""

    def __init__(self, stream: io.BufferedWriter, is_muted: Callable[[str], bool]) -> None:
        super().__init__(stream, encoding="utf-8", newline="\n")
        self._is_muted = is_muted

    def write(self, text: str) -> int:
        return len(text) if self._is_muted(text) else super().write(text)
