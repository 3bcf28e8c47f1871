"""What the shipped clients' plugins read out of transcripts: recorded, torn, strange."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.adapters.transcripts import RealTranscriptFiles
from imprint.domain.conversations import Checkpoint, ConversationFacts, TranscriptItem, Turn
from imprint.plugins.clients import TranscriptReference
from imprint.protocols.clients import TranscriptReader
from imprint_client_plugins.claude_transcripts import read_transcript as read_claude_code
from imprint_client_plugins.codex.transcripts import read_transcript as read_codex
from imprint_client_plugins.copilot_cli.transcripts import read_transcript as read_copilot_cli
from imprint_client_plugins.gemini_cli.transcripts import read_transcript as read_gemini_cli
from imprint_client_plugins.qwen_code.transcripts import read_transcript as read_qwen_code
from imprint_client_plugins.vscode_copilot.transcripts import read_transcript as read_vscode_copilot

SAMPLES = Path(__file__).parents[2] / "samples" / "transcripts"
VSCODE = "vscode-copilot/workspaceStorage"
CHAT = "5f7549ab-525e-4960-88bc-0e985c96b7c4"
DELEGATED = "c295c770-15fb-4349-be4b-6b71f3631667"
SESSION = "2f9042eb-8e94-4635-acd1-6364de1bf2b0"
GEMINI = "gemini-cli/session-2026-11-30T21-50-30589299.jsonl"
GEMINI_COMPRESSED = "gemini-cli/session-2026-12-01T07-06-02503940.jsonl"
QWEN = "qwen-code/96669b22-562c-4e5c-a21d-21ee7bb285f1.jsonl"
RECORDED = {
    f"claude-code/{SESSION}.jsonl": ["first prompt", "SUB-DONE", "second", "DONE-TWO", "third", "DONE-THREE"],
    f"claude-code/{SESSION}/subagents/agent-a5509f73ef8116a1f.jsonl": ["sub task", "SUB-DONE"],
    "claude-code/92fd4909-cdfa-4592-8cd5-9d8f7aae1ab4.jsonl": ["mem", "OK"],
    "codex/one.jsonl": ["first prompt", "DONE-ONE", "second prompt", "DONE-TWO"],
    "codex/compacted.jsonl": ["ide turn", "IDE-ONE", "after compact", "IDE-TWO"],
    "codex/compacted-often.jsonl": ["auto compact"],
    "codex/spawning.jsonl": ["spawn", "SUBDONE", "SUBDONE"],
    "codex/subagent.jsonl": ["sub task", "SUBDONE"],
    GEMINI: ["first prompt", "DONE-ONE", "second prompt", "DONE-TWO"],
    GEMINI_COMPRESSED: ["We decided", "T1-ANSWER", "And the staging", "T2-ANSWER", "Last words", "T3-ANSWER"],
    QWEN: ["first prompt", "DONE-ONE", "second prompt", "DONE-TWO"],
    "copilot-cli/9f90b8c8-47ec-4cd1-9a37-f70ec1401826/events.jsonl": [
        "first prompt",
        "DONE-ONE",
        "second prompt",
        "DONE-TWO",
    ],
    f"{VSCODE}/49aa0f21/GitHub.copilot-chat/transcripts/{CHAT}.jsonl": ["hello vscode", "VSC-ONE"],
    f"{VSCODE}/49aa0f21/chatSessions/{CHAT}.jsonl": ["hello vscode", "VSC-ONE"],
    f"{VSCODE}/3c748135/GitHub.copilot-chat/transcripts/{DELEGATED}.jsonl": [
        "first",
        "Look for the paint shop.",
        "SUB-ANSWER",
        "SUB-ANSWER",
        "second",
        "TWO",
    ],
    f"{VSCODE}/3c748135/chatSessions/5fe41b71-af88-4763-9e1c-b616249f05d1.jsonl": ["hello", "ONE", "second", "TWO"],
}
Read = Callable[[TranscriptReference, TranscriptReader, str], Iterator[TranscriptItem]]
READERS: dict[str, Read] = {
    "claude-code": read_claude_code,
    "codex": read_codex,
    "gemini-cli": read_gemini_cli,
    "qwen-code": read_qwen_code,
    "copilot-cli": read_copilot_cli,
    "vscode-copilot": read_vscode_copilot,
}


def read(path: Path, client: str, since: str = "") -> list[TranscriptItem]:
    with RealTranscriptFiles().open(PurePosixPath(path)) as reader:
        return list(READERS[client](TranscriptReference(path=PurePosixPath(path)), reader, since))


def turns(items: list[TranscriptItem]) -> list[Turn]:
    return [item for item in items if isinstance(item, Turn)]


def facts(items: list[TranscriptItem]) -> list[ConversationFacts]:
    return [item for item in items if isinstance(item, ConversationFacts)]


@pytest.mark.parametrize("name", RECORDED)
def test_what_was_recorded_gives_what_was_said_and_nothing_else(name: str):
    """Neither instructions, reminders, a hook's context, tool output, summaries, nor what compaction copied."""
    said = turns(read(SAMPLES / name, name.partition("/")[0]))

    assert [turn.text.partition(" [[")[0][: len(text)] for turn, text in zip(said, RECORDED[name], strict=True)] == (
        RECORDED[name]
    )
    assert all("HOOKCTX" not in turn.text and turn.time for turn in said)
    # Gemini CLI and VS Code keep the folder apart from what was said in it.
    assert all(bool(turn.cwd) is not name.startswith(("gemini-cli/", VSCODE)) for turn in said)
    assert len({turn.id for turn in said}) == len(said)


