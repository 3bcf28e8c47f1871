"""Connecting clients in a distribution from Windows: their files by the share, our programs by the drive's folder."""

import json
import shlex
import tomllib
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from imprint.domain.plans import ConnectionRecord
from imprint.domain.sources import CanonicalPath
from imprint.errors import HomeUnreachableError
from imprint.plugins import ClientFiles, OurPrograms
from imprint.plugins.registry import PluginRegistry
from imprint.services.homes import Homes
from imprint.services.installations import ClientInHome
from imprint.testing.client_files import MemoryClientFiles
from imprint.testing.homes import MemoryHomeHost, sample_hosts

FOLDER = "C:\\Users\\Somebody\\pipx 1\\imprint-cli\\Scripts"
PROGRAMS = OurPrograms(
    server=(f"{FOLDER}\\imprint-mcp.exe",), hook=(f"{FOLDER}\\imprint-hook.exe",), instructions="Search first.\n"
)
STARTED = "/mnt/c/Users/Somebody/pipx 1/imprint-cli/Scripts"
HOME = PureWindowsPath("\\\\wsl.localhost\\Debian\\home\\somebody")


def machine() -> MemoryHomeHost:
    """Windows, with two distributions."""
    return next(host for host in sample_hosts() if "wsl.exe" in host.outputs)


def client_in(name: str, files: ClientFiles) -> ClientInHome:
    host = machine()
    plugins = PluginRegistry(entry_points=list)
    homes = Homes(own=host.own, plugins=plugins, host=host, open_files=lambda _: files)
    home = next(home for home in homes.others() if home.home.name == "wsl-Debian")
    return ClientInHome(handle=plugins.load("clients", name), home=home)


@pytest.mark.parametrize(
    ("name", "config", "hooks", "variables"),
    [
        ("claude-code", ".claude.json", ".claude\\settings.json", []),
        ("codex", ".codex\\config.toml", ".codex\\hooks.json", ["WSL_INTEROP"]),
    ],
)
def test_a_client_in_a_distribution_is_connected_and_left_as_it_was(
    name: str, config: str, hooks: str, variables: list[str]
):
    files = MemoryClientFiles(all_folders=True)
    client = client_in(name, files)
    installation = client.require()

    plan = client.plan_connect(installation, PROGRAMS)
    record = ConnectionRecord(edits=files.carry_out(plan))

    text = files.files[HOME / config].decode()
    server = json.loads(text)["mcpServers"] if config.endswith("json") else tomllib.loads(text)["mcp_servers"]
    assert [server["imprint"]["command"], *server["imprint"]["args"]] == [
        "/usr/bin/env",
        "WSLENV=IMPRINT_WSL_HOME:IMPRINT_WORKSPACE:CLAUDE_PROJECT_DIR/p",
        f"IMPRINT_WSL_HOME={HOME}",
        f"{STARTED}/imprint-mcp.exe",
    ]
    assert server["imprint"].get("env_vars", [])[4:] == variables
    (group,) = json.loads(files.files[HOME / hooks])["hooks"]["Stop"]
    words = shlex.split(group["hooks"][0]["command"])
    assert words[2:] == [f"IMPRINT_WSL_HOME={HOME}", f"{STARTED}/imprint-hook.exe", name, "Stop"]
    assert client.plan_connect(installation, PROGRAMS) == ()
    files.carry_out(client.plan_disconnect(installation, record))
    assert files.files == {}


def test_programs_that_a_distribution_cannot_start_are_not_registered():
    client = client_in("codex", MemoryClientFiles(all_folders=True))
    elsewhere = OurPrograms(server=("\\\\server\\share\\imprint-mcp.exe",), hook=("C:\\x",), instructions="")

    with pytest.raises(HomeUnreachableError):
        client.plan_connect(client.require(), elsewhere)


class CaselessFiles(MemoryClientFiles):
    """A drive: every case of a name leads to the folder."""

    def is_folder(self, path: CanonicalPath) -> bool:
        return any(str(folder).casefold() == str(path).casefold() for file in self.files for folder in file.parents)


def test_a_folder_on_a_drive_is_told_in_the_case_that_it_has():
    """Linux compares names by case, and Windows lets its programs write any."""
    host = next(host for host in sample_hosts() if "WSL_DISTRO_NAME" in host.environ)
    files = CaselessFiles(files={PurePosixPath("/mnt/c/Src/Acme/x"): b"", PurePosixPath("/mnt/c/Two/x"): b""})
    homes = Homes(own=host.own, plugins=PluginRegistry(entry_points=list), host=host, open_files=lambda _: files)
    (windows,) = homes.others()

    assert windows.localize("c:\\src\\ACME") == "/mnt/c/Src/Acme"
    assert windows.localize("C:\\src\\gone") == "/mnt/c/src/gone"


@pytest.mark.parametrize(
    ("written", "reached"),
    [
        ("/home/somebody/src", "\\\\wsl.localhost\\Debian\\home\\somebody\\src"),
        ("/mnt/d/src", "D:\\src"),
        ("D:\\src", "D:\\src"),
        ("/a:b", ""),
        ("src", ""),
        ("", ""),
    ],
)
def test_directories_are_told_as_windows_reaches_them(written: str, reached: str):
    assert client_in("codex", MemoryClientFiles(all_folders=True)).home.localize(written) == reached


@pytest.mark.parametrize(
    ("folders", "written", "reached"),
    [
        (["Debian"], "/home/somebody/src", "\\\\wsl.localhost\\Debian\\home\\somebody\\src"),
        (["Ubuntu-24.04"], "/home/somebody/src", "\\\\wsl.localhost\\Ubuntu-24.04\\home\\somebody\\src"),
        (["Debian"], "/mnt/d/src", "D:\\src"),
        (["Debian"], "C:\\src", "C:\\src"),
        (["Debian"], "src", "src"),
        (["Debian"], "/a:b", "/a:b"),
    ],
)
def test_an_app_of_windows_whose_agent_works_in_a_distribution_writes_its_directories(
    folders: list[str], written: str, reached: str
):
    """Which distribution it is the path does not say: it is the one that has the folder."""
    host = machine()
    there = {PureWindowsPath(f"\\\\wsl.localhost\\{name}\\home\\somebody\\src\\x"): b"" for name in folders}
    files = MemoryClientFiles(files={**there, PureWindowsPath("D:\\src\\x"): b""})
    homes = Homes(own=host.own, plugins=PluginRegistry(entry_points=list), host=host, open_files=lambda _: files)

    assert homes.here().localize(written) == reached


@pytest.mark.parametrize("folders", [[], ["Debian", "Ubuntu-24.04"]], ids=["none", "two"])
def test_a_directory_that_is_in_no_distribution_or_in_two_is_one_of_them_and_not_nobodys(folders: list[str]):
    host = machine()
    files = MemoryClientFiles(files={PureWindowsPath(f"\\\\wsl.localhost\\{name}\\src\\x"): b"" for name in folders})
    homes = Homes(own=host.own, plugins=PluginRegistry(entry_points=list), host=host, open_files=lambda _: files)

    assert homes.here().localize("/src") == "\\\\wsl.localhost\\Debian\\src"
