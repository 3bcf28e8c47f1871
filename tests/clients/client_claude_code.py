"""Claude Code, as `claude -p`; and as an editor runs it, where it has a user to ask."""

import json
import subprocess
from collections.abc import Sequence, Set

from real_clients import SERVER, Installed, Turn
from real_devices import PROGRAMS, Device
from scripted_model import Call, Say, Step

__all__ = ["ClaudeCode"]

_KEY = "no-key-at-all-0123456789"
_USUAL_TOOLS = ("device_context", "search", "read", "sources", "facts", "remember")
_ASKING = (
    *("--input-format", "stream-json", "--output-format", "stream-json", "--verbose"),
    *("--permission-prompt-tool", "stdio"),
)


class ClaudeCode:
    """Meets `real_clients.Client`."""

    name = "claude-code"
    title = "Claude Code"
    package = "@anthropic-ai/claude-code"
    prefix = f"mcp__{SERVER}__"
    summary_request = "Your task is to create a detailed summary of the conversation"
    full = 2_000_000
    instructs = True

    def prepare(self, device: Device) -> None:
        known = {"hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": [_KEY[-20:]]}}
        (device.home / ".claude.json").write_text(json.dumps(known, indent=2))

    def register(self, device: Device) -> None:
        device.run("claude", "mcp", "add", "--scope", "user", SERVER, "--", str(PROGRAMS / "imprint-mcp"))

    def agree(self, installed: Installed) -> None:
        """It asks for nothing."""

    def do_turn(self, installed: Installed, turn: Turn) -> None:
        environ = {
            **turn.environ,
            "ANTHROPIC_BASE_URL": installed.model.url,
            "ANTHROPIC_API_KEY": _KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "MCP_CONNECTION_NONBLOCKING": "false",  # Wait for the server: how fast the machine is proves nothing.
            "ENABLE_TOOL_SEARCH": "false",  # Else the model would have to ask for the tools by their names first.
        }
        words = ["claude", "-p"]
        if turn.resumes:
            words += ["--continue", *(["--fork-session"] if turn.forks else ())]
        if turn.allowed is not None:
            rules = ",".join(self.prefix + tool for tool in (*_USUAL_TOOLS, *turn.allowed))
            words += ["--allowedTools", rules]
        if turn.agrees:
            with installed.start(*words, *_ASKING, cwd=turn.folder, environ=environ) as process:
                _answer(process, turn.prompt, {self.prefix + tool for tool in turn.agrees})
        else:
            installed.run(*words, "--", turn.prompt, cwd=turn.folder, environ=environ)

    def delegate(self, task: str) -> Sequence[Step]:
        given = {"description": "Look into it", "prompt": task, "subagent_type": "general-purpose"}
        return [Call("Agent", {**given, "run_in_background": False})]

    def report(self, words: str) -> Step:
        return Say(words)

    def servers(self, installed: Installed) -> str:
        return installed.run("claude", "mcp", "list")

    def tidy(self, result: str) -> str:
        return result


def _answer(process: "subprocess.Popen[str]", prompt: str, agreed: Set[str]) -> None:
    """Say the prompt, and answer what is asked until the turn is over."""
    assert process.stdin is not None
    assert process.stdout is not None

    def tell(message: dict[str, object]) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()

    tell({"type": "user", "message": {"role": "user", "content": prompt}})
    for message in map(json.loads, process.stdout):
        if message["type"] == "result":
            process.stdin.close()
        elif message["type"] == "control_request":
            asked = message["request"]
            yes = {"behavior": "allow", "updatedInput": asked["input"]}
            no = {"behavior": "deny", "message": "No."}
            answer = {"request_id": message["request_id"], "response": yes if asked["tool_name"] in agreed else no}
            tell({"type": "control_response", "response": {"subtype": "success", **answer}})
