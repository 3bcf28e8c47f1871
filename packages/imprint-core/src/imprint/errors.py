"""The whole error tree.

Every error of Imprint is an `ImprintError`. Its branches say what kind of answer it is, and each front end maps
branches, never leaves, to its own signal (the command line to an exit code):

* `UsageError`: the caller's words are wrong (a name, a path, a setting, a query).
* `UnknownNameError`: well formed, but nothing has this name.
* `RefusedError`: possible, but policy says no (outside roots, overlap, not approved, excluded).
* `BusyError`: somebody else is at it; try again.
* `StoreError`: a database or index is damaged, newer than this program, or cannot be written.
* `PluginError`: a plugin is missing, failed to load, or broke its contract.
* `SourceError`: one file, conversation or page cannot be read; a run lists it and goes on.

Facts are fields, the sentence is `str(error)`, and `hint` says what to do next where something can be done.
"""

import attrs


class ImprintError(Exception):
    """Whatever Imprint itself raises."""

    @property
    def hint(self) -> str | None:
        """What to do next, as one sentence fragment; `None` where nothing can be done."""
        return None


class UsageError(ImprintError):
    """The caller's words are wrong; nothing was changed."""


class UnknownNameError(ImprintError):
    """Nothing has this name."""


class RefusedError(ImprintError):
    """Policy refuses the request; nothing was changed."""


class BusyError(ImprintError):
    """Another process is at it."""


class StoreError(ImprintError):
    """A database or index is damaged, newer than this program, or cannot be written."""


class PluginError(ImprintError):
    """A plugin is missing, failed to load, or broke its contract."""


class SourceError(ImprintError):
    """One source cannot be read; a run lists it and goes on."""


@attrs.define
class UnknownWorkspaceError(UnknownNameError):
    """No workspace of this device has this name."""

    name: str
    known: tuple[str, ...]
    nearest: str | None = None

    def __str__(self) -> str:
        return f'no workspace is named "{escaped(self.name)}"; known: {", ".join(self.known)}'

    @property
    def hint(self) -> str | None:
        return f'did you mean "{self.nearest}"?' if self.nearest else "run 'imprint workspace create NAME' to make one"


@attrs.define
class UnknownSettingError(UnknownNameError):
    """There is no such setting.

    Attributes:
        place: The file or layer that names it, empty where a person did just now.
    """

    key: str
    nearest: str | None = None
    place: str = ""

    def __str__(self) -> str:
        return f"{self.key!r} is not a setting" + (f" ({self.place})" if self.place else "")

    @property
    def hint(self) -> str | None:
        if self.nearest:
            return f"did you mean {self.nearest!r}?"
        return f"run 'imprint config unset {self.key}'" if self.place else "run 'imprint config list' to see them all"


@attrs.define
class InvalidSettingError(UsageError):
    """A setting does not take this value."""

    key: str
    value: str
    expected: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.key} is {self.expected}, not {self.value!r}" + (f" ({self.place})" if self.place else "")

    @property
    def hint(self) -> str | None:
        return f"run 'imprint config set {self.key} VALUE', or 'imprint config unset {self.key}' for the default"


@attrs.define
class InvalidConfigFileError(UsageError):
    """The configuration file is not TOML in UTF-8, or cannot be read."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the configuration file {self.path} cannot be read: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "mend it in an editor, or move it away to start with the defaults"


@attrs.define
class UnwritableConfigError(ImprintError):
    """The configuration file cannot be written."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the configuration file {self.path} cannot be written: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "check the folder's permissions, or name another file with --config"


@attrs.define
class UnknownPluginGroupError(UnknownNameError):
    """There is no such group of plugins."""

    group: str
    known: tuple[str, ...]
    nearest: str | None = None

    def __str__(self) -> str:
        return f"there are no plugins of the group {self.group!r}; groups: {', '.join(self.known)}"

    @property
    def hint(self) -> str | None:
        return f"did you mean {self.nearest!r}?" if self.nearest else None


@attrs.define
class UnknownPluginError(UnknownNameError):
    """No installed distribution has a plugin of this name in the group."""

    group: str
    name: str
    known: tuple[str, ...]
    nearest: str | None = None

    def __str__(self) -> str:
        return f"there is no plugin {_plugin_name(self.group, self.name)}; known: {', '.join(self.known)}"

    @property
    def hint(self) -> str | None:
        return f"did you mean {self.nearest!r}?" if self.nearest else "install the distribution that brings it"


