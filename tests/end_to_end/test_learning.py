"""Learning, as a person does it: the real program over recorded sessions of both clients, then a search."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from real_program import Program

SAMPLES = Path(__file__).parents[1] / "samples" / "transcripts"
SESSION = "2f9042eb-8e94-4635-acd1-6364de1bf2b0"
CONVERSATION = f"conversation:claude-code/{SESSION}"
RECORDED = ("/home/dev/work/claude2/proj", "/home/dev/work/codex/proj")


@pytest.fixture
def home(program: Program) -> Program:
    """Recorded sessions, held in folders of this home."""
    project = program.home / "src" / "acme"
    project.mkdir(parents=True)
    claude = program.home / ".claude" / "projects" / "-slug"
    codex = program.home / ".codex" / "sessions" / "2026" / "11" / "30"
    shutil.copytree(SAMPLES / "claude-code" / SESSION, claude / SESSION)
    codex.mkdir(parents=True)
    shutil.copy(SAMPLES / "claude-code" / f"{SESSION}.jsonl", claude)
    shutil.copy(SAMPLES / "codex" / "one.jsonl", codex / "rollout-2026-11-30T21-49-45-thread.jsonl")
    for path in program.home.rglob("*.jsonl"):
        text = path.read_text("utf-8")
        for folder in RECORDED:
            text = text.replace(folder, project.as_posix())
        path.write_text(text, "utf-8")
    return program


def test_what_was_said_is_found_with_its_line_and_its_speaker(home: Program):
    learned = home.run("learn", "--json").json
    found = home.run("search", "third prompt", "--kind", "conversation", "--json").json
    shown = home.run("show", CONVERSATION)

    assert (learned["sources"]["added"], learned["failures"]) == (3, [])
    assert (found["results"][0]["source"], found["results"][0]["lines"]) == (CONVERSATION, [121, 121])
    assert "DONE-THREE" in shown.stdout
    assert "HOOKCTX" not in shown.stdout
    assert home.run("learn", "--json").json["sources"]["unchanged"] == 3


def test_a_dry_run_tells_a_person_who_may_have_what(home: Program):
    home.run("workspace", "create", "acme")
    home.run("roots", "add", str(home.home / "src" / "acme"), "--workspace", "acme")

    done = home.run("learn", "--dry-run")
    report = home.run("learn", "--dry-run", "--json").json

    assert f'{CONVERSATION}: refused; for "acme": ' in done.stdout
    assert {tuple(one["workspaces"]) for one in report["conversations"]} == {("acme",)}
    assert report["sources"]["refused"] == 3
    assert home.run("learn", "--workspace", "acme", "--json").json["sources"]["added"] == 3


def test_a_client_that_nobody_knows_is_an_error_with_the_nearest_name(home: Program):
    done = home.run("learn", "--client", "claude-cod", "--json")

    assert (done.code, done.error["type"]) == (3, "UnknownPluginError")
    assert "claude-code" in done.error["message"] + (done.error["hint"] or "")


@pytest.mark.parametrize("by_path", [False, True], ids=["by its key", "by its transcript"])
def test_a_purged_conversation_leaves_nothing_that_purge_verify_would_find(home: Program, by_path: bool):
    path = home.home / ".claude" / "projects" / "-slug" / f"{SESSION}.jsonl"
    target = str(path) if by_path else CONVERSATION
    home.run("learn")
    home.run("purge", target, "--apply", "--workspace", "default")

    home.run("learn")
    verified = home.run("purge", "verify", target, "--workspace", "default")
    found = home.run("search", "third prompt", "--json").json["results"]

    assert verified.code == 0, verified.stdout + verified.stderr
    assert CONVERSATION not in {one["source"] for one in found}


def write_export(path: Path, **members: str) -> Path:
    told = {"uuid": "m", "sender": "human", "text": "The heron nests in March."}
    entry = {"uuid": "abc", "name": "Birds", "updated_at": "2026-03-01T10:00:00Z", "chat_messages": [told]}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([entry]))
        archive.writestr("users.json", '[{"email_address": "me@example.com"}]')
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def test_an_export_is_learned_by_its_path_and_found_again(program: Program):
    export = write_export(program.home / "export.zip")

    learned = program.run("learn", "--export", str(export), "--json").json
    found = program.run("search", "heron", "--json").json

    assert (learned["sources"]["added"], learned["failures"]) == (1, [])
    assert found["results"][0]["source"] == "conversation:claude/abc"
    assert b"me@example.com" not in b"".join(path.read_bytes() for path in program.data.rglob("*") if path.is_file())


def test_exports_are_found_where_browsers_save(program: Program):
    (program.home / "Downloads").mkdir()
    write_export(program.home / "Downloads" / "data-2026-03-01.zip")

    done = program.run("learn", "--desktop")
    none = program.run("learn", "--desktop", environ={"XDG_DOWNLOAD_DIR": str(program.home / "none")})

    assert "1 added" in done.stdout
    assert "data-2026-03-01.zip" in done.stderr
    assert (none.code, "no export" in none.stderr) == (0, True)


def test_a_service_is_no_client_and_its_export_is_pointed_to(program: Program):
    done = program.run("learn", "--client", "chatgpt")

    assert done.code == 2
    assert "imprint learn --export PATH" in done.stderr


def test_a_hostile_export_changes_nothing_and_has_its_exit_code(program: Program):
    sound = write_export(program.home / "sound.zip")
    hostile = write_export(program.home / "hostile.zip", **{"../../evil": "text"})

    done = program.run("learn", "--export", str(sound), "--export", str(hostile), "--json")

    assert (done.code, done.error["type"]) == (4, "ExportRefusedError")
    assert program.run("sources", "--json").json_lines == []


def test_what_is_refused_comes_with_the_way_to_see_why(home: Program):
    everything = home.run("learn", "--json").json["sources"]
    home.run("workspace", "create", "acme")
    home.run("roots", "add", str(home.home / "src" / "acme"), "--workspace", "acme")
    home.run("workspace", "create", "lab")

    refused = home.run("learn", "--workspace", "lab")
    allowed = home.run("learn", "--workspace", "acme")

    assert everything["added"] == 3
    assert ["--dry-run" in done.stderr for done in (refused, allowed)] == [True, False]


def test_a_dry_run_over_an_export_says_who_may_have_it(program: Program):
    program.run("workspace", "create", "personal")
    program.run("config", "set", "workspace.inbox", "personal")
    export = write_export(program.home / "export.zip")

    dry = program.run("learn", "--export", str(export), "--dry-run")
    done = program.run("learn", "--export", str(export), "--workspace", "personal")

    assert 'conversation:claude/abc (Birds): refused; for "personal": it records no directory' in dry.stdout
    assert "--workspace personal" in dry.stderr
    assert "1 added" in done.stdout
