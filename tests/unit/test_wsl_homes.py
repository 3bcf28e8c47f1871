"""Homes across the border, and the commands over it, on machines in memory."""

from pathlib import PurePosixPath, PureWindowsPath

import attrs
import pytest

from imprint.plugins import ClientHome
from imprint.testing.client_files import MemoryClientFiles
from imprint.testing.homes import MemoryHomeHost
from imprint_client_plugins import wsl
from imprint_client_plugins.wsl.system_files import Configuration, read_configuration, read_names, read_users

DEBIAN = PureWindowsPath("\\\\wsl.localhost\\Debian\\")
PASSWD = "root:x:0:0::/root:/bin/sh\nwww-data:x:33:33::/var/www:/x\nme:x:1000:1000::/home/me:/bin/sh\n"


def windows(passwd: str = PASSWD, conf: str = "", listing: str = "Debian\r\n", **files: bytes) -> MemoryHomeHost:
    written = {
        DEBIAN / "etc" / "passwd": passwd.encode(),
        DEBIAN / "etc" / "wsl.conf": conf.encode(),
        **{DEBIAN / folder / ".profile": b"" for folder in ("root", "home/me", "home/you", "mnt/c/x")},
        PureWindowsPath("C:\\x\\y"): b"",
    }
    return MemoryHomeHost(
        system="windows",
        home=PureWindowsPath("C:\\Users\\Me"),
        files=MemoryClientFiles(files=written, programs=PureWindowsPath("C:\\Windows\\System32")),
        outputs={"wsl.exe": listing.encode("utf-16-le")},
    )


def distribution(conf: str = "", **environ: str) -> MemoryHomeHost:
    files = {
        PurePosixPath("/etc/wsl.conf"): conf.encode(),
        **{PurePosixPath(root, "c/Users/Me/x"): b"" for root in ("/mnt", "/win")},
    }
    return MemoryHomeHost(
        system="linux",
        home=PurePosixPath("/home/me"),
        environ={"WSL_DISTRO_NAME": "Debian", "USER": "me", **environ},
        files=MemoryClientFiles(files=files),
    )


def paths(host: MemoryHomeHost) -> list[str]:
    return [str(home.path) for home in wsl.find_homes(host)]


@pytest.mark.parametrize(
    ("passwd", "conf", "expected"),
    [
        (PASSWD, "", ["home\\me"]),
        (PASSWD + "you:x:1001:1001::/home/you:/bin/sh\n", "", ["home\\me"]),
        (PASSWD + "you:x:1001:1001::/home/you:/bin/sh\n", "[user]\ndefault=you", ["home\\you"]),
        (PASSWD, "[user]\ndefault = root # me", ["root"]),
        (PASSWD, "[user]\ndefault = nobody-knows", []),
        ("root:x:0:0::/root:/bin/sh\n", "", ["root"]),
        ("me:x:1000:1000::/mnt/c/x:/bin/sh\n", "", []),
        ("me:x:1000:1000::/home/../../c/x:/bin/sh\n", "", []),
        ("me:x:1000:1000::/:/bin/sh\n", "", []),
        ("me:x:1000:1000::/home/gone:/bin/sh\n", "", []),
        ("", "", []),
    ],
)
def test_windows_finds_the_home_of_the_user_that_a_distribution_starts_as(passwd: str, conf: str, expected: list[str]):
    assert paths(windows(passwd, conf)) == [str(DEBIAN / one) for one in expected]


@pytest.mark.parametrize(
    ("listing", "expected"),
    [
        ("Debian\r\nUbuntu-24.04\r\n".encode("utf-16-le"), ["Debian", "Ubuntu-24.04"]),
        ("\ufeffDebian\r\n".encode("utf-16-le"), ["Debian"]),
        (b"Debian\n", ["Debian"]),
        ("docker-desktop\r\ndocker-desktop-data\r\nDebian\r\n".encode("utf-16-le"), ["Debian"]),
        ("There are no running distributions.\r\n".encode("utf-16-le"), []),
        ("..\r\nC:\\x\r\na/b\r\n-d\r\na$(x)\r\n".encode("utf-16-le"), []),
        (b"", []),
        (b"\xff", []),
    ],
)
def test_only_names_are_read_from_the_list(listing: bytes, expected: list[str]):
    assert read_names(listing) == expected


def test_only_running_distributions_are_listed_and_nothing_is_run_in_them():
    host = windows()

    assert [home.name for home in wsl.find_homes(host)] == ["wsl-Debian"]
    assert host.ran == [("wsl.exe", "--list", "--quiet", "--running")]


def test_without_wsl_nothing_is_run():
    host = attrs.evolve(windows(), files=MemoryClientFiles())

    assert (paths(host), host.ran) == ([], [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Configuration()),
        ("[automount]\nroot = /win/\n", Configuration(PurePosixPath("/win"))),
        ('[Automount]\nRoot="/" # drives\n[user]\ndefault=me', Configuration(PurePosixPath("/"), "me")),
        ("[automount]\nenabled = False\n", Configuration(None)),
        ("root = /win\n", Configuration()),
        ("[automount]\nroot = win\n", Configuration()),
        ("[automount]\nroot = C:\\\n", Configuration()),
        ("[user]\ndefault = a b\n", Configuration()),
    ],
)
def test_configuration_is_read(text: str, expected: Configuration):
    assert read_configuration(text.encode()) == expected


