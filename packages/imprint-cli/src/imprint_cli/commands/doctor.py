"""`imprint doctor`: check each part, and mend what can be mended."""

from typing import TYPE_CHECKING

import click

from imprint_cli.exit_codes import ExitCode
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example
from imprint_cli.progress import TerminalProgress
from imprint_cli.rendering import count, printable

if TYPE_CHECKING:
    from imprint.services.diagnose import Finding

__all__ = ["doctor"]


_COLORS = {"ok": "green", "pending": "yellow", "problem": "red"}


@click.command(epilog=example("imprint doctor --fix"))
@click.option("--fix", is_flag=True, help="Embed what waits for it, and write indexes that cannot be used anew.")
@click.option(
    "--rescan-secrets", is_flag=True, help="Take secrets out of what is stored already, in every workspace, for good."
)
@as_json
@click.pass_obj
def doctor(invocation: Invocation, fix: bool, rescan_secrets: bool, as_json: bool) -> int:
    """Check every part and say how to mend it. Ends with 1 when something is broken."""
    from imprint.services.diagnose import State

    diagnosis = invocation.application.diagnosis
    if fix:
        with TerminalProgress(invocation) as progress:
            for workspace in diagnosis.fix(progress):
                invocation.note(f'completed the vectors and the index of workspace "{workspace}"')
    if rescan_secrets:
        _rescan(invocation)
    findings = []
    for finding in diagnosis.run():
        findings.append(finding)
        if as_json:
            invocation.show_json(
                {
                    "part": finding.part,
                    "state": finding.state.value,
                    "message": finding.message,
                    "remedy": finding.remedy or None,
                }
            )
        else:
            invocation.show(_describe(invocation, finding))
    broken = any(finding.state is State.PROBLEM for finding in findings)
    return ExitCode.FAILED if broken else ExitCode.DONE


def _rescan(invocation: Invocation) -> None:
    with TerminalProgress(invocation) as progress:
        for freed in invocation.application.rescan.run(progress):
            taken = f"{count(freed.redactions, 'secret')} taken out" if freed.redactions else "no secrets"
            told = "" if freed.is_finished else "; what was there is still to be overwritten on disk"
            invocation.note(f'workspace "{freed.workspace}": {taken}{told}')
            if freed.failure:
                invocation.note(f"not embedded, found by words alone: {printable(str(freed.failure))}")


def _describe(invocation: Invocation, finding: "Finding") -> str:
    state = invocation.style(f"{finding.state.value:<7}", fg=_COLORS[finding.state.value])
    line = f"{state}  {finding.part}: {printable(finding.message)}"
    return f"{line}\n         {printable(finding.remedy)}" if finding.remedy else line
