"""One request to one program, and nothing besides: no redirect is followed, no proxy of the environment asked.

`urllib.request` does both unless each is taken out of it again; `http.client` connects to whom it is told.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Timer
from typing import TYPE_CHECKING

from imprint.domain.endpoints import Endpoint
from imprint.errors import LanguageModelAnswerError, LanguageModelTimeoutError, LanguageModelUnreachableError
from imprint.plugins import LanguageModelSettings

if TYPE_CHECKING:
    from http.client import HTTPConnection

__all__ = ["post"]

_MOST_BYTES = 1 << 20
"""Of an answer; what is asked for is far smaller."""


def post(endpoint: Endpoint, path: str, body: bytes, settings: LanguageModelSettings) -> tuple[int, bytes]:
    """Send JSON and read the answer: its HTTP status, and its body.

    Raises:
        LanguageModelUnreachableError: Nobody answers, or in no HTTP.
        LanguageModelTimeoutError: It takes too long, however the time is spent.
        LanguageModelAnswerError: It is larger than any answer.
    """
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    kind = HTTPSConnection if endpoint.is_secure else HTTPConnection
    seconds = settings.timeout_seconds
    connection = kind(endpoint.host, endpoint.port, timeout=seconds)
    headers = {"Content-Type": "application/json", "Connection": "close"}
    if settings.api_key:
        headers["Authorization"] = f"Bearer {settings.api_key}"
    is_over = Event()
    try:
        connection.connect()
        with _deadline(connection, seconds, is_over):
            connection.request("POST", endpoint.path + path, body, headers)
            with connection.getresponse() as response:
                status, data = response.status, response.read(_MOST_BYTES + 1)
    except (OSError, HTTPException) as error:
        if is_over.is_set() or isinstance(error, TimeoutError):
            raise LanguageModelTimeoutError(settings.url, seconds) from None
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise LanguageModelUnreachableError(settings.url, reason) from None
    finally:
        connection.close()
    if is_over.is_set():
        raise LanguageModelTimeoutError(settings.url, seconds)
    if len(data) > _MOST_BYTES:
        raise LanguageModelAnswerError(settings.model, f"it is larger than {_MOST_BYTES >> 20} MiB")
    return status, data


@contextmanager
def _deadline(connection: "HTTPConnection", seconds: float, is_over: Event) -> Iterator[None]:
    """End a connection when its time is over: a socket's own timeout begins anew with every byte."""
    connected = connection.sock  # the connection lets go of it when the answer begins

    def end() -> None:
        is_over.set()
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
