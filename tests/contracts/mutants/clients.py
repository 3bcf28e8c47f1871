"""Broken clients' plugins, each named after the one check that it fails."""

import json

import attrs
from mutants import heavy_client, heavy_hook_client, sound_client
from mutants.making import replace_hooks

from imprint.domain.config_text.json_text import parse_json
from imprint.errors import InvalidClientFileError
from imprint.plugins import HookEventKind, HookOutput, Installation

SOUND = sound_client


def _untidy_title():
    return attrs.evolve(SOUND.describe_client(), title=" Sound")


def _finds_it_everywhere(home, files):
    return Installation(client="sound", home=home, folder=home.path / ".sound")


def _finds_another(home, files):
    found = SOUND.find_installation(home, files)
    return found and attrs.evolve(found, client="another")


def _trusts_the_search_path(installation, programs, files):
    return SOUND.plan_connect(installation, attrs.evolve(programs, hook=("imprint-hook",)), files)


def _adds_another_hook_each_time(installation, programs, files):
    path = installation.folder / "settings.json"
    before = files.read(path) or b""
    document = parse_json(before, str(path)).set(("servers", "imprint"), list(programs.server))
    after = document.append(("hooks",), {"run": programs.hook[0]}).data
    others = (edit for edit in SOUND.plan_connect(installation, programs, files) if edit.path != path)
    return (SOUND.edited(path, files.read(path), after), *others)


def _leaves_the_hook_of_prompts(installation, programs, files):
    present = files.read(installation.folder / "settings.json") or b"{}"
    return SOUND.plan_connect(
        installation, attrs.evolve(programs, recalls=programs.recalls or b"Prompt" in present), files
    )


def _never_looks_at_the_record(installation, record, files):
    return tuple(SOUND.take_out(installation, record, files))


def _always_restores(installation, record, files):
    if not record.edits:
        return tuple(SOUND.take_out(installation, record, files))
    return tuple(SOUND.edited(edit.path, files.read(edit.path), edit.before) for edit in record.edits)


def _needs_the_record(installation, record, files):
    return SOUND.plan_disconnect(installation, record, files) if record.edits else ()


@attrs.frozen
class _Pretending:
    """Says of a file that is damaged that it is empty."""

    files: object

    def read(self, path):
        data = self.files.read(path)
        try:
            parse_json(data or b"", str(path))
        except InvalidClientFileError:
            return data if path.suffix == ".md" else b""
        return data


def _overwrites_what_is_damaged(installation, programs, files):
    edits = SOUND.plan_connect(installation, programs, _Pretending(files))
    return tuple(attrs.evolve(edit, before=files.read(edit.path)) for edit in edits)


def _trusts_the_payload(event_name, payload):
    return SOUND.parse_hook_payload(event_name, payload)._replace(cwd=payload.get("cwd", "").strip())


def _takes_what_it_does_not_know_for_an_end(event_name, payload):
    event = SOUND.parse_hook_payload(event_name, payload)
    return event._replace(kind=HookEventKind.STOP) if event.kind is HookEventKind.OTHER else event


def _writes_as_it_is(event_name, context):
    return HookOutput(context)


def _names_a_file_for_its_session(installation, files):
    return SOUND.find_sessions(installation, files, "{}.jsonl".format)


def _reader(read_turn, *, always_from_the_start=False):
    def read_transcript(transcript, reader, since):
        return SOUND.read_lines(reader, "" if always_from_the_start else since, read_turn)

    return read_transcript


def _expects_json(data, number):
    return SOUND.turn_of(json.loads(data.decode("utf-8", "replace")), number, SOUND.clean)


def _keeps_what_no_database_takes(data, number):
    return SOUND.read_turn(data, number, clean=str)


MUTANTS = {
    "describes-itself": replace_hooks(SOUND, describe_client=_untidy_title),
    "describing-is-light": heavy_client,
    "hooks-are-light": heavy_hook_client,
    "absent-client-is-not-found": replace_hooks(SOUND, find_installation=_finds_it_everywhere),
    "present-client-is-found": replace_hooks(SOUND, find_installation=_finds_another),
    "connecting-names-our-programs": replace_hooks(SOUND, plan_connect=_trusts_the_search_path),
    "connecting-twice-plans-nothing": replace_hooks(SOUND, plan_connect=_adds_another_hook_each_time),
    "connecting-follows-what-is-recalled": replace_hooks(SOUND, plan_connect=_leaves_the_hook_of_prompts),
    "disconnecting-restores-any-document": replace_hooks(SOUND, plan_disconnect=_never_looks_at_the_record),
    "disconnecting-spares-what-others-wrote": replace_hooks(SOUND, plan_disconnect=_always_restores),
    "disconnecting-without-a-record-takes-ours-out": replace_hooks(SOUND, plan_disconnect=_needs_the_record),
    "invalid-files-are-refused": replace_hooks(SOUND, plan_connect=_overwrites_what_is_damaged),
    "any-payload-is-taken": replace_hooks(SOUND, parse_hook_payload=_trusts_the_payload),
    "unknown-events-are-other": replace_hooks(SOUND, parse_hook_payload=_takes_what_it_does_not_know_for_an_end),
    "any-context-is-written": replace_hooks(SOUND, render_hook_response=_writes_as_it_is),
    "parts-lead-to-their-session": replace_hooks(SOUND, find_transcripts=_names_a_file_for_its_session),
    "any-lines-are-read": replace_hooks(SOUND, read_transcript=_reader(_expects_json)),
    "turns-can-be-stored": replace_hooks(SOUND, read_transcript=_reader(_keeps_what_no_database_takes)),
    "reading-goes-on-where-it-stopped": replace_hooks(
        SOUND, read_transcript=_reader(SOUND.read_turn, always_from_the_start=True)
    ),
}
