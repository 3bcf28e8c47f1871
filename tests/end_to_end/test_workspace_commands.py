"""`imprint workspace` and `imprint roots`, run as programs."""

import json
import os
from pathlib import Path

import pytest
from real_program import Program


def test_a_new_device_uses_the_default_workspace_and_says_why(program: Program):
    done = program.run("workspace", "which", "--json")

    assert done.code == 0
    assert done.stderr == ""
    assert list(done.json) == [
        "directory",
        "workspace",
        "reason",
        "evidence",
        "project",
        "proposal",
        "needs_choice",
        "notes",
        "sentence",
    ]
    assert (done.json["workspace"], done.json["reason"]) == ("default", "active")


def test_a_project_is_assigned_with_one_command(program: Program):
    folder = program.project("acme")

    used = program.run("workspace", "use", "acme", "--json", cwd=folder)
    which = program.run("workspace", "which", "--json", cwd=folder)

    assert used.json == {
        "workspace": "acme",
        "folder": str(folder.resolve()),
        "created": True,
        "root_added": True,
        "file_written": True,
    }
    assert (which.json["workspace"], which.json["reason"]) == ("acme", "project-file")
    assert (folder / ".imprint" / "workspace.json").exists()


def test_using_it_again_is_a_success_that_changes_nothing(program: Program):
    folder = program.project("acme")
    program.run("workspace", "use", "acme", cwd=folder)

    again = program.run("workspace", "use", "acme", cwd=folder)

    assert again.code == 0
    assert "nothing changed" in again.stdout


def test_a_project_file_of_a_stranger_only_proposes(program: Program):
    folder = program.project("acme", {".imprint/workspace.json": '{"workspace": "theirs"}'})

    which = program.run("workspace", "which", "--json", cwd=folder)
    remembered = program.run("remember", "something", cwd=folder)

    assert which.json["workspace"] == "default"
    assert which.json["needs_choice"]
    assert which.json["proposal"]["workspace"] == "theirs"
    assert not which.json["proposal"]["approved"]
    assert "imprint workspace use theirs" in remembered.stderr


def test_the_active_workspace_can_be_switched(program: Program):
    program.run("workspace", "create", "acme")

    switched = program.run("workspace", "switch", "acme", "--json")
    listed = program.run("workspace", "list", "--json")

    assert switched.json == {"workspace": "acme", "changed": True}
    assert [(line["name"], line["active"]) for line in listed.json_lines] == [("acme", True), ("default", False)]


def test_a_deleted_workspace_takes_its_settings_along(program: Program):
    program.run("workspace", "create", "acme")
    program.run("config", "set", "workspace.inbox", "acme")
    program.run("remember", "gone soon", "--workspace", "acme")

    deleted = program.run("workspace", "delete", "acme", "--yes", "--json")

    assert deleted.json == {"workspace": "acme", "files_removed": True, "settings_reset": ["workspace.inbox"]}
    assert program.run("config", "get", "workspace.inbox", "--json").json["value"] == ""
    assert not (program.data / "workspaces" / "acme" / "store.sqlite3").exists()


def test_deleting_unasked_needs_the_explicit_flag(program: Program):
    program.run("workspace", "create", "acme")

    done = program.run("workspace", "delete", "acme", "--json")

    assert (done.code, done.error["type"]) == (2, "UnansweredError")
    assert "acme" in program.run("workspace", "list").stdout


def test_what_is_deleted_has_to_be_there_before_anything_is_asked(program: Program):
    program.run("workspace", "create", "acme")

    done = program.run("workspace", "delete", "acne", "--json")
    protected = program.run("workspace", "delete", "default", "--json")

    assert (done.code, done.error["type"], done.error["nearest"]) == (3, "UnknownWorkspaceError", "acme")
    assert (protected.code, protected.error["type"]) == (4, "ProtectedWorkspaceError")


def test_a_deletion_says_what_goes_before_and_what_stays_after(program: Program):
    project = program.project("acme", {"a.md": "Boats.\n", "b.md": "Coal.\n"})
    program.run("workspace", "use", "acme", cwd=project)
    program.run("ingest", ".", cwd=project)
    program.run("remember", "Boats sail.", cwd=project)

    asked = program.run("workspace", "delete", "acme")
    done = program.run("workspace", "delete", "acme", "--yes")

    assert (asked.code, "2 sources and 1 memory" in asked.stderr) == (2, True)
    assert ".imprint/workspace.json" in done.stderr
    assert "roots are gone" in done.stderr
    assert (project / ".imprint" / "workspace.json").exists()


