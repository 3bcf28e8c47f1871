"""Codex as its editor extension and its desktop program run it: one process that serves many tasks."""

import pytest
from client_codex import Codex, run_app_server
from real_clients import Installed
from real_devices import Device
from scripted_model import Call, Say


@pytest.mark.parametrize("client", [Codex()], ids=["codex"])
def test_tasks_of_one_process_use_the_workspaces_of_their_own_projects(installed: Installed, device: Device):
    acme, other = device.repository("acme"), device.repository("other")
    choice = [Call("use_workspace", {"name": "client"}), Call("remember", {"content": "Tabs are used here."})]

    with run_app_server(installed, allowed=["use_workspace"]) as server:
        installed.model.follow(choice)
        server.do_turn(acme)
        installed.model.follow([Call("search", {"query": "tabs"}), Call("device_context")])
        server.do_turn(other)
        elsewhere = [installed.client.tidy(result) for result in installed.model.requests[-1].results]
        installed.model.follow([Call("search", {"query": "tabs"}), Call("device_context")])
        server.do_turn(acme)
        here = [installed.client.tidy(result) for result in installed.model.requests[-1].results]

    assert f"The project {other} has no workspace yet." in elsewhere[0]
    assert "Tabs are used here." not in elsewhere[0]
    assert f"Project: {other}." in elsewhere[1]
    assert here[0].startswith('1 passage in workspace "client"')
    assert here[1].startswith('This session uses workspace "client"')
    assert device.processes_after(10) == []


@pytest.mark.parametrize("client", [Codex()], ids=["codex"])
def test_a_fork_of_what_was_purged_brings_its_own_words_only(installed: Installed, device: Device):
    acme = device.repository("acme")

    with run_app_server(installed) as server:
        installed.model.follow([Say("Then it will be teal.")], prompt="We decided to paint the door teal.")
        thread = server.do_turn(acme, "We decided to paint the door teal.")
        device.imprint("learn")
        (purged,) = device.learned("default")
        device.imprint("purge", purged, "--apply", "--workspace", "default")
        installed.model.follow([Say("It is painted.")], prompt="Paint it.")
        server.do_turn(acme, "Paint it.", forked=thread)
        device.imprint("learn")

    (learned,) = device.learned("default").values()
    assert ["teal" in learned, "Paint it." in learned, "It is painted." in learned] == [False, True, True]
