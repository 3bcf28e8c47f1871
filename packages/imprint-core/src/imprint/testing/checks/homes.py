"""Checks of the group ``imprint.homes``."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType, ModuleType
from typing import Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imprint.domain.paths import normalize_path, parse_path, same_place
from imprint.domain.sources import CanonicalPath
from imprint.errors import InvalidPathError
from imprint.plugins import ClientHome
from imprint.testing.checks.home_subjects import AnyFiles, AnyHost, Subject
from imprint.testing.conformance import Check, ensure, make_checks
from imprint.testing.homes import MemoryHomeHost, bare_hosts, sample_hosts
from imprint.testing.strategies import home_places
from imprint.testing.subjects import ensure_description_is_light, ensure_description_reads_well, hold

__all__ = ["home_checks"]

_EXAMPLES: Final = settings(
    max_examples=80, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
_NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_SYSTEMS: Final = ("linux", "macos", "windows")
_STRANGER: Final = ClientHome(path=PurePosixPath("/home/nobody"), system="linux", name="nobody-knows")
_LINES: Final = (
    "[automount]\nroot=/x\0y\n",
    "root = ../..\nenabled = false\n",
    "[user]\ndefault = a b\n",
    "x:x:1000:1000::/../x:/bin/sh\n",
    "y:x:99999999999999999999:0::relative:\n",
    "z:x:1001:1::/mnt/c/Windows:\n",
    "A b\r\n..\r\n",
    "[[\n=\n",
)
_CONTENTS: Final = st.binary(max_size=40) | st.lists(st.sampled_from(_LINES)).map(lambda lines: "".join(lines).encode())


def home_checks(
    plugin: ModuleType,
    *,
    hosts: Sequence[MemoryHomeHost] = (),
    expected_failures: Mapping[str, str] = MappingProxyType({}),
) -> list[Check]:
    """Make the checks of a plugin that finds homes.

    Args:
        plugin: The plugin's module.
        hosts: Machines on which it finds some, besides those of `imprint.testing.homes.sample_hosts`.
        expected_failures: Names of checks that this plugin is known to fail, with the reason.

    Raises:
        PluginInvalidError: The module does not fit the group, so there is nothing to check.
    """
    subject = Subject(hold(plugin, "imprint.homes"), (*sample_hosts(), *hosts))
    promises: list[Callable[[Subject], None]] = [
        describes_itself,
        describing_is_light,
        bare_machines_have_no_homes,
        homes_are_well_formed,
        any_machine_is_taken,
        looking_twice_finds_the_same,
        homes_are_found_around_their_places,
        looking_around_runs_nothing,
        homes_can_be_reached,
        translating_within_a_system_changes_nothing,
        translated_paths_are_plain,
        translating_there_and_back_ends_where_it_began,
        what_lies_below_stays_below,
        strange_homes_are_refused,
        wrapping_keeps_the_arguments,
    ]
    return make_checks(promises, subject, expected_failures)


def describes_itself(subject: Subject) -> None:
    """The plugin has a name of one word and a summary of one line.

    If this fails, look at ``describe_home``.
    """
    ensure_description_reads_well(subject.info)


def describing_is_light(subject: Subject) -> None:
    """Listing plugins loads nothing besides the standard library, attrs and the plugin's own package.

    If this fails, look at the imports at the top of the plugin's module and move them into the hooks.
    """
    ensure_description_is_light(subject.handle, "describe_home")


def bare_machines_have_no_homes(subject: Subject) -> None:
    """On a machine with no other system nothing is found, and nothing is run to find out.

    If this fails, look at what ``find_homes`` asks first: it has to be something that is there already.
    """
    for host in bare_hosts():
        ensure(not subject.find(host), f"it finds homes on a bare {host.system} machine")
        ensure(not host.ran, f"it runs {host.ran} on a bare {host.system} machine")


def homes_are_well_formed(subject: Subject) -> None:
    """Each home has a name of its own that can name a folder, an absolute path that is not the user's own, a system,
    and none of this process's environment.

    If this fails, look at what ``find_homes`` makes of the names and paths that it finds.
    """
    for host in subject.hosts:
        homes = subject.find(host)
        names = [home.name for home in homes]
        ensure(len(names) == len(set(names)), f"two homes have one name: {names}")
        for home in homes:
            ensure(_NAME.fullmatch(home.name), f"{home.name!r} names no folder")
            ensure(home.system in _SYSTEMS, f"{home.name} is on {home.system!r}")
            ensure(_is_plain(home.path), f"{home.path} is not in its plain form")
            ensure(not same_place(home.path, host.home), f"{home.name} is the user's own home")
            ensure(not home.environ, f"{home.name} has an environment")


def any_machine_is_taken(subject: Subject) -> None:
    """Whatever files hold and programs write, finding homes does not raise, and gives only well-formed ones.

    If this fails, look at what reads another system's files: it is data that anybody may have written.
    """
    variables = sorted({name for host in subject.hosts for name in host.environ} | {"USERPROFILE", "IMPRINT_WSL_HOME"})
    values = st.sampled_from(("", "x", "a b", "../..", "/", "C:\\", "\\\\h\\s", "/mnt/c/x")) | st.text(max_size=5)

    @_EXAMPLES
    @given(
        st.sampled_from(subject.hosts),
        st.dictionaries(st.sampled_from(variables), values),
        _CONTENTS,
        st.booleans(),
        st.none() | _CONTENTS | st.text(max_size=20).map(lambda text: text.encode("utf-16-le", "surrogatepass")),
    )
    def is_taken(
        sample: MemoryHomeHost, environ: dict[str, str], content: bytes, is_there: bool, output: bytes | None
    ) -> None:
        host = AnyHost(sample.system, sample.home, {**sample.environ, **environ}, AnyFiles(content, is_there), output)
        for home in subject.find(host):
            ensure(home.name not in {"", ".", ".."} and not set("/\\\0") & set(home.name), f"name {home.name!r}")
            ensure(_is_plain(home.path) and not same_place(home.path, host.home), f"path {home.path}")
        for place in (sample.home, sample.home.parent / "x"):
            subject.look_around(place, host)

    is_taken()


def looking_twice_finds_the_same(subject: Subject) -> None:
    """On an unchanged machine the same homes are found in the same order.

    If this fails, look at a set or a counter that ``find_homes`` goes by.
    """
    for host in subject.hosts:
        ensure(subject.find(host) == subject.find(host), f"two looks at a {host.system} machine differ")


def homes_are_found_around_their_places(subject: Subject) -> None:
    """A place inside a home leads to that home; one inside the user's own home leads to none.

    If this fails, look at which places ``find_home_around`` takes for another system's.
    """
    for host, home in subject.found():
        around = subject.look_around(home.path / "src", host)
        ensure(around is not None and around.path == home.path, f"{home.path / 'src'} leads to {around}")
        ensure(subject.look_around(host.home / "src", host) is None, f"{host.home / 'src'} leads to another home")


def looking_around_runs_nothing(subject: Subject) -> None:
    """Asking about a place runs no program: it happens whenever a workspace is looked up.

    If this fails, look at what ``find_home_around`` does to know the system's name.
    """
    for host, home in list(subject.found()):
        host.ran.clear()
        subject.look_around(home.path, host)
        ensure(not host.ran, f"asking about {home.path} runs {host.ran}")


def homes_can_be_reached(subject: Subject) -> None:
    """A home's own programs have a path for it, and that path leads back to it.

    If this fails, look at whether ``path`` is the home as this machine reaches it.
    """
    for host, home in subject.found():
        inside = subject.translate(home.path, host.own, home)
        ensure(inside is not None, f"nothing in {home.name} is {home.path}")
        if inside is not None:
            ensure(subject.translate(inside, home, host.own) == home.path, f"{inside} does not lead to {home.path}")


def translating_within_a_system_changes_nothing(subject: Subject) -> None:
    """Between a home and itself a plain path stays what it is.

    If this fails, look at what ``translate_path`` does where source and target are one.
    """
    for source, _ in subject.pairs():
        plain = source.path / "src" / "x y"
        translated = subject.translate(plain, source, source)
        ensure(translated == normalize_path(plain), f"{plain} becomes {translated}")


def translated_paths_are_plain(subject: Subject) -> None:
    """Whatever the path, translating it raises nothing, and what it gives is absolute and in its plain form.

    If this fails, look at names that the other system cannot have: those are refused with `None`.
    """

    def is_plain(path: CanonicalPath, source: ClientHome, target: ClientHome) -> None:
        translated = subject.translate(path, source, target)
        ensure(translated is None or _is_plain(translated), f"{path!r} becomes {translated!r}")

    _try_places(subject, is_plain)


def translating_there_and_back_ends_where_it_began(subject: Subject) -> None:
    """What a path becomes leads back, to a path that becomes the same again.

    If this fails, look at names that the way back changes, and at paths that only one way knows.
    """

    def comes_back(path: CanonicalPath, source: ClientHome, target: ClientHome) -> None:
        there = subject.translate(path, source, target)
        if there is None or not _is_plain(there):
            return
        back = subject.translate(there, target, source)
        again = subject.translate(back, source, target) if back is not None else None
        ensure(again == there, f"{path!r} becomes {there!r}, then {back!r}, then {again!r}")

    _try_places(subject, comes_back)


def what_lies_below_stays_below(subject: Subject) -> None:
    """What lies in a folder is translated to what lies in the translated folder: no two places become one.

    If this fails, look at what ``translate_path`` does with the end of a path.
    """

    def stays_below(path: CanonicalPath, source: ClientHome, target: ClientHome) -> None:
        folder = subject.translate(path, source, target)
        if folder is not None and _is_plain(folder):
            below = subject.translate(path / "below it", source, target)
            ensure(below == folder / "below it", f"{path!r} becomes {folder!r}, and what is below it {below!r}")

    _try_places(subject, stays_below)


def strange_homes_are_refused(subject: Subject) -> None:
    """For a home that another plugin found no path is translated and no command wrapped.

    If this fails, look at how the plugin knows its own homes again.
    """
    for host in subject.hosts:
        for source, target in ((host.own, _STRANGER), (_STRANGER, host.own)):
            translated = subject.translate(source.path, source, target)
            ensure(translated is None, f"{source.path} becomes {translated} in a home it does not know")
            words = subject.wrap((str(source.path / "program"),), source, target)
            ensure(words is None, f"a command for a home it does not know becomes {words}")


def wrapping_keeps_the_arguments(subject: Subject) -> None:
    """A wrapped command is words of one line that end in the arguments as they were; for its own home nothing changes.

    If this fails, look at what is put before the program, and that nothing is put after it.
    """
    arguments = ("client", "Event", "a b", "")
    for host, home in subject.found():
        command = (str(host.home / "imprint 1" / "bin" / "imprint-hook"), *arguments)
        ensure(subject.wrap(command, host.own, host.own) == command, "a command for its own home is changed")
        words = subject.wrap(command, host.own, home)
        if words is None:
            continue
        ensure(words[-len(arguments) :] == arguments, f"{command} becomes {words}")
        ensure(words[0] and all(word.isprintable() for word in words), f"{words} are no words of a command line")


def _try_places(subject: Subject, holds: Callable[[CanonicalPath, ClientHome, ClientHome], None]) -> None:
    """Try any path of any home."""
    pairs = subject.pairs()
    if not pairs:
        return
    drawn = st.sampled_from(pairs).flatmap(lambda pair: st.tuples(home_places(pair[0]), st.just(pair)))

    @_EXAMPLES
    @given(drawn)
    def holds_everywhere(place: tuple[CanonicalPath, tuple[ClientHome, ClientHome]]) -> None:
        path, (source, target) = place
        holds(path, source, target)

    holds_everywhere()


def _is_plain(path: CanonicalPath) -> bool:
    """Whether a path is absolute and in its one form."""
    try:
        return parse_path(str(path)) == path
    except InvalidPathError:
        return False
