"""Our MCP server as clients register it: its name, and which of its tools a person is to say yes to."""

from imprint_client_plugins.json_entries import ListedWord

__all__ = ["ASKING_TOOLS", "SERVER", "permission_rules"]

SERVER = "imprint"

ASKING_TOOLS = ("forget", "purge_source", "use_workspace")
"""The tools that a person is to say yes to, each time."""


def permission_rules() -> tuple[ListedWord, ...]:
    """Rules as Claude Code has them, and others: the server is allowed, and these tools ask all the same."""
    return (
        ListedWord(("permissions", "allow"), f"mcp__{SERVER}"),
        *(ListedWord(("permissions", "ask"), f"mcp__{SERVER}__{tool}") for tool in ASKING_TOOLS),
    )
