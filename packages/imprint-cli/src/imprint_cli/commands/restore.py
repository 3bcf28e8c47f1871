"""`imprint restore`: what a backup holds takes the place of what is here."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprint.errors import NotConfirmedError, UnansweredError
from imprint_cli.exit_codes import ExitCode
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example
from imprint_cli.progress import TerminalProgress
from imprint_cli.rendering import label, moment

if TYPE_CHECKING:
    from imprint.services.restore import RestoreReport

__all__ = ["restore"]

_WORD = "restore"


@click.command(epilog=example("imprint restore ~/imprint-monday.backup"))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path), help="What 'imprint backup' wrote.")
@click.option("--yes", is_flag=True, help="Restore without asking; needed where nobody can answer.")
@as_json
@click.pass_obj
def restore(invocation: Invocation, file: Path, yes: bool, as_json: bool) -> int:
    """Bring the workspaces of a backup back as they were.

    They get the roots they had when it was taken. All of the file is verified before anything is changed, and each
    workspace changes at one stroke: servers and other commands may go on. What was purged since stays away, and
    workspaces that the backup does not know stay as they are.
    """
    if not yes:
        _confirm(invocation, file)
    with TerminalProgress(invocation) as progress:
        report = invocation.application.transfers.restore.run(file, progress)
    if as_json:
        invocation.show_json(
            {
                "file": str(file),
                "created": report.manifest.created_at,
                "workspaces": list(report.restored),
                "untouched": list(report.untouched),
                "set_aside": list(report.set_aside),
                "shared": [{"workspace": root.workspace, "path": str(root.path)} for root in report.shared],
                "embedding_failure": report.embedding_failure,
            }
        )
    else:
        _show(invocation, report, file)
    return ExitCode.FAILED if report.embedding_failure else ExitCode.DONE


def _confirm(invocation: Invocation, file: Path) -> None:
    question = f"Put what {label(file)} holds in the place of what its workspaces hold now?"
    if not invocation.is_interactive:
        raise UnansweredError(question, "write --yes to restore it unasked")
    answer = click.prompt(f"{question} Type '{_WORD}' to do it", err=True)
    if answer.strip() != _WORD:
        raise NotConfirmedError(_WORD)


def _show(invocation: Invocation, report: "RestoreReport", file: Path) -> None:
    names = ", ".join(f'"{name}"' for name in report.restored)
    invocation.show(f"restored {names} from {label(file)}, taken {moment(report.manifest.created_at)}")
    for name in report.untouched:
        invocation.show(f'workspace "{name}" is not in it, and stays as it is')
    for path in report.set_aside:
        invocation.show(f"a database was too damaged to restore into; it lies in {label(path)} now")
    for root in report.shared:
        invocation.show(f'{label(root.path)}, a root of workspace "{root.workspace}" again, overlaps other roots')
    if report.embedding_failure:
        invocation.note(f"not embedded, found by words alone: {label(report.embedding_failure)}")