def test_accounts_of_programs_are_nobodys_homes():
    assert list(read_users(PASSWD.encode() + b"nobody:x:65534:1::/x:/x\nodd:x:-1:1::/x:/x\nshort:x:1000\n")) == [
        "root",
        "me",
    ]


@pytest.mark.parametrize(
    ("conf", "environ", "expected"),
    [
        ("", {"PATH": "/bin:/mnt/c/Users/Me/AppData/Local/Microsoft/WindowsApps"}, ["/mnt/c/Users/Me"]),
        ("", {"USERPROFILE": "C:\\Users\\Me"}, ["/mnt/c/Users/Me"]),
        ("", {"USERPROFILE": "/mnt/c/Users/Me"}, ["/mnt/c/Users/Me"]),
        ("", {"IMPRINT_WSL_HOME": "//mnt/c/Users/Me"}, ["/mnt/c/Users/Me"]),
        ("[automount]\nroot=/win", {"USERPROFILE": "C:\\Users\\Me"}, ["/win/c/Users/Me"]),
        ("[automount]\nenabled=false", {"USERPROFILE": "C:\\Users\\Me"}, []),
        ("", {"USERPROFILE": "C:\\Users\\Gone"}, []),
        ("", {"USERPROFILE": "/home/me"}, []),
        ("", {"USERPROFILE": "C:\\"}, []),
        ("", {"USERPROFILE": "C:\\Users\\Me", "WSL_DISTRO_NAME": "a b"}, []),
        ("", {}, []),
    ],
)
def test_a_distribution_finds_the_home_of_windows_by_what_it_was_given(
    conf: str, environ: dict[str, str], expected: list[str]
):
    host = distribution(conf, **environ)

    assert (paths(host), host.ran) == (expected, [])


def test_linux_alone_has_no_other_home():
    host = distribution(USERPROFILE="C:\\Users\\Me")

    assert paths(attrs.evolve(host, environ={"USERPROFILE": "C:\\Users\\Me"})) == []


@pytest.mark.parametrize(
    ("place", "is_windows"),
    [
        ("/mnt/c/Users/Me/src", True),
        ("/mnt/c/Users", True),
        ("/mnt/d/src", True),
        ("/mnt", True),
        ("/mnt/wsl/x", False),
        ("/home/me/src", False),
        ("/srv", False),
    ],
)
def test_drives_belong_to_windows(place: str, is_windows: bool):
    host = distribution(USERPROFILE="C:\\Users\\Me")

    assert (wsl.find_home_around(PurePosixPath(place), host) is not None) == is_windows


@pytest.mark.parametrize(
    ("place", "home"),
    [
        ("\\\\wsl.localhost\\Debian\\home\\me\\src", "home\\me"),
        ("\\\\wsl$\\Debian\\home", "home\\me"),
        ("\\\\wsl.localhost\\Debian\\root\\x", "root"),
        ("\\\\server\\share\\x", None),
        ("D:\\src", None),
    ],
)
def test_shares_of_distributions_belong_to_them(place: str, home: str | None):
    host = windows()

    found = wsl.find_home_around(PureWindowsPath(place), host)

    assert (found and found.path) == (home and DEBIAN / home)
    assert host.ran == []


def test_a_client_in_a_distribution_starts_the_program_of_windows_itself():
    host = windows(conf="[automount]\nroot = /win\n")
    (home,) = wsl.find_homes(host)

    words = wsl.wrap_command(("C:\\Users\\Me\\imprint 1\\imprint-hook.exe", "codex", "Stop"), host.own, home)

    assert words == (
        "/usr/bin/env",
        "WSLENV=IMPRINT_WSL_HOME:IMPRINT_WORKSPACE:CLAUDE_PROJECT_DIR/p",
        "IMPRINT_WSL_HOME=\\\\wsl.localhost\\Debian\\home\\me",
        "/win/c/Users/Me/imprint 1/imprint-hook.exe",
        "codex",
        "Stop",
    )


def test_a_client_on_windows_starts_the_program_in_the_distribution_without_a_shell():
    host = distribution(USERPROFILE="C:\\Users\\Me")
    (home,) = wsl.find_homes(host)

    words = wsl.wrap_command(("/home/me/.venv/bin/imprint-mcp",), host.own, home)

    assert words == (
        *("wsl.exe", "-d", "Debian", "-u", "me", "--exec"),
        "//usr/bin/env",
        "IMPRINT_WSL_HOME=//mnt/c/Users/Me",
        "//home/me/.venv/bin/imprint-mcp",
    )


@pytest.mark.parametrize("program", ["\\\\server\\share\\imprint-mcp.exe", "imprint-mcp", "C:imprint-mcp.exe"])
def test_what_a_distribution_cannot_start_is_refused(program: str):
    host = windows()
    (home,) = wsl.find_homes(host)

    assert wsl.wrap_command((program,), host.own, home) is None


def test_a_client_cannot_start_what_lies_in_another_distribution():
    host = windows()
    (home,) = wsl.find_homes(host)
    other = attrs.evolve(home, name="wsl-Ubuntu", traits={"distribution": "Ubuntu", "drives": "/mnt"})

    assert wsl.wrap_command(("/bin/imprint-mcp",), other, home) is None
    assert isinstance(home, ClientHome)
