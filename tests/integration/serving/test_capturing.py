"""The workspace of a call is fixed before it waits, embeds or writes: a switch in between changes nothing."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from conversations import MODERN, Conversation, converse

from imprint.domain.sources import WorkspaceName
from imprint.failpoints import EVENT
from imprint_mcp.server import build_server
from imprint_mcp.session import Session

Meet = Callable[..., Conversation]

_waiting: dict[str, Callable[[], None]] = {}


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == EVENT and _waiting:
        act = _waiting.pop(str(arguments[0]), None)
        if act is not None:
            act()


sys.addaudithook(_watch)


@contextmanager
def switch_when_reached(person, moment: str, workspace: str) -> Iterator[None]:
    """Another window switches the active workspace the next time this process reaches a moment."""

    def switch() -> None:
        with person.application() as application:
            application.workspaces.switch(workspace)

    _waiting[moment] = switch
    try:
        yield
        assert moment not in _waiting, "the moment never came"
    finally:
        _waiting.pop(moment, None)


def chunks(person, workspace: str) -> int:
    with person.application() as application:
        return application.overview.of(WorkspaceName(workspace)).counts.chunks


@pytest.fixture
def shared(person) -> Iterator[Conversation]:
    """A server that many clients share: there a call that names no workspace gets the active one."""
    person.create("first", "second")
    with person.application() as application:
        application.workspaces.switch("first")
    session = Session.without_project(person.environ)
    with converse(build_server(session), MODERN) as conversation:
        yield conversation
    session.close()


@pytest.mark.parametrize("moment", ["lock.wanted", "lock.acquired", "indexing.prepared", "embedding.computed"])
def test_an_ingest_stays_in_the_workspace_it_began_in(person, shared: Conversation, moment: str):
    folder = person.folder("docs", {"a.md": "# Releases\n\nReleases are cut on Mondays.\n"})
    with person.application() as application:
        application.roots.add(folder, explicit="first")

    with switch_when_reached(person, moment, "second"):
        said = shared.do("ingest", path=str(folder))

    assert said.startswith('In workspace "first":')
    assert "1 added" in said
    assert (chunks(person, "first"), chunks(person, "second")) == (1, 0)
    assert 'In workspace "second":' in shared.do("sources")


@pytest.mark.parametrize("moment", ["database.begin", "database.commit", "vectors.added"])
def test_a_memory_stays_in_the_workspace_it_was_told_in(person, shared: Conversation, moment: str):
    shared.do("sources")  # opens what is opened once
    with switch_when_reached(person, moment, "second"):
        said = shared.do("remember", content="Releases are cut on Mondays.")

    assert said.startswith('In workspace "first":')
    assert (chunks(person, "first"), chunks(person, "second")) == (1, 0)


@pytest.mark.parametrize("moment", ["purge.excluded", "purge.deleted"])
def test_a_purge_stays_in_the_workspace_that_was_reviewed(person, shared: Conversation, moment: str):
    for workspace in ("first", "second"):
        shared.do("remember", content="From the old notes.", source="text:old", workspace=workspace)
    digest = shared.do("purge_source", target="text:old").rpartition('digest="')[2].removesuffix('".')

    with switch_when_reached(person, moment, "second"):
        said = shared.do("purge_source", target="text:old", apply=True, workspace="first", digest=digest)

    assert said.startswith('In workspace "first":')
    assert (chunks(person, "first"), chunks(person, "second")) == (0, 1)


def test_a_sessions_pin_outlasts_every_switch(person, meet: Meet):
    person.create("other")
    folder = person.folder("docs", {"a.md": "# Releases\n\nReleases are cut on Mondays.\n"})
    with person.application() as application:
        application.roots.add(folder)
    here = meet(folder)

    with switch_when_reached(person, "lock.wanted", "other"):
        here.do("ingest", path="a.md")
    here.do("remember", content="One thing.")

    assert (chunks(person, "default"), chunks(person, "other")) == (2, 0)


def test_an_ingest_goes_where_the_call_says_though_the_folder_is_another_workspaces_too(person, shared: Conversation):
    folder = person.folder("docs", {"a.md": "# Releases\n\nReleases are cut on Mondays.\n"})
    with person.application() as application:
        application.roots.add(person.home / "docs", explicit="first")
        application.roots.add(folder, explicit="second", allow_overlap=True)

    said = shared.do("ingest", path=str(folder / "a.md"), workspace="second")

    assert said.startswith('In workspace "second":')
    assert (chunks(person, "first"), chunks(person, "second")) == (0, 1)
