"""`imprint purge`: forget a source for good."""

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprint.errors import UnnamedWorkspaceError
from imprint_cli.exit_codes import ExitCode
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.rendering import count, label
from imprint_cli.scopes import resolve_selected
from imprint_cli.words import absolute_path

if TYPE_CHECKING:
    from imprint.domain.purge_reports import PurgeReport, PurgeVerification
    from imprint.domain.sources import WorkspaceName
    from imprint.services.purge_elsewhere import HeldElsewhere

__all__ = ["purge"]

_SAMPLES = 10
_DIGEST = re.compile("[0-9a-f]{32}")
_KEY = re.compile(r"[a-z][a-z0-9+.-]+:")


def _refuse_malformed(context: click.Context, parameter: click.Parameter, digest: str) -> str:
    """Also an empty one, as from a variable nobody set: what was reviewed must not be taken unseen."""
    given = context.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE
    if given and not _DIGEST.fullmatch(digest):
        message = f"{digest!r} is malformed: the preview shows a digest as 32 characters from 0-9 and a-f"
        raise click.BadParameter(message, ctx=context, param=parameter)
    return digest


@click.command(epilog=example("imprint purge ~/src/acme/secrets --recursive --apply --workspace acme"))
@click.argument(
    "words",
    metavar="[verify] TARGET",
    nargs=-1,
    required=True,
    help="A path, or the key of a source; after the word 'verify', look for what is left of it.",
)
@click.option("--recursive", is_flag=True, help="Take a folder, or a key's prefix, with all below it.")
@click.option("--apply", "is_applied", is_flag=True, help="Do it; needs --workspace. Without it the purge is shown.")
@click.option(
    "--digest",
    default="",
    metavar="DIGEST",
    callback=_refuse_malformed,
    help="Do it only if it takes what the preview showed.",
)
@in_workspace
@as_json
@click.pass_obj
def purge(
    invocation: Invocation,
    words: tuple[str, ...],
    recursive: bool,
    is_applied: bool,
    digest: str,
    workspace: str,
    as_json: bool,
) -> int:
    """Forget a source for good, and keep it out.

    Shows what would go; with --apply its text, words, vectors and facts are deleted, and no ingest or refresh brings
    them back before 'imprint exclusions restore'. The original is not touched. 'imprint purge verify TARGET' reads the
    data folder and ends with 1 when something is left.
    """
    verifies = words[0] == "verify" and len(words) > 1
    if len(words) != 1 + verifies:
        raise click.UsageError("one target at a time")
    if verifies and (recursive or is_applied or digest):
        raise click.UsageError("'purge verify' takes a target and no more")
    target = _absolute(words[-1])
    resolution = resolve_selected(invocation, workspace)
    if verifies:
        return _verify(invocation, resolution.workspace, target, as_json=as_json)
    service = invocation.application.purge
    if not is_applied:
        report = service.preview(resolution.workspace, target, recursive=recursive)
    elif not workspace:
        raise UnnamedWorkspaceError("'imprint purge --apply'", resolution.workspace)
    else:
        report = service.apply(resolution.workspace, target, recursive=recursive, digest=digest)
    elsewhere = _find_elsewhere(invocation, resolution.workspace, target)
    if as_json:
        invocation.show_json({**report.as_json(), "elsewhere": _elsewhere_as_json(elsewhere)})
        return ExitCode.DONE
    if report.applied:
        _show_purge(invocation, report)
    else:
        _show_preview(invocation, report, is_elsewhere=bool(elsewhere))
    _show_elsewhere(invocation, elsewhere)
    return ExitCode.DONE


def _absolute(word: str) -> str:
    """A word that is no key is a path, seen from here; an empty one, as from a variable nobody set, is not."""
    from imprint.domain.purge import path_of

    if not word.strip() or _KEY.match(word) or path_of(word) is not None:
        return word
    return str(absolute_path(Path(word)))


def _find_elsewhere(invocation: Invocation, workspace: "WorkspaceName", target: str) -> "tuple[HeldElsewhere, ...]":
    from imprint.services.purge_elsewhere import find_elsewhere

    return find_elsewhere(invocation.application.purge, workspace, target)


