"""Connecting clients: which are there, and registering Imprint with them, or taking it out, by plans that are shown.

A client of this system's own home is called by its name, one of another home ``NAME@HOME``.
"""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from enum import StrEnum

import attrs

from imprint.domain.plans import ConnectionRecord, FileEdit, Plan, RunCommand
from imprint.domain.sources import CanonicalPath
from imprint.errors import ConnectionRecordDamagedError, ImprintError, NoClientFoundError, UnknownHomeError
from imprint.plugins.clients import ClientInfo, ClientNote, Installation, OurPrograms
from imprint.plugins.registry import PluginRegistry
from imprint.protocols.connections import ClientFileWriter, ConnectionRecords
from imprint.services.homes import Homes, ReachedHome
from imprint.services.installations import ClientInHome

__all__ = ["ClientState", "ClientStatus", "ConnectionChange", "Connections"]

_GROUP = "clients"


class ClientState(StrEnum):
    """How it stands with a client."""

    CONNECTED = "connected"
    INCOMPLETE = "incomplete"
    DISCONNECTED = "not connected"
    NOT_FOUND = "not found"
    FAILED = "failed"


@attrs.frozen(kw_only=True)
class ClientStatus:
    """A client that a plugin knows, in one home.

    Attributes:
        home: The home's name; empty: this system's own.
        installation: `None` where it was not found.
        error: Why it cannot be told, in `ClientState.FAILED`.
        notes: What stands in the way of it, or is superfluous, where it is connected; where it is not, what stands in
            for that.
    """

    info: ClientInfo
    state: ClientState
    home: str = ""
    installation: Installation | None = None
    error: ImprintError | None = None
    notes: tuple[ClientNote, ...] = ()

    @property
    def address(self) -> str:
        """What the command line calls it."""
        return f"{self.info.name}@{self.home}" if self.home else self.info.name


@attrs.frozen(kw_only=True)
class ConnectionChange:
    """What was done with one client, or would be.

    Attributes:
        client: As the command line calls it.
        plan: Empty where everything was as wanted.
        notes: What the user still has to do.
    """

    client: str
    title: str
    plan: Plan
    applied: bool
    notes: tuple[ClientNote, ...] = ()


