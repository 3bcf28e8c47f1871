"""The failpoints that the source code names."""

import ast
from collections import Counter
from pathlib import Path

__all__ = ["find_failpoints"]

_PACKAGES = Path(__file__).parents[2] / "packages"


def find_failpoints() -> Counter[str]:
    """Every failpoint, with the number of places that name it."""
    found: Counter[str] = Counter()
    for path in sorted(_PACKAGES.glob("*/src/**/*.py")):
        text = path.read_text("utf-8")
        if "reach(" in text:
            found.update(_names(ast.parse(text)))
    return found


def _names(tree: ast.AST) -> list[str]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "reach" and isinstance(call.args[0], ast.Constant)
    ]
