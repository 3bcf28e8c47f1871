"""What an entry of an export is read as: the branch that the user sees, and in it what two spoke."""

import pytest

from imprint.plugins import Role
from imprint_client_plugins import chatgpt_export, claude_export
from imprint_client_plugins.message_trees import branch_to

USER, ASSISTANT, ATTACHMENT = Role.USER, Role.ASSISTANT, Role.ATTACHMENT


def said(plugin, entry):
    return [(turn.role, turn.text) for turn in plugin.read_conversation(entry)]


def message(id, text, *, sender="human", parent=None, **fields):
    return {"uuid": id, "sender": sender, "text": text, "parent_message_uuid": parent, **fields}


def conversation(*messages, **fields):
    return {"uuid": "c", "chat_messages": list(messages), **fields}


def node(id, parent, text="", *, role="user", kind="text", **message):
    content = {"content_type": kind, "parts": [text]}
    told = {"id": id, "author": {"role": role}, "content": content, "recipient": "all", **message}
    return {"id": id, "parent": parent, "message": told}


def tree(*nodes, current):
    return {"conversation_id": "c", "mapping": {one["id"]: one for one in nodes}, "current_node": current}


def test_claude_thoughts_and_tools_are_left_out_though_the_text_has_places_for_them():
    content = [
        {"type": "thinking", "thinking": "Should I?"},
        {"type": "text", "text": "Look:"},
        {"type": "tool_use", "name": "search", "input": {"q": "x"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "a page"}]},
        {"type": "text", "text": "Done."},
    ]
    entry = conversation(message("1", "This block is not supported.", sender="assistant", content=content))

    assert said(claude_export, entry) == [(ASSISTANT, "Look:\n\nDone.")]


def test_claude_text_counts_where_there_is_no_content():
    assert said(claude_export, conversation(message("1", "Hello"))) == [(USER, "Hello")]


def test_claude_turn_of_tools_alone_says_nothing():
    content = [{"type": "tool_use", "name": "search"}]

    assert said(claude_export, conversation(message("1", "```\nblock\n```", sender="assistant", content=content))) == []


def test_claude_follows_the_parents_of_the_newest_message():
    entry = conversation(
        message("1", "question", parent="00000000-0000-4000-8000-000000000000", created_at="2026-01-01T00:00:01Z"),
        message("2", "old answer", sender="assistant", parent="1", created_at="2026-01-01T00:00:02Z"),
        message("3", "new answer", sender="assistant", parent="1", created_at="2026-01-01T00:00:03Z"),
    )

    assert said(claude_export, entry) == [(USER, "question"), (ASSISTANT, "new answer")]


def test_claude_attachments_come_before_what_is_said_of_them():
    attachments = [{"file_name": "notes.txt", "extracted_content": "ship on Friday"}, {"file_name": "no.png"}, "none"]

    turns = list(claude_export.read_conversation(conversation(message("1", "Read it.", attachments=attachments))))

    assert [(turn.id, turn.role, turn.text) for turn in turns] == [
        ("1 attachment 1", ATTACHMENT, "notes.txt\n\nship on Friday"),
        ("1", USER, "Read it."),
    ]


def test_chatgpt_walks_from_the_current_node_to_the_root():
    entry = tree(
        {"id": "root", "parent": None, "message": None},
        node("1", "root", "question"),
        node("2", "1", "old answer", role="assistant"),
        node("3", "1", "new answer", role="assistant"),
        current="3",
    )

    assert said(chatgpt_export, entry) == [(USER, "question"), (ASSISTANT, "new answer")]


@pytest.mark.parametrize(
    "hidden",
    [
        {"role": "system"},
        {"role": "tool"},
        {"metadata": {"is_visually_hidden_from_conversation": True}},
        {"metadata": {"is_user_system_message": True}},
        {"role": "assistant", "recipient": "python"},
        {"role": "assistant", "channel": "analysis"},
        {"role": "assistant", "kind": "thoughts"},
        {"role": "assistant", "kind": "code"},
        {"kind": "user_editable_context"},
    ],
    ids=str,
)
def test_chatgpt_leaves_out_what_nobody_said_to_anybody(hidden):
    entry = tree(node("1", None, "not said", **hidden), node("2", "1", "said"), current="2")

    assert said(chatgpt_export, entry) == [(USER, "said")]


def test_chatgpt_images_have_no_words_and_spoken_words_do():
    parts = [
        "Look",
        {"content_type": "image_asset_pointer"},
        {"content_type": "audio_transcription", "text": "and listen"},
    ]
    entry = tree(node("1", None, content={"content_type": "multimodal_text", "parts": parts}), current="1")

    assert said(chatgpt_export, entry) == [(USER, "Look\n\nand listen")]


def test_chatgpt_marks_of_sources_are_taken_out():
    entry = tree(node("1", None, "Tabs won\ue200cite\ue202turn0search1\ue201.", role="assistant"), current="1")

    assert said(chatgpt_export, entry) == [(ASSISTANT, "Tabs won.")]


def test_chatgpt_without_a_current_node_ends_at_the_newest_message():
    entry = tree(node("1", None, "question", create_time=1.0), node("2", "1", "later", create_time=2.0), current=None)

    assert said(chatgpt_export, entry) == [(USER, "question"), (USER, "later")]


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (1772359200.5, "2026-03-01T10:00:00.500Z"),
        ("2026-03-01T10:00:00.123456Z", "2026-03-01T10:00:00.123Z"),
        (None, ""),
        (1e300, ""),
        (True, ""),
    ],
)
def test_moments_are_numbers_or_text(moment, expected):
    described = chatgpt_export.describe_conversation({**tree(current=None), "update_time": moment})

    assert described.updated == expected


def test_each_service_knows_its_own_entries_alone():
    ours, theirs = conversation(message("1", "a")), tree(node("1", None, "a"), current="1")

    assert claude_export.describe_conversation(theirs) is None
    assert chatgpt_export.describe_conversation(ours) is None


def test_a_circle_is_gone_round_once():
    assert branch_to("a", {"a": "b", "b": "c", "c": "a"}) == ["c", "b", "a"]
    assert branch_to("a", {"a": ["a"]}) == ["a"]
