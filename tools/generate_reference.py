"""Write the reference pages that are derived from the program: its commands and its settings.

Run without arguments it writes the pages; with ``--check`` it fails when one is not current.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from imprint.domain.settings import SettingValue, specs
from imprint_cli.app import imprint

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"

COMMANDS_HEAD = """\
# Commands

*Made from the program by `python tools/generate_reference.py`; edit the program, not this page.*

Results go to stdout, notes and progress to stderr. `--json` prints one object, or one object a line for lists, and
nothing else. What the exit codes mean: [exit codes](exit-codes.md). Options of `imprint` itself stand before the
command.

Completion of commands, options and workspaces, for bash (likewise `zsh_source` and `fish_source`), in `~/.bashrc`:

```bash
eval "$(_IMPRINT_COMPLETE=bash_source imprint)"
```
"""

SETTINGS_HEAD = """\
# Settings

*Made from the program by `python tools/generate_reference.py`; edit the program, not this page.*

A setting is given by `config.toml`, and an environment variable wins over the file. `imprint config list --origin`
shows every value and where it came from; `imprint config set` and `unset` edit the file and keep your comments.

The file lies in the platform's configuration folder (`~/.config/imprint/config.toml` on Linux), or where `--config`
says.

```toml
[search]
limit = 5

[plugins]
blocked = ["embedders/model2vec"]
```

| setting | default | environment | what it is |
|---|---|---|---|
"""

SETTINGS_FOOT = """
The settings of a workspace have no variable: a repository can set variables, and must not choose where a session goes.

## Variables that are no settings

| variable | what it does |
|---|---|
| `IMPRINT_DATA_DIR` | Folder that holds everything stored, as `--data-dir`. |
| `IMPRINT_WORKSPACE` | Workspace to use where `--workspace` does not name one. An unknown name is an error. |
| `NO_COLOR` | No colours, as `--no-color`. |
"""


def main() -> int:
    """Write or check the pages."""
    pages = {REFERENCE / "commands.md": commands_page(), REFERENCE / "settings.md": settings_page()}
    if "--check" in sys.argv[1:]:
        stale = [path for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
        for path in stale:
            sys.stderr.write(f"{path} is not current: run 'python tools/generate_reference.py'\n")
        return 1 if stale else 0
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0


def commands_page() -> str:
    """The page of every command, in the order of the program's own help."""
    return COMMANDS_HEAD + "".join(_sections(imprint, "imprint"))


def settings_page() -> str:
    """The page of every setting."""
    rows = [
        f"| `{spec.key}` | {_shown(spec.default)} | {_shown(spec.environment, '')} | {spec.help} |\n"
        for spec in specs()
    ]
    return SETTINGS_HEAD + "".join(rows) + SETTINGS_FOOT


def _sections(command: click.Command, path: str) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    yield f"\n## `{path}`\n\n{_paragraphs(command.help)}\n"
    if command.epilog and "Example: " in command.epilog:
        yield f"\n```console\n$ {command.epilog.partition('Example: ')[2]}\n```\n"
    rows = [_row(item, context) for item in command.params if item.name != "version"]
    if rows:
        yield "\n| | |\n|---|---|\n" + "".join(rows)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None:
                yield from _sections(child, f"{path} {name}")


def _row(item: click.Parameter, context: click.Context) -> str:
    if isinstance(item, click.Argument):
        words = f"`{item.make_metavar(context)}`"
    else:
        words = ", ".join(f"`{option}`" for option in item.opts)
        if not getattr(item, "is_flag", False):
            words += f" `{item.make_metavar(context)}`"
    return f"| {words.replace('|', chr(92) + '|')} | {' '.join((item.help or '').split())} |\n"


def _paragraphs(text: str | None) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in (text or "").split("\n\n"))


def _shown(value: SettingValue, empty: str = "(empty)") -> str:
    if isinstance(value, tuple):
        value = ", ".join(value)
    return f"`{value}`" if value != "" else empty


if __name__ == "__main__":
    sys.exit(main())
