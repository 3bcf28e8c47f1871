"""`imprint jobs`: background work."""

from typing import TYPE_CHECKING

import click

from imprint_cli.exit_codes import ExitCode
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example
from imprint_cli.progress import TerminalProgress
from imprint_cli.rendering import columns, count, label, moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from imprint.domain.jobs import Job

__all__ = ["jobs"]

_HEADINGS = ("id", "kind", "workspace", "state", "error", "created", "source")


@click.group()
def jobs() -> None:
    """Background work that clients' hooks asked for.

    Such as learning from a conversation that went on.
    """


@jobs.command("list", epilog=example("imprint jobs list"))
@as_json
@click.pass_obj
def list_(invocation: Invocation, as_json: bool) -> None:
    """List jobs, oldest first. Those that are over for long are forgotten."""
    _show(invocation, invocation.application.jobs.list(), as_json=as_json)


@jobs.command(epilog=example("imprint jobs show 12"))
@click.argument("id", type=int, metavar="ID", help="As 'imprint jobs list' shows it.")
@as_json
@click.pass_obj
def show(invocation: Invocation, id: int, as_json: bool) -> None:
    """Show one job."""
    job = invocation.application.jobs.find(id)
    if as_json:
        invocation.show_json(job.details_as_json())
        return
    for name, value in job.details_as_json().items():
        text = moment(str(value)) if name in ("created", "changed") else label(value if value is not None else "")
        invocation.show(f"{name:<10}{text}".rstrip())


@jobs.command(epilog=example("imprint jobs cancel 12"))
@click.argument("ids", nargs=-1, type=int, metavar="[ID]...", help="As 'imprint jobs list' shows them.")
@click.option("--failed", is_flag=True, help="Those that failed, so that 'imprint doctor' speaks of them no more.")
@as_json
@click.pass_obj
def cancel(invocation: Invocation, ids: tuple[int, ...], failed: bool, as_json: bool) -> None:
    """Cancel jobs that wait, run or failed. What a running one has stored so far stays."""
    if not ids and not failed:
        raise click.UsageError("name jobs, or say --failed")
    service = invocation.application.jobs
    cancelled = [*(service.cancel(ids) if ids else ()), *(service.cancel_failed() if failed else ())]
    if as_json:
        invocation.show_json_lines(job.as_json() for job in cancelled)
    else:
        invocation.show(f"cancelled {count(len(cancelled), 'job')}")


@jobs.command(epilog=example("imprint jobs run"))
@as_json
@click.pass_obj
def run(invocation: Invocation, as_json: bool) -> int:
    """Do what waits, and end. Where another process does it, that one goes on. Ends with 1 where a job failed."""
    done: list[Job] = []
    with TerminalProgress(invocation) as progress:
        done.extend(invocation.application.jobs.run(progress))
    last = {job.id: job for job in done}.values()
    _show(invocation, list(last), as_json=as_json)
    return ExitCode.FAILED if any(job.error for job in last) else ExitCode.DONE


def _show(invocation: Invocation, found: "Sequence[Job]", *, as_json: bool) -> None:
    if as_json:
        invocation.show_json_lines(job.as_json() for job in found)
    elif found:
        invocation.show(columns(_HEADINGS, list(_rows(found)), invocation))
    else:
        invocation.show("nothing waits, and nothing was done lately")


def _rows(found: "Iterable[Job]") -> "Iterable[list[str]]":
    for job in found:
        yield [
            str(job.id),
            job.kind,
            job.workspace,
            job.state.value,
            job.error,
            moment(job.created),
            label(job.request.source),
        ]
