"""Conversations of Cline: recorded of its command line, and in the shape that its extension keeps."""

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from shutil import copytree

import pytest
from learning_home import Home

from imprint.adapters.client_files import RealClientFiles
from imprint.adapters.transcripts import RealTranscriptFiles
from imprint.domain.conversations import Checkpoint, ConversationFacts, Role, TranscriptItem, Turn
from imprint.plugins.clients import ClientHome, TranscriptReference
from imprint.services.indexing_reports import Outcome
from imprint.testing.checks.clients import client_checks
from imprint_client_plugins import cline

SAMPLES = Path(__file__).parents[2] / "samples" / "transcripts" / "cline" / "sessions"
ONE, TWO = "1796075625046_x29b5", "1796076636242_yfsmy"
SAID = {ONE: ["first prompt", "DONE-ONE"], TWO: ["sub first", "S1"]}
EXTENSION = ".config/Code/User/globalStorage/saoudrizwan.claude-dev"


@pytest.fixture
def sessions(home: Home) -> Path:
    """What was recorded, in its place."""
    folder = home.path / ".cline" / "data" / "sessions"
    copytree(SAMPLES, folder)
    (home.project("proj") / "sub" / "deep").mkdir(parents=True)
    for path in folder.rglob("*.json"):
        path.write_text(path.read_text("utf-8").replace("/home/dev/proj", str(home.project("proj"))), "utf-8")
    return folder


def find(home: Home, **environ: str) -> list[TranscriptReference]:
    files = RealClientFiles()
    place = ClientHome(path=PurePosixPath(home.path), system="linux", environ=environ)
    installation = cline.find_installation(place, files)
    assert installation is not None
    return list(cline.find_transcripts(installation, files))


def read(reference: TranscriptReference, since: str = "") -> list[TranscriptItem]:
    with RealTranscriptFiles().open(reference.path) as reader:
        return list(cline.read_transcript(reference, reader, since))


def turns(items: list[TranscriptItem]) -> list[Turn]:
    return [item for item in items if isinstance(item, Turn)]


def session(home: Home, *messages: Mapping[str, object], id: str = "s", file: str = "") -> TranscriptReference:
    """A session of the command line with these messages."""
    folder = home.path / ".cline" / "data" / "sessions" / id
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{file or id}.messages.json").write_text(json.dumps({"version": 1, "messages": messages}))
    return next(one for one in find(home) if one.conversation == (file or id))


def task(home: Home, *notices: Mapping[str, object], id: str = "1700000000000") -> TranscriptReference:
    """A task of the extension that shows this."""
    folder = home.path / EXTENSION / "tasks" / id
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ui_messages.json").write_text(json.dumps(notices))
    return next(one for one in find(home) if one.conversation == id)


def user(text: str, **fields: object) -> dict[str, object]:
    return {"id": "m", "role": "user", "content": [{"type": "text", "text": text}], "ts": 1_796_000_000_000, **fields}


@pytest.mark.parametrize("id", SAID)
def test_what_was_recorded_gives_what_was_said_and_nothing_else(home: Home, sessions: Path, id: str):
    """Neither tool output nor what hooks told."""
    reference = next(one for one in find(home) if one.conversation == id)

    said = turns(read(reference))

    assert [turn.text.partition(" [[")[0] for turn in said] == SAID[id]
    assert [turn.role for turn in said] == [Role.USER, Role.ASSISTANT]
    assert all("HOOKCTX" not in turn.text and turn.time.endswith("Z") for turn in said)


def test_the_folder_is_the_sessions_own_and_not_the_projects_root(home: Home, sessions: Path):
    found = find(home)

    proj = home.project("proj")
    assert [(one.conversation, one.cwd) for one in found] == [(ONE, str(proj)), (TWO, str(proj / "sub" / "deep"))]
    assert all(one.title for one in found)


def test_all_promises_of_a_client_are_kept_with_recorded_transcripts():
    recorded = [path.read_bytes() for path in sorted(SAMPLES.rglob("*.messages.json"))]

    for check in client_checks(cline, transcripts=recorded):
        if any(word in check.name for word in ("lines", "turns", "reading")):
            check()


def test_a_subagents_part_is_known_as_one_and_by_its_session(home: Home):
    reference = session(home, user('<user_input mode="act">sub task</user_input>'), file="agent_1")

    (facts, turn, _) = read(reference)

    assert isinstance(facts, ConversationFacts)
    assert isinstance(turn, Turn)
    assert (facts.session_id, facts.parent_id, facts.is_subagent, turn.is_sidechain) == ("agent_1", "s", True, True)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('<user_input mode="plan">Use tabs.</user_input>', "Use tabs."),
        ("Use tabs.", "Use tabs."),
        ('<mode_notice>The user switched.</mode_notice>\n<user_input mode="act">Go on.</user_input>', "Go on."),
        ('<user_input mode="act">See this.</user_input>\n\n<file_content path="a">secret</file_content>', "See this."),
        ('<hook_context source="PreToolUse">\n<imprint-context>x</imprint-context>\n</hook_context>', ""),
        ("[TASK RESUMPTION] This task was interrupted.", ""),
        ('<user_input mode="act"> </user_input>', ""),
        ("half \ud83d of a smile\0", "half \ufffd of a smile\ufffd"),
    ],
)
def test_what_the_client_writes_in_the_users_place_is_taken_out(home: Home, text: str, kept: str):
    assert [turn.text for turn in turns(read(session(home, user(text))))] == ([kept] if kept else [])


