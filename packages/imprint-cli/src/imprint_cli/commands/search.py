"""`imprint search`: find passages again."""

from typing import TYPE_CHECKING

import click

from imprint.domain.setting_sections import MOST_RESULTS
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace, of_kinds, of_project
from imprint_cli.passages import is_conversation, is_memory, passage_as_json, passage_label
from imprint_cli.rendering import count, label, snippet
from imprint_cli.scopes import resolve_here

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from imprint.domain.sources import WorkspaceName
    from imprint.services.search import SearchReport, SearchResult

__all__ = ["search"]


@click.command(epilog=example('imprint search "where are sessions resolved" -n 3 --kind code'))
@click.argument(
    "words", metavar="QUERY...", nargs=-1, required=True, help="A question, some words, or a name from code."
)
@click.option("-n", "--limit", type=click.IntRange(1, MOST_RESULTS), help="At most so many passages.")
@of_project
@of_kinds
@click.option(
    "--source", default="", metavar="GLOB", help="Only sources whose key fits this pattern, such as '*/docs/*'."
)
@click.option("--since", default="", metavar="WHEN", help="Not older: 2026-01-31, 'last week', 7d.")
@click.option("--until", default="", metavar="WHEN", help="Older than that moment.")
@click.option("--all-workspaces", is_flag=True, help="Search every workspace of this device.")
@in_workspace
@as_json
@click.pass_obj
def search(
    invocation: Invocation,
    words: tuple[str, ...],
    limit: int | None,
    project: str,
    kinds: tuple[str, ...],
    source: str,
    since: str,
    until: str,
    all_workspaces: bool,
    workspace: str,
    as_json: bool,
) -> None:
    """Find the passages that answer, best first. Says so when nothing stored is relevant.

    What else there is to know, such as the spelling that was searched for, is a note; with --json one of `notes`.
    """
    from imprint.protocols.text_indexes import ChunkFilter
    from imprint.services.search import SearchRequest

    application = invocation.application
    query = " ".join(words)
    if all_workspaces and workspace:
        raise click.UsageError("--all-workspaces and --workspace exclude each other")
    resolved = None if all_workspaces else resolve_here(invocation, workspace)
    names = (resolved.workspace,) if resolved else tuple(record.name for record in application.workspaces.list())
    report = application.search.run(
        SearchRequest(
            query=query,
            workspaces=names,
            limit=limit or application.settings.search.limit,
            where=ChunkFilter(
                project=project,
                kinds=kinds,
                source_glob=source,
                since=application.parse_moment(since) if since else "",
                until=application.parse_moment(until) if until else "",
            ),
        )
    )
    notes = [*report.notes, *(_explain_nothing(invocation, names, project) if not report.results else ())]
    if as_json:
        invocation.show_json(
            {
                "workspace": resolved.workspace if resolved else None,
                "reason": resolved.reason.value if resolved else "all-workspaces",
                "query": query,
                "relevant": report.relevant,
                "notes": notes,
                "results": [
                    {**passage_as_json(result.passage, result.workspace), "score": round(result.score, 4)}
                    for result in report.results
                ],
            }
        )
        return
    for note in report.notes:
        invocation.note(f"note: {note}")
    _show(invocation, report, names)
    for note in notes[len(report.notes) :]:
        invocation.note(note)


def _show(invocation: Invocation, report: "SearchReport", names: "tuple[WorkspaceName, ...]") -> None:
    from imprint.domain.queries import parse_query

    where = f'workspace "{names[0]}"' if len(names) == 1 else count(len(names), "workspace")
    if not report.results:
        invocation.show(f"nothing relevant in {where}")
        return
    terms = parse_query(report.query).terms
    passages = [
        f"{_head(invocation, result, number, with_workspace=len(names) > 1)}\n{_excerpt(invocation, result, terms)}"
        for number, result in enumerate(report.results, start=1)
    ]
    invocation.show("\n\n".join(passages))


def _explain_nothing(invocation: Invocation, names: "tuple[WorkspaceName, ...]", project: str) -> "Iterator[str]":
    """Why nothing could be found, whatever was asked."""
    from imprint.services.search_scopes import describe_scope

    scope = describe_scope(invocation.application.search.stores, names, project=project)
    if scope.is_empty:
        where = f'workspace "{names[0]}"' if len(names) == 1 else "any workspace"
        yield f"nothing is indexed in {where} yet; run 'imprint ingest PATH'"
    elif scope.unknown_project:
        nearest = " or ".join(f'"{label(name)}"' for name in scope.nearest_projects)
        asked = f"; did you mean {nearest}?" if nearest else ""
        yield f'no source has the project "{label(project)}"{asked}'


def _head(invocation: Invocation, result: "SearchResult", number: int, *, with_workspace: bool) -> str:
    passage = result.passage
    place = passage_label(passage, invocation.application.cwd)
    details = [f"score {result.score:.2f}", f"id {passage.id}"]
    if with_workspace:
        details.append(f"workspace {result.workspace}")
    if result.duplicates:
        details.append(f"{len(result.duplicates)} more like it")
    head = f"{number}. {invocation.style(place, fg='cyan', bold=True)}"
    if passage.chunk.symbol:
        head += f"  {label(passage.chunk.symbol)}"
    return f"{head}  {invocation.style('(' + ', '.join(details) + ')', dim=True)}"


def _excerpt(invocation: Invocation, result: "SearchResult", terms: "Sequence[str]") -> str:
    chunk = result.passage.chunk
    source = result.passage.source
    first_line = None if is_memory(source) or is_conversation(source) else chunk.start_line
    return snippet(chunk.text, first_line=first_line, invocation=invocation, terms=terms)
