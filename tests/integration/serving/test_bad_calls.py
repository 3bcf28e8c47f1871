"""Calls that cannot be answered: the error says what is wrong and how to mend the call, and nothing was changed."""

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from conversations import LEGACY, Conversation, converse

from imprint.bootstrap import Application
from imprint_mcp.server import build_server
from imprint_mcp.session import Session

Meet = Callable[..., Conversation]


@pytest.fixture
def here(person, meet: Meet) -> Conversation:
    """A session that had its notice."""
    person.create("work")
    conversation = meet(person.project("acme", {"notes.md": "Releases are cut on Mondays.\n"}))
    conversation.do("sources")
    return conversation


EVERY_TOOL = {
    "search": {"query": "x"},
    "read": {"ref": "1"},
    "sources": {},
    "remember": {"content": "x"},
    "forget": {"ids": ["1"]},
    "facts": {},
    "record_fact": {"subject": "a", "predicate": "is", "object": "b"},
    "end_fact": {"id": 1},
    "ingest": {"path": "notes.md"},
    "purge_source": {"target": "notes.md"},
}


@pytest.mark.parametrize("tool", EVERY_TOOL)
def test_an_unknown_workspace_is_refused_with_the_nearest_spelling(person, here: Conversation, tool: str):
    said = here.fail(tool, **EVERY_TOOL[tool], workspace="wrok")

    assert said == (
        'No workspace is named "wrok"; known: default, work. Did you mean "work"? Use one of the known names; if the '
        "user wants a new workspace, call use_workspace with its name first."
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("search", {"query": "  "}, "Say what you look for in a few words"),
        ("search", {"query": "x", "since": "whenever"}, "Write 2026-01-31"),
        ("search", {"query": "x", "kind": "banana"}, "kinds: code, document, conversation, web, memory, decision"),
        ("search", {"query": "x", "kind": "banana"}, "Leave kind out to search all of them."),
        ("read", {"ref": "99"}, "search shows the ids of passages, sources lists the sources"),
        ("read", {"ref": "/no/such/file"}, "search shows the ids"),
        ("remember", {"content": " "}, "The memory is empty."),
        ("remember", {"content": "x", "kind": "haiku"}, "kinds: decision"),
        ("forget", {"ids": ["99"]}, "Ids are those that search shows"),
        ("record_fact", {"subject": "a", "predicate": "is", "object": " "}, "empty"),
        ("record_fact", {"subject": "a", "predicate": "is", "object": "b", "valid_from": "soon"}, "Write 2026-01-31"),
        ("end_fact", {"id": 7}, "Call facts to see"),
        ("ingest", {"path": ""}, "name a file or folder"),
        ("ingest", {"path": "a\0b"}, "NUL"),
        ("ingest", {"path": "~nobody-of-this-name/x"}, "no such home"),
        ("purge_source", {"target": " "}, "The target is empty."),
        ("purge_source", {"target": "a\0b"}, "NUL"),
        ("purge_source", {"target": "."}, "Call again with recursive=true"),
    ],
)
def test_a_call_that_makes_no_sense_is_told_what_would(here: Conversation, tool: str, arguments: dict, says: str):
    said = here.fail(tool, **arguments)

    assert says in said
    assert "--" not in said, "options are the command line's"


def test_a_path_that_is_not_there_is_seen_from_the_sessions_directory(here: Conversation):
    here.do("use_workspace", name="work")

    said = here.fail("ingest", path="gone.md")

    assert said.endswith("does not exist. Check the spelling; a path is relative to the session's directory.")


def test_a_folder_that_nobody_approved_is_not_indexed_not_even_as_the_first(person, here: Conversation):
    elsewhere = person.folder("elsewhere", {"a.md": "Secret.\n"})

    said = here.fail("ingest", path=str(elsewhere))

    assert "Only folders that the user approved may be ingested" in said
    assert f"imprint roots add {elsewhere} --workspace default" in said
    assert "No sources" in here.do("sources")
    with person.application() as application:
        assert application.workspaces.registry.roots() == ()


def test_a_link_out_of_an_approved_folder_is_not_followed(person, here: Conversation, is_posix: bool):
    if not is_posix:
        pytest.skip("making links needs rights elsewhere")
    elsewhere = person.folder("elsewhere", {"a.md": "Secret.\n"})
    here.do("use_workspace", name="work")
    (person.home / "acme" / "link").symlink_to(elsewhere)

    assert "Only folders that the user approved" in here.fail("ingest", path="link/a.md")
    here.do("ingest", path=".")
    assert "Nothing relevant" in here.do("search", query="secret")


