"""The user's rules and what clients noted by themselves become documents."""

import os
from pathlib import Path

import pytest
from learning_home import WORKSPACE, Home

from imprint.domain.config_text.markdown_blocks import put_block
from imprint.domain.sources import SourceKey, SourceKind, WorkspaceName
from imprint.services.indexing_reports import Outcome

ACME = WorkspaceName("acme")
NOTE = "document:claude-code/projects/-slug/memory/style.md"
RULES = "document:claude-code/CLAUDE.md"


def note(home: Home, text: str = "---\nname: style\ndescription: tabs\n---\nTabs, always.\n") -> Path:
    path = home.claude("one").parent / "memory" / "style.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def claim(home: Home, folder: Path) -> None:
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(folder, explicit="acme")


def outcomes(report) -> dict[str, int]:
    return {outcome.value: count for outcome, count in report.sources.items() if count}


def test_a_note_is_a_document_of_the_project_its_sessions_were_held_in(home: Home):
    (home.project("acme") / ".git").mkdir()
    (home.project("acme") / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    home.say("one", "hello")
    path = note(home)

    report = home.learn()

    assert outcomes(report) == {"added": 2}
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        source = store.find_source(SourceKey(NOTE)).source
    assert (source.kind, source.project, str(source.path)) == (SourceKind.DOCUMENT, "acme", str(path))
    assert any("Tabs, always." in text for text in home.passages(NOTE))
    assert outcomes(home.learn()) == {"unchanged": 2}


def test_a_note_goes_only_where_its_sessions_may_go(home: Home):
    home.say("one", "hello", cwd=str(home.project("acme")))
    note(home)
    claim(home, home.project("acme"))

    default, owner = home.learn(), home.learn(workspace="acme")

    assert (outcomes(default), outcomes(owner)) == ({"refused": 2}, {"added": 2})
    assert home.sources() == []


@pytest.mark.parametrize("reason", ["old", "purged"])
def test_sessions_that_are_not_learned_decide_about_the_note_beside_them_too(home: Home, reason: str):
    """Two folders may have one name among a client's: it has lost what tells them apart."""
    ours, theirs = home.project("my/app"), home.project("my-app")
    with home.open() as application:
        application.workspaces.create("theirs")
        application.roots.add(theirs, explicit="theirs")
    home.say("new", "about ours", cwd=str(ours))
    path = home.say("old", "about theirs", cwd=str(theirs))
    home.append(path.parent / "memory" / "MEMORY.md", ["The ledger is blue."])
    os.utime(path, (1, 1))
    if reason == "purged":
        with home.open() as application:
            application.purge.apply(WorkspaceName("default"), str(path))

    report = home.learn(since="2026-01-01T00:00:00.000Z" if reason == "old" else "")

    assert report.sources[Outcome.REFUSED] == 1
    assert home.sources() == ["conversation:claude-code/new"]


def test_a_note_beside_which_no_session_tells_a_directory_is_left_alone(home: Home):
    """The folder's name is the project's path with every other character lost: it is no evidence."""
    note(home)

    report = home.learn(dry_run=True)

    assert [(one.workspaces, one.reason) for one in report.conversations] == [
        ((), "no transcript beside it tells which project it is about")
    ]
    assert outcomes(home.learn()) == {"refused": 1}


def test_the_users_rules_are_stored_without_our_own_block(home: Home):
    rules = home.path / ".claude" / "CLAUDE.md"
    rules.write_bytes(put_block(b"# Rules\n\nNever push on Fridays.\n", "Use Imprint when asked.", str(rules)))
    (home.path / ".codex" / "AGENTS.md").write_text("Answer briefly.\n")

    report = home.learn()

    assert outcomes(report) == {"added": 2}
    assert home.passages(RULES) == ["# Rules\n\nNever push on Fridays."]
    assert home.passages("document:codex/AGENTS.md") == ["Answer briefly."]


def test_a_file_that_holds_our_block_alone_is_nobodys_rule(home: Home):
    rules = home.path / ".claude" / "CLAUDE.md"
    rules.write_bytes(put_block(b"", "Use Imprint when asked.", str(rules)))

    assert outcomes(home.learn()) == {}
    assert home.sources() == []


def test_a_file_that_holds_our_block_alone_is_refused_to_nobody(home: Home):
    """Rules without a project are the inbox's, once there is one."""
    (home.path / ".claude" / "CLAUDE.md").write_bytes(put_block(b"", "Use Imprint when asked.", "CLAUDE.md"))
    (home.path / ".codex" / "AGENTS.md").write_text("Answer briefly.\n")
    with home.open() as application:
        application.workspaces.create("inbox")
    (home.path / "config.toml").write_text('[workspace]\ninbox = "inbox"\n')

    assert outcomes(home.learn()) == {"refused": 1}


def test_what_changed_is_replaced_and_what_is_gone_is_dropped(home: Home):
    home.say("one", "hello")
    path = note(home)
    (home.path / ".claude" / "CLAUDE.md").write_text("Be kind.\n")
    home.learn()
    path.write_text("Spaces, from now on.\n")

    assert outcomes(home.learn()) == {"changed": 1, "unchanged": 2}
    assert home.passages(NOTE) == ["Spaces, from now on."]

    path.unlink()
    assert outcomes(home.learn()) == {"removed": 1, "unchanged": 2}
    assert NOTE not in home.sources()


@pytest.mark.parametrize("target", ["path", "key"])
def test_a_purged_document_stays_out(home: Home, target: str):
    rules = home.path / ".claude" / "CLAUDE.md"
    rules.write_text("Be kind.\n")
    home.learn()
    with home.open() as application:
        application.purge.apply(WORKSPACE, str(rules) if target == "path" else RULES, recursive=False, digest="")
    rules.write_text("Be kinder.\n")
    os.utime(rules, (1, 1))

    assert outcomes(home.learn()) == {"excluded": 1}
    assert home.sources() == []


def test_secrets_in_a_document_are_taken_out(home: Home):
    token = "ghp_" + "aB3dE6gH9" * 4
    (home.path / ".claude" / "CLAUDE.md").write_text(f"My token is {token}.\n")

    report = home.learn()

    assert report.redactions == 1
    assert not any(token in text for text in home.passages(RULES))
