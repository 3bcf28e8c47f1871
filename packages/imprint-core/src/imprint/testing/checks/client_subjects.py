"""A client's plugin under test: its hooks called on files in memory, with the documents that could be in them."""

import json
from collections.abc import Sequence
from pathlib import PurePosixPath
from types import ModuleType
from typing import Final

import attrs
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from imprint.domain.config_text.json_text import JsonText, parse_json
from imprint.domain.plans import Plan
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError, InvalidClientFileError
from imprint.plugins import (
    ClientHome,
    ClientInfo,
    ConnectionRecord,
    FileEdit,
    HookEventKind,
    Installation,
    OurPrograms,
    TranscriptReference,
)
from imprint.plugins.handles import PluginHandle
from imprint.protocols.clients import ClientFiles
from imprint.testing.client_files import MemoryClientFiles
from imprint.testing.documents import json_documents, markdown_documents, toml_documents
from imprint.testing.subjects import hold

__all__ = ["EXAMPLES", "HOME", "PAYLOAD", "PROGRAMS", "RECALLING", "Client", "add_strangers", "is_strict"]

EXAMPLES: Final = settings(
    max_examples=20, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
HOME: Final = ClientHome(path=PurePosixPath("/home/somebody"), system="linux")
PROGRAMS: Final = OurPrograms(
    server=("/opt/imprint 1/bin/imprint-mcp",),
    hook=("/opt/imprint 1/bin/imprint-hook",),
    instructions="Ask imprint before you answer.\n",
)
RECALLING: Final = attrs.evolve(PROGRAMS, recalls=True)
PAYLOAD: Final = dict.fromkeys(
    (
        "session_id",
        "sessionId",
        "conversation_id",
        "taskId",
        "transcript_path",
        "transcriptPath",
        "cwd",
        "prompt",
        "source",
        "reason",
        "trigger",
        "hook_event_name",
    ),
    "some",
)


def documents(path: CanonicalPath) -> SearchStrategy[bytes]:
    """What could be in a configuration file, by its suffix."""
    known = {".json": json_documents(), ".jsonc": json_documents(comments=True), ".toml": toml_documents()}
    return known.get(path.suffix, markdown_documents())


def is_strict(path: CanonicalPath) -> bool:
    """Whether not every text is a file of this kind."""
    return path.suffix in {".json", ".jsonc", ".toml"}


def add_strangers(data: bytes, path: CanonicalPath) -> bytes:
    """Write beside everything of ours in a file what somebody else could have: the same, under another name."""
    if path.suffix not in {".json", ".jsonc"}:
        return data + b"\n" + data.replace(b"imprint", b"stranger")
    document = parse_json(data, str(path))
    return _with_siblings(document, (), document.get(())).data


def _with_siblings(document: JsonText, path: tuple[str | int, ...], value: object) -> JsonText:
    if isinstance(value, dict):
        for key, item in value.items():
            if "imprint" not in key:
                document = _with_siblings(document, (*path, key), item)
            else:
                document = document.set((*path, key.replace("imprint", "stranger")), _of_a_stranger(item))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            document = _with_siblings(document, (*path, index), item)
        if value and "imprint" in json.dumps(value[-1]):
            document = document.append(path, _of_a_stranger(value[-1]))
    return document


def _of_a_stranger(value: object) -> object:
    return json.loads(json.dumps(value).replace("imprint", "stranger"))


@attrs.frozen
class Client:
    """The plugin, and what it is asked."""

    handle: PluginHandle
    transcripts: tuple[bytes, ...]

    @classmethod
    def hold(cls, plugin: ModuleType, transcripts: Sequence[bytes]) -> "Client":
        """Hold a module to the group.

        Raises:
            PluginInvalidError: It does not fit.
        """
        return cls(hold(plugin, "imprint.clients"), tuple(transcripts))

    @property
    def info(self) -> ClientInfo:
        info: ClientInfo = self.handle.call("describe_client")
        return info

    def empty_files(self) -> MemoryClientFiles:
        """A home in which the client is, without any file."""
        return MemoryClientFiles.of_everything(HOME)

    @st.composite
    @staticmethod
    def _filled(draw: st.DrawFn, client: "Client") -> MemoryClientFiles:
        files = client.empty_files()
        for path in client.paths(client.plan_connect(files)):
            if draw(st.booleans()):
                files.files[path] = draw(documents(path))
                try:
                    client.plan_connect(files)
                except InvalidClientFileError:  # as it may where something else stands in our place
                    del files.files[path]
        return files

    def filled_files(self) -> SearchStrategy[MemoryClientFiles]:
        """A home in which the files that are connected may hold anything that the client would read."""
        return Client._filled(self)

    def plan_connect(self, files: MemoryClientFiles, programs: OurPrograms = PROGRAMS) -> Plan:
        plan: Plan = self.handle.call(
            "plan_connect", installation=self._installation(files), programs=programs, files=files
        )
        return plan

    def plan_disconnect(self, files: MemoryClientFiles, record: ConnectionRecord = ConnectionRecord()) -> Plan:  # noqa: B008 (a value)
        plan: Plan = self.handle.call(
            "plan_disconnect", installation=self._installation(files), record=record, files=files
        )
        return plan

    def connect(
        self,
        files: MemoryClientFiles,
        record: ConnectionRecord = ConnectionRecord(),  # noqa: B008 (a value)
        *,
        programs: OurPrograms = PROGRAMS,
    ) -> ConnectionRecord:
        """Connect the client, once more where there is a record, and note what was done."""
        undone = self.plan_disconnect(files, record) if record.edits else ()
        before = {step.path: step.after for step in undone if isinstance(step, FileEdit)}
        edits = {edit.path: edit for edit in record.edits}
        for edit in files.carry_out(self.plan_connect(files, programs)):
            edits[edit.path] = attrs.evolve(edit, before=before.get(edit.path, edit.before))
        return ConnectionRecord(edits=tuple(edits.values()))

    def disconnect(self, files: MemoryClientFiles, record: ConnectionRecord) -> None:
        files.carry_out(self.plan_disconnect(files, record))

    def kind_of(self, event: str) -> HookEventKind:
        """What an event is read as, with every key that a client could send."""
        read = self.handle.call("parse_hook_payload", event_name=event, payload=PAYLOAD)
        return HookEventKind(read.kind)

    def paths(self, plan: Plan) -> list[CanonicalPath]:
        return [step.path for step in plan if isinstance(step, FileEdit)]

    def written(self, plan: Plan) -> str:
        """Everything that a plan would write or run, as text."""
        texts = [(step.after or b"").decode() if isinstance(step, FileEdit) else repr(step.arguments) for step in plan]
        return "\n".join(texts)

    def ours_left(self, files: MemoryClientFiles) -> list[str]:
        """The files that name one of our programs, or give our instructions."""
        marks = (PROGRAMS.server[0], PROGRAMS.hook[0], PROGRAMS.instructions.strip())
        return [path.name for path, data in files.files.items() if any(mark.encode() in data for mark in marks)]

    def find_transcripts(self, files: ClientFiles) -> list[TranscriptReference]:
        """All that the client has there, but for databases."""
        try:
            return list(self.handle.call("find_transcripts", installation=self._installation(files), files=files))
        except ClientFileUnreadableError:
            return []

    def _installation(self, files: ClientFiles) -> Installation:
        found: Installation | None = self.handle.call("find_installation", home=HOME, files=files)
        if found is None:
            raise AssertionError("it is not found where every folder and program is there")
        return found