def test_a_passage_of_a_file_is_not_forgotten_but_purged(here: Conversation):
    here.do("use_workspace", name="work")
    here.do("ingest", path=".")

    said = here.fail("forget", ids=["1"])

    assert "not a memory; nothing was forgotten" in said
    assert "purge_source" in said


@pytest.mark.parametrize(
    "arguments",
    [{}, {"workspace": "work"}, {"digest": "{digest}"}, {"workspace": "  ", "digest": "{digest}"}],
)
def test_applying_a_purge_needs_its_workspace_and_its_digest(here: Conversation, arguments: dict):
    here.do("use_workspace", name="work")
    here.do("ingest", path=".")
    digest = here.do("purge_source", target="notes.md").rpartition('digest="')[2].removesuffix('".')
    given = {name: value.format(digest=digest) for name, value in arguments.items()}

    said = here.fail("purge_source", target="notes.md", apply=True, **given)

    assert "apply needs the workspace spelled out and the digest of a preview" in said
    assert 'workspace "work"' in said
    assert "Mondays" in here.do("search", query="releases cut on mondays")


def test_a_digest_of_something_else_applies_nothing(here: Conversation):
    here.do("use_workspace", name="work")
    here.do("ingest", path=".")
    digest = here.do("purge_source", target="notes.md").rpartition('digest="')[2].removesuffix('".')
    Path(here.do("device_context").partition("Project: ")[2].partition(".\n")[0], "notes.md").write_text("Other.\n")
    here.do("ingest", path=".")

    said = here.fail("purge_source", target="notes.md", apply=True, workspace="work", digest=digest)

    assert "nothing was changed" in said
    assert "Preview again without apply" in said
    assert "Other." in here.do("read", ref="notes.md")
    assert "excluded already" not in here.do("purge_source", target="notes.md")


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("search", {}, "query"),
        ("search", {"query": ["x"]}, "query"),
        ("search", {"query": "x", "limit": "many"}, "limit"),
        ("search", {"query": "x", "detail": "everything"}, "'concise' or 'full'"),
        ("end_fact", {"id": "first"}, "id"),
        ("no_such_tool", {}, "Unknown tool"),
    ],
)
def test_arguments_of_the_wrong_kind_are_named(here: Conversation, tool: str, arguments: dict, says: str):
    assert says in here.fail(tool, **arguments)


@pytest.mark.parametrize("era", [LEGACY])
def test_null_for_what_may_be_left_out_means_the_default(here: Conversation):
    optional = {"limit": None, "project": None, "kind": None, "since": None, "workspace": None}

    assert here.do("search", query="x", **optional).startswith('Nothing relevant in workspace "default" for "x".')
    assert "Remembered" in here.do("remember", content="x", kind=None, project=None, source=None, workspace=None)


@pytest.mark.parametrize("era", [LEGACY])
def test_text_that_is_no_unicode_is_kept_as_far_as_it_can_be(here: Conversation):
    here.do("remember", content="An emoji 🙂 and a line\u2028separator.")

    assert "An emoji 🙂 and a line\u2028separator." in here.do("search", query="emoji separator line", detail="full")


class _Failing(Session):
    """A session in which something goes wrong that nobody thought of."""

    def choose(self, application: Application, argument: str):  # noqa: ARG002
        raise ZeroDivisionError(f"a secret of the user's: {argument}")


def test_a_fault_of_our_own_is_owned_up_to_and_noted_without_what_it_was_about(person, era: str):
    session = _Failing({**person.environ}, directory=None, is_shared=True)

    with converse(build_server(session), era) as here:
        said = here.fail("search", query="x", workspace="my-secret")

    log = person.home / "data" / "logs" / "imprint.log"
    assert "a fault of Imprint itself (ZeroDivisionError)" in said
    assert str(log) in said
    assert "secret" not in said
    noted = log.read_text("utf-8")
    assert "ZeroDivisionError" in noted
    assert "secret" not in noted
    session.close()


@pytest.mark.parametrize("era", [LEGACY])
def test_calls_at_once_are_all_answered_and_one_of_them_carries_the_notice(person, meet: Meet):
    conversation = meet(person.project("acme"))

    async def ask_all() -> list[str]:
        texts: list[str] = []

        async def ask(number: int) -> None:
            result = await conversation.client.call_tool("remember", {"content": f"Memory number {number}."})
            texts.append(result.content[0].text)  # type: ignore[union-attr]

        async with anyio.create_task_group() as tasks:
            for number in range(12):
                tasks.start_soon(ask, number)
        return texts

    texts = conversation.run(ask_all)

    assert sum("Ask the user once" in text for text in texts) == 1
    assert all("Remembered in workspace" in text for text in texts)
    assert conversation.do("device_context").count("12 memory") == 1
