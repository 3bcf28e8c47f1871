"""Offering a function as a tool: its docstring is the description, its result is text."""

from collections.abc import Callable

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

__all__ = ["DESTRUCTIVE", "READ_ONLY", "WRITE", "offer"]

READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
DESTRUCTIVE = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)

_Tool = Callable[..., str]


def offer(server: MCPServer, title: str, annotations: ToolAnnotations) -> Callable[[_Tool], _Tool]:
    """Decorate a function that a server offers as the tool of its name."""

    def add(function: _Tool) -> _Tool:
        # Some Pythons take the indentation out of docstrings and some do not: clients get one line from each.
        description = " ".join((function.__doc__ or "").split())
        server.add_tool(
            function, title=title, description=description, annotations=annotations, structured_output=False
        )
        return function

    return add
