"""Purge and exclusions as people and scripts use them."""

import shlex

import pytest
from real_program import Program

SECRET = "The Wqzxfjord7741 opens the vault of Kjhqbrine8852.\n"
FILES = {"a.md": "Boats.\n", "private/vault.md": SECRET, "private/plan.md": "Dig.\n"}
PURGE_KEYS = {
    "workspace",
    "target",
    "recursive",
    "applied",
    "digest",
    "sources",
    "chunks",
    "vectors",
    "facts",
    "late",
    "pending",
    "exclusion",
    "elsewhere",
}


def indexed(program: Program):
    project = program.project("acme", FILES)
    assert program.run("ingest", str(project)).code == 0
    return project


def keys(program: Program, *words: str) -> list[str]:
    return [line["source"] for line in program.run("sources", "--json", *words).json_lines]


def residue(program: Program) -> list[str]:
    files = [path for path in program.data.rglob("*") if path.is_file()]
    return [path.name for path in files if b"qzxfjord7741" in path.read_bytes().lower()]


def test_a_purge_is_shown_then_done_then_verified_then_lifted(program: Program):
    project = indexed(program)
    target = str(project / "private")

    shown = program.run("purge", target, "--recursive", "--json").json
    kept = keys(program)
    done = program.run(
        "purge", target, "--recursive", "--apply", "--workspace", "default", "--digest", shown["digest"], "--json"
    ).json
    verified = program.run("purge", "verify", target, "--json")
    listed = program.run("exclusions", "list", "--json").json_lines
    refreshed = program.run("refresh", str(project), "--json").json
    restored = program.run("exclusions", "restore", target, "--json").json
    again = program.run("refresh", str(project), "--json").json

    assert set(shown) == set(done) == PURGE_KEYS
    assert (shown["applied"], shown["exclusion"], len(kept)) == (False, None, 3)
    assert shown["sources"] == done["sources"] == [str(project / "private" / name) for name in ("plan.md", "vault.md")]
    assert (done["applied"], done["chunks"], done["facts"], done["late"], done["pending"]) == (
        True,
        2,
        {"linked": 0, "orphan": 0},
        0,
        [],
    )
    assert done["digest"] == shown["digest"]
    assert (verified.code, verified.json["clean"]) == (0, True)
    assert listed == [done["exclusion"]]
    assert set(listed[0]) == {"workspace", "target", "recursive", "added", "conversations"}
    assert refreshed["sources"]["excluded"] == 2
    assert restored == {"workspace": "default", "target": target, "changed": True, "kept_out_by": []}
    assert again["sources"]["added"] == 2


def test_nothing_is_left_in_any_file(program: Program):
    project = indexed(program)
    before = residue(program)

    done = program.run("purge", str(project / "private" / "vault.md"), "--apply", "--workspace", "default")

    assert "store.sqlite3" in before
    assert done.code == 0
    assert residue(program) == []


def test_without_apply_the_command_to_do_it_is_shown_and_works(program: Program):
    project = indexed(program)

    shown = program.run("purge", "private", "--recursive", cwd=project)
    (_, _, command) = shown.stderr.partition("to do it: imprint ")
    done = program.run(*shlex.split(command), cwd=program.home)

    assert 'would take 2 sources, 2 passages, 2 vectors and 0 facts from workspace "default"' in shown.stdout
    assert done.code == 0
    assert "purged 2 sources" in done.stdout
    assert "backups and bundles are not touched" in done.stderr
    assert keys(program) == [str(project / "a.md")]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["acme/private"], "FolderTargetError"),
        (["acme/private", "--apply", "--workspace", "default"], "FolderTargetError"),
        (["acme/private", "--recursive", "--apply"], "UnnamedWorkspaceError"),
        (["", "--recursive", "--apply", "--workspace", "default"], "EmptyTextError"),
    ],
)
def test_what_is_not_said_clearly_is_a_usage_error_and_changes_nothing(program: Program, words, error):
    indexed(program)

    done = program.run("purge", *words, "--json")

    assert (done.code, done.error["type"]) == (2, error)
    assert len(keys(program)) == 3
    assert program.run("exclusions", "list", "--json").json_lines == []


def test_who_lets_a_part_of_a_purged_folder_in_is_told_what_keeps_it_out(program: Program):
    project = indexed(program)
    folder, part = project / "private", project / "private" / "plan.md"
    assert program.run("purge", str(folder), "--recursive", "--apply", "--workspace", "default").code == 0

    done = program.run("exclusions", "restore", str(part))

    assert done.code == 0
    assert f"{part} is kept out by the exclusion of {folder}" in done.stdout
    assert f"imprint exclusions restore {folder} --workspace default" in done.stderr


def test_the_number_a_recursive_purge_would_take_is_told(program: Program):
    indexed(program)

    error = program.run("purge", "acme/private", "--json").error

    assert error["sources"] == 2
    assert "--recursive" in error["hint"]


def test_a_digest_of_something_else_is_refused_and_changes_nothing(program: Program):
    project = indexed(program)

    done = program.run(
        "purge", str(project / "a.md"), "--apply", "--workspace", "default", "--digest", "0" * 32, "--json"
    )

    assert (done.code, done.error["type"], done.error["given"]) == (4, "StaleDigestError", "0" * 32)
    assert len(keys(program)) == 3
    assert program.run("exclusions", "list", "--json").json_lines == []


