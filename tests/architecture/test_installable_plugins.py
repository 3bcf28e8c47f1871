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
from imprint_client_plugins import claude_code, codex

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "plugins"
PAGE = ROOT / "docs" / "how-to" / "install-with-one-click.md"
MANIFESTS = [
    PLUGINS / "imprint" / ".claude-plugin" / "plugin.json",
    PLUGINS / "imprint" / ".codex-plugin" / "plugin.json",
    PLUGINS / "gemini" / "gemini-extension.json",
    PLUGINS / "mcpb" / "manifest.json",
]
SERVER = {"command": "imprint-mcp", "args": []}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_manifest_has_the_packages_version(path: Path):
    package = tomllib.loads((ROOT / "packages" / "imprint-core" / "pyproject.toml").read_text(encoding="utf-8"))

    assert (read(path)["name"], read(path)["version"]) == ("imprint", package["project"]["version"])


@pytest.mark.parametrize(
    ("client", "file", "hooks"),
    [(claude_code, "settings.json", "hooks.json"), (codex, "hooks.json", "codex.json")],
    ids=["claude-code", "codex"],
)
def test_hooks_are_those_that_connecting_writes(client: ModuleType, file: str, hooks: str):
    """Equal commands for equal events: a hook that is registered both ways is one call twice, and answered once."""
    assert hooks_of(read(PLUGINS / "imprint" / "hooks" / hooks)) == hooks_of(json.loads(written_by(client)[file]))


def test_servers_are_those_that_connecting_writes():
    claude = json.loads(written_by(claude_code)[".claude.json"])["mcpServers"]["imprint"]
    table = tomllib.loads(written_by(codex)["config.toml"].decode())["mcp_servers"]["imprint"]

    assert claude == {"type": "stdio", **SERVER}
    assert read(MANIFESTS[0])["mcpServers"] == {"imprint": SERVER}
    assert read(PLUGINS / "imprint" / "codex.mcp.json")["mcpServers"] == {"imprint": table}
    assert read(MANIFESTS[2])["mcpServers"] == {"imprint": SERVER}
    assert read(MANIFESTS[3])["server"]["mcp_config"] == SERVER


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
