"""The real server over HTTP: on loopback, for those that hold the token, and with no project for anybody."""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from pathlib import Path

import attrs
import httpx2
import pytest
from conversations import Conversation, converse
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult
from real_program import Program
from wires import PATIENCE, SERVER

posix_only = pytest.mark.skipif(os.name != "posix", reason="signals and modes as POSIX has them")

OPENING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
}


@attrs.frozen
class HttpServer:
    """A server that listens."""

    process: "subprocess.Popen[str]"
    port: int
    token_file: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    @property
    def token(self) -> str:
        return self.token_file.read_text().strip()

    def post(self, path: str = "/mcp", method: str = "POST", **headers: str | None) -> int:
        """Open a connection with some headers; the status. A header that is `None` is left out."""
        given: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        body = json.dumps(OPENING).encode()
        connection.putrequest(method, path, skip_host=True)
        for name, value in {**given, "Content-Length": str(len(body))}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        status = connection.getresponse().status
        connection.close()
        return status


def start(program: Program) -> HttpServer:
    process = subprocess.Popen(
        [*SERVER, "--http", "--port", "0"],
        cwd=program.home,
        env=program.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    port = re.fullmatch(r"serving http://127\.0\.0\.1:(\d+)/mcp\n", process.stdout.readline())
    file = re.fullmatch(r"the bearer token is in (.+)\n", process.stdout.readline())
    assert port
    assert file
    return HttpServer(process, int(port[1]), Path(file[1]))


@pytest.fixture
def server(program: Program) -> Iterator[HttpServer]:
    server = start(program)
    yield server
    server.process.kill()
    server.process.communicate()


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """One server for all who only knock."""
    server = start(Program(tmp_path_factory.mktemp("home")))
    yield server
    server.process.kill()
    server.process.communicate()


@asynccontextmanager
async def connect(server: HttpServer) -> AsyncIterator[TransportStreams]:
    headers = {"Authorization": f"Bearer {server.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as client,
        streamable_http_client(server.url, http_client=client) as streams,
    ):
        yield streams


@pytest.fixture
def here(server: HttpServer, era: str) -> Iterator[Conversation]:
    with converse(connect(server), era, elicit=lambda _: ElicitResult(action="decline")) as conversation:
        yield conversation


# --- a client


def test_a_call_names_its_workspace_or_gets_the_one_of_sessions_without_a_project(program: Program, here: Conversation):
    program.run("workspace", "create", "work")
    program.run("workspace", "create", "inbox")
    first = here.do("remember", content="Of the active workspace.")
    named = here.do("remember", content="Of the named workspace.", workspace="work")
    program.run("config", "set", "workspace.unassigned", "inbox")
    later = here.do("remember", content="Of the unassigned workspace.")

    assert first.startswith('In workspace "default":')
    assert named.startswith('In workspace "work":')
    assert later.startswith('In workspace "inbox":')


def test_there_is_no_project_no_notice_and_no_switch(program: Program, here: Conversation):
    said = here.do("device_context")
    used = here.do("use_workspace", name="chat")

    assert "Many clients share this server, so nothing is pinned" in said
    assert "Ask the user once" not in said
    assert "Nothing was switched, since this server is shared" in used
    assert here.do("sources").startswith('In workspace "default":')
    assert "No workspace was chosen" in here.do("use_workspace")
    assert not (program.home / ".imprint").exists()
    assert program.run("roots", "list", "--json").json_lines == []


def test_a_relative_path_means_nothing_here(here: Conversation):
    assert "an absolute path is needed" in here.fail("ingest", path="notes.md")


def test_the_tools_are_those_of_stdio(here: Conversation):
    assert list(here.tools())[:2] == ["device_context", "use_workspace"]
    assert "purge_source" in here.tools()


# --- who is let in


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:{port}"}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Origin": "http://localhost:{port}"}, 200),
        ({"Authorization": None}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": "Bearer {token}x"}, 401),
        ({"Authorization": "Basic {token}"}, 401),
        ({"Authorization": "{token}"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:{port}"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1:{port}.evil.example"}, 421),
        ({"Host": None}, 400),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "https://127.0.0.1:{port}"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Authorization": None, "Host": "evil.example", "Origin": "http://evil.example"}, 401),
    ],
)
def test_the_token_the_host_and_the_origin_are_checked(door: HttpServer, headers: dict[str, str | None], status: int):
    given = {name: value and value.format(port=door.port, token=door.token) for name, value in headers.items()}

    assert door.post(**given) == status


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS", "PUT", "HEAD"])
@pytest.mark.parametrize("path", ["/mcp", "/", "/mcp?token={token}", "/mcp/../secret", "/docs"])
def test_without_the_token_nothing_answers_whatever_is_asked_for(door: HttpServer, method: str, path: str):
    assert door.post(path.format(token=door.token), method, Authorization=None) == 401


def test_a_browser_gets_no_permission_to_read_across_origins(door: HttpServer):
    connection = HTTPConnection("127.0.0.1", door.port, timeout=PATIENCE)
    connection.request(
        "OPTIONS",
        "/mcp",
        headers={
            "Authorization": f"Bearer {door.token}",
            "Origin": "http://evil.example",
            "Access-Control-Request-Method": "POST",
        },
    )
    response = connection.getresponse()
    connection.close()

    assert [name for name, _ in response.getheaders() if name.lower().startswith("access-control")] == []


@posix_only
def test_the_token_is_the_users_alone_and_outlasts_the_server(program: Program, server: HttpServer):
    token = server.token
    server.process.send_signal(signal.SIGTERM)
    server.process.communicate(timeout=PATIENCE)
    again = start(program)
    again.process.kill()
    again.process.communicate()

    assert stat.S_IMODE(server.token_file.stat().st_mode) == 0o600
    assert again.token == token


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_only_loopback_is_listened_on(door: HttpServer):
    listening = [
        line.split()[1]
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]
        if line.split()[1].endswith(f":{door.port:04X}") and line.split()[3] == "0A"
    ]

    assert listening == [f"0100007F:{door.port:04X}"]


# --- its end


@posix_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_though_a_client_listens(server: HttpServer, number: signal.Signals):
    stream = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    head = f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
    stream.sendall(f"{head}Accept: text/event-stream\r\n\r\n".encode())
    server.process.send_signal(number)

    _, complaints = server.process.communicate(timeout=20)
    stream.close()

    assert "Traceback" not in complaints


def test_a_port_that_is_taken_is_an_error_and_no_traceback(program: Program, door: HttpServer):
    done = subprocess.run(
        [*SERVER, "--http", "--port", str(door.port)],
        env=program.environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
