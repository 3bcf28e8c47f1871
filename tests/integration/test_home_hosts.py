"""Programs that tell of other systems are run for real: a stand-in for `wsl.exe`, first on the search path."""

import os
import time
from pathlib import Path

import pytest

from imprint.adapters.canonical_paths import pure_path
from imprint.adapters.home_hosts import RealHomeHost
from imprint.adapters.project_folders import may_be_elsewhere
from imprint.plugins.registry import PluginRegistry
from imprint_client_plugins.wsl.system_files import read_names

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")

LISTING = ("wsl.exe", "--list", "--quiet", "--running")


@pytest.fixture
def host(tmp_path: Path) -> RealHomeHost:
    (tmp_path / "bin").mkdir()
    environ = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "ASKED": str(tmp_path / "asked")}
    return RealHomeHost(home=pure_path(tmp_path), environ=environ, system="windows", patience=5)


def stand_in(host: RealHomeHost, script: str) -> None:
    program = Path(host.home, "bin", "wsl.exe")
    program.write_text(f'#!/bin/sh\necho "$@" >> "$ASKED"\n{script}\n')
    program.chmod(0o755)


def asked(host: RealHomeHost) -> list[str]:
    path = Path(host.environ["ASKED"])
    return path.read_text().splitlines() if path.exists() else []


def test_distributions_are_listed_in_the_encoding_of_windows(host: RealHomeHost):
    stand_in(host, r"printf 'D\000e\000b\000i\000a\000n\000\r\000\n\000A\000r\000c\000h\000\r\000\n\000'")

    assert read_names(host.run(LISTING) or b"") == ["Debian", "Arch"]
    assert asked(host) == ["--list --quiet --running"]


@pytest.mark.parametrize("script", ["exit 1", "echo Debian; exit 50", "head -c 100000 /dev/zero", "kill -9 $$"])
def test_what_fails_or_writes_too_much_tells_nothing(host: RealHomeHost, script: str):
    stand_in(host, script)

    assert host.run(LISTING) is None


def test_what_does_not_end_is_ended(host: RealHomeHost):
    stand_in(host, "exec sleep 600")
    impatient = RealHomeHost(home=host.home, environ=host.environ, system="windows", patience=0.5)

    begun = time.monotonic()

    assert impatient.run(LISTING) is None
    assert time.monotonic() - begun < 60


def test_what_is_not_there_is_not_run(host: RealHomeHost):
    assert host.run(LISTING) is None


def test_a_stand_in_is_asked_once_and_only_by_whoever_wants_other_homes(host: RealHomeHost):
    """A distribution of this name has no files here, so that no home is found in it."""
    stand_in(host, "echo Debian")
    plugin = PluginRegistry(entry_points=list).load("homes", "wsl")

    assert plugin.call("find_home_around", place=host.home, host=host) is None
    assert asked(host) == []
    assert list(plugin.call("find_homes", host=host)) == []
    assert asked(host) == ["--list --quiet --running"]


@pytest.mark.parametrize(
    ("environ", "place", "expected"),
    [
        ({}, "/mnt/c/src", False),
        ({"WSL_DISTRO_NAME": "Debian"}, "/mnt/c/src", True),
        ({"WSL_DISTRO_NAME": "Debian"}, "/home/me/src", False),
    ],
)
def test_only_a_distribution_asks_for_other_systems_places(environ: dict[str, str], place: str, expected: bool):
    assert may_be_elsewhere(pure_path(place), {"HOME": "/home/me", **environ}) is expected
