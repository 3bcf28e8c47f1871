"""The server: the SDK's, with our tools."""

from mcp.server import MCPServer

from imprint_mcp import __version__
from imprint_mcp.instructions import INSTRUCTIONS
from imprint_mcp.session import Session
from imprint_mcp.tools import facts, ingesting, memories, purging, searching, workspaces

__all__ = ["NAME", "build_server"]

NAME = "imprint"


def build_server(session: Session) -> MCPServer:
    """Make the server of a session. Nothing is read or opened before the first call.

    The list of tools is the same for everybody: which workspace they use is a matter of the call.
    """
    server = MCPServer(
        NAME,
        title="Imprint",
        description="The user's local memory: code, documents, conversations, decisions and facts",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        subscriptions=False,
    )
    for family in (workspaces, searching, memories, facts, ingesting, purging):
        family.add_tools(server, session)
    return server
