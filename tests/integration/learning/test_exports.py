"""Exports of accounts, learned like any conversation: once, anew when they changed, where the inbox says."""

import json
from pathlib import Path

import pytest
from exported_accounts import chatgpt, claude, write_zip
from learning_home import Home

from imprint.domain.sources import WorkspaceName
from imprint.errors import ExportDamagedError, ExportRefusedError, ExportUnknownError, MissingPathError

INBOX = WorkspaceName("personal")


def outcomes(report) -> dict[str, int]:
    return {outcome.value: number for outcome, number in report.sources.items() if number}


def test_an_export_of_each_service_is_known_by_its_conversations(home: Home, tmp_path: Path):
    one = write_zip(tmp_path / "one.zip", [claude("a", "Why tabs?", "They are accessible.")])
    two = write_zip(tmp_path / "two.zip", [chatgpt("b", "Why spaces?", "They are predictable.")])

    report = home.learn(exports=[one, two])

    assert outcomes(report) == {"added": 2}
    assert home.passages("conversation:claude/a") == ["Why tabs?", "They are accessible."]
    assert home.passages("conversation:chatgpt/b") == ["Why spaces?", "They are predictable."]


def test_clients_are_left_alone_unless_they_are_named(home: Home, tmp_path: Path):
    home.say("session", "a question")
    export = write_zip(tmp_path / "one.zip", [claude("a", "Why tabs?")])

    alone = home.learn(exports=[export])
    both = home.learn(exports=[export], clients=["claude-code"])

    assert (outcomes(alone), outcomes(both)) == ({"added": 1}, {"added": 1, "unchanged": 1})


def test_a_renewed_export_replaces_what_changed_and_leaves_the_rest(home: Home, tmp_path: Path):
    old = write_zip(
        tmp_path / "old.zip", [claude("a", "first"), claude("b", "as it was"), claude("gone", "still here")]
    )
    new = write_zip(
        tmp_path / "new.zip",
        [claude("a", "edited", "an answer", updated="2026-03-02T10:00:00Z"), claude("b", "as it was")],
    )
    home.learn(exports=[old])

    report = home.learn(exports=[new])

    assert outcomes(report) == {"changed": 1, "unchanged": 1}
    assert home.passages("conversation:claude/a") == ["edited", "an answer"]
    assert home.passages("conversation:claude/gone") == ["still here"]
    assert sorted(home.sources()) == ["conversation:claude/a", "conversation:claude/b", "conversation:claude/gone"]


@pytest.mark.parametrize("apart", [True, False], ids=["in two runs", "in one run"])
def test_an_older_export_takes_nothing_back(home: Home, tmp_path: Path, apart: bool):
    old = write_zip(tmp_path / "old.zip", [claude("a", "first")])
    new = write_zip(tmp_path / "new.zip", [claude("a", "first", "second", updated="2026-03-02T10:00:00Z")])

    for exports in ([new], [old]) if apart else ([new, old],):
        home.learn(exports=exports)

    assert home.passages("conversation:claude/a") == ["first", "second"]


def test_copies_within_one_export_are_one_conversation(home: Home, tmp_path: Path):
    newer = claude("a", "first", "second", updated="2026-03-02T10:00:00Z")
    export = write_zip(tmp_path / "one.zip", [claude("a", "first"), newer, claude("a", "first")])

    home.learn(exports=[export])

    assert home.sources() == ["conversation:claude/a"]
    assert home.passages("conversation:claude/a") == ["first", "second"]


def test_conversations_without_a_moment_are_told_by_what_they_hold(home: Home, tmp_path: Path):
    entry = {**chatgpt("a", "first"), "update_time": None}
    for node in entry["mapping"].values():
        if node["message"]:
            node["message"]["create_time"] = None
    export = write_zip(tmp_path / "one.zip", [entry])
    home.learn(exports=[export])

    again = home.learn(exports=[export])
    entry["mapping"]["a-0"]["message"]["content"]["parts"] = ["changed"]
    changed = home.learn(exports=[write_zip(tmp_path / "two.zip", [entry])])

    assert (outcomes(again), outcomes(changed)) == ({"unchanged": 1}, {"changed": 1})
    assert home.passages("conversation:chatgpt/a") == ["changed"]


@pytest.mark.parametrize(
    "unpacked", ["array", "lines", "split", "folder", "marked"], ids=lambda how: f"{how} of an export"
)
def test_unpacked_exports_are_read_too(home: Home, tmp_path: Path, unpacked: str):
    entries = [claude("a", "Why tabs?"), claude("b", "Why\u2028spaces?")]
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "users.json").write_text("no JSON, and never read")
    path = folder / "conversations.json"
    if unpacked == "lines":
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    elif unpacked == "split":
        for number, entry in enumerate(entries):
            (folder / f"conversations-{number:03}.json").write_text(json.dumps([entry]))
    else:
        path.write_text(json.dumps(entries, indent=2), encoding="utf-8-sig" if unpacked == "marked" else "utf-8")

    report = home.learn(exports=[folder if unpacked in ("split", "folder") else path])

    assert (outcomes(report), report.failures) == ({"added": 2}, ())


