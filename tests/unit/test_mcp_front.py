"""The front says what the SDK would say, or nothing: it is compared with the SDK itself, message by message."""

import io
import json
from collections.abc import AsyncIterator, Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.stdio import stdio_server

from imprint_mcp.front import SNAPSHOT_FILE, Front, load_snapshot, relay
from imprint_mcp.server import build_server
from imprint_mcp.session import Session
from imprint_mcp.snapshots import render_snapshot

SERVER = build_server(Session.without_project({}))
SNAPSHOT = load_snapshot()
META = "io.modelcontextprotocol/"
ENVELOPE = {f"{META}protocolVersion": "2026-07-28", f"{META}clientCapabilities": {}}
LAST = "the last request of a script"


def test_the_snapshot_is_the_servers_own_answer_in_every_version():
    """After a change of tools, instructions or the SDK: `python -m imprint_mcp.snapshots`."""
    assert Path(SNAPSHOT_FILE).read_text("utf-8") == render_snapshot()


# --- the SDK, and the front before the SDK, on the same bytes


class _Lines:
    """The SDK's input: some lines, and the end once the last request is answered."""

    def __init__(self, data: bytes, is_done: anyio.Event) -> None:
        self._lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace")
        self._is_done = is_done

    async def __aiter__(self) -> AsyncIterator[str]:
        for line in self._lines:
            yield line
        await self._is_done.wait()


class _Written:
    """The SDK's output, until the last request is answered."""

    def __init__(self, front: Front | None, is_done: anyio.Event) -> None:
        self.lines: list[str] = []
        self._front = front
        self._is_done = is_done

    async def write(self, text: str) -> None:
        if self._front is None or not self._front.has_given(text):
            self.lines.append(text)
        if f'"{LAST}"' in text:
            self._is_done.set()

    async def flush(self) -> None:
        pass


def last_request(script: bytes) -> bytes:
    """A request that is answered in whatever state the script leaves a connection."""
    params = {"_meta": ENVELOPE} if META.encode() in script else {}
    return json.dumps({"jsonrpc": "2.0", "id": LAST, "method": "no/such/method", "params": params}).encode() + b"\n"


def ask_sdk(data: bytes, front: Front | None = None) -> list[str]:
    async def run() -> list[str]:
        is_done = anyio.Event()
        written = _Written(front, is_done)
        low = SERVER._lowlevel_server
        stdin: Any = _Lines(data, is_done)
        stdout: Any = written
        with anyio.fail_after(20):
            async with stdio_server(stdin, stdout) as (read, write):
                await low.run(read, write, low.create_initialization_options())
        return written.lines

    return anyio.run(run)


def ask_front_first(script: bytes, sizes: Iterator[int]) -> list[str]:
    """Serve a script as the program does, read in pieces of some sizes."""
    stream = io.BytesIO(script + last_request(script))
    front = Front(SNAPSHOT)
    answers: list[bytes] = []
    rest = relay(front, lambda size: stream.read(min(size, next(sizes))), answers.append)
    assert rest is not None, "the last request is none of the front's"
    lines = [answer.decode() for answer in answers]
    return lines + ask_sdk(front.replay + rest + stream.read(), front)


def alike(lines: list[str]) -> list[str]:
    return sorted(lines)


# --- scripts

ids = st.one_of(
    st.integers(0, 9),
    st.integers(),
    st.text(max_size=5),
    st.sampled_from(['"', "\\", "\x00", "\x7f", "\u2028", "é", "𝄞", "/"]),
    st.sampled_from([None, 1.5, True, [], {}]),
)
clients = st.sampled_from(
    [
        {"name": "c", "version": "1"},
        {"name": "c", "version": "1", "title": "C", "websiteUrl": "https://c.example"},
        {"name": "c", "version": 1},
        {"name": "c"},
        {"name": "c", "version": "1", "icons": []},
    ]
)
capabilities = st.sampled_from(
    [
        {},
        {"roots": {"listChanged": True}, "sampling": {}},
        {"elicitation": {"form": {}, "url": {}}},
        {"elicitation": {"form": {"applyDefaults": False}}},
        {"roots": {"listChanged": "yes"}},
        {"roots": []},
        {"experimental": {"codex/auth-change": {}}},
        {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}}},
        {"extensions": {"x": 1}},
        {"unknown": {}},
        [],
        None,
    ]
)
versions = st.sampled_from(
    ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "1999-01-01", "", 7, None]
)
methods = st.sampled_from(
    [
        "ping",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "server/discover",
        "logging/setLevel",
        "tools/call",
        "initialize",
    ]
)
notifications = st.sampled_from(
    ["notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed", "x"]
)
metas = st.one_of(
    st.just({}),
    st.just(ENVELOPE),
    st.builds(
        lambda version, own, client: {
            f"{META}protocolVersion": version,
            f"{META}clientCapabilities": own,
            f"{META}clientInfo": client,
        },
        versions,
        capabilities,
        clients,
    ),
    st.sampled_from([{"progressToken": 1}, {"progressToken": None}, {"x/y": {}}, [], None]),
)
parameters = st.one_of(
    st.just({}),
    st.builds(lambda meta: {"_meta": meta}, metas),
    st.builds(lambda meta: {"_meta": meta, "cursor": None}, metas),
    st.sampled_from([{"cursor": "x"}, [], None]),
)


