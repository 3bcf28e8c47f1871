"""Checks of the group ``imprint.clients``: how a client is connected and disconnected."""

from collections.abc import Callable
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from imprint.errors import InvalidClientFileError
from imprint.plugins import ConnectionRecord, FileEdit
from imprint.testing.checks.client_subjects import (
    EXAMPLES,
    PROGRAMS,
    RECALLING,
    Client,
    add_strangers,
    is_strict,
)
from imprint.testing.conformance import ensure

__all__ = ["connecting_promises"]

_GARBAGE: Final = (b'{"open": ', b"[1", b"\xff\xfe\x00", b'= "no key"')
_PROGRAMS: Final = st.sampled_from([PROGRAMS, RECALLING])


def connecting_promises() -> "tuple[Callable[[Client], None], ...]":
    """Those that each connecting plugin keeps."""
    return (
        connecting_names_our_programs,
        connecting_twice_plans_nothing,
        connecting_follows_what_is_recalled,
        disconnecting_restores_any_document,
        disconnecting_spares_what_others_wrote,
        disconnecting_without_a_record_takes_ours_out,
        invalid_files_are_refused,
    )


def connecting_names_our_programs(client: Client) -> None:
    """The plan registers the server's program, and the hook's where the client has hooks, by their absolute paths.

    If this fails, look at ``plan_connect``: it has to use ``programs.server`` and ``programs.hook`` as they are.
    """
    plan = client.plan_connect(client.empty_files())
    written = client.written(plan)
    ensure(PROGRAMS.server[0] in written, "the plan does not name the server's program")
    if client.info.hook_events:
        ensure(PROGRAMS.hook[0] in written, "the plan does not name the hook's program")
    for step in plan:
        ensure(step.purpose.strip(), f"{step!r:.60} does not say what it is for")


def connecting_twice_plans_nothing(client: Client) -> None:
    """Once its edits are made, connecting has nothing left to do, whatever was in the files before.

    If this fails, look at how ``plan_connect`` knows its own entries again, and at values written in another order.
    """

    @EXAMPLES
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        files = data.draw(client.filled_files())
        client.connect(files)
        again = client.plan_connect(files)
        ensure(not again, f"a second plan changes {client.paths(again)}: {client.written(again)!r:.300}")

    holds()


def connecting_follows_what_is_recalled(client: Client) -> None:
    """What is registered for prompts is there while ``programs.recalls``, and gone when connecting finds it so no more.

    If this fails, look at what ``plan_connect`` does with an event for prompts that is there and not wanted any more.
    """

    @EXAMPLES
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        files = data.draw(client.filled_files())
        client.connect(files)
        if client.plan_connect(files):
            return  # which is another promise
        silent = dict(files.files)
        client.connect(files, programs=RECALLING)
        again = client.plan_connect(files, RECALLING)
        ensure(not again, f"a second plan changes {client.paths(again)}: {client.written(again)!r:.300}")
        client.connect(files)
        left = [path.name for path, content in files.files.items() if content != silent.get(path)]
        ensure(not left, f"what was registered for prompts is left in {', '.join(left)}")

    holds()


def disconnecting_restores_any_document(client: Client) -> None:
    """When nobody else changed the files, disconnecting gives back every byte, and removes files that were made.

    If this fails, look at ``plan_disconnect``: a file that is what the record says it became is what it was before.
    """

    @EXAMPLES
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        files = data.draw(client.filled_files())
        before = dict(files.files)
        record = client.connect(files, programs=data.draw(_PROGRAMS))
        record = client.connect(files, record, programs=data.draw(_PROGRAMS))
        client.disconnect(files, record)
        for path in {*before, *files.files}:
            ensure(
                files.files.get(path) == before.get(path),
                f"{path.name} was {before.get(path)!r} and is {files.files.get(path)!r}",
            )

    holds()


def disconnecting_spares_what_others_wrote(client: Client) -> None:
    """When others added to the files meanwhile, what is theirs stays and all that is ours goes.

    If this fails, look at how ``plan_disconnect`` finds its entries in a file that is no longer what the record says.
    """
    files = client.empty_files()
    record = client.connect(files)
    for path, data in files.files.items():
        files.files[path] = add_strangers(data, path)
    shared = {path: data.count(b"stranger") for path, data in files.files.items()}
    client.disconnect(files, record)
    for path, count in shared.items():
        left = files.files.get(path, b"")
        ensure(left.count(b"stranger") == count, f"{path.name} lost what others wrote: {left!r:.500}")
        ensure(b"imprint" not in left, f"something of ours is left in {path.name}: {left!r:.500}")


def disconnecting_without_a_record_takes_ours_out(client: Client) -> None:
    """When nobody knows any more what was done, disconnecting takes out what is recognisably ours.

    If this fails, look at what ``plan_disconnect`` does with a record without edits.
    """

    @EXAMPLES
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        files = data.draw(client.filled_files())
        client.connect(files, programs=data.draw(_PROGRAMS))
        client.disconnect(files, ConnectionRecord())
        ensure(not client.ours_left(files), f"ours is left in {client.ours_left(files)}")

    holds()


def invalid_files_are_refused(client: Client) -> None:
    """A configuration that the client could not read is refused with `InvalidClientFileError`, and never overwritten.

    If this fails, look at what parses the file, and turn its error into ours.
    """
    for path in client.paths(client.plan_connect(client.empty_files())):
        for garbage in _GARBAGE if is_strict(path) else ():
            files = client.empty_files()
            files.files[path] = garbage
            for plan in (client.plan_connect, client.plan_disconnect):
                try:
                    edits = plan(files)
                except InvalidClientFileError:
                    continue
                changed = any(isinstance(step, FileEdit) and step.path == path for step in edits)
                ensure(not changed, f"{path.name} with {garbage!r} is overwritten")
                ensure(plan is not client.plan_connect, f"{path.name} with {garbage!r} is taken for valid")
