"""`imprint clients` and `imprint setup`, run as a program in a home of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from real_program import Program


@pytest.fixture
def known(program: Program) -> Program:
    """A home in which both clients were started once."""
    (program.home / ".claude").mkdir()
    (program.home / ".codex").mkdir()
    (program.home / ".codex" / "config.toml").write_bytes(b'model = "gpt"  # mine')
    return program


def files_in(home: Path) -> dict[str, bytes]:
    """The clients' files."""
    found = (
        path for name in (".claude", ".claude.json", ".codex") for path in [home / name, *(home / name).rglob("*")]
    )
    return {str(path.relative_to(home)): path.read_bytes() for path in found if path.is_file()}


def findings_about_clients(program: Program) -> dict[str, list[Any]]:
    """What the doctor says of them, by part."""
    found = program.run("doctor", "--json").json_lines
    parts = dict.fromkeys(one["part"] for one in found if one["part"].startswith("client"))
    return {part: [one for one in found if one["part"] == part] for part in parts}


def test_two_clients_are_connected_and_disconnected_by_a_command_each(known: Program):
    before = files_in(known.home)

    assert known.run("setup", "--all").code == 0
    states = {row["client"]: row["state"] for row in known.run("clients", "list", "--json").json_lines}
    assert {name for name, state in states.items() if state == "connected"} == {"claude-code", "codex"}
    assert set(states.values()) == {"connected", "not found"}
    assert known.run("clients", "disconnect", "--all").code == 0

    assert files_in(known.home) == before


def test_status_says_which_clients_are_connected(known: Program):
    before = known.run("status", "--json").json["clients"]
    known.run("setup", "--all")
    connected = known.run("status", "--json").json["clients"]
    shown = known.run("status").stdout
    known.run("clients", "disconnect", "codex")

    assert (before, connected) == ([], ["claude-code", "codex"])
    assert "clients    claude-code, codex\n" in shown
    assert known.run("status", "--json").json["clients"] == ["claude-code"]


def test_list_tells_of_what_the_client_installed_itself_alone_and_besides(known: Program):
    (known.home / ".claude" / "settings.json").write_text('{"enabledPlugins": {"imprint@imprint": true}}')
    apart = known.run("clients", "list", "--json").json_lines
    known.run("clients", "connect", "claude-code")
    both = known.run("clients", "list", "--json").json_lines
    shown = known.run("clients", "list")

    (alone,) = next(one["notes"] for one in apart if one["client"] == "claude-code")
    assert "imprint@imprint" in alone
    assert "need not be connected" in alone
    (note,) = next(one["notes"] for one in both if one["client"] == "claude-code")
    assert "imprint@imprint" in note
    assert f"claude-code: {note}" in " ".join(shown.stderr.split())


def test_what_sessions_have_to_do_is_said_once_and_only_after_a_change(known: Program):
    changed, again = known.run("setup", "--all"), known.run("setup", "--all")

    assert [done.stderr.count("when they start again") for done in (changed, again)] == [1, 0]


def test_list_says_how_to_complete_what_is_incomplete(known: Program):
    known.run("setup", "--all")
    complete = known.run("clients", "list").stderr
    known.run("config", "set", "hooks.prompt_passages", "2")

    incomplete = known.run("clients", "list").stderr

    command = "imprint clients connect claude-code codex"
    assert (command in complete, command in incomplete) == (False, True)


def test_a_client_that_was_never_connected_is_not_said_to_be_disconnected(known: Program):
    assert known.run("clients", "disconnect", "codex").stdout == "Codex is not connected\n"


def test_a_setting_that_clients_have_to_follow_is_told_until_they_do(known: Program):
    before = files_in(known.home)
    known.run("setup", "--all")

    told = known.run("config", "set", "hooks.prompt_passages", "2")
    known.run("clients", "connect", "codex")
    left = known.run("config", "set", "hooks.prompt_passages", "3")
    findings = findings_about_clients(known)
    known.run("clients", "connect", "claude-code")
    followed = known.run("config", "set", "hooks.prompt_passages", "4")
    prompts = (known.home / ".claude" / "settings.json").read_text().count("claude-code UserPromptSubmit")
    back = known.run("config", "unset", "hooks.prompt_passages")
    known.run("setup", "--all")
    silent = files_in(known.home)
    known.run("clients", "disconnect", "--all")

    assert "'imprint clients connect claude-code codex'" in told.stderr
    assert "'imprint clients connect claude-code'" in left.stderr
    assert findings["client claude-code"][0]["remedy"] == "run 'imprint clients connect claude-code'"
    assert "imprint clients" not in followed.stderr
    assert prompts == 1
    assert "'imprint clients connect claude-code codex'" in back.stderr
    assert not any(b"UserPromptSubmit" in content for content in silent.values())
    assert files_in(known.home) == before


