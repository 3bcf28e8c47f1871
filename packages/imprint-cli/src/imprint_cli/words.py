"""What a word on the command line may be: text is UTF-8, and a path names something.

`checked` puts these types in the place of click's own, so that no command has to remember them.
"""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imprint.errors import escaped

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["PLACE", "TEXT", "absolute_path", "checked"]

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class _Text(click.types.StringParamType):
    """Text that can be stored; bytes that are no UTF-8 arrive as lone surrogates."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = super().convert(value, param, ctx)
        if _LONE_SURROGATE.search(text):
            self.fail(f'"{escaped(text)}" is not UTF-8', param, ctx)
        return text


class _Place(click.ParamType[Path]):
    """An absolute path. Whether something is there, and may be read, is the services' to say."""

    name = "path"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        del ctx, param
        return [CompletionItem(incomplete, type="file")]

    def convert(self, value: "str | os.PathLike[str]", param: click.Parameter | None, ctx: click.Context | None) -> Any:
        # A variable that is not set must not come to mean the current directory.
        if not os.fspath(value):
            self.fail("a path must not be empty", param, ctx)
        return absolute_path(Path(value))


TEXT = _Text()
PLACE = _Place()


def absolute_path(path: Path) -> Path:
    """A path as the shell's directory and the user's home make it absolute.

    Raises:
        InvalidPathError: It begins with the home of a user who has none, or is relative to a directory that is gone.
    """
    try:
        return path.expanduser().absolute()
    except (RuntimeError, OSError) as error:
        from imprint.errors import InvalidPathError

        gone = isinstance(error, OSError)
        reason = "it is relative, and the working directory is gone" if gone else "no home of this user is known"
        raise InvalidPathError(str(path), reason) from error


def checked(command: click.Command) -> click.Command:
    """Give a command, and those below it, words of these types."""
    for parameter in command.params:
        if isinstance(parameter.type, click.Path):
            parameter.type = PLACE
        elif parameter.type is click.STRING:
            parameter.type = TEXT
    if isinstance(command, click.Group):
        for child in command.commands.values():
            checked(child)
    return command
