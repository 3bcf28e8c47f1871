"""Checks of the group ``imprint.clients``: how a client is described and found, and how its hook is called.

Those of connecting and of transcripts stand beside this module, in `client_connections` and `client_transcripts`.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from imprint.errors import ImprintError, InvalidHookPayloadError
from imprint.plugins import HookEvent, HookEventKind, HookOutput
from imprint.testing.checks.client_connections import connecting_promises
from imprint.testing.checks.client_subjects import (
    EXAMPLES,
    HOME,
    PAYLOAD,
    Client,
)
from imprint.testing.checks.client_transcripts import transcript_promises
from imprint.testing.client_files import MemoryClientFiles
from imprint.testing.conformance import Check, ensure, make_checks
from imprint.testing.probes import find_modules_of_a_hook_call
from imprint.testing.subjects import ensure_description_is_light, ensure_description_reads_well

__all__ = ["client_checks"]

_PROOFS: Final = ("driven", "recorded", "documented")
_TOO_HEAVY: Final = frozenset({"asyncio", "importlib.metadata", "sqlite3"})
_JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_KEYS: Final = st.sampled_from([*PAYLOAD, "agent_id", "turn_id", "workspaceRoots", "sessionContext"])


def client_checks(
    plugin: ModuleType,
    *,
    transcripts: Sequence[bytes] = (),
    expected_failures: Mapping[str, str] = MappingProxyType({}),
) -> list[Check]:
    """Make the checks of a client's plugin.

    Args:
        plugin: The plugin's module.
        transcripts: Recorded ones, which are cut everywhere; lines that could be of any client are tried besides.
        expected_failures: Names of checks that this plugin is known to fail, with the reason.

    Raises:
        PluginInvalidError: The module does not fit the group, so there is nothing to check.
    """
    client = Client.hold(plugin, transcripts)
    promises: list[Callable[[Client], None]] = [
        describes_itself,
        describing_is_light,
        hooks_are_light,
        absent_client_is_not_found,
        present_client_is_found,
        *connecting_promises(),
        any_payload_is_taken,
        unknown_events_are_other,
        any_context_is_written,
        *transcript_promises(),
    ]
    return make_checks(promises, client, expected_failures)


def describes_itself(client: Client) -> None:
    """The plugin has a name of one word, a title, a summary of one line, and says how it was shown to work.

    If this fails, look at ``describe_client``.
    """
    info = client.info
    ensure_description_reads_well(info)
    ensure(info.title.strip() == info.title and info.title.isprintable() and info.title, f"title {info.title!r}")
    ensure(info.proof in _PROOFS, f"proof {info.proof!r} is none of {', '.join(_PROOFS)}")


def describing_is_light(client: Client) -> None:
    """Listing clients loads nothing besides the standard library, attrs and the plugin's own package.

    If this fails, look at the imports at the top of the plugin's module and move them into the hooks.
    """
    ensure_description_is_light(client.handle, "describe_client")


def hooks_are_light(client: Client) -> None:
    """Reading a payload and writing an answer loads neither attrs nor anything else that a hook's start would feel.

    If this fails, look at what the modules import that ``parse_hook_payload`` and ``render_hook_response`` need.
    """
    events = sorted(client.info.hook_events)
    module = client.handle.module.__name__
    allowed = (sys.stdlib_module_names - _TOO_HEAVY) | {"imprint", module.partition(".")[0]}
    heavy = [name for name in find_modules_of_a_hook_call(module, events, PAYLOAD) if name not in allowed]
    ensure(not heavy, f"a call of the hook imports {', '.join(heavy)}")


def absent_client_is_not_found(client: Client) -> None:
    """In a home without the client's files and programs it is not found.

    If this fails, look at ``find_installation``: what is not there was not installed.
    """
    found = client.handle.call("find_installation", home=HOME, files=MemoryClientFiles())
    ensure(found is None, f"it finds {found}")


def present_client_is_found(client: Client) -> None:
    """Where every folder and every program is there, it is found, and says whose installation it is.

    If this fails, look at which folder or program ``find_installation`` looks for, and at the name it gives.
    """
    found = client.handle.call("find_installation", home=HOME, files=MemoryClientFiles.of_everything(HOME))
    ensure(found is not None, "it is not found")
    ensure(found.client == client.info.name, f"the installation is one of {found.client!r}")
    ensure(found.home == HOME, "the installation is in another home")


def any_payload_is_taken(client: Client) -> None:
    """Whatever JSON a client sends, reading it gives an event or raises `InvalidHookPayloadError`.

    If this fails, look at a key's value that is no text: a number, a list, nothing.
    """
    names = sorted(client.info.hook_events)

    @EXAMPLES
    @given(st.sampled_from([*names, "NoSuchEvent", ""]), st.dictionaries(_KEYS | st.text(), _JSON, max_size=6))
    def is_taken(name: str, payload: dict[str, object]) -> None:
        try:
            event = client.handle.call("parse_hook_payload", event_name=name, payload=payload)
        except InvalidHookPayloadError:
            return
        except ImprintError as error:
            raise AssertionError(f"{payload!r} as {name}: {error}") from error
        for field in HookEvent._fields[1:]:
            ensure(isinstance(getattr(event, field), str), f"{payload!r} as {name} gives {field} {event!r}")

    is_taken()


def unknown_events_are_other(client: Client) -> None:
    """An event that the plugin does not name is `HookEventKind.OTHER`, whatever its payload; one that it names is not.

    If this fails, look at the names in ``hook_events`` and at what ``parse_hook_payload`` does with others.
    """
    event = client.handle.call("parse_hook_payload", event_name="NoSuchEvent", payload={})
    ensure(event.kind is HookEventKind.OTHER, f"NoSuchEvent is taken for {event.kind}")
    for name in sorted(client.info.hook_events):
        kind = client.kind_of(name)
        ensure(kind is not HookEventKind.OTHER, f"{name} is named, and read as {kind}")


def any_context_is_written(client: Client) -> None:
    """Whatever the context, the answer is text that UTF-8 holds, with exit code 0: a hook of ours never stops a client.

    If this fails, look at lone surrogates, and at what ``render_hook_response`` does with empty text.
    """
    names = sorted(client.info.hook_events)

    @EXAMPLES
    @given(st.sampled_from([*names, "NoSuchEvent"]), st.text(st.characters()) | st.just("a\ud800b"))
    def is_written(name: str, context: str) -> None:
        answer = client.handle.call("render_hook_response", event_name=name, context=context)
        ensure(isinstance(answer, HookOutput) and answer.exit_code == 0, f"{context!r} in {name} gives {answer!r}")
        answer.stdout.encode()

    is_written()
