"""Functions and what their authors say of them: the first sentence of a docstring, and the code without it."""

import ast
import random
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import attrs

__all__ = ["DescribedFunction", "find_functions"]

_FEWEST_WORDS = 5
_LONGEST_SENTENCE = 300
_LINES = range(4, 151)
_TESTS = re.compile(r"(^|/)(tests?|testing|conftest|_vendor|externals|test_[^/]*)(/|\.py)")
_BUILT = re.compile(r"(^|/)(tests?|dist|build)/|\.min\.js$")
_JSDOC = re.compile(
    r"/\*\*(?P<doc>(?:(?!\*/).)*)\*/\s*\n(?P<code>[ \t]*(?:export\s+(?:default\s+)?)?(?:static\s+)?(?:async\s+)?"
    r"(?:function\s*\*?\s*(?P<function>[\w$]+)|(?P<method>[\w$]+)\s*\([^)\n]*\)\s*\{|"
    r"(?:const|let|var)\s+(?P<bound>[\w$]+)\s*=\s*(?:async\s*)?(?:function|\())[^\n]*)",
    re.DOTALL,
)
_STATEMENTS = frozenset(("if", "for", "while", "switch", "catch", "function", "return"))


@attrs.frozen
class DescribedFunction:
    """A function to be found by its description."""

    path: str
    name: str
    code: str
    description: str


def find_functions(
    folder: Path, language: str, most: int, *, packages: tuple[str, ...] = ()
) -> list[DescribedFunction]:
    """Functions below a folder, no two with the same description or code, in an order that is random but fixed.

    Args:
        language: ``python`` or ``javascript``.
        most: At most so many.
        packages: Only these folders right below; empty: all.
    """
    read = {"python": _python_functions, "javascript": _javascript_functions}[language]
    roots = [folder / name for name in packages] or [folder]
    described: dict[str, DescribedFunction] = {}
    codes: set[str] = set()
    for root in roots:
        for function in read(root, folder):
            words = re.sub(r"\W+", " ", function.description.lower())
            code = re.sub(r"\s+", "", function.code)
            if _is_useful(function) and words not in described and code not in codes:
                described[words] = function
                codes.add(code)
    functions = list(described.values())
    random.Random(7).shuffle(functions)
    return functions[:most]


def _is_useful(function: DescribedFunction) -> bool:
    return (
        len(function.description.split()) >= _FEWEST_WORDS
        and len(function.description) <= _LONGEST_SENTENCE
        and not function.description.lower().startswith(("deprecated", "todo", ".. "))
        and function.code.count("\n") in _LINES
    )


def _first_sentence(text: str) -> str:
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    found = re.match(r"(.+?[.!?])(\s|$)", paragraph)
    return found[1] if found else paragraph


def _python_functions(root: Path, folder: Path) -> Iterator[DescribedFunction]:
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if _TESTS.search(name):
            continue
        try:
            text = path.read_text("utf-8")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
        except (OSError, SyntaxError, ValueError):
            continue
        yield from _walk(tree, text.splitlines(), name, ())


def _walk(node: ast.AST, lines: list[str], path: str, outer: tuple[str, ...]) -> Iterator[DescribedFunction]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _walk(child, lines, path, (*outer, child.name))
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(child)
            if docstring and len(child.body) > 1:
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                doc = child.body[0]
                code = lines[first - 1 : doc.lineno - 1] + lines[doc.end_lineno or doc.lineno : child.end_lineno]
                qualified = ".".join((*outer, child.name))
                yield DescribedFunction(path, qualified, "\n".join(code), _first_sentence(docstring))
            yield from _walk(child, lines, path, (*outer, child.name))


def _javascript_functions(root: Path, folder: Path) -> Iterator[DescribedFunction]:
    for path in sorted(root.rglob("*.js")):
        name = path.relative_to(folder).as_posix()
        if _BUILT.search(name):
            continue
        try:
            text = path.read_text("utf-8")
        except (OSError, ValueError):
            continue
        for match in _JSDOC.finditer(text):
            symbol = match["function"] or match["method"] or match["bound"]
            comment = "\n".join(line.strip().lstrip("*").strip() for line in match["doc"].splitlines()).strip()
            code = _block(text, match.start("code"))
            if symbol not in _STATEMENTS and code and not comment.startswith("@"):
                yield DescribedFunction(name, symbol, code, _first_sentence(comment.split("\n@")[0]))


def _block(text: str, start: int) -> str:
    """From a function's head to the brace that closes it; braces in strings are rare enough."""
    depth = 0
    opening = text.find("{", text.find(")", start))
    for position in range(opening, min(len(text), opening + 10_000)) if opening > 0 else ():
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if not depth:
            return text[start : position + 1]
    return ""
