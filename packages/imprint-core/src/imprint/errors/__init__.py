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

``import imprint.errors`` loads none of the tree; each name is loaded with its neighbours when it is first asked for, so
that a program pays only for the errors it can raise.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from imprint.errors.archives import *  # noqa: F403
    from imprint.errors.branches import *  # noqa: F403
    from imprint.errors.clients import *  # noqa: F403
    from imprint.errors.exports import *  # noqa: F403
    from imprint.errors.jobs import *  # noqa: F403
    from imprint.errors.language_models import *  # noqa: F403
    from imprint.errors.memories import *  # noqa: F403
    from imprint.errors.outputs import *  # noqa: F403
    from imprint.errors.plugins import *  # noqa: F403
    from imprint.errors.purges import *  # noqa: F403
    from imprint.errors.questions import *  # noqa: F403
    from imprint.errors.quoting import *  # noqa: F403
    from imprint.errors.settings import *  # noqa: F403
    from imprint.errors.sources import *  # noqa: F403
    from imprint.errors.stores import *  # noqa: F403
    from imprint.errors.times import *  # noqa: F403
    from imprint.errors.workspaces import *  # noqa: F403

_MODULES = {
    "archives": (
        "ArchiveDamagedError",
        "ArchiveTooNewError",
        "DeviceLockHeldError",
        "NoRoomError",
        "NothingToMoveError",
        "OversizedRecordError",
        "SameWorkspaceError",
        "SourceConflictError",
        "TargetExistsError",
        "UnwritableFileError",
    ),
    "branches": (
        "BusyError",
        "ImprintError",
        "PluginError",
        "RefusedError",
        "SourceError",
        "StoreError",
        "UnknownNameError",
        "UsageError",
    ),
    "clients": (
        "ClientCommandFailedError",
        "ClientFileChangedError",
        "ClientFileUnreadableError",
        "ClientFileUnwritableError",
        "ClientNotFoundError",
        "ClientsBusyError",
        "ConnectionRecordDamagedError",
        "HomeUnreachableError",
        "InvalidClientFileError",
        "InvalidHookPayloadError",
        "NoClientFoundError",
        "ProgramNotFoundError",
        "TemporaryProgramError",
        "TranscriptTooLargeError",
        "TranscriptUnreadableError",
        "UnknownHomeError",
    ),
    "exports": ("ExportDamagedError", "ExportRefusedError", "ExportUnknownError"),
    "jobs": ("UnknownJobError",),
    "language_models": (
        "InvalidEndpointError",
        "LanguageModelAnswerError",
        "LanguageModelTimeoutError",
        "LanguageModelUnreachableError",
        "RemoteLanguageModelError",
    ),
    "memories": (
        "EmptyQueryError",
        "EmptyTextError",
        "InvalidLinesError",
        "InvalidKindError",
        "InvalidMemoryKindError",
        "NotForgettableError",
        "NothingStoredError",
        "UnknownFactError",
        "UnknownPassageError",
    ),
    "outputs": ("OutputLostError",),
    "plugins": (
        "BrokenPluginError",
        "DuplicatePluginError",
        "InvalidVectorsError",
        "MissingExtraError",
        "ModelUnavailableError",
        "PluginBlockedError",
        "PluginCallError",
        "PluginInvalidError",
        "PluginLoadError",
        "UnknownPluginError",
        "UnknownPluginGroupError",
    ),
    "purges": (
        "FolderTargetError",
        "StaleDigestError",
        "UnnamedWorkspaceError",
    ),
    "questions": (
        "NotConfirmedError",
        "UnansweredError",
    ),
    "quoting": ("escaped",),
    "settings": (
        "InvalidConfigFileError",
        "InvalidSettingError",
        "NoHomeError",
        "UnknownSettingError",
        "UnwritableConfigError",
    ),
    "sources": (
        "ExcludedSourceError",
        "FileChangedError",
        "FileTooLargeError",
        "MissingPathError",
        "RemovalsHeldBackError",
        "SkippedPathError",
        "UnreadableFileError",
    ),
    "stores": (
        "DataFolderError",
        "IndexNotWrittenError",
        "LockHeldError",
        "StoreBusyError",
        "StoreDamagedError",
        "StoreFullError",
        "StoreReadOnlyError",
        "StoreTooNewError",
        "StoreUnavailableError",
        "UnsupportedSqliteError",
    ),
    "times": ("InvalidTimeError", "ReversedTimesError"),
    "workspaces": (
        "InvalidEnvironmentWorkspaceError",
        "InvalidPathError",
        "InvalidWorkspaceNameError",
        "OutsideRootsError",
        "ProjectFileRefusedError",
        "ProjectFileUnwritableError",
        "ProtectedWorkspaceError",
        "RefusedRootError",
        "RootOverlapError",
        "UnknownRootError",
        "UnknownWorkspaceError",
        "WorkspaceDeletedError",
    ),
}

__all__ = [name for names in _MODULES.values() for name in names]


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
