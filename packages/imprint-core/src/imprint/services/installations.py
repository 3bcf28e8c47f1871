"""A client in one of the homes: the plugin's questions, asked about that home's files."""

from collections.abc import Iterator, Sequence

import attrs

from imprint.domain.plans import ConnectionRecord, Plan
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientNotFoundError, ImprintError
from imprint.plugins.clients import ClientNote, Installation, OurPrograms
from imprint.plugins.handles import PluginHandle
from imprint.protocols.clients import ClientFiles
from imprint.services.homes import ReachedHome

__all__ = ["ClientInHome", "Witness"]


@attrs.frozen(kw_only=True)
class ClientInHome:
    """What a client's plugin says of one home."""

    handle: PluginHandle
    home: ReachedHome

    @property
    def address(self) -> str:
        """What the command line calls it: ``NAME`` in this system's own home, ``NAME@HOME`` in another."""
        name = self.handle.reference.name
        return f"{name}@{self.home.home.name}" if self.home.home.name else name

    @property
    def title(self) -> str:
        title: str = self.handle.call("describe_client").title
        return f"{title} in {self.home.home.name}" if self.home.home.name else title

    def find(self, files: ClientFiles | None = None) -> Installation | None:
        found: Installation | None = self.handle.call(
            "find_installation", home=self.home.home, files=files or self.home.files
        )
        return found

    def may_be_there(self) -> bool:
        """Whether it is there, or cannot be looked for."""
        try:
            return self.find() is not None
        except ImprintError:
            return True

    def require(self) -> Installation:
        """Where it is.

        Raises:
            ClientNotFoundError: Nowhere in this home.
        """
        witness = Witness(self.home.files)
        installation = self.find(witness)
        if installation is None:
            raise ClientNotFoundError(self.title, witness.looked_for)
        return installation

    def recorded(self, record: ConnectionRecord | None) -> Installation | None:
        """Where it was connected, though it may have been moved or removed since."""
        if record is None or record.folder is None:
            return None
        present = self.find()
        if present is not None and present.folder == record.folder:
            return present
        return Installation(client=self.handle.reference.name, home=self.home.home, folder=record.folder)

    def plan_connect(self, installation: Installation, programs: OurPrograms) -> Plan:
        """What is still to be done.

        Args:
            programs: As this system starts them.

        Raises:
            HomeUnreachableError: The home's clients cannot start them.
        """
        plan: Plan = self.handle.call(
            "plan_connect", installation=installation, programs=self.home.wrap(programs), files=self.home.files
        )
        return plan

    def plan_disconnect(self, installation: Installation, record: ConnectionRecord) -> Plan:
        plan: Plan = self.handle.call(
            "plan_disconnect", installation=installation, record=record, files=self.home.files
        )
        return plan

    def describe_duties(self, installation: Installation) -> tuple[ClientNote, ...]:
        notes: tuple[ClientNote, ...] = self.handle.call(
            "describe_duties", installation=installation, files=self.home.files
        )
        return notes


@attrs.frozen
class Witness:
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
