"""The real server over its standard streams, in both eras of the protocol."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conversations import LEGACY, MODERN, converse
from mcp_types import ElicitRequestParams, ElicitResult
from real_program import Program
from wires import PATIENCE, SERVER, Wire, open_wire, parameters

posix_only = pytest.mark.skipif(os.name != "posix", reason="signals and directories as POSIX has them")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def processes_of(session: int) -> list[str]:
    """The command lines of the processes that are left of a session, zombies among them."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            found.append(f"{place.parent.name} {fields[0]} {(place.parent / 'cmdline').read_text()!r}")
    return found


# --- a session from end to end


def test_a_client_of_either_era_works_with_every_kind_of_tool(program: Program, era: str):
    project = program.project("acme", {"notes.md": "# Releases\n\nReleases are cut on Mondays.\n"})

    with converse(parameters(program, project), era) as here:
        assert here.client.server_info.name == "imprint"  # type: ignore[union-attr]
        assert "Use Imprint workspace <name>" in (here.client.instructions or "")
        assert "purge_source" in here.tools()
        assert "Ask the user once" in here.do("sources")
        assert 'uses workspace "acme"' in here.do("use_workspace", name="acme")
        assert "1 added" in here.do("ingest", path=".")
        assert "cut on Mondays" in here.do("search", query="when are releases cut")
        assert "Remembered" in here.do("remember", content="Ultramarine is the colour of the logo.")
        assert "Ultramarine" in here.do("search", query="colour of the logo")
        assert "known: acme, default" in here.fail("sources", workspace="acne")
        digest = here.do("purge_source", target="notes.md").rpartition('digest="')[2].removesuffix('".')
        done = here.do("purge_source", target="notes.md", apply=True, workspace="acme", digest=digest)
        assert done.startswith("Purged 1 source")

    assert json.loads((project / ".imprint" / "workspace.json").read_text()) == {"workspace": "acme"}
    with converse(parameters(program, project), era) as later:
        assert later.do("sources").startswith('Sources in workspace "acme"')
    assert program.run("workspace", "which", "--json", cwd=project).json["reason"] == "project-file"


def test_the_user_is_asked_through_the_client_in_either_era(program: Program, era: str):
    asked: list[ElicitRequestParams] = []

    def pick(params: ElicitRequestParams) -> ElicitResult:
        asked.append(params)
        return ElicitResult(action="accept", content={"workspace": "default"})

    with converse(parameters(program, program.project("acme")), era, elicit=pick) as here:
        said = here.do("use_workspace")

    assert 'uses workspace "default"' in said
    (question,) = asked
    assert question.requested_schema.keys() & {"title", "description"} == set()


def test_a_server_in_the_root_folder_makes_a_workspace_and_switches_nothing(program: Program, era: str):
    with converse(parameters(program, Path(program.home.anchor)), era) as here:
        assert "Nothing was switched, since this session has no project" in here.do("use_workspace", name="chat")
        assert "Project: none." in here.do("device_context")

    assert [row["name"] for row in program.run("workspace", "list", "--json").json_lines] == ["chat", "default"]


