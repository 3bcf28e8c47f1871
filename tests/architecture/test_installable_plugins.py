"""What clients install from `plugins/` is what `imprint clients connect` writes, with programs by their names."""

import base64
import json
import re
import tomllib
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from imprint.plugins import ClientHome, FileEdit, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import claude_code, codex, copilot_cli, gemini_cli

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "plugins"
PAGE = ROOT / "docs" / "how-to" / "install-with-one-click.md"
IMPRINT, GEMINI = PLUGINS / "imprint", PLUGINS / "gemini"
CLAUDE_CODE = IMPRINT / ".claude-plugin" / "plugin.json"
CODEX = IMPRINT / ".codex-plugin" / "plugin.json"
COPILOT_CLI = IMPRINT / ".github" / "plugin" / "plugin.json"
EXTENSION = GEMINI / "gemini-extension.json"
BUNDLE = PLUGINS / "mcpb" / "manifest.json"
SERVER = {"command": "imprint-mcp", "args": []}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def package(name: str) -> Any:
    return tomllib.loads((ROOT / "packages" / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def written_by(client: ModuleType) -> dict[str, bytes]:
    """The files that connecting writes, where programs are found by their names."""
    home = ClientHome(path=PurePosixPath("/home/me"), system="linux")
    files = MemoryClientFiles.of_everything(home)
    programs = OurPrograms(server=("imprint-mcp",), hook=("imprint-hook",), instructions="")
    installation = client.find_installation(home, files)
    plan = client.plan_connect(installation, programs, files)
    return {step.path.name: step.after or b"" for step in plan if isinstance(step, FileEdit)}


def hooks_of(document: Any) -> dict[str, list[Any]]:
    """By event, what is called, without what stands for "whatever it is about"."""
    return {
        event: [{key: value for key, value in group.items() if key != "matcher"} for group in groups]
        for event, groups in document["hooks"].items()
    }


@pytest.mark.parametrize(
    "path", [CLAUDE_CODE, CODEX, COPILOT_CLI, EXTENSION, BUNDLE], ids=lambda path: path.relative_to(PLUGINS).as_posix()
)
def test_manifest_has_the_packages_version(path: Path):
    assert (read(path)["name"], read(path)["version"]) == ("imprint", package("imprint-core")["version"])


@pytest.mark.parametrize(
    ("client", "file", "hooks"),
    [
        (claude_code, "settings.json", IMPRINT / "hooks" / "hooks.json"),
        (codex, "hooks.json", IMPRINT / "hooks" / "codex.json"),
        (copilot_cli, "imprint-copilot-cli.json", IMPRINT / "hooks" / "copilot-cli.json"),
        (gemini_cli, "settings.json", GEMINI / "hooks" / "hooks.json"),
    ],
    ids=["claude-code", "codex", "copilot-cli", "gemini-cli"],
)
def test_hooks_are_those_that_connecting_writes(client: ModuleType, file: str, hooks: Path):
    """Equal commands for equal events: a hook that is registered both ways is one call twice, and answered once."""
    assert hooks_of(read(hooks)) == hooks_of(json.loads(written_by(client)[file]))


def test_servers_are_those_that_connecting_writes():
    claude = json.loads(written_by(claude_code)[".claude.json"])["mcpServers"]["imprint"]
    gemini = json.loads(written_by(gemini_cli)["settings.json"])["mcpServers"]
    table = tomllib.loads(written_by(codex)["config.toml"].decode())["mcp_servers"]["imprint"]

    assert claude == {"type": "stdio", **SERVER}
    assert read(CLAUDE_CODE)["mcpServers"] == {"imprint": SERVER}
    assert read(IMPRINT / "codex.mcp.json")["mcpServers"] == {"imprint": table}
    # It would start a plugin's server in the plugin's folder; `.` is where it was started itself, and the plugin of the
    # client knows better where the session is that it resumed.
    named = {**SERVER, "args": ["--client", "copilot-cli"], "cwd": "."}
    assert read(COPILOT_CLI)["mcpServers"] == {"imprint": named}
    assert read(EXTENSION)["mcpServers"] == gemini == {"imprint": SERVER}
    assert read(BUNDLE)["server"]["mcp_config"] == SERVER


@pytest.mark.parametrize(("path", "hooks"), [(CODEX, "codex.json"), (COPILOT_CLI, "copilot-cli.json")])
def test_manifest_names_its_own_hooks_and_not_those_that_claude_code_finds_by_itself(path: Path, hooks: str):
    assert (IMPRINT / read(path)["hooks"]).resolve() == IMPRINT / "hooks" / hooks


@pytest.mark.parametrize("market", [".claude-plugin", ".agents/plugins"])
def test_marketplace_names_a_folder_that_is_there(market: str):
    (plugin,) = read(ROOT / market / "marketplace.json")["plugins"]
    source = plugin["source"]

    assert (ROOT / (source if isinstance(source, str) else source["path"])).resolve() == PLUGINS / "imprint"


def test_links_install_that_server():
    page = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(r"vscode:mcp/install\?(\S+?)[`)\s]", page)
    (cursor,) = re.findall(r"cursor://anysphere\.cursor-deeplink/\S+?(?=[`)\s])", page)
    query = parse_qs(urlsplit(cursor).query)

    assert json.loads(unquote(code)) == {"name": "imprint", "type": "stdio", **SERVER}
    assert query["name"] == ["imprint"]
    assert json.loads(base64.b64decode(query["config"][0], validate=True)) == SERVER
