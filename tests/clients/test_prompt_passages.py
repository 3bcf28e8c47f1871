"""Sessions whose user wants every prompt looked up: what the model is shown with it, and what is learned of that."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from client_codex import Codex, hook_states
from client_opencode import Opencode
from real_clients import Conversation, Installed
from scripted_model import Call, Say

TEAL = "The door is painted teal."
ASKED = "Which colour has the door?"
FOUND = "Found in the user's memory (Imprint)."
SEARCH = Call("search", {"query": "paint"})
FILES: Mapping[str, tuple[str, str]] = {
    "claude-code": (".claude/settings.json", "UserPromptSubmit"),
    "codex": (".codex/hooks.json", "UserPromptSubmit"),
    "copilot-cli": (".copilot/hooks/imprint-copilot-cli.json", "userPromptSubmitted"),
    "gemini-cli": (".gemini/settings.json", "BeforeAgent"),
    "qwen-code": (".qwen/settings.json", "UserPromptSubmit"),
}
"""By client, where its hooks stand, and what it calls the event of a prompt."""


def recalled(conversation: Conversation) -> list[str]:
    """What of the model's last request was put there with a prompt."""
    return [text for text in conversation.texts if FOUND in text]


def connect_anew(connected: Installed, passages: int) -> None:
    """Change the setting, and have the client follow it."""
    device, client = connected.device, connected.client
    device.imprint("config", "set", "hooks.prompt_passages", str(passages))
    device.imprint("clients", "connect", client.name)
    client.agree(connected)


@pytest.fixture
def project(connected: Installed) -> Path:
    """A project whose workspace knows an answer, with a client that is to show it."""
    folder = connected.device.repository("acme")
    connected.device.imprint("workspace", "use", "acme", cwd=folder)
    connected.device.imprint("remember", TEAL, "--workspace", "acme")
    connect_anew(connected, 2)
    return folder


def test_passages_come_with_each_prompt_once_and_are_not_learned_again(connected: Installed, project: Path):
    device = connected.device

    first = connected.converse(project, SEARCH, SEARCH, Say("It is teal."), prompt=ASKED, allowed=None)
    device.settle()
    second = connected.converse(
        project, SEARCH, Say("It stays."), prompt="Will the door stay teal?", allowed=None, resumes=True
    )
    device.settle()

    (with_prompt,) = recalled(first)
    assert with_prompt.count(FOUND) == 1
    assert TEAL in with_prompt.partition(FOUND)[2]
    assert any(TEAL in text.partition(FOUND)[2] for text in recalled(second))
    (learned,) = device.learned("acme").values()
    assert [turn.rpartition(":\n")[2] for turn in learned.strip().split("\n\n")] == [
        *(ASKED, "It is teal."),
        *("Will the door stay teal?", "It stays."),
    ]


def test_a_hook_that_is_registered_twice_puts_them_there_once(connected: Installed, project: Path):
    name, event = FILES[connected.client.name]
    path = connected.device.home / name
    document = json.loads(path.read_text())
    document["hooks"][event] += json.loads(json.dumps(document["hooks"][event]).replace(': "/', ': "env /'))
    path.write_text(json.dumps(document))
    connected.client.agree(connected)

    seen = connected.converse(project, SEARCH, Say("It is teal."), prompt=ASKED, allowed=None)

    assert path.read_text().count("env /") == 1
    assert "".join(recalled(seen)).count(FOUND) == 1


def test_nothing_comes_and_nothing_is_called_once_the_setting_is_off_again(connected: Installed, project: Path):
    connect_anew(connected, 0)

    seen = connected.converse(project, SEARCH, Say("I do not know."), prompt=ASKED, allowed=None)

    name, event = FILES[connected.client.name]
    assert len(seen.told) == 1
    assert recalled(seen) == []
    assert event not in (connected.device.home / name).read_text()


@pytest.mark.parametrize("client", [Opencode()], ids=["opencode"])
def test_passages_go_behind_the_prompt_where_a_plugin_stands_for_hooks(connected: Installed, project: Path):
    test_passages_come_with_each_prompt_once_and_are_not_learned_again(connected, project)


@pytest.mark.parametrize("client", [Opencode()], ids=["opencode"])
def test_a_plugin_asks_nothing_once_the_setting_is_off_again(connected: Installed, project: Path):
    connect_anew(connected, 0)

    seen = connected.converse(project, SEARCH, prompt=ASKED, allowed=None)

    assert recalled(seen) == []


@pytest.mark.parametrize("client", [Codex()], ids=["codex"])
def test_the_other_hooks_stay_trusted_while_that_of_prompts_comes_and_goes(connected: Installed):
    device = connected.device
    trusted = hook_states(connected)

    device.imprint("config", "set", "hooks.prompt_passages", "2")
    device.imprint("clients", "connect", "codex")
    recalling = hook_states(connected)
    connected.client.agree(connected)
    agreed = hook_states(connected)
    device.imprint("config", "unset", "hooks.prompt_passages")
    device.imprint("clients", "connect", "codex")

    assert {key: state for key, state in recalling.items() if key in trusted} == trusted
    assert [status for key, (status, _) in recalling.items() if key not in trusted] == ["untrusted"]
    assert {status for status, _ in agreed.values()} == {"trusted"}
    assert hook_states(connected) == trusted
    assert "user_prompt_submit" not in (device.home / ".codex" / "config.toml").read_text()
