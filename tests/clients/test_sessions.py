"""Sessions of real clients: which workspace they use, when the user is asked, and what a choice changes."""

import json
import os
import signal
from pathlib import Path

import pytest
from real_clients import Installed
from real_devices import Device, ProgramFailedError
from scripted_model import Call, Meanwhile

ASKS = "has no workspace yet. Ask the user once"
CONTEXT = Call("device_context")
TABS = "The user indents with tabs."


def search(query: str = "tabs") -> Call:
    return Call("search", {"query": query})


def remember(content: str = TABS) -> Call:
    return Call("remember", {"content": content})


def use(name: str) -> Call:
    return Call("use_workspace", {"name": name})


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file, git's own too, but for its index, which clients refresh by looking at it."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "index")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def registered(device: Device) -> list[object]:
    """What the device has decided: workspaces, which is active, and the roots of each."""
    workspaces = device.list_json("workspace", "list")
    for workspace in workspaces:
        del workspace["sources"]  # What is remembered is no decision.
    return [*workspaces, *(device.list_json("roots", "list", "--workspace", str(one["name"])) for one in workspaces)]


def test_the_model_is_shown_the_instructions_and_every_tool(installed: Installed):
    folder = installed.device.repository("acme")

    seen = installed.converse(folder, CONTEXT)

    assert seen.instructed
    assert {"device_context", "use_workspace", "search", "read", "remember", "forget", "ingest"} <= set(seen.tools)
    assert f"Project: {folder}." in seen.results[0]


def test_the_first_result_of_a_session_asks_and_no_later_one(installed: Installed):
    folder = installed.device.repository("acme")

    first, *later = installed.converse(folder, search(), remember(), search()).results

    assert first.count(ASKS) == 1
    assert str(folder) in first
    assert '"default"' in first
    assert 'Nothing relevant in workspace "default" for "tabs".' in first
    assert len(later) == 2
    assert not any("Ask the user" in result for result in later)


def test_of_two_first_calls_at_once_one_result_asks(installed: Installed):
    results = installed.converse(installed.device.repository("acme"), [search("tabs"), search("spaces")]).results

    assert len(results) == 2
    assert sum(result.count(ASKS) for result in results) == 1


def test_a_choice_holds_in_this_session_and_in_the_next_one_and_nowhere_else(installed: Installed):
    device = installed.device
    folder, other = device.repository("acme"), device.repository("other")

    here = installed.converse(folder, search(), use("client"), remember(), allowed=["use_workspace"]).results
    later = installed.converse(folder, search(), remember("The user likes short names."), CONTEXT).results
    below = folder / "src" / "deep"
    below.mkdir(parents=True)
    deeper = installed.converse(below, search()).results
    elsewhere = installed.converse(other, search(), CONTEXT).results

    assert ASKS in here[0]
    assert 'This session uses workspace "client"' in here[1]
    assert 'Remembered in workspace "client"' in here[2]
    assert json.loads((folder / ".imprint" / "workspace.json").read_text()) == {"workspace": "client"}
    assert device.git("status", "--porcelain", cwd=folder) == "?? .imprint/\n"
    (root,) = device.list_json("roots", "list", "--workspace", "client")
    assert root["path"] == str(folder)
    assert later[0].startswith('1 passage in workspace "client"')
    assert TABS in later[0]
    assert later[1].startswith('Remembered in workspace "client"')
    assert later[2].startswith('This session uses workspace "client" — named by .imprint/workspace.json')
    assert TABS in deeper[0]
    assert "Ask the user" not in deeper[0]
    assert 'Nothing relevant in workspace "default" for "tabs".' in elsewhere[0]
    assert TABS not in "".join(elsewhere)
    assert 'Indexed in workspace "default": nothing yet' in elsewhere[1]


def test_a_clone_that_proposes_a_workspace_changes_nothing_until_the_user_confirms(installed: Installed):
    device = installed.device
    origin = device.repository("origin", {".imprint/workspace.json": '{"workspace": "client"}\n'})
    clone = device.home / "clone"
    device.git("clone", "-q", str(origin), str(clone))
    device.imprint("workspace", "create", "client")
    device.imprint("remember", "The client pays in tabs of gold.", "--workspace", "client")
    files, registry = files_in(clone), registered(device)

    before = installed.converse(clone, search(), remember("This clone says so."), search("clone")).results
    unchanged = (files_in(clone), registered(device))
    confirmed = installed.converse(clone, CONTEXT, use("client"), search(), allowed=["use_workspace"]).results
    after = installed.converse(clone, search(), search("clone")).results

    assert f'The project {clone} proposes the workspace "client", which this device has not approved.' in before[0]
    assert "Ask the user once" in before[0]
    assert 'Nothing relevant in workspace "default"' in before[0]
    assert before[1].startswith('Remembered in workspace "default"')
    assert before[2].startswith('1 passage in workspace "default"')
    assert "gold" not in "".join(before)
    assert unchanged == (files, registry)
    assert 'proposes the workspace "client"' in confirmed[0]
    assert 'This session uses workspace "client"' in confirmed[1]
    assert "gold" in confirmed[2]
    (root,) = device.list_json("roots", "list", "--workspace", "client")
    assert root["path"] == str(clone)
    assert files_in(clone) == files
    assert "gold" in after[0]
    assert "Ask the user" not in after[0]
    assert "This clone says so." not in after[1]


