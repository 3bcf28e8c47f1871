"""Checks of the group ``imprint.exports``: entries of any shape are told apart, described and read."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Final

import attrs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from imprint.domain.exports import is_wanted
from imprint.plugins import ExportedConversation, ExportInfo, Turn
from imprint.plugins.handles import PluginHandle
from imprint.testing.conformance import Check, ensure, make_checks
from imprint.testing.subjects import ensure_description_is_light, ensure_description_reads_well, hold

__all__ = ["export_checks"]

_EXAMPLES: Final = settings(
    max_examples=30, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_OF_THE_USER: Final = ("user.json", "users.json", "chat.html", "memories.json", "user_settings.json")
_FOREIGN: Final[tuple[Mapping[str, object], ...]] = (
    {},
    {"some": "thing"},
    {"email_address": "me@example.com", "full_name": "Somebody"},
)
_TEXTS: Final = ("We decided on tabs.", "日本語", "a\u2028b", "\ud800", "a\0b", "", " ", "\ue200cite\ue201")
_MOMENTS: Final = (
    "2026-01-02T03:04:05.678901Z",
    "yesterday",
    "",
    1767323045.25,
    -1,
    1e300,
    "0001-01-01T00:00:00+14:00",
)
_IDS: Final = ("a", "b", "c", "\ud800", "")
_ANYTHING: Final[SearchStrategy[object]] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(_TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_TEXTS), inner, max_size=3),
    max_leaves=6,
)


@attrs.frozen
class _Subject:
    """The plugin, and recorded entries."""

    handle: PluginHandle
    entries: tuple[Mapping[str, object], ...]

    @property
    def info(self) -> ExportInfo:
        info: ExportInfo = self.handle.call("describe_export")
        return info

    def describe(self, entry: Mapping[str, object]) -> ExportedConversation | None:
        said: ExportedConversation | None = self.handle.call("describe_conversation", entry=entry)
        return said

    def read(self, entry: Mapping[str, object]) -> list[Turn]:
        return list(self.handle.call("read_conversation", entry=entry))


def export_checks(
    plugin: ModuleType,
    *,
    entries: Sequence[Mapping[str, object]] = (),
    expected_failures: Mapping[str, str] = MappingProxyType({}),
) -> list[Check]:
    """Make the checks of a plugin for account exports.

    Args:
        plugin: The plugin's module.
        entries: Recorded ones; entries that could be of any service are tried besides.
        expected_failures: Names of checks that this plugin is known to fail, with the reason.

    Raises:
        PluginInvalidError: The module does not fit the group, so there is nothing to check.
    """
    subject = _Subject(hold(plugin, "imprint.exports"), tuple(entries))
    promises: list[Callable[[_Subject], None]] = [
        describes_itself,
        describing_is_light,
        files_about_the_user_are_left_alone,
        foreign_entries_are_left_alone,
        any_entry_is_described,
        any_entry_is_read,
        turns_can_be_stored,
        same_entry_gives_same_turns,
    ]
    return make_checks(promises, subject, expected_failures)


def describes_itself(subject: _Subject) -> None:
    """The plugin has a name of one word, a title, a summary of one line, and names the files of conversations.

    If this fails, look at ``describe_export``.
    """
    info = subject.info
    ensure_description_reads_well(info)
    ensure(info.title.strip() == info.title and info.title.isprintable() and info.title, f"title {info.title!r}")
    ensure(info.members and not any("/" in name for name in info.members), f"members {info.members!r}")


def describing_is_light(subject: _Subject) -> None:
    """Listing plugins loads nothing besides the standard library, attrs and the plugin's own package.

    If this fails, look at the imports at the top of the plugin's module and move them into the hooks.
    """
    ensure_description_is_light(subject.handle, "describe_export")


def files_about_the_user_are_left_alone(subject: _Subject) -> None:
    """No pattern asks for a file of an export that tells who the user is.

    If this fails, look at ``members`` for a pattern that is too wide.
    """
    taken = [name for name in _OF_THE_USER if is_wanted(name, subject.info.members)]
    ensure(not taken, f"it asks for {', '.join(taken)}")


def foreign_entries_are_left_alone(subject: _Subject) -> None:
    """An entry that has nothing of a conversation is none of this service.

    If this fails, look at what ``describe_conversation`` takes for its own: each service's exports are called alike.
    """
    for entry in _FOREIGN:
        ensure(subject.describe(entry) is None, f"it knows {entry!r}")


def any_entry_is_described(subject: _Subject) -> None:
    """Whatever JSON an entry is, describing it raises nothing; an id is text that can be stored, a moment UTC or empty.

    If this fails, look at values of other types, at lone surrogates, and at moments that no calendar has.
    """

    def is_described(entry: Mapping[str, object]) -> None:
        said = subject.describe(entry)
        if said is not None:
            ensure(said.conversation.strip() and "\0" not in said.conversation, f"{said!r} of {entry!r:.300}")
            said.conversation.encode()
            said.title.encode()
            ensure(not said.updated or _MOMENT.fullmatch(said.updated), f"the moment {said.updated!r}")

    _try(subject, is_described, _disturbed(_entries(_disturbed(_messages()))))


def any_entry_is_read(subject: _Subject) -> None:
    """Whatever JSON an entry is, reading it raises nothing and comes to an end.

    If this fails, look at values of other types, and at messages that are their own ancestors.
    """

    def is_read(entry: Mapping[str, object]) -> None:
        subject.read(entry)

    _try(subject, is_read, _disturbed(_entries(_disturbed(_messages()))))


def turns_can_be_stored(subject: _Subject) -> None:
    """A turn has an id and text that UTF-8 holds, without NUL, and a time in UTC or none.

    If this fails, look at lone surrogates, at text of blanks alone, and at times without a zone.
    """

    def can_be_stored(entry: Mapping[str, object]) -> None:
        for turn in subject.read(entry):
            ensure(turn.id and turn.text.strip() and "\0" not in turn.text, f"{turn!r} of {entry!r:.300}")
            turn.text.encode()
            turn.id.encode()
            ensure(not turn.time or _MOMENT.fullmatch(turn.time), f"the time {turn.time!r}")

    _try(subject, can_be_stored, _entries(_messages()))


def same_entry_gives_same_turns(subject: _Subject) -> None:
    """An entry is read alike each time, and stays as it is: a later export repeats what did not change.

    If this fails, look at ids that are counted up or drawn by lot, and at values that are taken out of the entry.
    """

    def is_same(entry: Mapping[str, object]) -> None:
        before = json.dumps(entry)
        ensure(subject.read(entry) == subject.read(entry), f"{entry!r:.300} is read differently")
        ensure(json.dumps(entry) == before, f"{before:.300} was changed")

    _try(subject, is_same, _entries(_messages()))


def _try(
    subject: _Subject,
    promise: Callable[[Mapping[str, object]], None],
    entries: SearchStrategy[dict[str, object]],
) -> None:
    @_EXAMPLES
    @given(entries)
    def holds(entry: Mapping[str, object]) -> None:
        promise(entry)

    holds()
    for recorded in subject.entries:
        promise(recorded)


@st.composite
def _entries(draw: st.DrawFn, messages_of: SearchStrategy[dict[str, object]]) -> dict[str, object]:
    """A conversation as services write them."""
    messages = draw(st.lists(messages_of, max_size=3))
    nodes = {
        draw(st.sampled_from(_IDS)): {"message": message, "parent": draw(st.sampled_from(_IDS)), "children": []}
        for message in messages
    }
    return {
        "uuid": draw(st.sampled_from(_IDS)),
        "id": draw(st.sampled_from(_IDS)),
        "name": draw(st.sampled_from(_TEXTS)),
        "title": draw(st.sampled_from(_TEXTS)),
        "updated_at": draw(st.sampled_from(_MOMENTS)),
        "update_time": draw(st.sampled_from(_MOMENTS)),
        "chat_messages": messages,
        "mapping": nodes,
        "current_node": draw(st.sampled_from(_IDS)),
    }


@st.composite
def _messages(draw: st.DrawFn) -> dict[str, object]:
    text = draw(st.sampled_from(_TEXTS))
    role = draw(st.sampled_from(["user", "assistant", "system", "tool"]))
    return {
        "uuid": draw(st.sampled_from(_IDS)),
        "id": draw(st.sampled_from(_IDS)),
        "parent_message_uuid": draw(st.sampled_from(_IDS)),
        "sender": draw(st.sampled_from(["human", "assistant"])),
        "author": {"role": role},
        "text": text,
        "content": draw(
            st.sampled_from(
                [
                    [{"type": "text", "text": text}, {"type": "thinking", "thinking": text}],
                    {"content_type": "text", "parts": [text, {"content_type": "image"}]},
                    {"content_type": "thoughts", "parts": [text]},
                ]
            )
        ),
        "attachments": [{"file_name": text, "extracted_content": text}],
        "created_at": draw(st.sampled_from(_MOMENTS)),
        "create_time": draw(st.sampled_from(_MOMENTS)),
        "metadata": {},
    }


@st.composite
def _disturbed(draw: st.DrawFn, values: SearchStrategy[dict[str, object]]) -> dict[str, object]:
    """With anything in the place of some members."""
    value = draw(values)
    for key in draw(st.lists(st.sampled_from(sorted(value)), max_size=2)):
        value[key] = draw(_ANYTHING)
    return value