def test_the_inbox_gets_them_once_there_is_one(home: Home, tmp_path: Path):
    export = write_zip(tmp_path / "one.zip", [claude("a", "Why tabs?")])
    with home.open() as application:
        application.workspaces.create(INBOX)
    (home.path / "config.toml").write_text('[workspace]\ninbox = "personal"\n')

    elsewhere = home.learn(exports=[export])
    told = home.learn(exports=[export], dry_run=True)
    there = home.learn(exports=[export], workspace=INBOX)

    assert (outcomes(elsewhere), outcomes(there)) == ({"refused": 1}, {"added": 1})
    assert told.conversations[0].workspaces == (INBOX,)
    assert "inbox" in told.conversations[0].reason
    assert (home.sources(), home.sources(INBOX)) == ([], ["conversation:claude/a"])


def test_each_workspace_has_its_own_record(home: Home, tmp_path: Path):
    export = write_zip(tmp_path / "one.zip", [claude("a", "Why tabs?")])
    with home.open() as application:
        application.workspaces.create(INBOX)

    first = home.learn(exports=[export])
    second = home.learn(exports=[export], workspace=INBOX)

    assert (outcomes(first), outcomes(second)) == ({"added": 1}, {"added": 1})


def test_a_purged_conversation_stays_away_and_the_others_come(home: Home, tmp_path: Path):
    export = write_zip(tmp_path / "one.zip", [claude("a", "Why tabs?"), claude("b", "Why spaces?")])
    home.learn(exports=[export])
    with home.open() as application:
        application.purge.apply(WorkspaceName("default"), "conversation:claude/a")

    later = claude("a", "Why tabs, again?", updated="2026-03-05T10:00:00Z")
    report = home.learn(exports=[write_zip(tmp_path / "two.zip", [later, claude("b", "Why spaces?")])])

    assert outcomes(report) == {"excluded": 1, "unchanged": 1}
    assert home.sources() == ["conversation:claude/b"]


def test_since_leaves_out_what_ended_before(home: Home, tmp_path: Path):
    export = write_zip(tmp_path / "one.zip", [claude("a", "old"), claude("b", "new", updated="2026-04-01T10:00:00Z")])

    report = home.learn(exports=[export], since="2026-03-15T00:00:00+00:00")

    assert (outcomes(report), report.older) == ({"added": 1}, 1)
    assert home.sources() == ["conversation:claude/b"]


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_what_lies_before_a_damaged_place_is_kept(home: Home, tmp_path: Path, cut: int):
    text = json.dumps([claude("a", "Why tabs?"), claude("b", "Why spaces?")])
    path = tmp_path / "conversations.json"
    path.write_text(text[:-cut])

    report = home.learn(exports=[path])

    assert "conversation:claude/a" in home.sources()
    assert [type(failure.error) for failure in report.failures] == [ExportDamagedError]


def test_what_holds_no_conversation_is_told(home: Home, tmp_path: Path):
    inner = write_zip(tmp_path / "inner.zip", [claude("a", "Why tabs?")])
    nested = write_zip(tmp_path / "nested.zip", [], **{"inner.zip": "PK"})
    other = tmp_path / "package.json"
    other.write_text('{"name": "package"}')

    report = home.learn(exports=[nested, other])

    assert inner.exists()
    assert [type(failure.error) for failure in report.failures] == [ExportUnknownError, ExportUnknownError]


def test_exports_are_looked_through_before_anything_is_learned(home: Home, tmp_path: Path):
    sound = write_zip(tmp_path / "sound.zip", [claude("a", "Why tabs?")])
    hostile = write_zip(tmp_path / "hostile.zip", [claude("b", "Why spaces?")], **{"../../.bashrc": "exit"})

    with home.open() as application:
        for path, expected in ((hostile, ExportRefusedError), (tmp_path / "none.zip", MissingPathError)):
            with pytest.raises(expected):
                application.learning.exports.examine([sound, path])


def test_attachments_are_found_and_are_nobodys_words(home: Home, tmp_path: Path):
    entry = claude("a", "What do you think of it?")
    entry["chat_messages"][0]["attachments"] = [
        {"file_name": "notes.txt", "extracted_content": "We decided to use PostgreSQL for the ledger."}
    ]

    home.learn(exports=[write_zip(tmp_path / "one.zip", [entry])])

    assert any("PostgreSQL" in passage for passage in home.passages("conversation:claude/a"))
    assert not [key for key in home.sources() if not key.startswith("conversation:")]


@pytest.mark.parametrize("updated", [9_999_999_999.0, 253_402_300_799.0, -5_000_000_000.0, float("nan"), 10**30])
def test_a_moment_that_no_database_holds_hides_nothing(home: Home, tmp_path: Path, updated: float):
    export = write_zip(tmp_path / "one.zip", [chatgpt("a", "Why tabs?", updated=updated), chatgpt("b", "Why spaces?")])

    first, second = home.learn(exports=[export]), home.learn(exports=[export])

    assert (outcomes(first), outcomes(second)) == ({"added": 2}, {"unchanged": 2})
