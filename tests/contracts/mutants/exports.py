"""Broken plugins for exports, each named after the one check that it fails."""

from itertools import count

import attrs
from mutants import heavy_export, sound_export
from mutants.making import replace_hooks

from imprint.plugins import ExportedConversation

SOUND = sound_export

_calls = count()


def _names_no_file():
    return attrs.evolve(SOUND.describe_export(), members=())


def _asks_for_every_file():
    return attrs.evolve(SOUND.describe_export(), members=("*.json",))


def _knows_everything(entry):
    return SOUND.describe_conversation(entry) or ExportedConversation(conversation="some")


def _passes_a_moment_on(entry):
    said = SOUND.describe_conversation(entry)
    moment = entry.get("updated_at")
    return said and attrs.evolve(said, updated=moment if isinstance(moment, str) else "")


def _trusts_the_messages(entry):
    for message in (*entry["chat_messages"], *(node["message"] for node in entry["mapping"].values())):
        message["text"].strip()
    return SOUND.read_messages(entry)


def _keeps_what_no_database_takes(entry):
    return SOUND.read_messages(entry, clean=lambda value: value if isinstance(value, str) else "")


def _counts_on(entry):
    return (turn._replace(id=f"turn {next(_calls)}") for turn in SOUND.read_messages(entry))


MUTANTS = {
    "describes-itself": replace_hooks(SOUND, describe_export=_names_no_file),
    "describing-is-light": heavy_export,
    "files-about-the-user-are-left-alone": replace_hooks(SOUND, describe_export=_asks_for_every_file),
    "foreign-entries-are-left-alone": replace_hooks(SOUND, describe_conversation=_knows_everything),
    "any-entry-is-described": replace_hooks(SOUND, describe_conversation=_passes_a_moment_on),
    "any-entry-is-read": replace_hooks(SOUND, read_conversation=_trusts_the_messages),
    "turns-can-be-stored": replace_hooks(SOUND, read_conversation=_keeps_what_no_database_takes),
    "same-entry-gives-same-turns": replace_hooks(SOUND, read_conversation=_counts_on),
}
