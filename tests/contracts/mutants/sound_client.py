"""A client's plugin that keeps every promise; mutants change one thing in it."""

import json

from imprint.plugins import HookEvent, HookEventKind, HookOutput, Role, Turn, hookimpl

KINDS = {"Begin": HookEventKind.SESSION_START, "Prompt": HookEventKind.PROMPT, "End": HookEventKind.SESSION_END}
KEYS = ("session_id", "cwd", "transcript_path")


@hookimpl
def describe_client():
    from imprint.plugins import ClientInfo

    return ClientInfo(name="sound", title="Sound", summary="Keeps every promise", hook_events=frozenset(KINDS))


@hookimpl
def find_installation(home, files):
    from imprint.plugins import Installation

    if not files.is_folder(home.path / ".sound"):
        return None
    return Installation(client="sound", home=home, folder=home.path / ".sound")


@hookimpl
def detect_cwd(payload):
    cwd = payload.get("cwd")
    return cwd if isinstance(cwd, str) else None


@hookimpl
def plan_connect(installation, programs, files):
    from imprint.domain.config_text.json_text import parse_json
    from imprint.domain.config_text.markdown_blocks import put_block

    def put_settings(data, place):
        document = parse_json(data, place)
        document = document.set(("servers", "imprint"), list(programs.server))
        for event in ("Begin", "Prompt") if programs.recalls else ("Begin",):
            if not hooks_of(document, event):
                document = document.append(("hooks",), {"run": f"{programs.hook[0]} sound {event}"})
        return (document if programs.recalls else without_hooks(document, "Prompt")).data

    def put_words(data, place):
        return put_block(data, programs.instructions, place)

    return tuple(_edits(installation, files, put_settings, put_words))


@hookimpl
def plan_disconnect(installation, record, files):
    edits = list(take_out(installation, record, files))
    known = {edit.path: edit for edit in record.edits}
    for number, edit in enumerate(edits):
        recorded = known.get(edit.path)
        if recorded is not None and edit.before == recorded.after:
            edits[number] = edited(edit.path, edit.before, recorded.before)
    return tuple(edits)


@hookimpl
def describe_duties():
    return ()


@hookimpl
def find_transcripts(installation, files):
    return find_sessions(installation, files, str)


@hookimpl
def find_documents(installation, files):
    return iter(())


@hookimpl
def read_transcript(transcript, reader, since):
    return read_lines(reader, since, read_turn)


@hookimpl
def parse_hook_payload(event_name, payload):
    if event_name not in KINDS:
        return HookEvent(HookEventKind.OTHER)
    texts = [value if isinstance(value := payload.get(key), str) else "" for key in KEYS]
    return HookEvent(KINDS[event_name], *texts)


@hookimpl
def render_hook_response(event_name, context):
    return HookOutput(json.dumps({"context": context}) if context else "")


def take_out(installation, record, files):
    """Our entries taken out, whatever else is in the files."""
    from imprint.domain.config_text.json_text import parse_json
    from imprint.domain.config_text.markdown_blocks import take_block

    def take_settings(data, place):
        document = parse_json(data, place)
        return without_hooks(document).remove(("servers", "imprint")).data

    return _edits(installation, files, take_settings, take_block)


def hooks_of(document, event=""):
    """The places of ours, of one event or of all."""
    listed = document.get(("hooks",))
    hooks = [str(hook) if isinstance(hook, dict) else "" for hook in (listed if isinstance(listed, list) else ())]
    return [index for index, hook in enumerate(hooks) if "imprint-" in hook and event in hook]


def without_hooks(document, event=""):
    for index in reversed(hooks_of(document, event)):
        document = document.remove(("hooks", index))
    return document


def edited(path, before, after):
    from imprint.plugins import FileEdit

    return FileEdit(path=path, before=before, after=after, purpose="connect or disconnect")


def find_sessions(installation, files, name_session):
    """Every session's file, and those of its subagents in the folder of its name."""
    from imprint.plugins import TranscriptReference

    folder = installation.folder / "sessions"
    for name in files.names(folder):
        if name.endswith(".jsonl"):
            yield TranscriptReference(path=folder / name)
        for inner in files.names(folder / name):
            if inner.endswith(".jsonl"):
                yield TranscriptReference(path=folder / name / inner, part_of=name_session(name))


def read_lines(reader, since, read_turn):
    from imprint.plugins import Checkpoint

    position = tuple(map(int, since.split(":"))) if since else (0, 0)
    for line in reader.lines(*position):
        turn = read_turn(line.data, line.number)
        if turn is not None:
            yield turn
        position = (line.end, line.number)
    yield Checkpoint("{}:{}".format(*position))


def clean(text):
    return text.encode("utf-8", "replace").decode().replace("\0", "").strip()


def read_turn(data, number, clean=clean):
    try:
        line = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return turn_of(line, number, clean)


def turn_of(line, number, clean):
    text = line.get("content") if isinstance(line, dict) else None
    if not isinstance(text, str) or not clean(text):
        return None
    return Turn(id=str(number), role=Role.USER, text=clean(text), line=number)


def _edits(installation, files, change_settings, change_words):
    for name, change in (("settings.json", change_settings), ("WORDS.md", change_words)):
        path = installation.folder / name
        before = files.read(path)
        after = change(before or b"", str(path))
        if after != (before or b""):
            yield edited(path, before, after)