@pytest.mark.parametrize(
    "message",
    [
        user("a notice", metadata={"displayRole": "system"}),
        user("a summary", metadata={"kind": "compaction_summary"}),
        user("", content=[{"type": "tool_result", "content": "output"}]),
        {"role": "assistant", "content": [{"type": "tool_use", "name": "x", "input": {}}], "ts": 1},
        {"role": "system", "content": "be kind"},
        {"role": ["user"], "content": 7},
        "no message",
        None,
    ],
)
def test_what_no_person_and_no_model_said_is_left_out(home: Home, message: dict[str, object]):
    assert turns(read(session(home, message))) == []


def test_a_session_that_grows_gives_what_is_new_and_a_torn_file_nothing(home: Home):
    first = read(session(home, user("one", id="1")))
    reference = session(home, user("one", id="1"), user("two", id="2"))
    *_, checkpoint = first
    assert isinstance(checkpoint, Checkpoint)

    later = turns(read(reference, checkpoint.position))
    whole = Path(reference.path).read_bytes()
    Path(reference.path).write_bytes(whole[:-9])
    torn = read(reference)

    assert [turn.text for turn in later] == ["two"]
    assert turns(torn) == []
    assert torn[-1] == Checkpoint("")


NOTICES = (
    {"ts": 1_700_000_000_000, "type": "say", "say": "task", "text": "Name the staging database."},
    {"ts": 1_700_000_001_000, "type": "say", "say": "api_req_started", "text": '{"request": "<environment_details>"}'},
    {"ts": 1_700_000_002_000, "type": "say", "say": "text", "text": "I think of heron."},
    {"ts": 1_700_000_003_000, "type": "ask", "ask": "followup", "text": '{"question": "Heron?", "options": ["yes"]}'},
    {"ts": 1_700_000_004_000, "type": "say", "say": "user_feedback", "text": "Yes, heron."},
    {"ts": 1_700_000_005_000, "type": "say", "say": "tool", "text": '{"tool": "readFile"}'},
    {"ts": 1_700_000_006_000, "type": "ask", "ask": "command", "text": "ls"},
    {"ts": 1_700_000_007_000, "type": "say", "say": "text", "text": "Do", "partial": True},
    {"ts": 1_700_000_008_000, "type": "say", "say": "completion_result", "text": "Done."},
    {"ts": 1_700_000_009_000, "type": "ask", "ask": "completion_result", "text": ""},
)


def test_a_task_of_the_extension_gives_what_was_said_by_whom(home: Home):
    said = turns(read(task(home, *NOTICES)))

    assert [(turn.role.value, turn.text) for turn in said] == [
        ("user", "Name the staging database."),
        ("assistant", "I think of heron."),
        ("assistant", "Heron?"),
        ("user", "Yes, heron."),
        ("assistant", "Done."),
    ]
    assert said[0].time == "2023-11-14T22:13:20.000Z"
    assert len({turn.id for turn in said}) == len(said)


def test_the_first_text_of_an_old_task_is_the_users(home: Home):
    said = turns(read(task(home, {"ts": 1, "type": "say", "say": "text", "text": "Begin."}, *NOTICES[2:3])))

    assert [turn.role for turn in said] == [Role.USER, Role.ASSISTANT]


def test_turns_of_two_tasks_without_times_are_not_taken_for_each_other(home: Home):
    notice = {"type": "say", "say": "task", "text": "yes"}

    ids = {turn.id for id in ("1", "2") for turn in turns(read(task(home, notice, id=id)))}

    assert len(ids) == 2


@pytest.mark.parametrize("history", ["", "{}", "[", "[7]", '[{"id": "1700000000000", "cwdOnTaskInitialization": 3}]'])
def test_a_history_that_cannot_be_understood_leaves_a_task_without_a_folder(home: Home, history: str):
    (home.path / EXTENSION / "state").mkdir(parents=True)
    (home.path / EXTENSION / "state" / "taskHistory.json").write_text(history)

    assert task(home, *NOTICES).cwd == ""


def test_a_task_belongs_to_the_folder_that_its_history_names(home: Home):
    acme = home.project("acme")
    (home.path / EXTENSION / "state").mkdir(parents=True)
    history = [{"id": "1700000000000", "task": "Name it", "cwdOnTaskInitialization": str(acme)}]
    (home.path / EXTENSION / "state" / "taskHistory.json").write_text(json.dumps(history))
    task(home, *NOTICES)
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(acme, explicit="acme")

    elsewhere = home.learn(clients=["cline"])
    there = home.learn(clients=["cline"], workspace="acme")

    assert (elsewhere.sources, there.sources) == ({Outcome.REFUSED: 1}, {Outcome.ADDED: 1})


def test_a_hooks_job_learns_its_session_and_no_other(home: Home, sessions: Path):
    home.learn(clients=["cline"], conversations=[f"conversation:cline/{TWO}"])

    assert [key for key in home.sources() if key.startswith("conversation:")] == [f"conversation:cline/{TWO}"]


def test_moved_sessions_are_found(home: Home, sessions: Path):
    sessions.rename(home.path / "elsewhere")

    assert len(find(home, CLINE_SESSION_DATA_DIR=str(home.path / "elsewhere"))) == 2
    assert find(home) == []


def test_the_users_rules_are_documents_and_ours_are_not(home: Home):
    for path in (".cline/rules/mine.md", ".cline/rules/imprint.md", "Documents/Cline/Rules/ours.md"):
        (home.path / path).parent.mkdir(parents=True, exist_ok=True)
        (home.path / path).write_text("Use tabs.")

    home.learn(clients=["cline"])

    assert [key.rpartition("/")[2] for key in home.sources() if key.startswith("document:")] == ["ours.md", "mine.md"]