@attrs.frozen(kw_only=True)
class Connections:
    """The use cases.

    Attributes:
        programs: Finds what clients start.
    """

    plugins: PluginRegistry
    homes: Homes
    writer: ClientFileWriter
    records: ConnectionRecords
    programs: Callable[[], OurPrograms]

    def list(self) -> Iterator[ClientStatus]:
        """Every client that a plugin knows, and those that are found in other homes; one whose state cannot be told is
        listed with the reason.
        """
        for handle in self.plugins.handles(_GROUP):
            info: ClientInfo = handle.call("describe_client")
            for home in self.homes.everywhere():
                client = ClientInHome(handle=handle, home=home)
                try:
                    status = self._status(client, info)
                except ImprintError as error:
                    status = ClientStatus(info=info, state=ClientState.FAILED, home=home.home.name, error=error)
                if not status.home or status.state is not ClientState.NOT_FOUND:
                    yield status

    def incomplete(self) -> Sequence[str]:
        """What the clients are called that were connected with something else than they would be now."""
        return [status.address for status in self.list() if status.state is ClientState.INCOMPLETE]

    def found(self) -> Sequence[str]:
        """What the clients that are there are called; one that cannot be looked for is among them, to say why.

        Raises:
            NoClientFoundError: None is.
        """
        clients = [
            ClientInHome(handle=handle, home=home)
            for home in self.homes.everywhere()
            for handle in self.plugins.handles(_GROUP)
        ]
        names = [client.address for client in clients if client.may_be_there()]
        if not names:
            raise NoClientFoundError
        return names

    def connect(self, client: str, *, dry_run: bool = False) -> ConnectionChange:
        """Register Imprint with a client; with one that has everything already, nothing is done.

        Raises:
            UnknownPluginError: No plugin knows such a client.
            UnknownHomeError: There is no such home.
            HomeUnreachableError: The home's clients cannot start our programs.
            ClientNotFoundError: It is not in this home.
            InvalidClientFileError: A file of it is not what it would read; nothing was changed.
            ClientFileChangedError: Somebody wrote to a file meanwhile.
            ClientFileUnwritableError: A file cannot be written.
            ProgramNotFoundError: What the client is to start is not installed.
        """
        chosen = self._choose(client)
        installation = chosen.require()
        if dry_run:
            plan = chosen.plan_connect(installation, self.programs())
            return self._change(chosen, installation, plan, applied=False)
        with self.records.hold():
            plan = chosen.plan_connect(installation, self.programs())
            if plan:
                self._apply_connect(chosen, installation, plan)
        return self._change(chosen, installation, plan, applied=bool(plan))

    def disconnect(self, client: str, *, dry_run: bool = False) -> ConnectionChange:
        """Take out of a client's files what connecting put in.

        Raises:
            UnknownPluginError: No plugin knows such a client.
            UnknownHomeError: There is no such home.
            ClientNotFoundError: It is not in this home, and was never connected.
            InvalidClientFileError: A file of it is not what it would read; nothing was changed.
            ClientFileChangedError: Somebody wrote to a file meanwhile.
            ClientFileUnwritableError: A file cannot be written.
            ConnectionRecordDamagedError: What was noted when it was connected cannot be read.
        """
        chosen = self._choose(client)
        if dry_run:
            return self._disconnect(chosen, dry_run=True)
        with self.records.hold():
            return self._disconnect(chosen, dry_run=False)

    def _choose(self, client: str) -> ClientInHome:
        name, at, wanted = client.partition("@")
        handle = self.plugins.load(_GROUP, name)
        home = self._choose_home(wanted) if at else self.homes.here()
        return ClientInHome(handle=handle, home=home)

    def _choose_home(self, name: str) -> ReachedHome:
        known = {home.home.name: home for home in self.homes.others()}
        nearest = next((one for one in known if one.lower() == name.lower()), None)
        if nearest is None:
            raise UnknownHomeError(name, tuple(get_close_matches(name, known)) or tuple(known))
        return known[nearest]

    def _status(self, client: ClientInHome, info: ClientInfo) -> ClientStatus:
        installation = client.find()
        home = client.home.home.name
        if installation is None:
            return ClientStatus(info=info, state=ClientState.NOT_FOUND, home=home)
        if not client.plan_disconnect(installation, ConnectionRecord()):
            said = tuple(
                ClientNote(text=note.unconnected) for note in client.describe_duties(installation) if note.unconnected
            )
            return ClientStatus(
                info=info, state=ClientState.DISCONNECTED, home=home, installation=installation, notes=said
            )
        missing = client.plan_connect(installation, self.programs())
        state = ClientState.INCOMPLETE if missing else ClientState.CONNECTED
        notes = tuple(note for note in client.describe_duties(installation) if note.is_standing)
        return ClientStatus(info=info, state=state, home=home, installation=installation, notes=notes)

    def _apply_connect(self, client: ClientInHome, installation: Installation, plan: Plan) -> None:
        """Note each edit, then make it: whatever ends this, the record covers what was done."""
        record = self.records.find(client.address)
        baseline = _baseline(client, installation, record)
        record = record or ConnectionRecord(folder=installation.folder)
        for step in plan:
            if isinstance(step, RunCommand):
                self.writer.run(step)
                continue
            made = (*self._made_for_others(client, step.path), *self.writer.missing_folders(step.path))
            noted = attrs.evolve(step, before=baseline.get(step.path, step.before))
            record = _noted(record, noted, made)
            self.records.back_up(client.address, step)
            self.records.save(client.address, record)
            self.writer.write(step)

    def _made_for_others(self, client: ClientInHome, path: CanonicalPath) -> Iterator[CanonicalPath]:
        """The folders above a file that were made for another client: whoever is disconnected last takes them away."""
        for handle in self.plugins.handles(_GROUP):
            other = attrs.evolve(client, handle=handle)
            try:
                record = self.records.find(other.address) if other.address != client.address else None
            except ConnectionRecordDamagedError:
                continue
            if record is not None:
                yield from (folder for folder in record.made_folders if folder in path.parents)

    def _disconnect(self, client: ClientInHome, *, dry_run: bool) -> ConnectionChange:
        record = self.records.find(client.address)
        installation = client.recorded(record) or client.require()
        plan = client.plan_disconnect(installation, record or ConnectionRecord())
        if not dry_run:
            for step in plan:
                if isinstance(step, RunCommand):
                    self.writer.run(step)
                else:
                    self.records.back_up(client.address, step)
                    self.writer.write(step)
            if record is not None:
                for folder in reversed(record.made_folders):
                    self.writer.remove_empty_folder(folder)
                self.records.drop(client.address)
        applied = bool(plan) and not dry_run
        return ConnectionChange(client=client.address, title=client.title, plan=plan, applied=applied)

    def _change(
        self, client: ClientInHome, installation: Installation, plan: Plan, *, applied: bool
    ) -> ConnectionChange:
        notes = client.describe_duties(installation)
        return ConnectionChange(client=client.address, title=client.title, plan=plan, applied=applied, notes=notes)


def _baseline(
    client: ClientInHome, installation: Installation, record: ConnectionRecord | None
) -> dict[CanonicalPath, bytes | None]:
    """What the files would be without what was put in before; others may have changed them since."""
    if record is None:
        return {}
    undone = client.plan_disconnect(installation, record)
    return {step.path: step.after for step in undone if isinstance(step, FileEdit)}


def _noted(record: ConnectionRecord, edit: FileEdit, made: tuple[CanonicalPath, ...]) -> ConnectionRecord:
    others = tuple(one for one in record.edits if one.path != edit.path)
    folders = tuple(dict.fromkeys([*record.made_folders, *made]))
    return attrs.evolve(record, edits=(*others, edit), made_folders=folders)