def test_a_linked_worktree_starts_in_the_workspace_of_its_main_tree(installed: Installed):
    device = installed.device
    folder, linked = device.repository("acme"), device.home / "linked"
    device.imprint("workspace", "use", "client", cwd=folder)
    device.imprint("remember", TABS, "--workspace", "client")
    device.git("worktree", "add", "-q", str(linked), cwd=folder)
    files = files_in(linked), files_in(folder)

    found, kept, context = installed.converse(linked, search(), remember("Kept from a worktree."), CONTEXT).results

    assert "Ask the user" not in found
    assert TABS in found
    assert kept.startswith('Remembered in workspace "client"')
    assert f"Project: {folder}." in context
    assert (files_in(linked), files_in(folder)) == files
    (root,) = device.list_json("roots", "list", "--workspace", "client")
    assert root["path"] == str(folder)


def test_a_switch_in_another_window_redirects_nothing(installed: Installed):
    device = installed.device
    device.imprint("workspace", "create", "elsewhere")
    switch = Meanwhile(lambda: device.imprint("workspace", "switch", "elsewhere"))
    folder = device.repository("acme")

    here = installed.converse(folder, remember(), switch, remember("The user likes short names."), CONTEXT).results
    next_one = installed.converse(folder, search()).results

    assert here[0].endswith('Remembered in workspace "default", as id 1.')
    assert here[1].startswith('Remembered in workspace "default"')
    assert here[2].startswith('This session uses workspace "default"')
    assert 'This session uses workspace "elsewhere"' in next_one[0], "the switch was made"
    assert TABS not in next_one[0]


def test_a_choice_that_the_user_does_not_allow_changes_nothing(installed: Installed):
    """Both clients ask before a tool that is declared destructive; without a terminal the answer is no."""
    folder = installed.device.repository("acme")
    files, registry = files_in(folder), registered(installed.device)

    _, refused, kept = installed.converse(folder, search(), use("client"), remember()).results

    assert "approv" in refused or "permission" in refused
    assert "uses workspace" not in refused
    assert kept.startswith('Remembered in workspace "default"')
    assert (files_in(folder), registered(installed.device)) == (files, registry)


def test_a_form_that_nobody_can_see_is_no_answer(installed: Installed):
    folder = installed.device.repository("acme")

    (told,) = installed.converse(folder, Call("use_workspace"), allowed=["use_workspace"]).results

    assert "No workspace was chosen, and nothing was changed" in told
    assert not (folder / ".imprint").exists()


def test_variables_that_the_user_set_reach_the_server_and_are_stated_once(installed: Installed):
    device = installed.device
    environ = {"IMPRINT_WORKSPACE": "client", "XDG_DATA_HOME": str(device.home / "data")}
    device.run("imprint", "workspace", "create", "client", environ=environ)

    first, second = installed.converse(device.repository("acme"), search(), search(), environ=environ).results

    stated = 'This session uses workspace "client" — set by the environment variable IMPRINT_WORKSPACE.'
    assert first.startswith(stated)
    assert "Ask the user" not in first
    assert stated not in second
    assert (device.home / "data" / "imprint").is_dir()
    assert not (device.home / ".local" / "share" / "imprint").exists()


NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")


@NEEDS_PROC
def test_the_server_ends_with_its_client(installed: Installed):
    device = installed.device
    running: list[int] = []

    installed.converse(
        device.repository("acme"), search(), Meanwhile(lambda: running.extend(device.processes("imprint-mcp")))
    )

    assert len(running) == 1
    assert device.processes_after(10) == []


@NEEDS_PROC
def test_the_server_ends_when_its_client_is_killed(installed: Installed):
    device = installed.device
    killed: list[int] = []

    def kill_client() -> None:
        (server,) = device.processes("imprint-mcp")
        killed.append(parent_of(server))
        os.kill(killed[0], signal.SIGKILL)

    with pytest.raises(ProgramFailedError):
        installed.converse(device.repository("acme"), search(), Meanwhile(kill_client))

    assert killed
    assert device.processes_after(10) == []
