"""The front: answers what every client asks at the start, without the SDK, which takes half a second to load.

It knows the SDK's answers to a few requests by heart (`imprint_mcp.snapshots`) and answers those whose meaning is
beyond doubt. The first message it is not certain about ends it: from there on the SDK serves the connection, and is
told first what it has to have seen, the opening request and the notifications. Standard library only.
"""

import json
import os
from collections.abc import Callable, Mapping

__all__ = ["SNAPSHOT_FILE", "Front", "Snapshot", "load_snapshot", "relay"]

SNAPSHOT_FILE = os.path.join(os.path.dirname(__file__), "snapshot.json")  # noqa: PTH118, PTH120 (pathlib is not cheap)

Snapshot = Mapping[str, Mapping[str, str]]
"""Results as JSON text, by method and protocol version."""

_MODERN = "2026-07-28"
_NEWEST_HANDSHAKE = "2025-11-25"
_ENVELOPE = "io.modelcontextprotocol/"
_VERSION_KEY = _ENVELOPE + "protocolVersion"
_CAPABILITIES_KEY = _ENVELOPE + "clientCapabilities"
_INFO_KEY = _ENVELOPE + "clientInfo"
_MOST_NOTIFICATIONS = 8
"""The SDK keeps as many that come before the first request."""

_READ_BYTES = 65_536
_LONGEST = 1_000_000
"""What the front answers is short: it need not collect a message that is longer."""

_LARGEST_EXACT_INTEGER = 2**53


def load_snapshot() -> Snapshot:
    """The snapshot that this package carries."""
    with open(SNAPSHOT_FILE, encoding="utf-8") as file:  # noqa: PTH123
        document = json.load(file)
    results: list[str] = document["results"]
    return {
        method: {version: results[place] for version, place in places.items()}
        for method, places in document["places"].items()
    }


class Front:
    """One connection, until the SDK takes over.

    Attributes:
        replay: What the SDK has to see before anything else.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Know nothing yet of the client."""
        self.replay = b""
        self._given = ""
        self._snapshot = snapshot
        self._version = ""
        self._notifications = 0

    def answer(self, line: bytes) -> bytes | None:
        """Answer one message; empty where it wants no answer, `None` where the SDK must see it."""
        message = _parse(line)
        if message is None:
            return None
        if "id" not in message:
            return self._note(line, message)
        result = self._find_result(message)
        if result is None:
            return None
        head = f'{{"jsonrpc":"2.0","id":{json.dumps(message["id"], ensure_ascii=False)},'
        if not self._given:
            self.replay += line
            self._given = head
        return f'{head}"result":{result}}}\n'.encode()

    def has_given(self, text: str) -> bool:
        """Whether an answer of the SDK's is the one to the replayed request, which the client has already."""
        if self._given and text.startswith(self._given):
            self._given = ""
            return True
        return False

    def _note(self, line: bytes, message: Mapping[str, object]) -> bytes | None:
        """Keep a notification for the SDK: none needs an answer."""
        params = message.get("params", {})
        self._notifications += 1
        if not isinstance(params, dict) or self._notifications > _MOST_NOTIFICATIONS:
            return None
        self.replay += line
        return b""

    def _find_result(self, message: Mapping[str, object]) -> str | None:
        method, params = message["method"], message.get("params", {})
        if not isinstance(method, str) or not isinstance(params, dict):
            return None
        if method == "initialize":
            return self._initialize(params)
        meta = params.get("_meta", {})
        if not isinstance(meta, dict) or params.keys() - {"_meta"}:
            return None
        envelope = _envelope_version(meta)
        if envelope is None or (self._version and bool(envelope) != (self._version == _MODERN)):
            return None
        self._version = self._version or envelope
        return self._snapshot.get(method, {}).get(self._version)

    def _initialize(self, params: Mapping[str, object]) -> str | None:
        version = params.get("protocolVersion")
        is_plain = (
            not self._version
            and isinstance(version, str)
            and not params.keys() - {"protocolVersion", "capabilities", "clientInfo"}
            and _is_client_info(params.get("clientInfo"))
            and _are_capabilities(params.get("capabilities"))
        )
        if not is_plain:
            return None
        known = self._snapshot["initialize"]
        self._version = version if isinstance(version, str) and version in known else _NEWEST_HANDSHAKE
        return known[self._version]


def relay(front: Front, read: Callable[[int], bytes], write: Callable[[bytes], object]) -> bytes | None:
    """Answer messages until the SDK is needed.

    Args:
        read: Gives at most so many bytes; none at the end.

    Returns:
        What was read and not answered; `None` when the client left.
    """
    waiting = b""
    while True:
        while (end := waiting.find(b"\n") + 1) > 0:
            answer = front.answer(waiting[:end])
            if answer is None:
                return waiting
            waiting = waiting[end:]
            if answer:
                write(answer)
        chunk = read(_READ_BYTES)
        waiting += chunk
        if not chunk or len(waiting) > _LONGEST:
            return waiting or None


def _parse(line: bytes) -> dict[str, object] | None:
    """A request or notification that every parser of JSON understands alike, else `None`."""
    text = line.rstrip(b"\r\n")
    if b"\r" in text or b"\\ud" in text or b"\\uD" in text:
        return None
    try:
        message = json.loads(text.decode(), parse_constant=_refuse, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return None
    if message.keys() - {"jsonrpc", "id", "method", "params"}:
        return None
    if "id" in message and not _is_id(message["id"]):
        return None
    return message


def _is_id(value: object) -> bool:
    return isinstance(value, str) or (type(value) is int and abs(value) <= _LARGEST_EXACT_INTEGER)


def _refuse(constant: str) -> object:
    raise ValueError(constant)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _envelope_version(meta: Mapping[str, object]) -> str | None:
    """The version that a request's envelope names, empty without an envelope, `None` where it is in doubt."""
    token = meta.get("progressToken", "")
    if not (_is_id(token) and all(isinstance(key, str) for key in meta)):
        return None
    envelope = {key for key in meta if key.startswith(_ENVELOPE)}
    if not envelope:
        return ""
    is_plain = (
        envelope <= {_VERSION_KEY, _CAPABILITIES_KEY, _INFO_KEY}
        and meta.get(_VERSION_KEY) == _MODERN
        and _are_capabilities(meta.get(_CAPABILITIES_KEY))
        and (_INFO_KEY not in envelope or _is_client_info(meta[_INFO_KEY]))
    )
    return _MODERN if is_plain else None


def _is_client_info(value: object) -> bool:
    return (
        isinstance(value, dict)
        and {"name", "version"} <= value.keys() <= {"name", "version", "title", "description", "websiteUrl"}
        and all(isinstance(text, str) for text in value.values())
    )


def _are_capabilities(value: object) -> bool:
    """Whether capabilities have the shapes that the protocol gives them; those of extensions are their own."""
    if not isinstance(value, dict):
        return False
    for name, content in value.items():
        if name in ("experimental", "extensions"):
            if not isinstance(content, dict) or not all(isinstance(one, dict) for one in content.values()):
                return False
        elif name not in ("roots", "sampling", "elicitation", "tasks") or not _is_capability(content):
            return False
    return True


def _is_capability(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(content, bool) if name in ("listChanged", "applyDefaults") else _is_capability(content)
        for name, content in value.items()
    )
