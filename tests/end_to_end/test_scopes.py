"""Which workspace each command works in: named, by variable, by the shell's directory, by its targets'."""

import pytest
from command_table import TABLE, Leaf, Scope, spell, words_of
from real_program import Done, Program

BOUND = [leaf for leaf, row in TABLE.items() if row.scope not in (Scope.NONE, Scope.NAMED)]
HERE = [leaf for leaf in BOUND if TABLE[leaf].scope is Scope.HERE]
SELECTED = [leaf for leaf in BOUND if TABLE[leaf].scope is Scope.SELECTED]
IN_ACME = {"IMPRINT_WORKSPACE": "acme"}


def run(device: Program, leaf: Leaf, *words: str, folder: str = "", environ: dict[str, str] | None = None) -> Done:
    """Run a row of the table from a folder below the home."""
    spelled = spell(device, TABLE[leaf].words)
    return device.run(*leaf, *spelled, *words, stdin="A text.\n", cwd=device.home / folder, environ=environ)


def said(done: Done) -> str:
    """The sentence that says which workspace and why."""
    return next(line for line in done.stderr.splitlines() if 'workspace "' in line and " — " in line)


@pytest.mark.parametrize("leaf", HERE, ids=words_of)
def test_the_shells_directory_decides(device: Program, leaf: Leaf):
    inside, outside = run(device, leaf, folder="project"), run(device, leaf)

    assert said(inside) == f'workspace "acme" — its root {device.home / "project"} contains this directory'
    assert 'workspace "default" — the active workspace' in said(outside)


@pytest.mark.parametrize("leaf", SELECTED, ids=words_of)
def test_the_shells_directory_is_not_looked_at(device: Program, leaf: Leaf):
    active = run(device, leaf, folder="project")
    device.run("workspace", "switch", "acme")
    switched = run(device, leaf)

    assert 'workspace "default" — the active workspace' in said(active)
    assert 'workspace "acme" — the active workspace' in said(switched)


@pytest.mark.parametrize("leaf", SELECTED, ids=words_of)
def test_a_directory_that_has_another_workspace_is_told(device: Program, leaf: Leaf):
    note = 'the workspace of this directory is "acme"'

    inside, outside = run(device, leaf, folder="project"), run(device, leaf)
    named = run(device, leaf, "--workspace", "default", folder="project")
    device.run("workspace", "switch", "acme")
    switched = run(device, leaf, folder="project")

    assert [note in done.stderr for done in (inside, outside, named, switched)] == [True, False, False, False]


@pytest.mark.parametrize("leaf", BOUND, ids=words_of)
def test_a_variable_decides_before_any_directory_and_a_name_before_both(device: Program, leaf: Leaf):
    by_variable = run(device, leaf, folder="rooted", environ=IN_ACME)
    by_name = run(device, leaf, "--workspace", "default", folder="project", environ=IN_ACME)

    assert 'workspace "acme" — ' in said(by_variable)
    assert "IMPRINT_WORKSPACE" in said(by_variable)
    assert 'workspace "default" — named in the request' in said(by_name)


@pytest.mark.parametrize("leaf", BOUND, ids=words_of)
def test_an_unknown_workspace_is_answered_with_the_nearest_spelling(device: Program, leaf: Leaf):
    done = run(device, leaf, "--workspace", "acne", "--json")

    assert (done.code, done.error["type"], done.error["nearest"]) == (3, "UnknownWorkspaceError", "acme")


@pytest.mark.parametrize("leaf", [*BOUND, ("wipe",)], ids=words_of)
def test_an_empty_name_is_a_wrong_name_and_not_none(device: Program, leaf: Leaf):
    """A script's variable that nobody set must not choose the workspace."""
    done = run(device, leaf, "--workspace", "", "--json")

    assert (done.code, done.error["type"], done.error["reason"]) == (2, "InvalidWorkspaceNameError", "empty")


@pytest.mark.parametrize("leaf", [*BOUND, ("workspace", "which")], ids=words_of)
def test_a_variable_that_names_no_workspace_is_an_error_of_every_command(device: Program, leaf: Leaf):
    before = device.run("workspace", "list").stdout

    done = run(device, leaf, "--json", environ={"IMPRINT_WORKSPACE": "nowhere"})

    assert (done.code, done.error["variable"]) == (3, "IMPRINT_WORKSPACE")
    assert device.run("workspace", "list").stdout == before


@pytest.mark.parametrize("command", ["ingest", "refresh"])
def test_each_path_goes_to_the_workspace_of_its_own_directory(device: Program, command: str):
    folders = [str(device.home / name) for name in ("project", "rooted")]

    told = device.run(command, *folders, str(device.home / "rooted" / "readme.md"))
    parsed = device.run(command, *folders, "--json")

    assert [line.split(" — ")[0] for line in told.stderr.splitlines() if " — " in line] == [
        f'{folders[0]}: workspace "acme"',
        f'{folders[1]}: workspace "default"',
        f'{folders[1]}/readme.md: workspace "default"',
    ]
    assert [(line["workspace"], line["reason"]) for line in parsed.json_lines] == [
        ("acme", "root"),
        ("default", "root"),
    ]


def test_every_workspace_is_refreshed_when_that_is_asked_for(device: Program):
    done = device.run("refresh", "--all", "--json")
    told = device.run("refresh", "--all").stderr.splitlines()

    assert [(line["workspace"], line["reason"]) for line in done.json_lines] == [("acme", "all"), ("default", "all")]
    assert told[:2] == [f'workspace "{name}" — one of all that have a root' for name in ("acme", "default")]


def test_what_is_deleted_for_good_is_not_chosen_by_a_variable(device: Program):
    target = str(device.home / "rooted" / "readme.md")

    done = device.run("purge", target, "--apply", "--json", environ=IN_ACME)

    assert (done.code, done.error["type"], done.error["workspace"]) == (2, "UnnamedWorkspaceError", "acme")


def test_what_forgets_everything_is_not_chosen_by_a_variable_either(device: Program):
    done = device.run("wipe", "--yes", "--json", environ=IN_ACME)

    assert (done.code, done.error["type"], done.error["workspace"]) == (2, "UnnamedWorkspaceError", "acme")
