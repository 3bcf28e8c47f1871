"""`imprint search`: find passages again."""

from typing import TYPE_CHECKING, Annotated

import typer

from imprint_cli.invocation import Invocation, current
from imprint_cli.options import AsJson, InWorkspace, Kinds, Project
from imprint_cli.passages import is_memory, passage_as_json, passage_label
from imprint_cli.rendering import count, printable, snippet
from imprint_cli.scopes import resolve_here

if TYPE_CHECKING:
    from collections.abc import Sequence

    from imprint.domain.sources import WorkspaceName
    from imprint.services.search import SearchReport, SearchResult

__all__ = ["app"]

app = typer.Typer(add_completion=False)


@app.command(epilog='Example: imprint search "where are sessions resolved" -n 3 --kind code')
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="A question, some words, or a name from code.")],
    limit: Annotated[int | None, typer.Option("-n", "--limit", min=1, help="At most so many passages.")] = None,
    project: Project = "",
    kind: Kinds = None,
    source: Annotated[
        str,
        typer.Option("--source", help="Only sources whose key fits this pattern, such as '*/docs/*'.", metavar="GLOB"),
    ] = "",
    since: Annotated[str, typer.Option("--since", help="Not older: 2026-01-31, 'last week', 7d.", metavar="WHEN")] = "",
    until: Annotated[str, typer.Option("--until", help="Older than that moment.", metavar="WHEN")] = "",
    all_workspaces: Annotated[
        bool, typer.Option("--all-workspaces", help="Search every workspace of this device.")
    ] = False,
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Find the passages that answer, best first; says so when nothing stored is relevant."""
    from imprint.protocols.stores import ChunkFilter
    from imprint.services.search import SearchRequest

    invocation = current(context)
    application = invocation.application
    if all_workspaces and workspace:
        raise typer.BadParameter("--all-workspaces and --workspace exclude each other")
    resolved = None if all_workspaces else resolve_here(invocation, workspace)
    names = (resolved.workspace,) if resolved else tuple(record.name for record in application.workspaces.list())
    report = application.search.run(
        SearchRequest(
            query=query,
            workspaces=names,
            limit=limit or application.settings.search.limit,
            where=ChunkFilter(
                project=project,
                kinds=tuple(kind or ()),
                source_glob=source,
                since=application.parse_moment(since) if since else "",
                until=application.parse_moment(until) if until else "",
            ),
        )
    )
    if as_json:
        invocation.show_json(
            {
                "workspace": resolved.workspace if resolved else None,
                "reason": resolved.reason.value if resolved else "all-workspaces",
                "query": query,
                "relevant": report.relevant,
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


def _head(invocation: Invocation, result: "SearchResult", number: int, *, with_workspace: bool) -> str:
    passage = result.passage
    label = passage_label(passage, invocation.application.cwd)
    details = [f"score {result.score:.2f}", f"id {passage.id}"]
    if with_workspace:
        details.append(f"workspace {result.workspace}")
    if result.duplicates:
        details.append(f"{len(result.duplicates)} more like it")
    head = f"{number}. {invocation.style(label, fg='cyan', bold=True)}"
    if passage.chunk.symbol:
        head += f"  {printable(passage.chunk.symbol)}"
    return f"{head}  {invocation.style('(' + ', '.join(details) + ')', dim=True)}"


def _excerpt(invocation: Invocation, result: "SearchResult", terms: "Sequence[str]") -> str:
    chunk = result.passage.chunk
    first_line = None if is_memory(result.passage.source) else chunk.start_line
    return snippet(chunk.text, first_line=first_line, invocation=invocation, terms=terms)