def test_the_list_counts_sources_and_roots(program: Program):
    project = program.project("acme", {"a.md": "Boats.\n", "b.md": "Coal.\n"})
    program.run("workspace", "use", "acme", cwd=project)
    program.run("ingest", ".", cwd=project)

    acme, default = program.run("workspace", "list", "--json").json_lines

    assert (acme["sources"], acme["roots"]) == (2, 1)
    assert (default["sources"], default["roots"]) == (0, 0)


@pytest.mark.parametrize("command", ["use", "switch"])
def test_choosing_without_a_terminal_is_a_usage_error(program: Program, command: str):
    done = program.run("workspace", command, "--json")

    assert (done.code, done.error["type"]) == (2, "UnansweredError")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "empty"),
        ("a" * 41, "too-long"),
        ("-a", "bad-first-character"),
        ("a_b", "bad-character"),
        ("nul", "windows-device"),
    ],
)
def test_each_way_a_name_is_wrong_is_told(program: Program, name: str, reason: str):
    done = program.run("workspace", "create", "--json", "--", name)

    assert done.code == 2
    assert done.error["reason"] == reason


def test_an_upper_case_name_is_answered_with_the_lower_case_one(program: Program):
    done = program.run("workspace", "create", "Acme", "--json")

    assert (done.code, done.error["suggestion"]) == (2, "acme")


def test_an_unknown_workspace_is_answered_with_the_nearest_spelling(program: Program):
    program.run("workspace", "create", "acme")

    done = program.run("search", "x", "--workspace", "acne", "--json")

    assert (done.code, done.error["type"], done.error["nearest"]) == (3, "UnknownWorkspaceError", "acme")


@pytest.mark.parametrize("words", [["workspace", "which"], ["search", "x"], ["remember", "x"], ["roots", "list"]])
def test_an_unknown_name_in_the_environment_falls_through_to_nothing(program: Program, words: list[str]):
    done = program.run(*words, "--json", environ={"IMPRINT_WORKSPACE": "nowhere"})

    assert (done.code, done.error["variable"]) == (3, "IMPRINT_WORKSPACE")
    assert [line["name"] for line in program.run("workspace", "list", "--json").json_lines] == ["default"]


def test_a_home_is_not_used_as_a_project(program: Program):
    done = program.run("workspace", "use", "acme", "--json", cwd=program.home)

    assert (done.code, done.error["reason"]) == (4, "home")


def test_the_root_of_the_file_system_is_refused_as_a_root(program: Program):
    done = program.run("roots", "add", Path(program.home.anchor).as_posix(), "--json")

    assert (done.code, done.error["reason"]) == (4, "filesystem-root")


def test_sharing_a_folder_takes_a_confirmation(program: Program):
    folder = program.project("acme")
    program.run("workspace", "use", "acme", cwd=folder)
    program.run("workspace", "create", "other")

    refused = program.run("roots", "add", str(folder), "--workspace", "other", "--json")
    confirmed = program.run("roots", "add", str(folder), "--workspace", "other", "--allow-overlap", "--json")

    assert refused.code == 4
    assert refused.error["conflicts"] == [["acme", str(folder.resolve())]]
    assert confirmed.json == {"workspace": "other", "path": str(folder.resolve()), "added": True}


def test_roots_never_look_at_the_shells_directory(program: Program):
    folder = program.project("acme")
    program.run("workspace", "use", "acme", cwd=folder)

    added = program.run("roots", "add", str(program.project("else")), "--json", cwd=folder)

    assert added.json["workspace"] == "default"


def test_a_root_that_is_removed_is_named_and_an_unknown_one_is_an_error(program: Program):
    folder = program.project("acme")
    program.run("roots", "add", str(folder))

    removed = program.run("roots", "remove", str(folder), "--json")
    again = program.run("roots", "remove", str(folder), "--json")

    assert removed.json == {"workspace": "default", "path": str(folder.resolve()), "removed": True}
    assert (again.code, again.error["type"]) == (3, "UnknownRootError")


def test_a_root_of_another_workspace_is_told_with_its_name(program: Program):
    project = program.project("acme")
    program.run("workspace", "use", "acme", cwd=project)

    removed = program.run("roots", "remove", ".", cwd=project)
    removed_json = program.run("roots", "remove", ".", "--json", cwd=project).error
    listed = program.run("roots", "list", cwd=project)
    named = program.run("roots", "list", "--workspace", "acme", cwd=project)

    assert removed.code == 3
    assert "imprint roots remove" in removed.stderr
    assert "--workspace acme" in removed.stderr
    assert removed_json["owners"] == ["acme"]
    assert "--workspace acme" in listed.stderr
    assert "--workspace acme" not in named.stderr


def test_the_answer_says_that_the_file_was_written_and_that_committing_it_is_the_users_choice(program: Program):
    done = program.run("workspace", "use", "acme", cwd=program.project("acme"))

    assert "wrote .imprint/workspace.json; committing it is your choice" in done.stdout


