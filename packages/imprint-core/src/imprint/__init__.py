"""Imprint: persistent, local memory for AI coding tools.

What is named here is for programs that embed the core: it decides which workspace a directory uses and which
conversations a workspace may learn from, without touching a file. ``import imprint`` loads none of it; each name is
loaded when it is first asked for.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from imprint.domain.claims import Claims, claimants, transcript_allowed
    from imprint.domain.names import NameFault, find_name_fault, nearest_name, parse_workspace_name
    from imprint.domain.notices import compose_notice, describe_note, describe_resolution, resolution_as_json
    from imprint.domain.paths import contains, is_filesystem_root, parse_path, same_place
    from imprint.domain.project_files import (
        FoundProjectFile,
        ProjectFileFault,
        parse_project_file,
        render_project_file,
    )
    from imprint.domain.resolution import (
        Facts,
        InvalidFileNote,
        Proposal,
        Reason,
        Resolution,
        TiedRootsNote,
        UnknownSettingNote,
        resolve,
    )
    from imprint.domain.roots import Admission, Root, RootRefusal, admits, find_root_refusal, overlapping_roots
    from imprint.domain.sources import CanonicalPath, WorkspaceName
    from imprint.domain.walks import DirectoryProblem, Surroundings, walk_up
    from imprint.errors import ImprintError

__all__ = [
    "Admission",
    "CanonicalPath",
    "Claims",
    "DirectoryProblem",
    "Facts",
    "FoundProjectFile",
    "ImprintError",
    "InvalidFileNote",
    "NameFault",
    "ProjectFileFault",
    "Proposal",
    "Reason",
    "Resolution",
    "Root",
    "RootRefusal",
    "Surroundings",
    "TiedRootsNote",
    "UnknownSettingNote",
    "WorkspaceName",
    "admits",
    "claimants",
    "compose_notice",
    "contains",
    "describe_note",
    "describe_resolution",
    "find_name_fault",
    "find_root_refusal",
    "is_filesystem_root",
    "nearest_name",
    "overlapping_roots",
    "parse_path",
    "parse_project_file",
    "parse_workspace_name",
    "render_project_file",
    "resolution_as_json",
    "resolve",
    "same_place",
    "transcript_allowed",
    "walk_up",
]

_MODULES = {
    "imprint.domain.claims": ("Claims", "claimants", "transcript_allowed"),
    "imprint.domain.names": ("NameFault", "find_name_fault", "nearest_name", "parse_workspace_name"),
    "imprint.domain.notices": ("compose_notice", "describe_note", "describe_resolution", "resolution_as_json"),
    "imprint.domain.paths": ("contains", "is_filesystem_root", "parse_path", "same_place"),
    "imprint.domain.project_files": (
        "FoundProjectFile",
        "ProjectFileFault",
        "parse_project_file",
        "render_project_file",
    ),
    "imprint.domain.resolution": (
        "Facts",
        "InvalidFileNote",
        "Proposal",
        "Reason",
        "Resolution",
        "TiedRootsNote",
        "UnknownSettingNote",
        "resolve",
    ),
    "imprint.domain.roots": ("Admission", "Root", "RootRefusal", "admits", "find_root_refusal", "overlapping_roots"),
    "imprint.domain.sources": ("CanonicalPath", "WorkspaceName"),
    "imprint.domain.walks": ("DirectoryProblem", "Surroundings", "walk_up"),
    "imprint.errors": ("ImprintError",),
}


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
