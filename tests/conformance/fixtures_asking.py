"""What the conformance suite calls by name and expects to ask or tell the client something on the way.

Names and texts are the suite's own.
"""

import json
import warnings
from typing import Annotated, Any, Literal

from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, Resolve
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel, Field, create_model

__all__ = ["add_asking_fixtures"]

warnings.filterwarnings("ignore", category=DeprecationWarning)  # sampling and logging are tested while they exist


_FIXTURE = "A fixture of the conformance suite."


class Word(BaseModel):
    response: str = Field(description="User's response")


class Defaults(BaseModel):
    name: str = Field(default="John Doe")
    age: int = Field(default=30)
    score: float = Field(default=95.5)
    status: Literal["active", "inactive", "pending"] = Field(default="active")
    verified: bool = Field(default=True)


def _titled(*options: str) -> list[dict[str, str]]:
    return [{"const": option, "title": option.title()} for option in options]


def _choice(**schema: Any) -> Any:
    return Field(json_schema_extra=schema)


_ONE_OF_THREE = ["option1", "option2", "option3"]

Enums = create_model(
    "Enums",
    untitledSingle=(str, _choice(enum=_ONE_OF_THREE)),
    titledSingle=(str, _choice(oneOf=_titled(*_ONE_OF_THREE))),
    legacyEnum=(str, _choice(enum=_ONE_OF_THREE, enumNames=["Option One", "Option Two", "Option Three"])),
    untitledMulti=(list[str], _choice(items={"type": "string", "enum": _ONE_OF_THREE})),
    titledMulti=(list[str], _choice(items={"anyOf": _titled(*_ONE_OF_THREE)})),
)


def add_asking_fixtures(server: MCPServer) -> None:
    """Offer them beside the tools that the server has."""
    _add_mid_call_tools(server)
    _add_capability_tools(server)
    _add_round_trip_tools(server)
    _add_longer_round_trips(server)


def _add_mid_call_tools(server: MCPServer) -> None:
    """Those that speak to the client while they run, as the handshake era allows."""

    @server.tool(description=_FIXTURE)
    async def test_tool_with_logging(ctx: Context) -> str:
        for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await ctx.info(text)
        return "done"

    @server.tool(description=_FIXTURE)
    async def test_sampling(prompt: str, ctx: Context) -> str:
        asked = [SamplingMessage(role="user", content=TextContent(type="text", text=prompt))]
        said = await ctx.session.create_message(messages=asked, max_tokens=100, related_request_id=ctx.request_id)
        return f"LLM response: {said.content.text if isinstance(said.content, TextContent) else ''}"

    @server.tool(description=_FIXTURE)
    async def test_elicitation(message: str, ctx: Context) -> str:
        return _tell(await ctx.elicit(message, Word), "User response")

    @server.tool(description=_FIXTURE)
    async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
        return _tell(await ctx.elicit("Please review", Defaults), "Elicitation completed")

    @server.tool(description=_FIXTURE)
    async def test_elicitation_sep1330_enums(ctx: Context) -> str:
        return _tell(await ctx.elicit("Please select", Enums), "Elicitation completed")

    @server.tool(description=_FIXTURE)
    async def test_logging_tool(ctx: Context) -> str:
        await ctx.info("test_logging_tool ran")
        return "done"


def _add_capability_tools(server: MCPServer) -> None:
    @server.tool(description=_FIXTURE)
    async def test_missing_capability(ctx: Context) -> str:
        if not _has(ctx, "sampling"):
            needed = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", needed)
        return "done"

    @server.tool(description=_FIXTURE)
    async def test_streaming_elicitation(
        answer: Annotated[ElicitationResult[Word], Resolve(lambda: Elicit("A word?", Word))],
    ) -> str:
        return f"elicitation {answer.action}"

    @server.tool(description=_FIXTURE)
    def test_x_mcp_header(
        region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "",
    ) -> str:
        return f"region={region}"


