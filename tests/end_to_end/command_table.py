"""Every command of the program, with words that make it succeed and what it promises; a new one gets a row.

The words are for the device that `furnish` makes: memory 1 and fact 1 exist in `default` and in `acme`; `default` has
the root `rooted`, `acme` the root `project`, from which the commands are run.
"""

from collections.abc import Iterator
from enum import Enum, auto

import attrs
import click
from real_program import Program

from imprint.adapters.jobs_db import open_jobs
from imprint.domain.jobs import LEARN, JobRequest
from imprint_cli.app import imprint

Leaf = tuple[str, ...]


class Scope(Enum):
    """How a command comes to its workspace."""

    HERE = auto()  # the shell's directory
    SELECTED = auto()  # IMPRINT_WORKSPACE, else the active workspace; never the shell's directory
    TARGET = auto()  # the directory of each path it is given
    NAMED = auto()  # nothing but --workspace, which has to be spelled out
    NONE = auto()  # it has none, or names it itself


class Printed(Enum):
    """What a command prints; `TABLE` and `LINES` are one object a line with ``--json``."""

    OBJECT = auto()
    LINES = auto()
    TABLE = auto()


@attrs.frozen
class Row:
    """A command.

    Attributes:
        words: With which it succeeds; ``{project}``, ``{rooted}``, ``{kept_out}``, ``{out}``, ``{bundle}`` and
            ``{backup}`` stand for paths.
        keys: Of the object that ``--json`` prints, or of each line's.
        unconfirmed: Words that ask for something destructive without the flag that confirms it.
        slow: What it does is proved elsewhere; here only its help and its errors are looked at.
    """

    words: Leaf
    keys: str
    scope: Scope = Scope.NONE
    printed: Printed = Printed.OBJECT
    unconfirmed: Leaf = ()
    slow: bool = False


_RUN = (
    "workspace reason sources chunks seconds failures refusals skipped redactions embedding_failure interrupted dry_run"
)
_FACT = "id workspace subject predicate object from until source recorded"
_PURGE = "workspace target recursive applied digest sources chunks vectors facts late pending exclusion elsewhere"
_MOVE = "from to dry_run sources chunks vectors facts moved left roots embedding_failure"
_RESTORE = "file created workspaces untouched set_aside shared embedding_failure"
_PLUGIN = "plugin group name state distribution version summary error"
_CONNECTED = "client changed dry_run files diff notes error"
_WHICH = "directory workspace reason evidence project proposal needs_choice notes sentence"
_SHOW = "workspace reason ids source kind project lines text timestamp"
_JOB = "id kind workspace source state error created"
_STATUS = "workspace reason data clients roots sources chunks vectors pending facts bytes models unfinished running"