@pytest.mark.parametrize("digest", ["abc", "0" * 31, "x" * 32, ""])
def test_a_digest_that_cannot_be_one_is_told_as_such(program: Program, digest: str):
    project = indexed(program)

    done = program.run(
        "purge", str(project / "a.md"), "--apply", "--workspace", "default", "--digest", digest, "--json"
    )

    assert (done.code, done.error["type"]) == (2, "UsageError")
    assert "digest" in done.error["message"]
    assert len(keys(program)) == 3


def test_an_unknown_workspace_is_told_with_the_nearest_name(program: Program):
    done = program.run("purge", "text:a", "--apply", "--workspace", "defualt", "--json")

    assert (done.code, done.error["type"], done.error["nearest"]) == (3, "UnknownWorkspaceError", "default")


def test_a_purge_goes_by_the_active_workspace_and_not_by_the_folder_it_is_typed_in(program: Program):
    project = program.project("acme", FILES)
    program.run("workspace", "use", "acme", cwd=project)
    program.run("ingest", str(project))

    here = program.run("purge", "private", "--recursive", "--json", cwd=project).json
    named = program.run("purge", "private", "--recursive", "--workspace", "acme", "--json", cwd=project).json

    assert (here["workspace"], here["sources"]) == ("default", [])
    assert (named["workspace"], len(named["sources"])) == ("acme", 2)


@pytest.mark.parametrize("recursive", [["--recursive"], []], ids=["folder", "file"])
def test_what_other_workspaces_hold_of_the_target_is_told_with_the_command_for_it(program: Program, recursive):
    project = indexed(program)
    program.run("workspace", "create", "acme")
    target = str(project / "private") if recursive else str(project / "private" / "vault.md")
    words = ("purge", target, *recursive)

    shown = program.run(*words, "--workspace", "acme")
    done = program.run(*words, "--workspace", "acme", "--apply", "--json").json
    verified = program.run("purge", "verify", target, "--workspace", "acme")
    verified_json = program.run("purge", "verify", target, "--workspace", "acme", "--json").json
    (line,) = [line for line in shown.stdout.splitlines() if 'workspace "default"' in line]
    (_, _, command) = line.partition(": imprint ")
    theirs = program.run(*shlex.split(command), "--json").json

    number = 2 if recursive else 1
    assert f"{number} source" in line
    assert (theirs["workspace"], len(theirs["sources"]), theirs["elsewhere"]) == ("default", number, [])
    assert (
        done["elsewhere"]
        == verified_json["elsewhere"]
        == [{"workspace": "default", "sources": number, "command": f"imprint {command}"}]
    )
    assert (verified.code, line in verified.stdout) == (0, True)


def test_a_preview_of_what_is_nowhere_says_so(program: Program):
    indexed(program)

    shown = program.run("purge", "acme/valut.md")
    command = shown.stderr.partition("to keep it out all the same: imprint ")[2]
    done = program.run(*shlex.split(command))

    assert f"{program.home / 'acme' / 'valut.md'} does not exist" in shown.stdout
    assert "to do it" not in shown.stderr
    assert done.code == 0


def test_what_is_left_makes_verification_fail(program: Program):
    project = indexed(program)
    program.run("purge", str(project / "private"), "--recursive", "--apply", "--workspace", "default")
    leak = program.data / "leak.txt"
    leak.write_text(SECRET)

    done = program.run("purge", "verify", str(project / "private"))

    assert done.code == 1
    assert "something is left of" in done.stdout
    assert str(leak) in done.stdout


def test_ingesting_what_was_purged_says_how_to_lift_it(program: Program):
    project = indexed(program)
    program.run("purge", str(project / "private"), "--recursive", "--apply", "--workspace", "default")

    done = program.run("ingest", str(project / "private" / "vault.md"), "--json")

    assert (done.code, done.error["type"]) == (4, "ExcludedSourceError")
    assert "imprint exclusions restore" in done.error["hint"]


def test_what_the_hints_of_another_workspace_say_is_for_that_workspace(program: Program):
    project = program.project("acme", FILES)
    program.run("workspace", "use", "acme", cwd=project)
    program.run("ingest", str(project))
    (passage, *_) = program.run("search", "vault", "--json", cwd=project).json["results"]
    kept = program.run("forget", passage["id"], cwd=project)
    program.run("purge", "private", "--recursive", "--apply", "--workspace", "acme", cwd=project)

    refused = program.run("ingest", str(project / "private" / "vault.md"))

    assert "imprint exclusions list --workspace acme" in refused.stderr
    assert "imprint exclusions restore TARGET --workspace acme" in refused.stderr
    assert "imprint purge SOURCE --workspace acme" in kept.stderr


def test_what_the_name_of_a_file_says_to_a_terminal_is_not_said(program: Program):
    """A file's name may hold an escape sequence."""
    project = program.project("acme", {"a\x1b[31m.md": "Boats.\n"})
    program.run("ingest", str(project))

    shown = program.run("purge", str(project), "--recursive")

    assert "\x1b" not in shown.stdout + shown.stderr
    assert "a\ufffd[31m.md" in shown.stdout