@pytest.mark.parametrize("name", RECORDED)
def test_each_turn_names_the_line_it_stands_on(name: str):
    lines = (SAMPLES / name).read_bytes().split(b"\n")

    for turn in turns(read(SAMPLES / name, name.partition("/")[0])):
        assert json.dumps(turn.text, ensure_ascii=False)[1:20].encode() in lines[turn.line - 1]


def test_a_subagent_is_known_as_one_and_by_the_session_it_belongs_to():
    claude = facts(read(SAMPLES / f"claude-code/{SESSION}/subagents/agent-a5509f73ef8116a1f.jsonl", "claude-code"))[0]
    codex = facts(read(SAMPLES / "codex/subagent.jsonl", "codex"))[0]

    assert (claude.is_subagent, claude.session_id, claude.parent_id) == (
        True,
        f"{SESSION}/agent-a5509f73ef8116a1f",
        SESSION,
    )
    assert (codex.is_subagent, codex.parent_id) == (True, "01a22e7d-61d4-74e1-a63e-e13c536bfcf6")


@pytest.mark.parametrize("name", RECORDED)
def test_a_transcript_cut_off_anywhere_gives_a_beginning_and_the_rest_when_it_has_grown(name: str, tmp_path: Path):
    """After every line, and at bytes all over the lines that follow."""
    client = name.partition("/")[0]
    data = (SAMPLES / name).read_bytes()
    whole = turns(read(SAMPLES / name, client))
    path = tmp_path / Path(name).name
    ends = [0, *(place + 1 for place, byte in enumerate(data) if byte == 0x0A)]
    cuts = sorted({*ends, *(min(end + step, len(data)) for end in ends[::5] for step in (1, 60, 700))})

    for cut in cuts:
        path.write_bytes(data[:cut])
        first = read(path, client)
        assert isinstance(first[-1], Checkpoint)
        path.write_bytes(data)
        later = read(path, client, first[-1].position)

        assert [(turn.text, turn.line) for turn in turns(first) + turns(later)] == [
            (turn.text, turn.line) for turn in whole
        ]


@pytest.mark.parametrize("name", [f"claude-code/{SESSION}.jsonl", "codex/one.jsonl", GEMINI, QWEN])
def test_a_transcript_cut_off_at_any_byte_of_a_line_is_read(name: str, tmp_path: Path):
    client = name.partition("/")[0]
    data = (SAMPLES / name).read_bytes()
    said = turns(read(SAMPLES / name, client))[1]
    lines = data.split(b"\n")
    begin = sum(len(line) + 1 for line in lines[: said.line - 1])
    path = tmp_path / Path(name).name

    for cut in range(begin, begin + len(lines[said.line - 1]) + 1):
        path.write_bytes(data[:cut] + b"\n")  # as if the program had died, and another gone on behind it
        items = read(path, client)
        assert len(turns(items)) == 2 if cut == begin + len(lines[said.line - 1]) else 1
        assert isinstance(items[-1], Checkpoint)