TABLE: dict[Leaf, Row] = {
    ("status",): Row((), _STATUS, Scope.HERE),
    ("doctor",): Row((), "part state message remedy", printed=Printed.LINES),
    ("ingest",): Row(("{project}",), _RUN, Scope.TARGET),
    ("refresh",): Row((), _RUN, Scope.HERE),
    ("add-text",): Row(("notes",), "workspace reason source ids changed redactions", Scope.HERE),
    ("search",): Row(("release branch",), "workspace reason query relevant notes results", Scope.HERE),
    ("show",): Row(("1",), _SHOW, Scope.HERE),
    ("sources",): Row((), "workspace source kind project passages indexed", Scope.HERE, printed=Printed.TABLE),
    ("remember",): Row(("something new",), "workspace reason source ids repeated redactions", Scope.HERE),
    ("forget",): Row(("1",), "workspace reason forgotten", Scope.HERE),
    ("facts", "list"): Row((), _FACT, Scope.HERE, printed=Printed.TABLE),
    ("facts", "history"): Row((), _FACT, Scope.HERE, printed=Printed.TABLE),
    ("facts", "add"): Row(("a", "is", "b"), f"{_FACT} reason added redactions", Scope.HERE),
    ("facts", "end"): Row(("1",), f"{_FACT} reason changed", Scope.HERE),
    ("learn",): Row((), f"{_RUN} older untold model_failures model_failure", Scope.SELECTED),
    ("workspace", "list"): Row((), "name active sources roots created", printed=Printed.TABLE),
    ("workspace", "create"): Row(("fresh",), "workspace created"),
    ("workspace", "switch"): Row(("acme",), "workspace changed"),
    ("workspace", "delete"): Row(("acme", "--yes"), "workspace files_removed settings_reset", unconfirmed=("acme",)),
    ("workspace", "which"): Row((), _WHICH),
    ("workspace", "use"): Row(("acme",), "workspace folder created root_added file_written"),
    ("roots", "list"): Row((), "workspace path how added", Scope.SELECTED, printed=Printed.TABLE),
    ("roots", "add"): Row(("{rooted}", "--allow-overlap"), "workspace path added", Scope.SELECTED),
    ("roots", "remove"): Row(("{rooted}",), "workspace path removed", Scope.SELECTED),
    ("purge",): Row(("{rooted}/readme.md",), _PURGE, Scope.SELECTED, unconfirmed=("{rooted}/readme.md", "--apply")),
    ("exclusions", "list"): Row(
        (), "workspace target recursive added conversations", Scope.SELECTED, printed=Printed.TABLE
    ),
    ("exclusions", "restore"): Row(("{kept_out}",), "workspace target changed kept_out_by", Scope.SELECTED),
    ("move",): Row(("--from", "default", "--to", "acme", "--kind", "memory"), _MOVE),
    ("wipe",): Row(
        ("--workspace", "acme", "--yes"),
        "workspace reason sources chunks vectors facts pending",
        Scope.NAMED,
        unconfirmed=("--workspace", "acme"),
    ),
    ("export",): Row(("{out}",), "workspace reason file sources chunks vectors facts", Scope.SELECTED),
    ("import",): Row(
        ("{bundle}",), "workspace reason file from sources chunks vectors facts embedding_failure", Scope.SELECTED
    ),
    ("backup",): Row(("{out}",), "file created workspaces bytes"),
    ("restore",): Row(("{backup}", "--yes"), _RESTORE, unconfirmed=("{backup}",)),
    ("jobs", "list"): Row((), _JOB, printed=Printed.TABLE),
    ("jobs", "show"): Row(("1",), f"{_JOB} client attempts changed"),
    ("jobs", "cancel"): Row(("1",), _JOB, printed=Printed.LINES),
    ("jobs", "run"): Row((), _JOB, printed=Printed.LINES, slow=True),
    ("clients", "list"): Row(
        (), "client home title state folder program summary proof notes error", printed=Printed.TABLE
    ),
    ("clients", "connect"): Row(("codex",), _CONNECTED, printed=Printed.LINES),
    ("clients", "disconnect"): Row(("codex",), _CONNECTED, printed=Printed.LINES),
    ("setup",): Row(("codex",), _CONNECTED, printed=Printed.LINES),
    ("config", "list"): Row((), "key value origin help", printed=Printed.TABLE),
    ("config", "get"): Row(("search.limit",), "key value origin"),
    ("config", "set"): Row(("search.limit", "4"), "key value changed file"),
    ("config", "unset"): Row(("search.limit",), "key changed file"),
    ("plugins", "list"): Row((), _PLUGIN, printed=Printed.TABLE),
    ("plugins", "show"): Row(("extractors/plain",), f"{_PLUGIN} module details"),
    ("plugins", "check"): Row(
        ("embedders/memvec",), "check passed proves problem hint", printed=Printed.LINES, slow=True
    ),
}


def _leaves(command: click.Command, context: click.Context, words: Leaf) -> Iterator[tuple[Leaf, click.Command]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from _leaves(child, context, (*words, name))
    else:
        yield words, command


LEAVES: dict[Leaf, click.Command] = dict(_leaves(imprint, click.Context(imprint), ()))
"""The commands that the program has, whether or not the table knows them."""


def words_of(leaf: Leaf) -> str:
    """A command as it is typed; also the id of a test."""
    return " ".join(leaf)


def furnish(program: Program) -> None:
    """Make the device that the table's words are for."""
    rooted = program.project("rooted", {"readme.md": "# Rooted\n\nThe release branch is cut on Mondays.\n"})
    project = program.project("project", {"notes.md": "# Notes\n\nThe release branch is frozen on Thursdays.\n"})
    (program.home / ".codex").mkdir()
    program.run("workspace", "create", "acme")
    for workspace, root in (("default", rooted), ("acme", project)):
        program.run("roots", "add", str(root), "--workspace", workspace)
        program.run("remember", "We deploy from the release branch only.", "--workspace", workspace)
        program.run("facts", "add", "billing", "is written in", "Go", "--workspace", workspace)
        program.run("purge", str(program.home / "kept-out.md"), "--apply", "--workspace", workspace)
    with open_jobs(str(program.data)) as queue:
        queue.add(JobRequest("claude-code", str(program.home / "said.jsonl")), LEARN)
    program.run("export", str(program.home / "some.bundle"))
    program.run("backup", str(program.home / "some.backup"))


def spell(program: Program, words: Leaf) -> list[str]:
    """The words of a row, its places filled in."""
    places = {
        "project": program.home / "project",
        "rooted": program.home / "rooted",
        "kept_out": program.home / "kept-out.md",
        "out": program.home / "out",
        "bundle": program.home / "some.bundle",
        "backup": program.home / "some.backup",
    }
    return [word.format(**places) for word in words]
