"""What the conformance suite calls by name and expects to answer at once: tools, resources, prompts, completion.

Names and texts are the suite's own.
"""

import base64
import json
from typing import Any

from mcp.server import MCPServer, ServerRequestContext
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp_types import (
    AudioContent,
    Completion,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    RequestParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)

__all__ = ["add_plain_fixtures"]

_FIXTURE = "A fixture of the conformance suite."
_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
_SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
_IMAGE = ImageContent(type="image", data=_PIXEL, mime_type="image/png")

_ALL_KEYWORDS: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"city": {"type": "string"}}}},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def add_plain_fixtures(server: MCPServer) -> None:
    """Offer them beside the tools that the server has."""
    _add_tools(server)
    _add_resources(server)
    _add_prompts(server)
    _add_handlers(server)


def _add_tools(server: MCPServer) -> None:
    @server.tool(description=_FIXTURE)
    def test_simple_text() -> str:
        return "This is a simple text response for testing."

    @server.tool(description=_FIXTURE)
    def test_image_content() -> list[ImageContent]:
        return [_IMAGE]

    @server.tool(description=_FIXTURE)
    def test_audio_content() -> list[AudioContent]:
        return [AudioContent(type="audio", data=_SILENCE, mime_type="audio/wav")]

    @server.tool(description=_FIXTURE)
    def test_embedded_resource() -> list[EmbeddedResource]:
        return [_embedded("test://embedded-resource", "This is an embedded resource content.")]

    @server.tool(description=_FIXTURE)
    def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
        mixed = _embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
        return [_text("Multiple content types test:"), _IMAGE, mixed]

    @server.tool(description=_FIXTURE)
    def test_error_handling() -> str:
        raise ToolError("This tool intentionally returns an error for testing")

    @server.tool(description=_FIXTURE)
    async def test_tool_with_progress(ctx: Context) -> str:
        for done in (0, 50, 100):
            await ctx.report_progress(done, 100, f"Completed step {done} of 100")
        return "done"

    server.add_tool(lambda: "", name="json_schema_2020_12_tool", description=_FIXTURE)
    server._tool_manager._tools["json_schema_2020_12_tool"].parameters = _ALL_KEYWORDS


def _add_resources(server: MCPServer) -> None:
    @server.resource("test://static-text")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        return base64.b64decode(_PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.resource("test://watched-resource")
    def watched() -> str:
        return "Watched resource content"


def _add_prompts(server: MCPServer) -> None:
    @server.prompt(description=_FIXTURE)
    def test_simple_prompt() -> list[UserMessage]:
        return [UserMessage(_text("This is a simple prompt for testing."))]

    @server.prompt(description=_FIXTURE)
    def test_prompt_with_arguments(arg1: str, arg2: str) -> list[UserMessage]:
        return [UserMessage(_text(f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"))]

    @server.prompt(description=_FIXTURE)
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803
        embedded = _embedded(resourceUri, "Embedded resource content for testing.")
        return [UserMessage(embedded), UserMessage(_text("Please process the embedded resource above."))]

    @server.prompt(description=_FIXTURE)
    def test_prompt_with_image() -> list[UserMessage]:
        return [UserMessage(_IMAGE), UserMessage(_text("Please analyze the image above."))]


def _add_handlers(server: MCPServer) -> None:
    @server.completion()
    async def complete(_reference: object, _argument: object, _context: object) -> Completion:
        return Completion(values=[], total=0, has_more=False)

    async def agree(_context: ServerRequestContext, _params: RequestParams) -> EmptyResult:
        return EmptyResult()

    low = server._lowlevel_server  # the high-level server has no way to add these
    low.add_request_handler("logging/setLevel", SetLevelRequestParams, agree)
    low.add_request_handler("resources/subscribe", SubscribeRequestParams, agree)
    low.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, agree)


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _embedded(uri: str, text: str, mime_type: str = "text/plain") -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=mime_type, text=text))