@attrs.define
class PluginBlockedError(RefusedError):
    """The settings forbid to load this plugin."""

    group: str
    name: str

    def __str__(self) -> str:
        return f"the plugin {_plugin_name(self.group, self.name)} is blocked"

    @property
    def hint(self) -> str | None:
        return "take it out of 'plugins.blocked' or IMPRINT_PLUGINS_BLOCK"


@attrs.define
class DuplicatePluginError(PluginError):
    """Several distributions bring a plugin of one name, so the name says nothing."""

    group: str
    name: str
    distributions: tuple[str, ...]

    def __str__(self) -> str:
        name = _plugin_name(self.group, self.name)
        return f"several distributions bring the plugin {name}: {', '.join(self.distributions)}"

    @property
    def hint(self) -> str | None:
        return "uninstall all but one of them"


@attrs.define(kw_only=True)
class BrokenPluginError(PluginError):
    """A plugin is at fault; the leaves say in what way.

    Attributes:
        version: Of the distribution; empty where its metadata cannot be read.
    """

    group: str
    name: str
    distribution: str
    version: str

    @property
    def plugin(self) -> str:
        """The plugin and where it is from, as people write it."""
        return f"{_plugin_name(self.group, self.name)} ({' '.join(filter(None, (self.distribution, self.version)))})"


@attrs.define(kw_only=True)
class PluginLoadError(BrokenPluginError):
    """A plugin's module cannot be imported."""

    module: str
    reason: str

    def __str__(self) -> str:
        return f"the plugin {self.plugin} cannot be loaded from {self.module}: {self.reason}"

    @property
    def hint(self) -> str | None:
        return f"reinstall {self.distribution} with what it needs, or block the plugin with IMPRINT_PLUGINS_BLOCK"


@attrs.define(kw_only=True)
class PluginInvalidError(BrokenPluginError):
    """A plugin's module does not have the hooks that its group asks for."""

    problem: str

    def __str__(self) -> str:
        return f"the plugin {self.plugin} does not fit its group: {self.problem}"

    @property
    def hint(self) -> str | None:
        return f"look for a release of {self.distribution} made for this version of Imprint"


@attrs.define(kw_only=True)
class PluginCallError(BrokenPluginError):
    """A hook of a plugin raised what it must not, or gave back what it must not."""

    hook: str
    reason: str

    def __str__(self) -> str:
        return f"the plugin {self.plugin} failed in {self.hook}: {self.reason}"

    @property
    def hint(self) -> str | None:
        return f"run 'imprint plugins check {_plugin_name(self.group, self.name)}' and tell its authors"


def _plugin_name(group: str, name: str) -> str:
    return f"{group.removeprefix('imprint.')}/{name}"


def escaped(text: object, limit: int = 200) -> str:
    """Show text that somebody else chose (a repository, a variable) so that it cannot pose as ours.

    Control and other unprintable characters are escaped, and what is longer than the limit is cut.
    """
    shown = str(text)
    if len(shown) > limit:
        shown = shown[: limit - 1] + "…"
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)


@attrs.define
class InvalidWorkspaceNameError(UsageError):
    """No workspace can have this name.

    Attributes:
        reason: A word of `imprint.domain.names.NameFault`.
        explanation: The same as the second half of a sentence.
        suggestion: A spelling that would do, where there is an obvious one.
    """

    name: str
    reason: str
    explanation: str
    suggestion: str | None = None

    def __str__(self) -> str:
        return f'"{escaped(self.name)}" cannot be a workspace name: {self.explanation}'

    @property
    def hint(self) -> str | None:
        return f'did you mean "{self.suggestion}"?' if self.suggestion else None


@attrs.define
class InvalidEnvironmentWorkspaceError(UnknownNameError):
    """The environment names a workspace that cannot be or does not exist; nothing else is tried instead."""

    variable: str
    value: str
    known: tuple[str, ...]
    nearest: str | None = None

    def __str__(self) -> str:
        return (
            f'the environment variable {self.variable} names no workspace of this device: "{escaped(self.value)}"; '
            f"known: {', '.join(self.known)}"
        )

    @property
    def hint(self) -> str | None:
        return f'set {self.variable} to "{self.nearest}" or unset it' if self.nearest else f"unset {self.variable}"


@attrs.define
class ProtectedWorkspaceError(RefusedError):
    """This workspace always exists."""

    name: str

    def __str__(self) -> str:
        return f'workspace "{self.name}" always exists and cannot be deleted'


@attrs.define
class WorkspaceDeletedError(UnknownNameError):
    """The workspace was deleted while somebody was about to write to it."""

    name: str

    def __str__(self) -> str:
        return f'workspace "{self.name}" was deleted; nothing was written to it'


