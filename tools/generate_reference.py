"""Write the reference pages that are derived from the program: its commands, its settings, its exit codes and errors.

Run without arguments (`nox -s reference`) it writes the pages; with ``--check`` it fails when one is not current.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from mcp_tools_page import tools_page

import imprint.errors
from imprint.domain.setting_sections import SettingValue
from imprint.domain.settings import specs
from imprint_cli.app import imprint as program
from imprint_cli.exit_codes import ExitCode, exit_code

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"

MADE = "*Made from the program by `nox -s reference`; edit the program, not this page.*"

COMMANDS_HEAD = f"""\
# Commands

{MADE}

Results go to stdout, notes and progress to stderr. `--json` prints one object, or one object a line for lists, and
nothing else. What the exit codes mean: [exit codes](exit-codes.md). Options of `imprint` itself stand before the
command.

Completion of commands, options and workspaces, for bash (likewise `zsh_source` and `fish_source`), in `~/.bashrc`:

```bash
eval "$(_IMPRINT_COMPLETE=bash_source imprint)"
```
"""

SETTINGS_HEAD = f"""\
# Settings

{MADE}

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
The settings of a workspace and of a language model have no variable: a repository can set variables, and must choose
neither where a session goes nor who is told what was said in it.

## Variables that are no settings

| variable | what it does |
|---|---|
| `IMPRINT_DATA_DIR` | Folder that holds everything stored, as `--data-dir`. |
| `IMPRINT_WORKSPACE` | Workspace to use where `--workspace` does not name one. An unknown name is an error. |
| `NO_COLOR` | No colours, as `--no-color`. |
"""


EXIT_CODES_HEAD = f"""\
# Exit codes and errors

{MADE}

Every command of `imprint` ends with one of these codes. The message and a hint go to stderr. With `--json` they are one
object, `{{"error": {{"type": …, "message": …, "hint": …}}}}`, together with the facts of that error (the known names,
the conflicting roots, the path). stdout stays empty then.

| code | meaning | for instance |
|---|---|---|
"""

MEANINGS = {
    ExitCode.DONE: ("done", "also when a search finds nothing relevant, or what was asked for held already"),
    ExitCode.FAILED: ("failed", "a plugin broke; `doctor` found something to mend; a fault of the program itself"),
    ExitCode.USAGE: (
        "usage",
        "an unknown option, a path that does not exist, an invalid name, a question that nobody is there to answer",
    ),
    ExitCode.UNKNOWN_NAME: (
        "unknown name",
        "a workspace, root, setting, plugin, passage or fact that does not exist; `IMPRINT_WORKSPACE` names none",
    ),
    ExitCode.REFUSED: (
        "refused by policy",
        "a path outside the approved roots, a root shared with another workspace, a home as a root, a blocked plugin",
    ),
    ExitCode.BUSY: ("busy", "another process does long work on the workspace, or keeps the database"),
    ExitCode.STORE: (
        "store damaged or newer",
        "a database that is damaged, written by a newer program, or that cannot be written",
    ),
    ExitCode.INTERRUPTED: ("interrupted", "Ctrl-C; what was done until then is kept"),
}

ERRORS_HEAD = """
A run over many files ends with 0 although some of them failed: each is listed with its reason, in `failures` with
`--json`. It ends with 1 when all of them did.

## Errors

The `type` of an error, the code that the program ends with, and when it comes.

| type | code | when |
|---|---|---|
| `UnexpectedError` | 1 | A fault of the program itself; its trace is in the log. |
| `Interrupted` | 130 | Ctrl-C. |
"""


def main() -> int:
    """Write or check the pages."""
    pages = {
        REFERENCE / "commands.md": commands_page(),
        REFERENCE / "settings.md": settings_page(),
        REFERENCE / "mcp-tools.md": tools_page(MADE),
        REFERENCE / "exit-codes.md": exit_codes_page(),
    }
    if "--check" in sys.argv[1:]:
        stale = [path for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
        for path in stale:
            sys.stderr.write(f"{path} is not current: run 'nox -s reference'\n")
        return 1 if stale else 0
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0


def commands_page() -> str:
    """The page of every command, in the order of the program's own help."""
    return COMMANDS_HEAD + "".join(_sections(program, "imprint"))


def settings_page() -> str:
    """The page of every setting."""
    rows = [
        f"| `{spec.key}` | {_shown(spec.default)} | {_shown(spec.environment, '')} | {spec.help} |\n"
        for spec in specs()
    ]
    return SETTINGS_HEAD + "".join(rows) + SETTINGS_FOOT


def exit_codes_page() -> str:
    """The page of every exit code, and of every error with the code it ends the program with."""
    codes = [f"| {code.value} | {meaning} | {instance} |\n" for code, (meaning, instance) in MEANINGS.items()]
    errors = [f"| `{cls.__name__}` | {_code_of(cls)} | {_first_line(cls)} |\n" for cls in _error_classes()]
    return EXIT_CODES_HEAD + "".join(codes) + ERRORS_HEAD + "".join(errors)


def _error_classes() -> list[type[BaseException]]:
    """Every leaf of the tree, and the branch that click's errors are told as, by name."""
    found = [getattr(imprint.errors, name) for name in imprint.errors.__all__]
    leaves = [cls for cls in found if isinstance(cls, type) and not cls.__subclasses__()]
    return sorted([*leaves, imprint.errors.UsageError], key=lambda cls: cls.__name__)


def _code_of(cls: type[BaseException]) -> int:
    return exit_code(cls.__new__(cls)).value


def _first_line(cls: type[BaseException]) -> str:
    return (cls.__doc__ or "").partition("\n")[0].replace("|", "\\|")


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
    if isinstance(value, bool):
        value = str(value).lower()
    return f"`{value}`" if value != "" else empty


if __name__ == "__main__":
    sys.exit(main())
