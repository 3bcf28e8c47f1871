"""What Windows and a distribution call one place, against a model that knows nothing but `/mnt` and the share."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.paths import contains, same_place
from imprint.plugins import ClientHome
from imprint.testing.strategies import home_places, posix_paths, windows_paths, windows_spellings
from imprint_client_plugins.wsl.places import Distribution, to_distribution, to_windows, translate

DEBIAN = Distribution("Debian", PurePosixPath("/mnt"))
WINDOWS_HOME = ClientHome(path=PureWindowsPath("C:\\Users\\Me"), system="windows")
DEBIAN_HOME = ClientHome(
    path=PureWindowsPath("\\\\wsl.localhost\\Debian\\home\\me"),
    system="linux",
    name="wsl-Debian",
    traits={"distribution": "Debian", "drives": "/mnt"},
)
UBUNTU_HOME = ClientHome(
    path=PureWindowsPath("\\\\wsl.localhost\\Ubuntu\\home\\me"),
    system="linux",
    name="wsl-Ubuntu",
    traits={"distribution": "Ubuntu", "drives": "/"},
)
DISTRIBUTIONS = st.builds(
    Distribution,
    st.sampled_from(["Debian", "Ubuntu-24.04"]),
    st.none() | st.sampled_from([PurePosixPath(root) for root in ("/mnt", "/", "/win/drives")]),
)


def naive_windows(path: PurePosixPath) -> str:
    """As people write it down: text, for ordinary names."""
    text = str(path)
    head, drive = text[:5], text[5:6]
    if head == "/mnt/" and drive.islower() and drive.isascii() and text[6:7] in ("", "/"):
        return f"{drive.upper()}:\\" + text[7:].replace("/", "\\")
    return "\\\\wsl.localhost\\Debian" + text.replace("/", "\\")


@given(posix_paths() | posix_paths().map(lambda path: PurePosixPath("/mnt/c", *path.parts[1:])))
def test_windows_calls_it_what_people_write_down(path: PurePosixPath):
    assert to_windows(path, DEBIAN) == PureWindowsPath(naive_windows(path))


@given(DISTRIBUTIONS, st.data())
def test_a_distribution_gets_its_own_path_back(distribution: Distribution, data: st.DataObject):
    path = data.draw(home_places(ClientHome(path=PurePosixPath("/home/me"), system="linux")))

    there = to_windows(path, distribution)

    if there is not None:
        back = to_distribution(there, distribution)
        assert back is not None
        assert same_place(back, path)


@given(DISTRIBUTIONS, windows_paths())
def test_windows_gets_the_same_place_back(distribution: Distribution, path: PureWindowsPath):
    """A drive, which a distribution shows in a folder, comes back as the drive, also where the folder was asked for."""
    there = to_distribution(path, distribution)

    if there is not None:
        back = to_windows(there, distribution)
        assert back is not None
        assert to_distribution(back, distribution) == there
        assert same_place(back, path) or (back.drive[1:] == ":" and path.drive.startswith("\\\\"))


@given(windows_paths().flatmap(lambda path: st.tuples(st.just(path), windows_spellings(path))))
def test_every_spelling_is_one_place_but_for_the_case_that_linux_distinguishes(drawn: tuple[PureWindowsPath, str]):
    path, spelled = drawn

    plain, other = to_distribution(path, DEBIAN), to_distribution(PureWindowsPath(spelled), DEBIAN)

    assert (plain is None) == (other is None)
    if plain is not None and other is not None:
        assert str(plain).casefold() == str(other).casefold()


@given(st.sampled_from([WINDOWS_HOME, DEBIAN_HOME, UBUNTU_HOME]), st.data())
def test_translating_twice_is_translating_once(target: ClientHome, data: st.DataObject):
    source = data.draw(st.sampled_from([WINDOWS_HOME, DEBIAN_HOME, UBUNTU_HOME]))

    once = translate(data.draw(home_places(source)), source, target)

    if once is not None:
        assert translate(once, target, target) == once


@given(posix_paths())
def test_what_a_distribution_has_for_itself_lies_in_its_share(path: PurePosixPath):
    there = to_windows(path, Distribution("Debian", None))

    assert there is not None
    assert contains(PureWindowsPath("\\\\wsl$\\debian\\"), there)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("C:\\", "/mnt/c"),
        ("c:/Users/Me", "/mnt/c/Users/Me"),
        ("\\\\?\\C:\\x", "/mnt/c/x"),
        ("\\\\wsl$\\DEBIAN\\home\\me", "/home/me"),
        ("\\\\?\\UNC\\wsl.localhost\\Debian\\home", "/home"),
        ("\\\\wsl.localhost\\Debian", "/"),
        ("\\\\wsl.localhost\\Debian\\mnt\\d\\x", "/mnt/d/x"),
    ],
)
def test_a_distribution_calls_it_so(path: str, expected: str):
    assert to_distribution(PureWindowsPath(path), DEBIAN) == PurePosixPath(expected)


@pytest.mark.parametrize(
    "path",
    [
        "\\\\wsl.localhost\\Ubuntu\\home",
        "\\\\server\\share\\x",
        "\\\\.\\C:\\x",
        "C:x",
        "\\x",
        "x",
        "C:\\a\\..\\b",
        "C:\\a.txt:stream",
        "C:\\a.",
        "C:\\dir\\nul.txt",
        "\\\\wsl.localhost",
    ],
)
def test_what_a_distribution_does_not_have_is_refused(path: str):
    assert to_distribution(PureWindowsPath(path), DEBIAN) is None


@pytest.mark.parametrize(
    "path",
    ["x", "~/x", "/a/../b", "/a:b", "/a\\b", "/a.", "/a ", "/a*", "/con", "/x/Aux.log", "/\udcff", "/a\0b", "/a\nb"],
)
def test_what_windows_cannot_name_is_refused(path: str):
    assert to_windows(PurePosixPath(path), DEBIAN) is None


@pytest.mark.parametrize(
    ("root", "path", "expected"),
    [
        ("/", "/c/x", "C:\\x"),
        ("/", "/cc/x", "\\\\wsl.localhost\\Debian\\cc\\x"),
        ("/win", "/win/d", "D:\\"),
        ("/win", "/mnt/c/x", "\\\\wsl.localhost\\Debian\\mnt\\c\\x"),
        ("/mnt", "/mnt/C/x", "\\\\wsl.localhost\\Debian\\mnt\\C\\x"),
        ("/mnt", "/mnt", "\\\\wsl.localhost\\Debian\\mnt"),
    ],
)
def test_drives_are_where_the_distribution_has_them(root: str, path: str, expected: str):
    assert to_windows(PurePosixPath(path), Distribution("Debian", PurePosixPath(root))) == PureWindowsPath(expected)


def test_distributions_share_the_drives_and_nothing_else():
    assert translate(PurePosixPath("/mnt/c/x"), DEBIAN_HOME, UBUNTU_HOME) == PurePosixPath("/c/x")
    assert translate(PurePosixPath("/home/me"), DEBIAN_HOME, UBUNTU_HOME) is None