def _show_preview(invocation: Invocation, report: "PurgeReport", *, is_elsewhere: bool) -> None:
    target = label(report.target)
    is_nowhere = _is_empty(report) and not is_elsewhere and _is_missing(report.target)
    if is_nowhere:
        invocation.show(f'{target} does not exist, and workspace "{report.workspace}" holds nothing of it')
    elif _is_empty(report):
        invocation.show(f'workspace "{report.workspace}" holds nothing of {target}')
    else:
        invocation.show(f'a purge of {target} would take {_amount(report)} from workspace "{report.workspace}"')
    _show_samples(invocation, report)
    if report.exclusion:
        invocation.show("it is excluded already")
    invocation.show(f"digest {report.digest}")
    words = ["imprint", "purge", report.target, *(["--recursive"] if report.recursive else [])]
    words += ["--apply", "--workspace", report.workspace, "--digest", report.digest]
    todo = "check the spelling, or, to keep it out all the same" if is_nowhere else "to do it"
    invocation.note(f"nothing was changed; {todo}: {label(shlex.join(words))}")


def _show_purge(invocation: Invocation, report: "PurgeReport") -> None:
    target = label(report.target)
    if _is_empty(report):
        invocation.show(f'workspace "{report.workspace}" held nothing of {target}; it is kept out from now on')
    else:
        invocation.show(f'purged {_amount(report)} of {target} from workspace "{report.workspace}"; it is kept out now')
    _show_samples(invocation, report)
    if report.late:
        invocation.show(f"{count(report.late, 'source')} arrived meanwhile, and went too")
    if report.exclusion and report.exclusion.conversations:
        kept = count(len(report.exclusion.conversations), "conversation")
        invocation.show(f"kept out too, whichever file holds them: {kept}")
    for work in report.pending:
        invocation.show(f"pending: {work.explanation}")
    if report.pending:
        invocation.note("the next command on this workspace finishes it, or 'imprint doctor --fix'")
    invocation.note("the original, backups and bundles are not touched")


def _show_samples(invocation: Invocation, report: "PurgeReport") -> None:
    for key in report.sources[:_SAMPLES]:
        invocation.show(f"  {label(key)}")
    if len(report.sources) > _SAMPLES:
        invocation.show(f"  and {len(report.sources) - _SAMPLES:,} more; --json prints every one")


def _show_elsewhere(invocation: Invocation, elsewhere: "tuple[HeldElsewhere, ...]") -> None:
    for held in elsewhere:
        said = f'workspace "{held.workspace}" holds {count(held.sources, "source")} of it'
        invocation.show(f"{said}; to see them: {label(_command_for(held))}")


def _elsewhere_as_json(elsewhere: "tuple[HeldElsewhere, ...]") -> list[dict[str, object]]:
    return [{"workspace": held.workspace, "sources": held.sources, "command": _command_for(held)} for held in elsewhere]


def _command_for(held: "HeldElsewhere") -> str:
    recursive = ["--recursive"] if held.is_recursive else []
    return shlex.join(["imprint", "purge", held.target, *recursive, "--workspace", held.workspace])


def _is_missing(target: str) -> bool:
    """Whether the target is a path, and nothing is there."""
    from imprint.domain.purge import path_of

    path = path_of(target)
    return path is not None and not os.path.lexists(path)


def _verify(invocation: Invocation, workspace: "WorkspaceName", target: str, *, as_json: bool) -> int:
    verification = invocation.application.purge_verifier.verify(workspace, target)
    elsewhere = _find_elsewhere(invocation, workspace, target)
    if as_json:
        invocation.show_json({**verification.as_json(), "elsewhere": _elsewhere_as_json(elsewhere)})
    else:
        _show_verification(invocation, verification)
        _show_elsewhere(invocation, elsewhere)
    return ExitCode.DONE if verification.is_clean else ExitCode.FAILED


def _show_verification(invocation: Invocation, verification: "PurgeVerification") -> None:
    for check in verification.checks:
        state = "ok" if check.passed else "left"
        shown = invocation.style(f"{state:<4}", fg="green" if check.passed else "red")
        invocation.show(f"{shown}  {check.name}: {label(check.detail)}")
    target = label(verification.target)
    said = "nothing is left of" if verification.is_clean else "something is left of"
    invocation.show(f'{said} {target} in workspace "{verification.workspace}"')
    if verification.exclusion is None:
        invocation.show("no exclusion keeps it out")
    invocation.note(f"not touched by a purge: {label(', '.join(verification.untouched))}")


def _amount(report: "PurgeReport") -> str:
    facts = report.linked_facts + report.orphan_facts
    parts = [count(len(report.sources), "source"), count(report.chunks, "passage"), count(report.vectors, "vector")]
    return ", ".join(parts) + " and " + count(facts, "fact")


def _is_empty(report: "PurgeReport") -> bool:
    return not (report.sources or report.linked_facts or report.orphan_facts)