def as_line(fields: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **fields}, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


openings = st.builds(
    lambda id, version, own, client: as_line(
        {
            "id": id,
            "method": "initialize",
            "params": {"protocolVersion": version, "capabilities": own, "clientInfo": client},
        }
    ),
    ids,
    versions,
    capabilities,
    clients,
)
plain_opening = as_line(
    {
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "c", "version": "1"},
        },
    }
)
initialized = as_line({"method": "notifications/initialized"})
discovery = as_line({"id": "d", "method": "server/discover", "params": {"_meta": ENVELOPE}})
requests = st.builds(
    lambda id, method, params: as_line({"id": id, "method": method, "params": params}), ids, methods, parameters
)
bare_requests = st.builds(lambda id, method: as_line({"id": id, "method": method}), ids, methods)
notes = st.builds(lambda method, params: as_line({"method": method, "params": params}), notifications, parameters)
ODDITIES = (
    b"\n",
    b"  \n",
    b"[]\n",
    b"{}\n",
    b"nonsense\n",
    b'{"jsonrpc":"2.0","id":1,"method":"ping"\n',
    b'{"jsonrpc":"1.0","id":1,"method":"ping"}\n',
    b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n',
    b'{"jsonrpc":"2.0","id":1,\r"method":"ping"}\n',
    b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}\n',
    b'{"jsonrpc":"2.0","id":1,"method":"ping","extra":1}\n',
    b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}\n',
    b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}\n',
    b'{"jsonrpc":"2.0","id":1e0,"method":"ping"}\n',
    b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}\n',
    b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    b'{"jsonrpc":"2.0","id":3,"result":{}}\n',
    b'{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}\n',
    b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n',
)
oddities = st.sampled_from(ODDITIES)
messages = st.one_of(requests, bare_requests, notes, oddities, openings, st.just(initialized), st.just(discovery))
BEGINNINGS = (b"", plain_opening, plain_opening + initialized, discovery)
scripts = st.builds(
    lambda begin, rest: begin + b"".join(rest), st.sampled_from(BEGINNINGS), st.lists(messages, max_size=5)
)


@pytest.mark.properties
@given(script=scripts, size=st.integers(1, 300))
def test_with_the_front_the_client_sees_what_the_sdk_alone_would_say(script: bytes, size: int):
    expected = ask_sdk(script + last_request(script))

    assert alike(ask_front_first(script, repeat(size))) == alike(expected)


@pytest.mark.parametrize("oddity", [*ODDITIES, initialized * 12], ids=repr)
@pytest.mark.parametrize("beginning", BEGINNINGS, ids=["at once", "opened", "initialized", "modern"])
def test_what_is_odd_is_left_to_the_sdk_wherever_it_comes(beginning: bytes, oddity: bytes):
    script = beginning + oddity + plain_opening

    assert alike(ask_front_first(script, repeat(60))) == alike(ask_sdk(script + last_request(script)))


# --- what the front is for


def answered(script: bytes) -> tuple[list[dict[str, Any]], bytes | None]:
    """The front's own answers, and what it leaves to the SDK."""
    stream = io.BytesIO(script)
    answers: list[bytes] = []
    rest = relay(Front(SNAPSHOT), stream.read, answers.append)
    return [json.loads(answer) for answer in answers], rest


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_front_alone_serves_the_start_of_a_client_of_any_older_version(version: str):
    opening = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    script = as_line({"id": 0, "method": "initialize", "params": opening}) + initialized
    lists = ("tools/list", "prompts/list", "resources/list", "resources/templates/list", "ping")
    script += b"".join(as_line({"id": id, "method": method}) for id, method in enumerate(lists, start=1))

    answers, rest = answered(script)

    assert [answer["id"] for answer in answers] == [0, 1, 2, 3, 4, 5]
    assert answers[0]["result"]["protocolVersion"] == version
    assert rest is None


def test_the_front_alone_serves_the_start_of_a_modern_client():
    script = discovery + as_line({"id": 1, "method": "tools/list", "params": {"_meta": ENVELOPE}})

    answers, rest = answered(script)

    assert [answer["id"] for answer in answers] == ["d", 1]
    assert len(answers[1]["result"]["tools"]) > 5
    assert rest is None


def test_a_call_is_left_to_the_sdk_with_everything_after_it():
    call = as_line({"id": 7, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "x"}}})
    ping = as_line({"id": 8, "method": "ping"})

    answers, rest = answered(plain_opening + initialized + call + ping)

    assert [answer["id"] for answer in answers] == [0]
    assert rest == call + ping


def test_a_message_too_long_for_the_front_is_not_collected():
    class Endless:
        read_bytes = 0

        def read(self, size: int) -> bytes:
            self.read_bytes += size
            return b"x" * size

    endless = Endless()

    rest = relay(Front(SNAPSHOT), endless.read, lambda _: None)

    assert rest == b"x" * endless.read_bytes
    assert endless.read_bytes < 2_000_000
