"""The reference page of the tools that the server offers to agents."""

from typing import Any

import anyio
from mcp_types import Tool

from imprint_mcp.instructions import INSTRUCTIONS
from imprint_mcp.server import build_server
from imprint_mcp.session import Session

__all__ = ["tools_page"]

HEAD = """\
# Tools over MCP

{made}

What `imprint-mcp` offers to agents, on stdio and over HTTP alike. Results are text of at most 8,000 characters. An
error is a result too, and says how to mend the call. An empty `workspace` means the session's own, and a result says so
when it is of another. How a session gets its workspace: [sessions](../explanation/sessions.md).

*Read-only* tools change nothing. Tools that *write* add, and repeating a call changes nothing more. *Destructive* tools
are marked so that clients ask the user first.
"""


def tools_page(made: str) -> str:
    """The page of every tool, in the server's order, and of the server's instructions.

    Args:
        made: Says how the page was made.
    """
    tools = anyio.run(build_server(Session.without_project({})).list_tools)
    foot = f"\n## Instructions\n\nWhat the server tells the model about itself:\n\n```text\n{INSTRUCTIONS}```\n"
    return HEAD.format(made=made) + "".join(map(_section, tools)) + foot


def _section(tool: Tool) -> str:
    assert tool.annotations is not None
    kind = "read-only" if tool.annotations.read_only_hint else "writes"
    kind = "destructive" if tool.annotations.destructive_hint else kind
    required = tool.input_schema.get("required", [])
    rows = [
        f"| `{name}` | {_type_of(schema)} | {'required' if name in required else _default(schema['default'])} | "
        f"{schema['description']} |\n"
        for name, schema in tool.input_schema["properties"].items()
    ]
    table = "\n| argument | type | default | what it is |\n|---|---|---|---|\n" + "".join(rows) if rows else ""
    return f"\n## `{tool.name}`\n\n{tool.title} (*{kind}*). {_escape(tool.description or '')}\n{table}"


def _type_of(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    return "list of strings" if schema["type"] == "array" else str(schema["type"])


def _default(value: object) -> str:
    shown = {"": "(empty)", False: "`false`"} if isinstance(value, str | bool) else {}
    return shown.get(value, f"`{value}`")


def _escape(text: str) -> str:
    """Marks such as <recalled> are text here, not HTML."""
    return text.replace("<", "&lt;")
