"""Git repositories, read without running git: where they begin, what they track, which excludes they name."""

import os
from collections.abc import Mapping
from pathlib import Path

import attrs

from imprint.adapters.small_files import read_small_file
from imprint.domain.git_files import InvalidIndexError, TrackedFiles, is_set, parse_config, parse_index

__all__ = ["Repository", "find_excludes_file", "open_repository", "read_user_config"]

_POINTER_BYTES = 16_384
_CONFIG_BYTES = 1_048_576
_INDEX_BYTES = 1_073_741_824
_SHA256_ID = 32


@attrs.frozen
class Repository:
    """A repository or linked worktree; ``folder`` holds its index, ``common`` what all its worktrees share."""

    top: Path
    folder: Path
    common: Path
    config: Mapping[str, str]

    @property
    def ignores_case(self) -> bool:
        return is_set(self.config, "core.ignorecase")

    @property
    def exclude_file(self) -> Path:
        return self.common / "info" / "exclude"

    def read_tracked(self) -> TrackedFiles:
        """What the index holds; nothing where it is missing, split or not readable: ignore rules alone decide then."""
        data = read_small_file(self.folder / "index", limit=_INDEX_BYTES)
        id_size = _SHA256_ID if self.config.get("extensions.objectformat", "").lower() == "sha256" else 20
        try:
            return parse_index(data, id_size=id_size) if data else TrackedFiles()
        except InvalidIndexError:
            return TrackedFiles()


def open_repository(top: Path) -> Repository | None:
    """The repository whose working tree begins at a folder, if one does."""
    git = top / ".git"
    folder = _follow_pointer(git, b"gitdir: ") if git.is_file() else git
    if folder is None or not os.path.lexists(folder / "HEAD"):
        return None
    common = _follow_pointer(folder / "commondir", b"") or folder
    config = parse_config(read_small_file(common / "config", limit=_CONFIG_BYTES) or b"")
    return Repository(top, folder, common, config)


def read_user_config(environ: Mapping[str, str], home: Path | None) -> dict[str, str]:
    """The settings of git that hold for every repository of the user, later files over earlier ones."""
    files = [Path("/etc/gitconfig")] if os.name == "posix" else []
    if folder := _config_home(environ, home):
        files.append(folder / "git" / "config")
    if home:
        files.append(home / ".gitconfig")
    if chosen := environ.get("GIT_CONFIG_GLOBAL"):
        files = [*files[:1], Path(chosen)]
    config: dict[str, str] = {}
    for file in files:
        config |= parse_config(read_small_file(file, limit=_CONFIG_BYTES) or b"")
    return config


def find_excludes_file(config: Mapping[str, str], environ: Mapping[str, str], home: Path | None) -> Path | None:
    """The file of excludes that hold in every repository: ``core.excludesFile``, else git's default place."""
    named = config.get("core.excludesfile")
    if named is None:
        folder = _config_home(environ, home)
        return folder / "git" / "ignore" if folder else None
    if named == "~" or named.startswith("~/"):
        return home / named[2:] if home else None
    return Path(named) if Path(named).is_absolute() else None


def _config_home(environ: Mapping[str, str], home: Path | None) -> Path | None:
    configured = environ.get("XDG_CONFIG_HOME", "")
    return Path(configured) if configured else home / ".config" if home else None


def _follow_pointer(file: Path, prefix: bytes) -> Path | None:
    """A folder named in a one-line file, relative to where that file lies."""
    data = read_small_file(file, limit=_POINTER_BYTES)
    if data is None or not data.startswith(prefix):
        return None
    target = os.fsdecode(data.removeprefix(prefix).rstrip(b"\r\n"))
    return file.parent / target if target and "\0" not in target else None
