"""What an ingest or a refresh did, for people and programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imprint_cli.exit_codes import ExitCode
from imprint_cli.invocation import Invocation
from imprint_cli.rendering import count, label

if TYPE_CHECKING:
    from imprint.services.indexing_reports import IngestReport

__all__ = ["show_reports"]

_LISTED = 20
_NAMED = 3


def show_reports(
    invocation: Invocation, reports: "Sequence[IngestReport]", *, as_json: bool, deed: str = "index"
) -> ExitCode:
    """Print a report a workspace; the exit code that follows.

    Files that failed are listed and do not fail a run that others got through; removals that were held back do, since
    what is indexed is not what is there, and so does an embedder that fails.
    """
    from imprint.errors import RemovalsHeldBackError

    if as_json:
        invocation.show_json_lines(report.as_json() for report in reports)
    else:
        for report in reports:
            _show(invocation, report, deed)
    if any(report.interrupted for report in reports):
        return ExitCode.INTERRUPTED
    held_back = any(isinstance(item.error, RemovalsHeldBackError) for report in reports for item in report.failures)
    in_vain = any(report.failures and len(report.failures) == sum(report.sources.values()) for report in reports)
    not_embedded = any(report.embedding_failure for report in reports)
    return ExitCode.FAILED if held_back or in_vain or not_embedded else ExitCode.DONE


def _show(invocation: Invocation, report: "IngestReport", deed: str) -> None:
    from imprint.services.indexing_reports import Outcome

    would = "would be " if report.dry_run else ""
    numbers = [(outcome.value, report.sources.get(outcome, 0)) for outcome in Outcome]
    done = [f"{number:,} {would}{outcome}" for outcome, number in numbers if number]
    passages = "" if report.dry_run else f"; {count(report.chunks, 'passage')} in {report.seconds:.1f} s"
    invocation.show(f'workspace "{report.workspace}": {", ".join(done) or f"nothing to {deed}"}{passages}')
    failures = report.failures if invocation.verbose else report.failures[:_LISTED]
    for failure in failures:
        # Most messages begin with the path themselves.
        of_what = "" if failure.message.startswith(failure.source) else f"{label(failure.source)}: "
        invocation.note(f"failed: {of_what}{label(failure.message)}")
    if len(report.failures) > len(failures):
        invocation.note(f"failed: {count(len(report.failures) - len(failures), 'more file')} (-v lists all)")
    for reason, sources in _by_reason(report).items():
        shown = sources if invocation.verbose else sources[:_NAMED]
        more = (
            f" and {count(len(sources) - len(shown), 'more file')} (-v lists all)" if len(sources) > len(shown) else ""
        )
        invocation.note(f"not indexed, {reason}: {', '.join(map(label, shown))}{more}")
    if report.interrupted:
        invocation.note("interrupted; what was done is kept, and the same command goes on from there")
    if report.embedding_failure:
        invocation.note(f"not embedded, found by words alone: {label(report.embedding_message)}")
    if report.redactions:
        invocation.note(f"{count(report.redactions, 'secret')} taken out before anything was stored")
    if report.skipped and (invocation.verbose or not done):
        skipped = ", ".join(f"{number:,} {reason.value}" for reason, number in sorted(report.skipped.items()))
        invocation.note(f"passed over: {skipped}")


def _by_reason(report: "IngestReport") -> dict[str, list[str]]:
    sources: dict[str, list[str]] = {}
    for refusal in report.refusals:
        sources.setdefault(refusal.reason.value, []).append(refusal.source)
    return sources