@attrs.define
class InvalidPathError(UsageError):
    """This text is no path that can be used here."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f'"{escaped(self.path)}" cannot be used: {self.reason}'


@attrs.define
class RootOverlapError(RefusedError):
    """A folder would be shared with other workspaces, and nobody confirmed that.

    Attributes:
        conflicts: Every (workspace, root) whose root contains the folder, equals it or lies in it.
    """

    workspace: str
    path: str
    conflicts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        others = "; ".join(f'{escaped(root)} of workspace "{workspace}"' for workspace, root in self.conflicts)
        return (
            f'{escaped(self.path)} overlaps {others}; adding it to workspace "{self.workspace}" shares what is in both'
        )

    @property
    def hint(self) -> str | None:
        return "repeat with --allow-overlap to share it"


@attrs.define
class RefusedRootError(RefusedError):
    """A folder too wide to be a root.

    Attributes:
        reason: A word of `imprint.domain.roots.RootRefusal`.
        explanation: The same as the second half of a sentence.
        overridable: Whether the way it was asked for has a switch to insist.
    """

    path: str
    reason: str
    explanation: str
    overridable: bool = False

    def __str__(self) -> str:
        return f"{escaped(self.path)} is not taken as a root: {self.explanation}"

    @property
    def hint(self) -> str | None:
        if self.overridable:
            return "repeat with --allow-home to insist"
        return "choose a folder inside it, or insist with 'imprint roots add --allow-home'"


@attrs.define
class OutsideRootsError(RefusedError):
    """A target that no approved root of the workspace contains."""

    workspace: str
    path: str
    roots: tuple[str, ...]

    def __str__(self) -> str:
        inside = ", ".join(escaped(root) for root in self.roots) or "none yet"
        return f'{escaped(self.path)} is outside the roots of workspace "{self.workspace}" ({inside})'

    @property
    def hint(self) -> str | None:
        return f"approve it with 'imprint roots add {escaped(self.path)} --workspace {self.workspace}'"


@attrs.define
class UnknownRootError(UnknownNameError):
    """The workspace has no such root."""

    workspace: str
    path: str
    known: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f'{escaped(self.path)} is no root of workspace "{self.workspace}"'

    @property
    def hint(self) -> str | None:
        return f"its roots: {', '.join(escaped(root) for root in self.known)}" if self.known else "it has no roots"


@attrs.define
class ProjectFileRefusedError(RefusedError):
    """A project file that is not written, because of what lies in its place."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} was not written: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "move away what is there and repeat"


@attrs.define
class ProjectFileUnwritableError(ImprintError):
    """The operating system did not let the project file be written."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} could not be written: {escaped(self.reason)}"


@attrs.define
class NoHomeError(UsageError):
    """This user has no home folder, so nothing says where to keep things."""

    option: str

    def __str__(self) -> str:
        return "this user has no home folder to keep things in"

    @property
    def hint(self) -> str | None:
        return f"name a place with {self.option}"


@attrs.define
class StoreDamagedError(StoreError):
    """A file is not a healthy database of Imprint."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the database {self.path} is damaged: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "restore a backup, or move the file away and ingest again; what it held stays readable where it is"


@attrs.define
class StoreTooNewError(StoreError):
    """A newer program wrote the database; nothing in it was touched."""

    path: str
    found: int
    supported: int

    def __str__(self) -> str:
        return f"the database {self.path} has schema {self.found}; this program knows up to {self.supported}"

    @property
    def hint(self) -> str | None:
        return "upgrade Imprint here too, or name another folder with --data-dir"


@attrs.define
class StoreFullError(StoreError):
    """The disk is full; the transaction was undone."""

    path: str

    def __str__(self) -> str:
        return f"there is no space left to write {self.path}; what was stored before is intact"

    @property
    def hint(self) -> str | None:
        return "make room on the disk and repeat the command: it goes on where it stopped"


@attrs.define
class StoreReadOnlyError(StoreError):
    """The database or its folder cannot be written."""

    path: str

    def __str__(self) -> str:
        return f"{self.path} cannot be written"

    @property
    def hint(self) -> str | None:
        return "check the permissions of the data folder, or name another with --data-dir"