def test_a_setting_is_written_though_nobody_can_tell_who_has_to_follow(known: Program):
    known.run("setup", "--all")
    file = known.home / "mine.toml"
    file.write_text("[serch]\nlimit = 3\n")

    done = known.run("--config", str(file), "config", "set", "hooks.prompt_passages", "2")

    assert done.code == 0
    assert "prompt_passages = 2" in file.read_text()


def test_doctor_tells_what_connected_clients_wait_for_and_calls_nothing_broken(known: Program):
    (known.home / ".claude" / "settings.json").write_text('{"enabledPlugins": {"imprint@imprint": true}}')
    apart = findings_about_clients(known)
    known.run("clients", "connect", "--all")
    done = known.run("doctor", "--json")
    connected = findings_about_clients(known)

    assert {part: [one["state"] for one in found] for part, found in apart.items()} == {
        "clients": ["ok"],
        "client claude-code": ["ok"],
    }
    assert apart["clients"][0]["message"] == "connected: none"
    assert done.code == 0
    assert [one["message"] for one in connected["clients"]] == ["connected: claude-code, codex"]
    assert {part: len(found) for part, found in connected.items()} == {
        "clients": 1,
        "client claude-code": 1,
        "client codex": 1,
    }
    (double,) = connected["client claude-code"]
    assert double["state"] == "pending"
    assert "plugin imprint@imprint is installed besides" in double["message"]
    assert "'imprint clients disconnect claude-code'" in double["message"]


def test_a_clients_file_that_cannot_be_read_is_told_by_the_doctor(known: Program):
    (known.home / ".codex" / "config.toml").write_text("model = ")

    (finding,) = findings_about_clients(known)["client codex"]

    assert finding["state"] == "pending"
    assert "config.toml" in finding["message"]


def test_dry_run_shows_a_diff_that_patch_would_take_and_changes_nothing(known: Program, tmp_path: Path):
    before = files_in(known.home)

    shown = known.run("clients", "connect", "codex", "--dry-run").stdout

    assert files_in(known.home) == before
    assert not known.data.exists()
    assert f"--- {known.home / '.codex' / 'config.toml'}\n" in shown
    assert '-model = "gpt"  # mine\n\\ No newline at end of file\n' in shown
    assert "+[mcp_servers.imprint]\n" in shown


def test_connected_client_starts_programs_that_are_there(known: Program):
    known.run("setup", "claude-code")

    server = json.loads((known.home / ".claude.json").read_text())["mcpServers"]["imprint"]
    command = json.loads((known.home / ".claude" / "settings.json").read_text())["hooks"]["Stop"][0]["hooks"][0][
        "command"
    ]
    for program in (server["command"], command.split()[0]):
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("imprint-")
        assert Path(program).is_absolute()
        assert Path(program).parent == Path(sys.executable).parent


def test_second_time_says_that_nothing_was_to_be_done_and_still_says_what_the_user_has_to_do(known: Program):
    first = known.run("clients", "connect", "codex", "--json").json
    second = known.run("clients", "connect", "codex", "--json").json

    assert (first["changed"], second["changed"], second["files"], second["diff"]) == (True, False, [], "")
    assert "Trust all" in first["notes"][0]
    assert second["notes"] == first["notes"]


def test_client_that_is_not_there_is_an_unknown_name_and_says_what_was_looked_for(program: Program):
    done = program.run("clients", "connect", "codex", "--json")

    assert done.code == 3
    assert done.error["type"] == "ClientNotFoundError"
    assert done.error["looked_for"] == [f"folder {program.home / '.codex'}", "program 'codex'"]


