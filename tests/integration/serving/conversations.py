"""Talking to a server as a client does, through the SDK's own client, in plain functions."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import attrs
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client import Client, ClientRequestContext
from mcp_types import CallToolResult, ElicitRequestParams, ElicitResult, TextContent, Tool

__all__ = ["ERAS", "LEGACY", "MODERN", "Answer", "Conversation", "converse"]

LEGACY = "legacy"
"""Opens with `initialize`, and speaks 2025-11-25."""

MODERN = "2026-07-28"
"""Opens with `server/discover`."""

ERAS = (LEGACY, MODERN)

T = TypeVar("T")
Elicit = Callable[[ElicitRequestParams], ElicitResult]


@attrs.frozen
class Answer:
    """What a tool gave back."""

    text: str
    is_error: bool


@attrs.frozen
class Conversation:
    """A connected client."""

    client: Client
    _portal: BlockingPortal

    def call(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool."""
        result = self._portal.call(self._call, tool, arguments)
        assert isinstance(result, CallToolResult)
        assert result.structured_content is None, "results are text alone"
        (content,) = result.content
        assert isinstance(content, TextContent)
        return Answer(content.text, bool(result.is_error))

    def do(self, tool: str, **arguments: Any) -> str:
        """Call a tool that succeeds; its text."""
        answer = self.call(tool, **arguments)
        assert not answer.is_error, answer.text
        return answer.text

    def fail(self, tool: str, **arguments: Any) -> str:
        """Call a tool that fails; what it says."""
        answer = self.call(tool, **arguments)
        assert answer.is_error, answer.text
        return answer.text.removeprefix(f"Error executing tool {tool}: ")

    def tools(self) -> dict[str, Tool]:
        """The tools that the server offers, in its order."""
        listed = self._portal.call(self.client.list_tools)
        return {tool.name: tool for tool in listed.tools}

    def run(self, function: Callable[[], Awaitable[T]]) -> T:
        """Run something that uses the client itself."""
        return self._portal.call(function)

    async def _call(self, tool: str, arguments: dict[str, Any]) -> object:
        return await self.client.call_tool(tool, arguments)


@contextmanager
def converse(server: Any, era: str, *, elicit: Elicit | None = None) -> Iterator[Conversation]:
    """Connect to a server: an `MCPServer`, a program's `StdioServerParameters`, or a transport.

    Args:
        elicit: How the user answers questions; without it the client does not say that it could ask.
    """

    async def ask(_context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert elicit is not None
        return elicit(params)

    # "auto" begins with `server/discover`; naming the modern version would skip it.
    mode = "auto" if era == MODERN else era
    client = Client(server, mode=mode, elicitation_callback=ask if elicit else None)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as connected:
        assert connected.protocol_version == (MODERN if era == MODERN else "2025-11-25")
        yield Conversation(connected, portal)
