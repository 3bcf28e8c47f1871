"""The project file: ``.imprint/workspace.json`` proposes a workspace for the folder that holds ``.imprint``."""

import json
from enum import StrEnum

import attrs

from imprint.domain.names import find_name_fault
from imprint.domain.sources import CanonicalPath, WorkspaceName

__all__ = [
    "LARGEST_PROJECT_FILE",
    "PROJECT_FILE_NAME",
    "PROJECT_FOLDER_NAME",
    "FoundProjectFile",
    "ProjectFileFault",
    "explain_project_file_fault",
    "parse_project_file",
    "render_project_file",
]

PROJECT_FOLDER_NAME = ".imprint"
PROJECT_FILE_NAME = "workspace.json"
LARGEST_PROJECT_FILE = 64 * 1024

_KEY = "workspace"


class ProjectFileFault(StrEnum):
    """Why a project file is ignored. It still ends the walk: a broken file never lets a farther one decide."""

    FOLDER_IS_LINK = "folder-is-link"
    FOLDER_NOT_DIRECTORY = "folder-not-directory"
    FILE_IS_LINK = "file-is-link"
    FILE_NOT_REGULAR = "file-not-regular"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too-large"
    NOT_UTF8 = "not-utf8"
    NOT_JSON = "not-json"
    DUPLICATE_KEY = "duplicate-key"
    NOT_AN_OBJECT = "not-an-object"
    MISSING_KEY = "missing-key"
    UNKNOWN_KEY = "unknown-key"
    NAME_NOT_TEXT = "name-not-text"
    INVALID_NAME = "invalid-name"


_EXPLANATIONS = {
    ProjectFileFault.FOLDER_IS_LINK: "its folder .imprint is a link",
    ProjectFileFault.FOLDER_NOT_DIRECTORY: "its folder .imprint is no directory",
    ProjectFileFault.FILE_IS_LINK: "it is a link",
    ProjectFileFault.FILE_NOT_REGULAR: "it is no regular file",
    ProjectFileFault.UNREADABLE: "it cannot be read",
    ProjectFileFault.TOO_LARGE: f"it is larger than {LARGEST_PROJECT_FILE // 1024} KiB",
    ProjectFileFault.NOT_UTF8: "it is not UTF-8",
    ProjectFileFault.NOT_JSON: "it is not JSON",
    ProjectFileFault.DUPLICATE_KEY: "a key stands in it twice",
    ProjectFileFault.NOT_AN_OBJECT: "it is no JSON object",
    ProjectFileFault.MISSING_KEY: 'it has no key "workspace"',
    ProjectFileFault.UNKNOWN_KEY: 'it has keys other than "workspace"',
    ProjectFileFault.NAME_NOT_TEXT: 'the value of "workspace" is no text',
    ProjectFileFault.INVALID_NAME: "what it names cannot be a workspace name",
}


@attrs.frozen
class FoundProjectFile:
    """A project file where it was found.

    Attributes:
        folder: The directory that holds ``.imprint``.
        content: The workspace it names, or why it is ignored.
    """

    folder: CanonicalPath
    content: WorkspaceName | ProjectFileFault

    @property
    def path(self) -> CanonicalPath:
        return self.folder / PROJECT_FOLDER_NAME / PROJECT_FILE_NAME

    @property
    def workspace(self) -> WorkspaceName | None:
        """The workspace it names; `None` when the file is invalid."""
        return None if isinstance(self.content, ProjectFileFault) else self.content

    @property
    def fault(self) -> ProjectFileFault | None:
        return self.content if isinstance(self.content, ProjectFileFault) else None


def parse_project_file(data: bytes) -> WorkspaceName | ProjectFileFault:
    """Read a project file's bytes; every way to be wrong gives its fault, and nothing raises."""
    if len(data) > LARGEST_PROJECT_FILE:
        return ProjectFileFault.TOO_LARGE
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique)
    except UnicodeDecodeError:
        return ProjectFileFault.NOT_UTF8
    except _DuplicateKeyError:
        return ProjectFileFault.DUPLICATE_KEY
    except (ValueError, RecursionError):  # RecursionError: thousands of opening brackets.
        return ProjectFileFault.NOT_JSON
    return _read_workspace(value)


def render_project_file(workspace: WorkspaceName) -> bytes:
    """The bytes that `parse_project_file` reads as this workspace; they end with a newline."""
    return (json.dumps({_KEY: workspace}) + "\n").encode()


def explain_project_file_fault(fault: ProjectFileFault) -> str:
    """Say what is wrong, as the second half of a sentence, without repeating anything of the file's content."""
    return _EXPLANATIONS[fault]


def _read_workspace(value: object) -> WorkspaceName | ProjectFileFault:
    if not isinstance(value, dict):
        return ProjectFileFault.NOT_AN_OBJECT
    if _KEY not in value:
        return ProjectFileFault.MISSING_KEY
    if len(value) > 1:
        return ProjectFileFault.UNKNOWN_KEY
    name = value[_KEY]
    if not isinstance(name, str):
        return ProjectFileFault.NAME_NOT_TEXT
    if find_name_fault(name):
        return ProjectFileFault.INVALID_NAME
    return WorkspaceName(name)


class _DuplicateKeyError(ValueError):
    """A key stands twice in one JSON object."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise _DuplicateKeyError
    return unique
