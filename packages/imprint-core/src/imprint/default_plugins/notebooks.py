"""Jupyter notebooks as Markdown: the sources of the cells in order, code in fences, outputs left out."""

import json
from collections.abc import Iterator

__all__ = ["render_notebook"]

_FENCE = "~" * 8


def render_notebook(text: str) -> str | None:
    """The notebook as Markdown; `None` when the text is no notebook."""
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(notebook, dict) or not isinstance(cells := notebook.get("cells"), list):
        return None
    return "\n\n".join(_render_cells(cells))


def _render_cells(cells: list[object]) -> Iterator[str]:
    for cell in cells:
        if not isinstance(cell, dict):
            continue
        source = cell.get("source", "")
        parts = source if isinstance(source, list) else [source]
        text = "".join(part for part in parts if isinstance(part, str)).strip("\n")
        if text.strip():
            yield text if cell.get("cell_type") == "markdown" else f"{_FENCE}\n{text}\n{_FENCE}"
