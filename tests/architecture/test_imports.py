"""What each entry point loads, asked of a fresh interpreter: import contracts cannot see laziness."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

HOOKED = ("claude-code", "codex", "gemini-cli", "qwen-code")
HEAVY = (
    "numpy",
    "usearch",
    "numkong",
    "mcp",
    "model2vec",
    "tokenizers",
    "rich",
    "tomlkit",
    "cattrs",
    "pluggy",
    "asyncio",
)

HOOK_NEVER = {
    *HEAVY,
    "attr",
    "attrs",
    "click",
    "filelock",
    "hashlib",
    "importlib.metadata",
    "inspect",
    "pathlib",
    "platformdirs",
    "subprocess",
    "tomllib",
    "traceback",
    "urllib.parse",
    "imprint.bootstrap.application",
    "imprint.domain.resolution",
    "imprint.plugins.registry",
    "imprint.services",
}
"""What a client's hook does without: it is called on every answer of the model."""


def modules_after(code: str, *, environment: dict[str, str] | None = None) -> set[str]:
    """The names of the modules that a fresh interpreter has loaded after running some code, whatever that prints."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "modules")
        script = f"{code}\nnames = set(__import__('sys').modules)\nopen({str(report)!r}, 'w').write(' '.join(names))"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return set(report.read_text().split())


def loaded(code: str, *names: str) -> set[str]:
    modules = modules_after(code)
    return {name for name in names if name in modules}


def test_asking_for_the_version_loads_neither_click_nor_the_core():
    code = "import sys; sys.argv = ['imprint', '--version']\nfrom imprint_cli.entry import main; main()"

    assert loaded(code, "click", "imprint", "attrs", "attr", *HEAVY) == set()


def test_the_command_tree_loads_nothing_heavy_and_no_command():
    code = "import imprint_cli.app"

    assert loaded(code, *HEAVY, "sqlite3", "imprint.bootstrap", "imprint_cli.commands") == set()


def test_importing_the_core_loads_none_of_it():
    loaded_by_us = {name for name in modules_after("import imprint") if name.startswith("imprint.")}

    assert loaded_by_us == set()


@pytest.mark.parametrize("command", ["workspace which", "workspace list", "config list", "roots list"])
def test_light_commands_load_nothing_heavy(command: str, tmp_path):
    words = ["--data-dir", str(tmp_path / "data"), "--config", str(tmp_path / "config.toml"), *command.split()]
    code = f"from imprint_cli.program import run\nassert run({words!r}) == 0"

    assert loaded(code, *HEAVY, "secrets", "shutil", "tempfile", "tomllib", "traceback", "statistics") == set()


@pytest.mark.parametrize("command", ["learn", "status", "search trees"])
def test_without_a_language_model_nothing_that_could_reach_another_machine_is_loaded(command: str, tmp_path: Path):
    words = ["--data-dir", str(tmp_path / "data"), "--config", str(tmp_path / "config.toml"), *command.split()]
    code = (
        f"import os; os.environ['HOME'] = os.environ['USERPROFILE'] = {str(tmp_path)!r}\n"
        f"from imprint_cli.program import run\nassert run({words!r}) == 0"
    )

    assert loaded(code, "urllib.request", "http.client", "ssl", "imprint.default_plugins.plain_requests") == set()


@pytest.mark.parametrize("command", ["search trees", "remember trees"])
def test_what_needs_vectors_loads_the_model_and_no_more(command: str, tmp_path: Path):
    """`numpy.ma` comes with `numpy.unique`, and takes a twentieth of a search."""
    places = ["--data-dir", str(tmp_path / "data"), "--config", str(tmp_path / "config.toml")]
    code = (
        "from imprint_cli.program import run\n"
        f"assert run({[*places, 'remember', 'The gardener planted trees.']!r}) == 0\n"
        f"assert run({[*places, *command.split()]!r}) == 0"
    )

    modules = modules_after(code)

    assert "numpy" in modules
    assert modules.isdisjoint(
        {*HEAVY, "numpy.ma", "statistics", "multiprocessing"} - {"numpy", "tokenizers", "pluggy", "numkong"}
    )


@pytest.mark.parametrize("client", ["", "claude-code", "codex", "copilot-cli", "gemini-cli"])
def test_a_client_of_the_server_has_its_tools_before_anything_heavy_is_loaded(client: str, tmp_path: Path):
    opening = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    asked = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opening},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    ]
    script = "".join(json.dumps(message) + "\n" for message in asked)
    code = (
        f"import os, sys\nos.environ['IMPRINT_DATA_DIR'] = {str(tmp_path / 'data')!r}\n"
        f"os.environ.update(HOME={str(tmp_path)!r}, COPILOT_AGENT_SESSION_ID='1')\n"
        f"read, write = os.pipe()\nos.write(write, {script.encode()!r})\nos.close(write)\nos.dup2(read, 0)\n"
        f"sys.argv = {['imprint-mcp', *(['--client', client] if client else [])]!r}\n"
        "from imprint_mcp.entry import main\nassert main() == 0"
    )

    modules = modules_after(code)

    never = {*HEAVY, "anyio", "pydantic", "mcp_types", "starlette", "uvicorn", "imprint.plugins.registry"}
    assert modules & {*never, "importlib.metadata", "imprint.plugins.specs.clients"} == set()
    loaded_of_clients = {name for name in modules if name.startswith("imprint_client_plugins.")}
    assert loaded_of_clients <= {
        f"imprint_client_plugins.{client.replace('-', '_')}",
        "imprint_client_plugins.copilot_cli.sessions",
        "imprint_client_plugins.deferred_hooks",
    }


def test_asking_the_server_for_its_version_loads_nothing_of_ours():
    code = "import sys; sys.argv = ['imprint-mcp', '--version']\nfrom imprint_mcp.entry import main\nassert main() == 0"

    assert loaded(code, "imprint", "attrs", "attr", *HEAVY) == set()


HOOKED = ["claude-code", "codex", "copilot-cli", "vscode-copilot"]


def modules_of_a_call(client: str, event: str, folder: Path) -> set[str]:
    """What a fresh interpreter has loaded when an event is answered. No worker is left: it is started as ``true``."""
    folder.mkdir(exist_ok=True)
    session, transcript = os.urandom(4).hex(), str(folder / "t.jsonl")
    payload = {"cwd": str(folder), "session_id": session, "transcript_path": transcript}
    payload |= {"sessionId": session, "transcriptPath": transcript}  # as Copilot CLI spells them
    data = json.dumps(payload).encode()
    code = (
        f"import os, sys\nos.environ.update(IMPRINT_DATA_DIR={str(folder / 'data')!r}, HOME={str(folder)!r})\n"
        f"read, write = os.pipe()\nos.write(write, {data!r})\nos.close(write)\nos.dup2(read, 0)\n"
        "sys.executable = '/bin/true'\n"
        "from imprint_cli.hook_calls import answer\n"
        f"answer({client!r}, {event!r}, os.environ)"
    )
    return modules_after(code)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a worker is started otherwise")
@pytest.mark.parametrize("client", HOOKED)
@pytest.mark.parametrize("event", ["Stop", "SessionEnd", "PreCompact", "UserPromptSubmit", "AfterAgent", "PostToolUse"])
def test_a_hook_loads_next_to_nothing(client: str, event: str, tmp_path: Path):
    modules = modules_of_a_call(client, event, tmp_path)

    assert modules & HOOK_NEVER == set()
    assert {name for name in modules if name.startswith("imprint_client_plugins.")} <= {
        f"imprint_client_plugins.{client.replace('-', '_')}",
        f"imprint_client_plugins.{client.replace('-', '_')}.hooks",
        "imprint_client_plugins.copilot_payloads",
        "imprint_client_plugins.deferred_hooks",
        "imprint_client_plugins.hook_payloads",
    }


@pytest.mark.parametrize("client", HOOKED)
def test_a_session_begins_without_the_resolver_where_nothing_changed(client: str, tmp_path: Path):
    first, _, third = (modules_of_a_call(client, "SessionStart", tmp_path) for _ in range(3))

    assert "imprint.domain.resolution" in first
    assert third & HOOK_NEVER == set()
    assert first & {*HEAVY, "importlib.metadata"} == set()
