"""The configuration file: read as TOML, edited with comments and order kept, replaced whole.

The TOML libraries are imported where they are needed: most runs have no such file, and none of them edits it.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from imprint.adapters.temporaries import TEMPORARY_SUFFIX, remove_stale_temporaries, temporary_prefix
from imprint.domain.setting_sections import SettingValue
from imprint.domain.settings import Layer, Origin, flatten
from imprint.errors import InvalidConfigFileError, UnwritableConfigError
from imprint.failpoints import reach

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

__all__ = ["ConfigFile"]


@attrs.frozen
class ConfigFile:
    """A `config.toml`, which need not exist; meets `imprint.protocols.settings.SettingsFile`."""

    path: Path

    def layer(self) -> Layer:
        """The values the file gives, unchecked; none where there is no file.

        Raises:
            InvalidConfigFileError: It is not TOML in UTF-8, or cannot be read.
        """
        text = self._text()
        if not text:
            return Layer(origin=Origin.FILE, values={}, place=str(self.path))
        import tomllib

        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InvalidConfigFileError(path=str(self.path), reason=str(error)) from error
        return Layer(origin=Origin.FILE, values=flatten(document), place=str(self.path))

    def values(self) -> Mapping[str, object]:
        """What the file says now, unchecked, by key.

        Raises:
            InvalidConfigFileError: It is not TOML in UTF-8, or cannot be read.
        """
        return self.layer().values

    def set(self, key: str, value: SettingValue) -> bool:
        """Give a setting a value; false when the file said so already.

        Raises:
            InvalidConfigFileError: The present file is not TOML in UTF-8, or cannot be read.
            UnwritableConfigError: The file or its folder cannot be written.
        """
        section, _, name = key.partition(".")
        plain = list(value) if isinstance(value, tuple) else value

        def edit(document: "TOMLDocument") -> None:
            import tomlkit

            table = document.get(section)
            if not isinstance(table, dict):
                table = document[section] = tomlkit.table()
            table[name] = plain

        return self._edit(edit)

    def unset(self, key: str) -> bool:
        """Take a setting out; false when the file did not have it.

        A key that is no setting can be taken out too: that is how a misspelt one is mended.

        Raises:
            InvalidConfigFileError: The present file is not TOML in UTF-8, or cannot be read.
            UnwritableConfigError: The file or its folder cannot be written.
        """
        section, _, name = key.partition(".")

        def edit(document: "TOMLDocument") -> None:
            if not name:
                document.pop(section, None)
                return
            table = document.get(section)
            if isinstance(table, dict):
                table.pop(name, None)

        return self._edit(edit)

    def _text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError as error:
            raise InvalidConfigFileError(path=str(self.path), reason="it is not UTF-8 text") from error
        except OSError as error:
            raise InvalidConfigFileError(path=str(self.path), reason=error.strerror or str(error)) from error

    def _edit(self, edit: Callable[["TOMLDocument"], None]) -> bool:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        before = self._text()
        try:
            document = tomlkit.parse(before)
        except TOMLKitError as error:
            raise InvalidConfigFileError(path=str(self.path), reason=str(error)) from error
        edit(document)
        after = tomlkit.dumps(document)
        if after == before:
            return False
        try:
            _replace_text(self.path, after)
        except OSError as error:
            raise UnwritableConfigError(path=str(self.path), reason=error.strerror or str(error)) from error
        return True


def _replace_text(path: Path, text: str) -> None:
    """Replace a file whole, keeping its mode; a link stays a link and its target is replaced."""
    import tempfile

    target = path.resolve()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(TEMPORARY_SUFFIX, temporary_prefix(target), target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        reach("config-file.written")
        with suppress(FileNotFoundError):
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    remove_stale_temporaries(target)
