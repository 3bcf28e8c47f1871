"""Forked sessions: the client copies what was said into a session of its own, which is another conversation."""

from pathlib import Path

import pytest
from client_claude_code import ClaudeCode
from client_opencode import Opencode
from client_qwen_code import QwenCode
from real_clients import Installed
from scripted_model import Say

DECIDED = "We decided to paint the door teal because the neighbours asked for it."
ANSWERED = "Then the door will be teal."

pytestmark = pytest.mark.parametrize("client", [ClaudeCode(), QwenCode(), Opencode()], ids=lambda client: client.name)


@pytest.fixture
def project(connected: Installed) -> Path:
    """A repository that has a workspace of its own, in which something was said."""
    folder = connected.device.repository("acme")
    connected.device.imprint("workspace", "use", "acme", cwd=folder)
    connected.converse(folder, Say(ANSWERED), prompt=DECIDED, allowed=None)
    connected.device.settle()
    return folder


def fork(connected: Installed, project: Path) -> None:
    connected.converse(project, Say("It is painted."), prompt="Paint it.", allowed=None, resumes=True, forks=True)
    connected.device.settle()
    connected.device.imprint("learn", "--workspace", "acme")


def counted(conversation: str) -> list[int]:
    """How often each was said in it."""
    return [conversation.count(said) for said in (DECIDED, ANSWERED, "Paint it.", "It is painted.")]


def test_a_fork_repeats_nothing(connected: Installed, project: Path):
    fork(connected, project)

    assert sorted(map(counted, connected.device.learned("acme").values())) == [[0, 0, 1, 1], [1, 1, 0, 0]]


def test_a_fork_does_not_bring_back_what_was_purged(connected: Installed, project: Path):
    (purged,) = connected.device.learned("acme")
    connected.device.imprint("purge", purged, "--apply", "--workspace", "acme")

    fork(connected, project)

    assert list(map(counted, connected.device.learned("acme").values())) == [[0, 0, 1, 1]]