def claude(text: object, **fields: object) -> str:
    return json.dumps(
        {"type": "user", "uuid": "u", "sessionId": "s", "cwd": "/w", "message": {"role": "user", "content": text}}
        | fields
    )


def codex(text: str, **fields: object) -> str:
    payload = {"type": "message", "role": "user", "id": "m", "content": [{"type": "input_text", "text": text}]}
    return json.dumps({"type": "response_item", "payload": payload | fields})


def gemini(text: object, **fields: object) -> str:
    return json.dumps({"type": "user", "id": "m", "content": [{"text": text}]} | fields)


def qwen(text: object, **fields: object) -> str:
    line = {"type": "user", "uuid": "u", "sessionId": "s", "cwd": "/w", "provenance": "real_user"}
    return json.dumps(line | {"message": {"role": "user", "parts": [{"text": text}]}} | fields)


def copilot(text: str, **fields: object) -> str:
    return json.dumps({"type": "user.message", "id": "m", "data": {"content": text}} | fields)


LINES = {
    "claude-code": claude,
    "codex": codex,
    "copilot-cli": copilot,
    "gemini-cli": gemini,
    "qwen-code": qwen,
    "vscode-copilot": copilot,
}


@pytest.mark.parametrize("client", READERS)
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\u2028b\u2029c\x85d\x0be", "a\u2028b\u2029c\x85d\x0be"),
        ("half \ud83d of a smile", "half \ufffd of a smile"),
        ("\ud83d\ude00", "😀"),
        ("null\0character", "null\ufffdcharacter"),
        ("m" * 3_000_000, "m" * 3_000_000),
    ],
    ids=["other line ends", "lone surrogate", "surrogates that belong together", "NUL", "megabytes"],
)
def test_strange_text_is_kept_as_far_as_it_can_be_stored(client: str, text: str, kept: str, tmp_path: Path):
    path = tmp_path / "s.jsonl"
    path.write_text(f"{LINES[client](text)}\n{LINES[client]('after')}\n".replace("\\u2028", "\u2028"), "utf-8")

    assert [turn.text for turn in turns(read(path, client))] == [kept, "after"]


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/compact</command-name>",
        "<local-command-stdout>Compacted</local-command-stdout>",
        "Stop hook feedback:\nnot yet",
        "This session is being continued from a previous conversation that ran out of context.",
        "[Request interrupted by user]",
        [{"type": "tool_result", "content": "output"}],
        [{"type": "image", "source": {}}],
        [{"type": "text", "text": "<system-reminder>\nbe kind\n</system-reminder>"}],
    ],
)
def test_what_claude_code_writes_in_the_users_place_is_not_the_users(text: object, tmp_path: Path):
    path = tmp_path / "s.jsonl"
    path.write_text(f"{claude(text)}\n")

    assert turns(read(path, "claude-code")) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"isMeta": True},
        {"isCompactSummary": True},
        {"toolUseResult": {"stdout": "x"}},
        {"type": "assistant", "isApiErrorMessage": True},
        {"type": "assistant", "message": {"model": "<synthetic>", "content": [{"type": "text", "text": "No."}]}},
    ],
)
def test_what_no_person_and_no_model_said_is_left_out(fields: dict[str, object], tmp_path: Path):
    path = tmp_path / "s.jsonl"
    path.write_text(f"{claude('text', **fields)}\n")

    assert turns(read(path, "claude-code")) == []


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/w</cwd>",
        "<user_instructions>\nx",
        "<subagent_notification>\n{}",
    ],
)
def test_what_older_versions_of_codex_wrote_in_the_users_place_is_not_the_users(text: str, tmp_path: Path):
    path = tmp_path / "s.jsonl"
    path.write_text(f"{codex(text)}\n")

    assert turns(read(path, "codex")) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"data": {"content": "text", "source": "skill-pdf"}},
        {"data": {"content": "text", "source": "agent-7"}},
        {"data": {"content": "text", "isAutopilotContinuation": True}},
        {"type": "hook.start", "data": {"content": "text", "input": {"type": "user.message"}}},
        {"type": "system.message"},
        {"type": "session.compaction_complete", "data": {"content": "text", "summaryContent": "text"}},
    ],
)
def test_what_copilot_writes_in_the_users_place_is_not_the_users(fields: dict[str, object], tmp_path: Path):
    path = tmp_path / "events.jsonl"
    path.write_text(f"{copilot('text', **fields)}\n")

    assert turns(read(path, "copilot-cli")) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "assistant.message", "agentId": "a"},
        {"type": "assistant.message", "data": {"content": "text", "parentToolCallId": "call"}},
        {"type": "user.message", "agentId": "a", "data": {"content": "text", "source": "agent-of-the-session"}},
    ],
)
def test_what_an_agent_of_copilots_own_says_is_a_subagents(fields: dict[str, object], tmp_path: Path):
    path = tmp_path / "events.jsonl"
    path.write_text(f"{copilot('text', **fields)}\n")

    assert [turn.is_sidechain for turn in turns(read(path, "copilot-cli"))] == [True]


