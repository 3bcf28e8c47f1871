"""The plugin API as text: every hookspec's signature, every public value's fields, every protocol's methods.

Run it to accept a change of the API: ``python tests/contracts/plugin_api.py``
"""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import imprint.plugins
from imprint.plugins.groups import GROUPS, spec_module

RECORD = Path(__file__).with_name("plugin_api.txt")


def render_api() -> str:
    return "\n\n".join([*_render_hooks(), *_render_values()]) + "\n"


def _render_hooks() -> Iterator[str]:
    for group in GROUPS:
        specs = import_module(spec_module(group))
        yield "\n".join(
            [f"group {group}", *(f"    {_signature(_parse(getattr(specs, name)))}" for name in specs.__all__)]
        )


def _render_values() -> Iterator[str]:
    for name in imprint.plugins.__all__:
        value = getattr(imprint.plugins, name)
        if inspect.isclass(value):
            yield "\n".join([f"class {name}", *(f"    {line}" for line in _members(_parse(value)))])


def _parse(thing: object) -> ast.stmt:
    return ast.parse(dedent(inspect.getsource(thing))).body[0]


def _members(tree: ast.ClassDef) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.AnnAssign):
            yield ast.unparse(node)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            is_property = any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)
            yield ("property " if is_property else "") + _signature(node)


def _signature(node: ast.FunctionDef) -> str:
    return f"{node.name}({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}"


if __name__ == "__main__":
    RECORD.write_text(render_api(), encoding="utf-8")