@attrs.define
class StoreUnavailableError(StoreError):
    """The database cannot be opened or read."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the database {self.path} cannot be used: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "check the disk and the permissions of the data folder, or name another with --data-dir"


@attrs.define
class UnsupportedSqliteError(StoreError):
    """The SQLite that Python was built with cannot do what the store needs."""

    version: str
    missing: str

    def __str__(self) -> str:
        return f"this Python's SQLite {self.version} has no {self.missing}"

    @property
    def hint(self) -> str | None:
        return "use a Python with SQLite 3.37 or newer and FTS5, such as those of python.org or uv"


@attrs.define
class StoreBusyError(BusyError):
    """Other processes kept the database's write lock for longer than we wait."""

    path: str

    def __str__(self) -> str:
        return f"other processes are writing to {self.path}"

    @property
    def hint(self) -> str | None:
        return "try again in a moment"


@attrs.define
class LockHeldError(BusyError):
    """Another process does long work on the workspace.

    Attributes:
        pid: Of the holder; 0 where it is not known.
        since: UTC ISO 8601 with ``Z``.
    """

    workspace: str
    pid: int = 0
    activity: str = ""
    since: str = ""

    def __str__(self) -> str:
        if not self.pid:
            return f'another process is working on workspace "{self.workspace}"'
        return f'process {self.pid} is working on workspace "{self.workspace}": {self.activity} since {self.since}'

    @property
    def hint(self) -> str | None:
        return "wait until it is done, then try again"


@attrs.define
class ExcludedSourceError(RefusedError):
    """A purge excluded this source from the workspace."""

    target: str
    workspace: str

    def __str__(self) -> str:
        return f'{escaped(self.target)} was purged from workspace "{self.workspace}" and is excluded from it'

    @property
    def hint(self) -> str | None:
        return "run 'imprint exclusions list' to see the exclusion, 'imprint exclusions restore TARGET' to lift it"


@attrs.define
class UnknownFactError(UnknownNameError):
    """No fact has this id."""

    id: int

    def __str__(self) -> str:
        return f"no fact has the id {self.id}"

    @property
    def hint(self) -> str | None:
        return "run 'imprint facts history' to see every fact with its id"


@attrs.define
class UnknownPassageError(UnknownNameError):
    """Nothing stored has these ids; nothing was changed."""

    ids: tuple[str, ...]

    def __str__(self) -> str:
        return f"nothing stored has the id {', '.join(map(escaped, self.ids))}; nothing was forgotten"

    @property
    def hint(self) -> str | None:
        return "ids are those that 'imprint search' prints"


@attrs.define
class NotForgettableError(RefusedError):
    """A passage of a source that refreshing would bring back; nothing was changed."""

    id: str
    source: str

    def __str__(self) -> str:
        return f"{self.id} is a passage of {escaped(self.source)}, not a memory; nothing was forgotten"

    @property
    def hint(self) -> str | None:
        return "run 'imprint purge SOURCE' to forget a source and keep it out"


@attrs.define
class InvalidTimeError(UsageError):
    """This text names no moment."""

    text: str

    def __str__(self) -> str:
        return f'"{escaped(self.text)}" is no date or time'

    @property
    def hint(self) -> str | None:
        return "write 2026-01-31, 2026-01-31T12:00, today, yesterday, last week, or an age such as 12h, 7d, 2w"


@attrs.define
class ReversedTimesError(UsageError):
    """Something would end before it begins; nothing was changed."""

    begins: str
    ends: str

    def __str__(self) -> str:
        return f"the end {self.ends} does not come after the beginning {self.begins}"


@attrs.define
class EmptyTextError(UsageError):
    """There is nothing to remember."""

    what: str

    def __str__(self) -> str:
        return f"the {self.what} is empty"


@attrs.define
class InvalidVectorsError(PluginError):
    """An embedder gave vectors that cannot be stored; none of them was."""

    model: str
    reason: str

    def __str__(self) -> str:
        return f"the vectors of the model {self.model!r} were not stored: {self.reason}"


@attrs.define
class DataFolderError(StoreError):
    """The data folder cannot be made or used."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the data folder {self.path} cannot be used: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "name a folder that you can write with --data-dir or IMPRINT_DATA_DIR"


@attrs.define
class ModelUnavailableError(PluginError):
    """The embedder cannot load the model it was asked for."""

    model: str
    reason: str
    remedy: str = attrs.field(kw_only=True)

    def __str__(self) -> str:
        return f"the embedding model {self.model!r} cannot be loaded: {self.reason}"

    @property
    def hint(self) -> str | None:
        return self.remedy


@attrs.define
class MissingExtraError(UsageError):
    """A command needs packages that come with an optional extra."""

    extra: str
    missing: str

    def __str__(self) -> str:
        return f"this needs the package {self.missing}, which is not installed"

    @property
    def hint(self) -> str | None:
        return f"run 'pip install imprint-core[{self.extra}]'"


@attrs.define
class MissingPathError(UsageError):
    """Nothing is at a path that was asked for."""

    path: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} does not exist"

    @property
    def hint(self) -> str | None:
        return "check the spelling; a path is relative to the current directory"


@attrs.define
class UnreadableFileError(SourceError):
    """A file is missing, not regular, or the operating system refuses to read it."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} cannot be read: {self.reason}"