def test_all_clients_where_there_is_none_is_an_unknown_name_in_one_short_line(program: Program):
    done = program.run("setup", "--all", "--json")

    assert (done.code, done.error["type"]) == (3, "NoClientFoundError")
    assert "CLIENT" in done.error["hint"]


def test_client_that_nobody_knows_is_an_unknown_name(program: Program):
    assert program.run("clients", "connect", "codexx").code == 3


@pytest.mark.parametrize(
    ("short", "meant"),
    [("claude", "claude-code"), ("vscode", "vscode-copilot"), ("gemini", "gemini-cli"), ("qwen", "qwen-code")],
)
def test_a_clients_short_name_is_answered_with_its_whole_one(program: Program, short: str, meant: str):
    assert program.run("clients", "connect", short, "--json").error["nearest"] == meant


def test_naming_no_client_is_a_slip(known: Program):
    assert known.run("clients", "connect").code == 2
    assert known.run("clients", "disconnect").code == 2


def test_invalid_file_of_one_client_is_refused_and_the_other_is_connected(known: Program):
    damaged = known.home / ".claude" / "settings.json"
    damaged.write_bytes(b'{"hooks": ')

    done = known.run("clients", "connect", "--all", "--json")

    assert done.code == 4
    claude, codex = done.json_lines
    assert (claude["client"], claude["changed"], codex["client"], codex["changed"]) == (
        "claude-code",
        False,
        "codex",
        True,
    )
    assert str(damaged) in claude["error"]
    assert damaged.read_bytes() == b'{"hooks": '
    assert not (known.home / ".claude.json").exists()


def test_variable_that_names_no_folder_stops_its_own_client_only(known: Program):
    done = known.run("setup", "--all", "--json", environ={"CLAUDE_CONFIG_DIR": "relative"})

    assert done.code == 2
    claude, codex = done.json_lines
    assert "relative" in claude["error"]
    assert (codex["client"], codex["changed"], codex["error"]) == ("codex", True, None)


def test_client_whose_file_is_invalid_is_listed_with_the_reason(known: Program):
    (known.home / ".codex" / "config.toml").write_bytes(b"model = ")

    by_name = {one["client"]: one for one in known.run("clients", "list", "--json").json_lines}
    claude, codex = by_name["claude-code"], by_name["codex"]

    assert (claude["state"], codex["state"]) == ("not connected", "failed")
    assert "not TOML" in codex["error"]


def test_clients_folders_are_taken_from_their_variables(program: Program, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    program.run("setup", "codex", environ={"CODEX_HOME": str(elsewhere)})

    assert sorted(path.name for path in elsewhere.iterdir()) == ["AGENTS.md", "config.toml", "hooks.json"]
    assert not (program.home / ".codex").exists()


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_program_beside_a_linked_interpreter_keeps_its_link(known: Program, tmp_path: Path):
    """A virtual environment's interpreter is a link; what it links to is replaced by an upgrade of Python."""
    folder = tmp_path / "venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "python").symlink_to(sys.executable)
    for name in ("imprint-mcp", "imprint-hook"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    script = (
        f"import sys; sys.executable = {str(folder / 'python')!r}\n"
        "from imprint_cli.program import run; sys.exit(run(['setup', 'claude-code']))"
    )

    subprocess.run([sys.executable, "-c", script], env=known.environ, check=True, capture_output=True)

    server = json.loads((known.home / ".claude.json").read_text())["mcpServers"]["imprint"]
    assert server["command"] == str(folder / "imprint-mcp")


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_program_of_one_run_only_is_refused(known: Program, tmp_path: Path):
    folder = tmp_path / ".cache" / "uv" / "archive-v0" / "abc" / "bin"
    folder.mkdir(parents=True)
    for name in ("imprint-mcp", "imprint-hook"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    script = (
        f"import sys; sys.executable = {str(folder / 'python')!r}\n"
        "from imprint_cli.program import run; sys.exit(run(['setup', 'claude-code', '--json']))"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], env=known.environ, check=False, capture_output=True, text=True
    )

    assert done.returncode == 4
    assert json.loads(done.stderr)["error"]["type"] == "TemporaryProgramError"
    assert not (known.home / ".claude.json").exists()
