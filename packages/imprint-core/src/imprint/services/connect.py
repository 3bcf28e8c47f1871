"""Connecting clients: which are there, and registering Imprint with them, or taking it out, by plans that are shown."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

import attrs

from imprint.domain.plans import ConnectionRecord, FileEdit, Plan, RunCommand
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientNotFoundError, ImprintError
from imprint.plugins.clients import (
    ClientHome,
    ClientInfo,
    ClientNote,
    Installation,
    OurPrograms,
)
from imprint.plugins.handles import PluginHandle
from imprint.plugins.registry import PluginRegistry
from imprint.protocols.clients import ClientFiles
from imprint.protocols.connections import ClientFileWriter, ConnectionRecords

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
    """A client that a plugin knows.

    Attributes:
        installation: `None` where it was not found.
        error: Why it cannot be told, in `ClientState.FAILED`.
    """

    info: ClientInfo
    state: ClientState
    installation: Installation | None = None
    error: ImprintError | None = None


@attrs.frozen(kw_only=True)
class ConnectionChange:
    """What was done with one client, or would be.

    Attributes:
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
    home: ClientHome
    files: ClientFiles
    writer: ClientFileWriter
    records: ConnectionRecords
    programs: Callable[[], OurPrograms]

    def list(self) -> Iterator[ClientStatus]:
        """Every client that a plugin knows; one whose state cannot be told is listed with the reason."""
        for handle in self.plugins.handles(_GROUP):
            info: ClientInfo = handle.call("describe_client")
            try:
                yield self._status(handle, info)
            except ImprintError as error:
                yield ClientStatus(info=info, state=ClientState.FAILED, error=error)

    def found(self) -> Sequence[str]:
        """The names of the clients that are there; one that cannot be looked for is among them, to say why.

        Raises:
            ClientNotFoundError: None is.
        """
        witness = _Witness(self.files)
        handles = self.plugins.handles(_GROUP)
        names = [handle.reference.name for handle in handles if self._may_be_there(handle, witness)]
        if not names:
            raise ClientNotFoundError("a client", witness.looked_for)
        return names

    def connect(self, client: str, *, dry_run: bool = False) -> ConnectionChange:
        """Register Imprint with a client; with one that has everything already, nothing is done.

        Raises:
            UnknownPluginError: No plugin knows such a client.
            ClientNotFoundError: It is not in this home.
            InvalidClientFileError: A file of it is not what it would read; nothing was changed.
            ClientFileChangedError: Somebody wrote to a file meanwhile.
            ClientFileUnwritableError: A file cannot be written.
            ProgramNotFoundError: What the client is to start is not installed.
        """
        handle = self.plugins.load(_GROUP, client)
        installation = self._require_installation(handle)
        if dry_run:
            plan = self._plan_connect(handle, installation)
            return self._change(handle, installation, plan, applied=False)
        with self.records.hold():
            plan = self._plan_connect(handle, installation)
            if plan:
                self._apply_connect(handle, installation, plan)
        return self._change(handle, installation, plan, applied=bool(plan))

    def disconnect(self, client: str, *, dry_run: bool = False) -> ConnectionChange:
        """Take out of a client's files what connecting put in.

        Raises:
            UnknownPluginError: No plugin knows such a client.
            ClientNotFoundError: It is not in this home, and was never connected.
            InvalidClientFileError: A file of it is not what it would read; nothing was changed.
            ClientFileChangedError: Somebody wrote to a file meanwhile.
            ClientFileUnwritableError: A file cannot be written.
            ConnectionRecordDamagedError: What was noted when it was connected cannot be read.
        """
        handle = self.plugins.load(_GROUP, client)
        if dry_run:
            return self._disconnect(handle, dry_run=True)
        with self.records.hold():
            return self._disconnect(handle, dry_run=False)

    def _status(self, handle: PluginHandle, info: ClientInfo) -> ClientStatus:
        installation = self._find(handle, self.files)
        if installation is None:
            return ClientStatus(info=info, state=ClientState.NOT_FOUND)
        ours = handle.call("plan_disconnect", installation=installation, record=ConnectionRecord(), files=self.files)
        if not ours:
            state = ClientState.DISCONNECTED
        else:
            missing = self._plan_connect(handle, installation)
            state = ClientState.INCOMPLETE if missing else ClientState.CONNECTED
        return ClientStatus(info=info, state=state, installation=installation)

    def _find(self, handle: PluginHandle, files: ClientFiles) -> Installation | None:
        found: Installation | None = handle.call("find_installation", home=self.home, files=files)
        return found

    def _may_be_there(self, handle: PluginHandle, files: ClientFiles) -> bool:
        try:
            return self._find(handle, files) is not None
        except ImprintError:
            return True

    def _require_installation(self, handle: PluginHandle) -> Installation:
        witness = _Witness(self.files)
        installation = self._find(handle, witness)
        if installation is None:
            raise ClientNotFoundError(handle.call("describe_client").title, witness.looked_for)
        return installation

    def _plan_connect(self, handle: PluginHandle, installation: Installation) -> Plan:
        plan: Plan = handle.call("plan_connect", installation=installation, programs=self.programs(), files=self.files)
        return plan

    def _apply_connect(self, handle: PluginHandle, installation: Installation, plan: Plan) -> None:
        """Note each edit, then make it: whatever ends this, the record covers what was done."""
        client = handle.reference.name
        record = self.records.find(client)
        baseline = self._baseline(handle, installation, record)
        record = record or ConnectionRecord(folder=installation.folder)
        for step in plan:
            if isinstance(step, RunCommand):
                self.writer.run(step)
                continue
            made = self.writer.missing_folders(step.path)
            noted = attrs.evolve(step, before=baseline.get(step.path, step.before))
            record = _noted(record, noted, made)
            self.records.back_up(client, step)
            self.records.save(client, record)
            self.writer.write(step)

    def _baseline(
        self, handle: PluginHandle, installation: Installation, record: ConnectionRecord | None
    ) -> dict[CanonicalPath, bytes | None]:
        """What the files would be without what was put in before; others may have changed them since."""
        if record is None:
            return {}
        undone: Plan = handle.call("plan_disconnect", installation=installation, record=record, files=self.files)
        return {step.path: step.after for step in undone if isinstance(step, FileEdit)}

    def _disconnect(self, handle: PluginHandle, *, dry_run: bool) -> ConnectionChange:
        client = handle.reference.name
        record = self.records.find(client)
        installation = self._recorded_installation(handle, record) or self._require_installation(handle)
        plan: Plan = handle.call(
            "plan_disconnect", installation=installation, record=record or ConnectionRecord(), files=self.files
        )
        if not dry_run:
            for step in plan:
                if isinstance(step, RunCommand):
                    self.writer.run(step)
                else:
                    self.records.back_up(client, step)
                    self.writer.write(step)
            if record is not None:
                for folder in reversed(record.made_folders):
                    self.writer.remove_empty_folder(folder)
                self.records.drop(client)
        title: str = handle.call("describe_client").title
        return ConnectionChange(client=client, title=title, plan=plan, applied=bool(plan) and not dry_run)

    def _recorded_installation(self, handle: PluginHandle, record: ConnectionRecord | None) -> Installation | None:
        """Where a client was connected, though it may have been moved or removed since."""
        if record is None or record.folder is None:
            return None
        present = self._find(handle, self.files)
        if present is not None and present.folder == record.folder:
            return present
        return Installation(client=handle.reference.name, home=self.home, folder=record.folder)

    def _change(
        self, handle: PluginHandle, installation: Installation, plan: Plan, *, applied: bool
    ) -> ConnectionChange:
        notes: tuple[ClientNote, ...] = handle.call("describe_duties", installation=installation, files=self.files)
        title: str = handle.call("describe_client").title
        return ConnectionChange(client=handle.reference.name, title=title, plan=plan, applied=applied, notes=notes)