@posix_only
def test_a_server_in_a_deleted_folder_has_no_project(program: Program):
    gone = program.home / "gone"
    gone.mkdir()
    command = f'cd "{gone}" && rmdir "{gone}" && exec "{SERVER[0]}" -m imprint_mcp'
    process = subprocess.Popen(
        ["sh", "-c", command],
        env=program.environ,
        cwd=program.home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wire = Wire(process, LEGACY)

    wire.open()
    said = wire.call("device_context")
    _, complaints = wire.leave()

    assert "Directory: none that can be used" in said
    assert "Project: none." in said
    assert complaints == b""


def test_the_workspace_is_fixed_before_the_first_answer(program: Program, era: str):
    program.run("workspace", "create", "other")
    with open_wire(program, era) as wire:
        wire.open()
        program.run("workspace", "switch", "other")

        said = wire.call("remember", content="Releases are cut on Mondays.")

    assert 'in workspace "default"' in said
    assert program.run("sources", "--json", "--workspace", "other").json_lines == []


def test_an_unknown_workspace_in_the_environment_is_every_answer(program: Program, era: str):
    with open_wire(program, era, environ={"IMPRINT_WORKSPACE": "nowhere"}) as wire:
        wire.open()

        assert "IMPRINT_WORKSPACE names no workspace of this device" in wire.call("device_context")
        assert "IMPRINT_WORKSPACE names no workspace of this device" in wire.call("use_workspace", name="x")

    assert [row["name"] for row in program.run("workspace", "list", "--json").json_lines] == ["default"]


# --- a client that was named


def test_a_server_that_a_client_starts_elsewhere_is_in_the_sessions_project(program: Program, era: str):
    """As Copilot CLI starts a plugin's server: in the plugin's folder, told the session and no directory."""
    project, plugin = program.project("acme"), program.project("plugin")
    program.run("workspace", "use", "acme", cwd=project)
    note = program.home / ".copilot" / "session-state" / "5b1c-7" / "workspace.yaml"
    note.parent.mkdir(parents=True)
    note.write_text(f"id: 5b1c-7\ncwd: {project}\n", encoding="utf-8")
    session = {"COPILOT_AGENT_SESSION_ID": "5b1c-7"}

    with open_wire(program, era, plugin, "--client", "copilot-cli", environ=session) as wire:
        wire.open()
        said = wire.call("remember", content="Ultramarine is the colour of the logo.")
    with open_wire(program, era, plugin, environ=session) as wire:
        wire.open()
        unnamed = wire.call("device_context")

    assert 'in workspace "acme"' in said
    assert "acme" not in unnamed.partition("Workspaces")[0]
    assert next(one for one in program.run("doctor", "--json").json_lines if one["part"] == "hooks")["state"] == "ok"


def test_a_client_that_nobody_knows_keeps_no_server_from_starting_and_the_doctor_tells(program: Program, era: str):
    project = program.project("acme")
    program.run("workspace", "use", "acme", cwd=project)

    with open_wire(program, era, project, "--client", "nobody") as wire:
        wire.open()
        said = wire.call("remember", content="Ultramarine is the colour of the logo.")
        _, complaints = wire.leave()

    assert 'in workspace "acme"' in said
    assert complaints == b""
    finding = next(one for one in program.run("doctor", "--json").json_lines if one["part"] == "hooks")
    assert "nobody imprint-mcp UnknownPluginError" in finding["message"]


# --- the streams


def test_nothing_but_the_protocol_is_on_stdout(program: Program, era: str):
    """`Wire.read` holds each line to be a message; the ingest starts workers, and a broken plugin is looked for."""
    files = {f"notes/{number}.md": f"Note {number} is about subject {number}.\n" * 40 for number in range(300)}
    project = program.project("acme", files)
    with open_wire(program, era, project) as wire:
        wire.open()
        wire.call("use_workspace", name="acme")
        wire.call("ingest", path=".")
        wire.call("search", query="subject 7")
        wire.call("no_such_tool")
        assert wire.process.stdin is not None
        wire.process.stdin.write(b"not json\n\xff\xfe\n[]\n")
        wire.call("sources")

        rest, complaints = wire.leave()

    assert rest == b""
    assert b"Traceback" not in complaints
    assert wire.process.returncode == 0


def test_what_is_printed_while_serving_goes_to_stderr(program: Program, tmp_path: Path):
    """A library that prints, or a child that does, would break the protocol."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\n"
        "def watch(event, arguments):\n"
        "    if event == 'sqlite3.connect' and not hasattr(sys, 'printed'):\n"
        "        sys.printed = True\n"
        "        print('noise', flush=True)\n"
        "        os.system('echo noise of a child')\n"
        "sys.addaudithook(watch)\n"
    )
    with open_wire(program, LEGACY, environ={"PYTHONPATH": str(tmp_path)}) as wire:
        wire.open()
        wire.call("sources")
        rest, complaints = wire.leave()

    assert rest == b""
    assert b"noise" in complaints
    assert b"noise of a child" in complaints


@pytest.mark.parametrize("stage", ["at once", "opened", "called"])
def test_a_client_that_leaves_ends_the_server(program: Program, era: str, stage: str):
    with open_wire(program, era) as wire:
        if stage != "at once":
            wire.open()
        if stage == "called":
            wire.call("sources")

        rest, complaints = wire.leave()

    assert (wire.process.returncode, rest, complaints) == (0, b"", b"")


@linux_only
def test_a_client_that_leaves_during_long_work_leaves_no_process_behind(program: Program):
    files = {f"{number}.md": f"Note {number} is about subject {number}.\n" * 50 for number in range(1_500)}
    project = program.project("acme", files)
    with open_wire(program, LEGACY, project) as wire:
        wire.open()
        wire.call("use_workspace", name="acme")
        wire.send("tools/call", {"name": "ingest", "arguments": {"path": "."}, "_meta": {"progressToken": "p"}})
        while wire.read().get("method") != "notifications/progress":
            pass

        _, complaints = wire.leave()
        left = processes_of(wire.process.pid)

    assert wire.process.returncode == 0
    assert left == []
    assert b"Traceback" not in complaints
    again = program.run("ingest", ".", "--json", cwd=project).json
    assert again["sources"]["added"] + again["sources"]["unchanged"] == 1_500


@posix_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("stage", ["opened", "called"])
def test_a_signal_ends_the_server_quietly(program: Program, number: signal.Signals, stage: str):
    with open_wire(program, LEGACY) as wire:
        wire.open()
        if stage == "called":
            wire.call("remember", content="Kept.")
        wire.process.send_signal(number)

        _, complaints = wire.leave()

    assert (wire.process.returncode, complaints) == (0, b"")
    if stage == "called":
        assert "Kept." in program.run("search", "kept").stdout


@posix_only
@pytest.mark.parametrize("stage", ["front", "called"])
def test_a_client_that_stops_reading_ends_the_server_quietly(program: Program, stage: str):
    with open_wire(program, LEGACY) as wire:
        wire.open()
        if stage == "called":
            wire.call("sources")
        assert wire.process.stdout is not None
        assert wire.process.stdin is not None
        assert wire.process.stderr is not None
        wire.process.stdout.close()
        wire.send("tools/list")
        wire.send("tools/list")
        wire.process.stdin.close()

        complaints = wire.process.stderr.read()
        code = wire.process.wait(PATIENCE)

    assert (code, complaints) == (0, b"")


# --- many at once


def test_many_servers_at_once_serve_one_device(program: Program):
    """Each session of its own project, all of one workspace: nothing is lost, and nobody is told that it is busy."""
    number = 10

    def work(place: int) -> list[str]:
        era = (LEGACY, MODERN)[place % 2]
        with converse(parameters(program, program.home / f"project-{place}"), era) as here:
            return [
                here.do("use_workspace", name="team"),
                *(here.do("remember", content=f"Memory {place}-{turn} of the team.") for turn in range(5)),
                here.do("search", query=f"memory {place}-0 of the team"),
            ]

    for place in range(number):
        program.project(f"project-{place}")
    program.run("workspace", "create", "team")
    with ThreadPoolExecutor(number) as pool:
        said = list(pool.map(work, range(number)))

    assert all('uses workspace "team"' in texts[0] for texts in said)
    assert [f"Memory {place}-0" in said[place][-1] for place in range(number)] == [True] * number
    assert len(program.run("sources", "--json", "--workspace", "team").json_lines) == 5 * number


def test_a_choice_in_one_window_leaves_the_others_where_they_are(program: Program):
    project = program.project("acme")
    with (
        converse(parameters(program, project), LEGACY) as one,
        converse(parameters(program, project), MODERN) as other,
    ):
        one.do("use_workspace", name="acme")

        assert 'in workspace "default"' in other.do("remember", content="Of the other window.")
        assert 'in workspace "acme"' in one.do("remember", content="Of this window.")


def test_the_program_says_its_version_and_its_options(program: Program):
    version = subprocess.run([*SERVER, "--version"], env=program.environ, capture_output=True, text=True, check=True)
    options = subprocess.run([*SERVER, "--help"], env=program.environ, capture_output=True, text=True, check=True)
    wrong, mixed = (
        subprocess.run([*SERVER, *words], env=program.environ, capture_output=True, text=True, check=False)
        for words in (["--port", "1"], ["--http", "--client", "codex"])
    )

    assert version.stdout == "imprint-mcp 0.1.0\n"
    assert "--http" in options.stdout
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "--port is for --http" in wrong.stderr
    assert (mixed.returncode, mixed.stdout) == (2, "")
    assert "--client is for" in mixed.stderr