def test_what_a_subagent_of_vscode_says_and_is_told_is_told_by_where_it_stands():
    name = f"{VSCODE}/3c748135/GitHub.copilot-chat/transcripts/{DELEGATED}.jsonl"

    said = [
        (turn.text.partition(" [[")[0], turn.is_sidechain) for turn in turns(read(SAMPLES / name, "vscode-copilot"))
    ]

    assert said == [
        ("first", False),
        ("Look for the paint shop.", True),
        ("SUB-ANSWER", True),
        ("SUB-ANSWER", False),
        ("second", False),
        ("TWO", False),
    ]


def vscode_lines(tmp_path: Path, *events: tuple[str, dict[str, object]]) -> list[Turn]:
    """What is said on lines as VS Code's agent writes them, read in one go, which is what reading each alone gives."""
    path, since, alone = tmp_path / "chat.jsonl", "", []
    for number, (kind, data) in enumerate(events):
        with path.open("a") as file:
            file.write(json.dumps({"type": kind, "data": data, "id": str(number)}) + "\n")
        items = read(path, "vscode-copilot", since)
        since = items[-1].position
        alone += turns(items)
    assert turns(read(path, "vscode-copilot")) == alone
    return alone


def test_subagents_of_vscode_that_run_at_once_and_one_that_was_broken_off_leave_the_user_his_words(tmp_path: Path):
    def start(call: object, tool: object = "runSubagent", **given: object) -> tuple[str, dict[str, object]]:
        return "tool.execution_start", {"toolCallId": call, "toolName": tool, "arguments": given}

    def user(text: str) -> tuple[str, dict[str, object]]:
        return "user.message", {"content": text}

    said = vscode_lines(
        tmp_path,
        start("a", prompt="Look here. "),
        start("b", "search_subagent", query="Look there."),
        user("Look here."),
        user("Look there."),
        ("tool.execution_complete", {"toolCallId": "a"}),
        ("assistant.message", {"content": "Found."}),
        user("Stop it."),
        ("assistant.message", {"content": "As you wish."}),
        start("c", "read_file", path="Look here."),
        user("Look here."),
        start(["d"], prompt="And again."),
        start("e", ["runSubagent"], prompt="And again."),
        ("tool.execution_start", {"toolCallId": "f", "toolName": "runSubagent", "arguments": "And again."}),
        user("And again."),
    )

    assert [(turn.text, turn.is_sidechain) for turn in said] == [
        ("Look here.", True),
        ("Look there.", True),
        ("Found.", True),
        ("Stop it.", False),
        ("As you wish.", False),
        ("Look here.", False),
        ("And again.", False),
    ]