@attrs.define
class FileTooLargeError(SourceError):
    """A file is larger than the limit."""

    path: str
    size: int
    limit: int

    def __str__(self) -> str:
        return f"{escaped(self.path)} has {self.size:,} bytes, more than {self.limit:,}"

    @property
    def hint(self) -> str | None:
        return "raise 'ingest.max_file_bytes' to index it"


@attrs.define
class FileChangedError(SourceError):
    """A file changed each time it was read."""

    path: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} changed while it was read"

    @property
    def hint(self) -> str | None:
        return "run 'imprint refresh' once it is written"


@attrs.define
class IndexNotWrittenError(StoreError):
    """A derived index file could not be written; the store is whole, and search goes on without the file."""

    folder: str
    reason: str

    def __str__(self) -> str:
        return f"no index file could be written to {self.folder}: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "make room on the disk, or make the folder writable; the next ingest tries again"


@attrs.define
class InvalidMemoryKindError(UsageError):
    """There is no such kind of memory."""

    kind: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f'"{escaped(self.kind)}" is no kind of memory; kinds: {", ".join(self.known)}'


@attrs.define
class EmptyQueryError(UsageError):
    """Nothing is asked."""

    def __str__(self) -> str:
        return "the question is empty"

    @property
    def hint(self) -> str | None:
        return "say what you look for in a few words, or name it"


@attrs.define
class NothingStoredError(UnknownNameError):
    """Neither a passage nor a source of the workspace goes by this reference."""

    reference: str
    workspace: str

    def __str__(self) -> str:
        return f"workspace {self.workspace!r} holds nothing under {escaped(self.reference)}"

    @property
    def hint(self) -> str | None:
        return "'imprint search' prints the ids of passages, 'imprint sources' lists the sources"


@attrs.define
class InvalidLinesError(UsageError):
    """This names no lines, or none that the source has.

    Attributes:
        source: Empty while it is not known.
        last: The source's last line; 0 where it has none.
    """

    lines: str
    source: str = ""
    last: int = 0

    def __str__(self) -> str:
        if not self.source:
            return f'"{escaped(self.lines)}" names no lines'
        if not self.last:
            return f"{escaped(self.source)} is not counted in lines"
        return f"{escaped(self.source)} has no lines {escaped(self.lines)}"

    @property
    def hint(self) -> str | None:
        if not self.source:
            return "write FIRST:LAST, such as 10:25"
        return f"it has lines 1 to {self.last}" if self.last else "read it without lines"


@attrs.define
class UnansweredError(UsageError):
    """A question came up, and nobody is there to answer it; nothing was changed."""

    question: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.question} There is no terminal to ask on"

    @property
    def hint(self) -> str | None:
        return self.remedy


@attrs.define
class NotConfirmedError(UsageError):
    """What was typed to confirm is something else; nothing was changed."""

    expected: str

    def __str__(self) -> str:
        return f"that is not {self.expected!r}; nothing was changed"


@attrs.define
class RemovalsHeldBackError(SourceError):
    """Too much of a folder seems to be gone to believe it; nothing of it was removed.

    Attributes:
        reason: ``missing``, ``empty`` or ``many``.
        gone: Number of sources that would have been removed, out of ``known``.
    """

    path: str
    reason: str
    gone: int
    known: int

    def __str__(self) -> str:
        what = {"missing": "is missing", "empty": "holds nothing to index"}.get(self.reason, "has lost a lot")
        return f"{escaped(self.path)} {what}: {self.gone:,} of its {self.known:,} sources would go; none was removed"

    @property
    def hint(self) -> str | None:
        return "mount or restore the folder, or run 'imprint refresh --accept-removals'"


@attrs.define
class SkippedPathError(RefusedError):
    """A path that was asked for, and that a scan of its root passes over, so that a refresh would drop it again."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} is not indexed: {self.reason}"

    @property
    def hint(self) -> str | None:
        if self.reason == "ignored":
            return "an ignore rule covers it; a line with '!' in an .imprintignore file overrides the rule"
        return None