def _noted(record: ConnectionRecord, edit: FileEdit, made: tuple[CanonicalPath, ...]) -> ConnectionRecord:
    others = tuple(one for one in record.edits if one.path != edit.path)
    folders = tuple(dict.fromkeys([*record.made_folders, *made]))
    return attrs.evolve(record, edits=(*others, edit), made_folders=folders)


@attrs.frozen
class _Witness:
    """Reads like the files it is given, and remembers what was looked for."""

    _files: ClientFiles
    _asked: dict[str, None] = attrs.field(factory=dict)

    @property
    def looked_for(self) -> tuple[str, ...]:
        return tuple(self._asked)

    def read(self, path: CanonicalPath) -> bytes | None:
        self._asked[str(path)] = None
        return self._files.read(path)

    def names(self, folder: CanonicalPath) -> Sequence[str]:
        self._asked[str(folder)] = None
        return self._files.names(folder)

    def is_folder(self, path: CanonicalPath) -> bool:
        self._asked[f"folder {path}"] = None
        return self._files.is_folder(path)

    def rows(
        self, path: CanonicalPath, query: str, parameters: Sequence[str | int] = ()
    ) -> Iterator[tuple[object, ...]]:
        self._asked[str(path)] = None
        return self._files.rows(path, query, parameters)

    def find_program(self, name: str) -> CanonicalPath | None:
        self._asked[f"program {name!r}"] = None
        return self._files.find_program(name)