def test_copilot_goes_by_the_folder_of_its_session_and_by_each_directory_it_was_in(tmp_path: Path):
    def session(id: str, cwd: str) -> str:
        return json.dumps({"type": "session.start", "data": {"sessionId": id, "context": {"cwd": cwd}}})

    path = tmp_path / "copy" / "events.jsonl"
    path.parent.mkdir()
    moved = json.dumps({"type": "session.context_changed", "data": {"cwd": "/other"}})
    titled = json.dumps({"type": "session.title_changed", "data": {"title": "Tabs"}})
    path.write_text("\n".join([session("origin", "/w"), copilot("one"), moved, copilot("two", id="n"), titled, ""]))

    items = read(path, "copilot-cli")

    assert facts(items) == [
        ConversationFacts(session_id="copy", parent_id="origin", cwd="/w"),
        ConversationFacts(cwd="/other"),
        ConversationFacts(title="Tabs"),
    ]
    assert [turn.cwd for turn in turns(items)] == ["/w", "/other"]


@pytest.mark.parametrize("client", READERS)
def test_turns_without_an_id_are_told_apart_and_their_copies_are_not(client: str, tmp_path: Path):
    def line(text: str, second: int) -> str:
        moment = f"2026-01-01T00:00:0{second}Z"
        if client == "codex":
            value = json.loads(codex(text)) | {"timestamp": moment}
            del value["payload"]["id"]
            return json.dumps(value)
        if LINES[client] is copilot:
            return copilot(text, timestamp=moment, id=None)
        return LINES[client](text, timestamp=moment, uuid=None, id=None)

    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.write_text(f"{line('yes', 1)}\n{line('yes', 2)}\n")
    two.write_text(f"{line('yes', 1)}\n")

    first, second = [turn.id for turn in turns(read(one, client))]
    (copy,) = [turn.id for turn in turns(read(two, client))]

    assert (first != second, copy) == (True, first)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = (
    "kind",
    "k",
    "v",
    "data",
    "requests",
    "response",
    "type",
    "payload",
    "message",
    "content",
    "role",
    "uuid",
    "id",
    "sessionId",
    "cwd",
    "timestamp",
    "source",
)
RARE_KEYS = (
    "isSidechain",
    "isMeta",
    "metadata",
    "summary",
    "internal_chat_message_metadata_passthrough",
    "content_item_kinds",
    "text",
    "parent_thread_id",
    "toolUseResult",
    "model",
    "$set",
    "messages",
    "displayContent",
    "directories",
    "parts",
    "provenance",
    "subtype",
    "systemPayload",
)
KINDS = (
    "user.message",
    "assistant.message",
    "session.start",
    "user",
    "assistant",
    "gemini",
    "summary",
    "response_item",
    "session_meta",
    "turn_context",
    "message",
    "compacted",
)
RARE_KINDS = ("text", "input_text", "output_text", "tool_result", "user.text", "event_msg", "subagent", "<synthetic>")
VALUES = st.sampled_from(KINDS + RARE_KINDS) | JSON


def objects(values: st.SearchStrategy[object], most: int) -> st.SearchStrategy[dict[str, object]]:
    return st.dictionaries(st.sampled_from(KEYS + RARE_KEYS), values, max_size=most)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Objects of the keys and words that parsers look for, in any arrangement; and what is no object."""
    inner = objects(VALUES, 8)
    nested = objects(VALUES | inner | st.lists(inner | VALUES, max_size=3), 8)
    value = draw(objects(VALUES | nested | st.lists(nested, max_size=2), 10))
    data = json.dumps(value).encode()
    return draw(st.sampled_from([data, data[: len(data) // 2], data + b"}", b"\xff" + data, b"[" * 3000, b"", b"null"]))


@pytest.mark.parametrize("client", READERS)
@given(some=st.lists(lines(), max_size=8))
def test_nothing_that_stands_in_a_transcript_is_an_error(
    client: str, some: list[bytes], tmp_path_factory: pytest.TempPathFactory
):
    path = tmp_path_factory.getbasetemp() / f"fuzzed-{client}.jsonl"
    path.write_bytes(b"\n".join(some) + b"\n")

    items = read(path, client)

    assert isinstance(items[-1], Checkpoint)
    for turn in turns(items):
        assert turn.id
        assert turn.text.strip()
        (turn.id + turn.text + turn.cwd + turn.time).encode()
    for fact in facts(items):
        "".join((fact.session_id, fact.parent_id, fact.cwd, fact.title)).encode()