def test_git_is_never_touched(program: Program):
    files = {".gitignore": "*.log\n", ".git/info/exclude": "# mine\n", ".git/config": "[core]\n"}
    folder = program.project("acme", files)
    before = snapshot(folder)

    program.run("workspace", "use", "acme", cwd=folder)
    program.run("ingest", ".", cwd=folder)
    program.run("workspace", "delete", "acme", "--yes")

    after = snapshot(folder)
    assert {path: after[path] for path in before} == before
    assert set(after) - set(before) == {".imprint", str(Path(".imprint", "workspace.json"))}


def snapshot(folder: Path) -> dict[str, object]:
    """Every file below a folder, and when it was last written."""
    return {
        os.path.relpath(path, folder): path.stat().st_mtime_ns if path.is_file() else None for path in folder.rglob("*")
    }


def test_the_root_of_the_file_system_is_not_used_as_a_project(program: Program):
    done = program.run("workspace", "use", "acme", "--allow-overlap", "--json", cwd=Path(program.home.anchor))

    assert (done.code, done.error["reason"]) == (4, "filesystem-root")
    assert [line["name"] for line in program.run("workspace", "list", "--json").json_lines] == ["default"]


@pytest.mark.skipif(os.name == "nt", reason="names there hold no control characters")
def test_a_folder_cannot_steer_the_terminal(program: Program):
    """A repository chooses the names of its folders."""
    folder = program.project('a\x1b]0;owned\x07\nworkspace "theirs"')

    shown = [
        program.run("workspace", "which", cwd=folder),
        program.run("workspace", "use", "acme", cwd=folder),
        program.run("ingest", ".", cwd=folder),
        program.run("roots", "list", "--workspace", "acme"),
        program.run("roots", "add", ".", "--workspace", "acme", cwd=folder),
        program.run("roots", "remove", ".", "--workspace", "acme", cwd=folder),
        program.run("workspace", "which", cwd=folder),
        program.run("roots", "remove", ".", "--workspace", "acme", cwd=folder),
        program.run("search", "x", cwd=folder),
    ]

    for done in shown:
        assert "\x1b" not in done.stdout + done.stderr
        assert "\x07" not in done.stdout + done.stderr
        assert not [line for line in done.stdout.splitlines() if line.startswith('workspace "theirs"')]


def test_an_approval_that_is_taken_back_leaves_what_is_indexed(program: Program):
    folder = program.project("acme", {"notes.md": "# Notes\n\nThe gardener planted an oak.\n"})
    program.run("workspace", "use", "acme", cwd=folder)
    program.run("ingest", ".", cwd=folder)
    elsewhere = program.project("else")
    program.run("roots", "add", str(elsewhere), "--workspace", "acme")

    program.run("roots", "remove", str(folder), "--workspace", "acme")
    found = program.run("search", "oak", "--workspace", "acme", "--json")
    again = program.run("ingest", str(folder), "--workspace", "acme", "--json")

    assert found.json["relevant"]
    assert (again.code, again.error["type"]) == (4, "OutsideRootsError")
    assert "imprint roots add" in again.error["hint"]


def test_many_windows_assign_one_project_at_once(program: Program):
    folder = program.project("acme")

    running = [program.start("workspace", "use", "acme", "--json", cwd=folder) for _ in range(6)]
    answers = [process.communicate(timeout=60) for process in running]

    assert [process.returncode for process in running] == [0] * 6, answers
    said = [json.loads(out) for out, _ in answers]
    assert sum(one["created"] for one in said) == sum(one["root_added"] for one in said) == 1
    listed = program.run("roots", "list", "--workspace", "acme", "--json").json_lines
    assert [line["path"] for line in listed] == [str(folder.resolve())]
    assert program.run("workspace", "which", "--json", cwd=folder).json["reason"] == "project-file"
    assert [entry.name for entry in (folder / ".imprint").iterdir()] == ["workspace.json"]


def test_of_windows_that_disagree_the_first_has_its_way_and_the_others_are_told(program: Program):
    folder = program.project("acme")

    running = [program.start("workspace", "use", name, "--json", cwd=folder) for name in ("acme", "lab") * 3]
    answers = [process.communicate(timeout=60) for process in running]

    codes = {(name, process.returncode) for name, process in zip(("acme", "lab") * 3, running, strict=True)}
    shown = program.run("workspace", "which", "--json", cwd=folder).json
    winner = shown["workspace"]
    assert codes == {(winner, 0), ({"acme": "lab", "lab": "acme"}[winner], 4)}, answers
    assert shown["reason"] == "project-file"
