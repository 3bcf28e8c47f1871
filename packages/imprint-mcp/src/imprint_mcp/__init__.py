"""The MCP server of Imprint."""

__version__ = "0.1.0"
