"""Python's definitions by indentation: the same as those of a whole parser."""

import sysconfig
from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_python
from hypothesis import given
from hypothesis import strategies as st

from imprint.default_plugins.python_definitions import find_python_definitions

LANGUAGE = tree_sitter.Language(tree_sitter_python.language())
QUERY = tree_sitter.Query(
    LANGUAGE,
    """
    (function_definition name: (_) @n) @d
    (class_definition name: (_) @n) @d
    (decorated_definition definition: (_ name: (_) @n)) @d
    """,
)

SAMPLES = {
    "text that is no code": ('"""\ndef a():\n"""\nx = """\nclass B:\n"""\n# def c(): pass\n', []),
    "a string that ends a body at the margin": ('def a():\n    return """\nx\n"""\n\ny = 1\n', [("a", 1, 4)]),
    "quotes and marks inside strings": (
        "def a():\n    return '\"' + \"'#\" + r'\\'' + '('\ndef b(): pass\n",
        [("a", 1, 2), ("b", 3, 3)],
    ),
    "brackets that end at the margin": ("def a(\n  x,\n):\n    return [\n1,\n]\nb = 2\n", [("a", 1, 6)]),
    "a line that goes on": ("def a():\n    return 1 + \\\n2\nb = 2\n", [("a", 1, 3)]),
    "decorators": (
        "@one\n@two(\n  1,\n)\n# why\nclass A:\n    @three\n    async  def b(self): ...\n",
        [("A", 1, 8), ("b", 7, 8)],
    ),
    "a decorator of nothing": ("@one\nx = 1\ndef a(): pass\n", [("a", 3, 3)]),
    "comments at the end": (
        "def a():\n    x = 1\n    # of a\n\n    # too\n# of none\n    # neither\ny = 1\n",
        [("a", 1, 5)],
    ),
    "a comment at the margin within": ("def a():\n    x = 1\n# still\n    return x\n", [("a", 1, 4)]),
    "blank lines at the end": ("class A:\n    def b(self):\n        pass\n\n\n", [("A", 1, 3), ("b", 2, 3)]),
    "type parameters": ("class A[T]:\n    def b[S](self, x: S) -> T: ...\n", [("A", 1, 2), ("b", 2, 2)]),
    "tabs": ("class A:\n\tdef b(self):\n\t\tpass\n\tx = 1\n", [("A", 1, 4), ("b", 2, 3)]),
    "names that begin like keywords": ("classes = 1\ndefine(1)\nasync_def = 2\n", []),
    "letters beyond ASCII": ("def grüße():\n    pass\n", [("grüße", 1, 2)]),
}


def by_indentation(text: str) -> list[tuple[str, int, int]]:
    return [(found.name, found.first_line, found.last_line) for found in find_python_definitions(text)]


def by_parsing(data: bytes) -> list[tuple[str, int, int]] | None:
    """What tree-sitter finds; `None` where it finds faults."""
    root = tree_sitter.Parser(LANGUAGE).parse(data).root_node
    if root.has_error:
        return None
    widest: dict[int, tuple[int, int, tuple[str, int, int]]] = {}
    for _, captures in tree_sitter.QueryCursor(QUERY).matches(root):
        (node,), (name,) = captures["d"], captures["n"]
        text = data[name.start_byte : name.end_byte].decode()
        last_line = node.end_point.row + (1 if node.end_point.column else 0)
        found = node.start_byte, -node.end_byte, (text, node.start_point.row + 1, last_line)
        widest[name.start_byte] = min(found, widest.get(name.start_byte, found))
    return [definition for *_, definition in sorted(widest.values())]


@pytest.mark.parametrize(("text", "expected"), SAMPLES.values(), ids=SAMPLES)
def test_definitions_have_their_names_and_lines(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert by_indentation(text) == expected


@pytest.mark.parametrize("text", [text for text, _ in SAMPLES.values()], ids=SAMPLES)
def test_a_parser_finds_the_same(text: str) -> None:
    assert by_parsing(text.encode()) in (None, by_indentation(text))


def test_a_parser_finds_the_same_in_the_standard_library() -> None:
    """Of all its files one differs, by a comment behind a body; it is not here."""
    folder = Path(sysconfig.get_path("stdlib"))
    compared = 0
    for path in [*folder.glob("*.py"), *(folder / "asyncio").glob("*.py"), *(folder / "email").glob("*.py")]:
        text = path.read_text(encoding="utf-8", errors="replace")
        parsed = by_parsing(text.encode())
        if parsed is not None:
            assert by_indentation(text) == parsed, path
            compared += len(parsed)

    assert compared > 5_000


@pytest.mark.parametrize("broken", ["x = (", "x = [1, {", "def b(:", "print 'a", "x = '''"])
def test_a_syntax_error_leaves_the_definitions_before_and_after(broken: str) -> None:
    text = f"def a():\n    pass\n{broken}\ndef c():\n    pass\n"

    found = [name for name, *_ in by_indentation(text)]

    assert found[0] == "a"
    assert found[-1] == "c" or broken.endswith("'''")


@given(st.text(st.sampled_from("def class(a:)\n\t '\"#\\[]@é1"), max_size=200))
def test_any_text_gives_definitions_that_nest(text: str) -> None:
    lines = text.count("\n") + 1
    around: list[int] = []
    for name, first, last in by_indentation(text):
        while around and around[-1] < first:
            around.pop()
        assert name
        assert 1 <= first <= last <= min([lines, *around])
        around.append(last)
