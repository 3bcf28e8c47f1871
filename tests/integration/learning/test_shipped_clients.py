"""Sessions and notes of Gemini CLI and qwen-code, as they were recorded, taken in from a home."""

import shutil
from pathlib import Path

from learning_home import Home

from imprint.domain.sources import WorkspaceName

SAMPLES = Path(__file__).parents[2] / "samples" / "transcripts"
ACME = WorkspaceName("acme")
SESSION = "30589299-6aaf-466d-b269-8c1c73e5d75e"


def claim(home: Home, folder: Path) -> None:
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(folder, explicit="acme")


def outcomes(report) -> dict[str, int]:
    return {outcome.value: count for outcome, count in report.sources.items() if count}


def gemini(home: Home, project: Path) -> Path:
    """A project of Gemini CLI with one recorded session and a note."""
    kept = home.path / ".gemini" / "tmp" / "acme"
    (kept / "chats").mkdir(parents=True)
    (kept / "memory").mkdir()
    shutil.copy(SAMPLES / "gemini-cli" / "session-2026-11-30T21-50-30589299.jsonl", kept / "chats")
    (kept / ".project_root").write_text(str(project))
    (kept / "memory" / "MEMORY.md").write_text("Tabs, always.\n")
    return kept


def test_a_session_and_a_note_of_gemini_go_where_the_folder_beside_them_may_go(home: Home):
    project = home.project("acme")
    claim(home, project)
    gemini(home, project)

    assert outcomes(home.learn()) == {"refused": 2}
    assert outcomes(home.learn(workspace="acme")) == {"added": 2}

    said = home.passages(f"conversation:gemini-cli/{SESSION}", ACME)
    assert [text[:8] for text in said] == ["first pr", "DONE-ONE", "second p", "DONE-TWO"]
    assert not any("hook_context" in text or "PROBE" in text for text in said)
    assert home.passages("document:gemini-cli/tmp/acme/memory/MEMORY.md", ACME) == ["Tabs, always."]


def test_a_session_of_gemini_whose_folder_nobody_knows_goes_no_further_than_one_that_records_none(home: Home):
    kept = gemini(home, home.project("acme"))
    (kept / ".project_root").unlink()

    assert outcomes(home.learn()) == {"added": 1, "refused": 1}
    assert f"conversation:gemini-cli/{SESSION}" in home.sources()
    assert not any("MEMORY" in source for source in home.sources())


def test_sessions_and_notes_of_qwen_go_where_the_sessions_folder_may_go(home: Home):
    project = home.project("acme")
    claim(home, project)
    kept = home.path / ".qwen" / "projects" / "-slug"
    (kept / "chats").mkdir(parents=True)
    (kept / "memory").mkdir()
    (recorded,) = (SAMPLES / "qwen-code").iterdir()
    session = recorded.read_text("utf-8").replace("/home/dev/work/qwen/proj", str(project))
    (kept / "chats" / recorded.name).write_text(session, "utf-8")
    (kept / "memory" / "MEMORY.md").write_text("Tabs, always.\n")
    (home.path / ".qwen" / "QWEN.md").write_text("Be brief.\n")

    assert outcomes(home.learn()) == {"refused": 2, "added": 1}
    assert outcomes(home.learn(workspace="acme")) == {"added": 3}

    said = home.passages(f"conversation:qwen-code/{recorded.stem}", ACME)
    assert [text[:8] for text in said] == ["first pr", "DONE-ONE", "second p", "DONE-TWO"]
    assert home.passages("document:qwen-code/projects/-slug/memory/MEMORY.md", ACME) == ["Tabs, always."]
    assert home.sources() == ["document:qwen-code/QWEN.md"]
