"""Options that many commands share."""

from typing import Annotated

import typer

__all__ = ["AllowOverlap", "AsJson", "InWorkspace", "Kinds", "Project"]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
AllowOverlap = Annotated[
    bool, typer.Option("--allow-overlap", help="Confirm that a folder may be shared with another workspace.")
]
InWorkspace = Annotated[
    str | None, typer.Option("--workspace", help="Workspace to use, whatever the folder says.", metavar="NAME")
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        help="Only code, document, conversation, web or memory; or a memory's kind, such as decision. May be repeated.",
        metavar="KIND",
    ),
]
Project = Annotated[str, typer.Option("--project", help="Only this project.", metavar="NAME")]