def _add_round_trip_tools(server: MCPServer) -> None:
    """Those that ask by their result, as 2026-07-28 has it: the client calls again with the answers."""

    @server.tool(description=_FIXTURE)
    async def test_input_required_result_elicitation(ctx: Context) -> str | InputRequiredResult:
        if answer := _answers(ctx).get("user_name"):
            return f"Hello, {_field(answer, 'name')}!"
        return InputRequiredResult(input_requests={"user_name": _form("What is your name?", name="string")})

    @server.tool(description=_FIXTURE)
    async def test_input_required_result_sampling(ctx: Context) -> str | InputRequiredResult:
        if answer := _answers(ctx).get("capital_question"):
            return f"Model said: {answer.content.text}"
        return InputRequiredResult(input_requests={"capital_question": _sample("What is the capital of France?")})

    @server.tool(description=_FIXTURE)
    async def test_input_required_result_list_roots(ctx: Context) -> str | InputRequiredResult:
        if answer := _answers(ctx).get("client_roots"):
            return f"{len(answer.roots)} roots"
        return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})

    @server.tool(description=_FIXTURE)
    async def test_input_required_result_request_state(ctx: Context) -> str | InputRequiredResult:
        if "confirm" in _answers(ctx) and ctx.request_state == "kept":
            return "state-ok"
        return InputRequiredResult(input_requests={"confirm": _form("Sure?", ok="boolean")}, request_state="kept")

    @server.tool(description=_FIXTURE)
    async def test_input_required_result_tampered_state(ctx: Context) -> str | InputRequiredResult:
        if ctx.request_state is not None:
            return f"state-ok: {ctx.request_state}"
        return InputRequiredResult(input_requests={"confirm": _form("Sure?", ok="boolean")}, request_state="kept")

    @server.prompt(description=_FIXTURE)
    async def test_input_required_result_prompt(ctx: Context) -> list[UserMessage] | InputRequiredResult:
        if answer := _answers(ctx).get("user_context"):
            return [UserMessage(TextContent(type="text", text=f"Context: {_field(answer, 'context')}"))]
        return InputRequiredResult(input_requests={"user_context": _form("Which context?", context="string")})


def _add_longer_round_trips(server: MCPServer) -> None:
    @server.tool(description=_FIXTURE)
    async def test_input_required_result_multiple_inputs(ctx: Context) -> str | InputRequiredResult:
        if {"user_name", "greeting", "client_roots"} <= _answers(ctx).keys():
            return "All inputs received."
        asked = {
            "user_name": _form("What is your name?", name="string"),
            "greeting": _sample("Generate a greeting"),
            "client_roots": ListRootsRequest(),
        }
        return InputRequiredResult(input_requests=asked, request_state="kept")

    @server.tool(description=_FIXTURE)
    async def test_input_required_result_multi_round(ctx: Context) -> str | InputRequiredResult:
        state = json.loads(ctx.request_state or "{}")
        answers = _answers(ctx)
        if "name" in state and "step2" in answers:
            return f"{state['name']} likes {_field(answers['step2'], 'color')}."
        if "step1" in answers:
            kept = json.dumps({"name": _field(answers["step1"], "name")})
            asked = _form("Step 2: What is your favorite color?", color="string")
            return InputRequiredResult(input_requests={"step2": asked}, request_state=kept)
        asked = _form("Step 1: What is your name?", name="string")
        return InputRequiredResult(input_requests={"step1": asked}, request_state="{}")

    @server.tool(description=_FIXTURE)
    async def test_input_required_result_capabilities(ctx: Context) -> InputRequiredResult:
        asked: dict[str, InputRequest] = {}
        if _has(ctx, "sampling"):
            asked["sample"] = _sample("Say hello")
        if _has(ctx, "elicitation"):
            asked["ask"] = _form("What is your name?", name="string")
        return InputRequiredResult(input_requests=asked, request_state="kept")


def _tell(answer: Any, head: str) -> str:
    content = answer.data.model_dump_json() if answer.action == "accept" else "{}"
    return f"{head}: action={answer.action}, content={content}"


def _has(ctx: Context, capability: str) -> bool:
    return getattr(ctx.client_capabilities, capability, None) is not None


def _answers(ctx: Context) -> dict[str, Any]:
    return dict(ctx.input_responses or {})


def _field(answer: Any, name: str) -> object:
    return (answer.content or {}).get(name) if isinstance(answer, ElicitResult) else None


def _form(message: str, **fields: str) -> ElicitRequest:
    schema = {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}
    required = {**schema, "required": list(fields)}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=required))


def _sample(question: str) -> CreateMessageRequest:
    asked = [SamplingMessage(role="user", content=TextContent(type="text", text=question))]
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=asked, max_tokens=100))
