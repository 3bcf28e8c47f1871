"""The extractor of code: what it finds in small samples of each language, and that nothing upsets it."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprint.default_plugins import code_extractor
from imprint.default_plugins.code_grammars import GRAMMARS
from imprint.plugins import Document, Outline

SAMPLES = Path(__file__).parents[1] / "samples" / "outlines"

EXPECTED = {
    "python": """
        6-14 hello
        12-13 hello.inner
        17-26 A
        20-22 A.name
        24-26 A.B
        25-26 A.B.deep
        30-31 conditional""",
    "javascript": """
        6-9 join
        11-13 split
        15-23 Queue
        17-19 Queue.push
        20-22 Queue.drain
        25-32 default
        26-28 default.data
        29-31 default.onChange
        34-36 joins""",
    "typescript": """
        5-10 add
        12-23 Service
        15-18 Service.find
        19-21 Service.handler
        25-27 Options
        28-28 Name
        29-31 useThing
        32-36 routes
        33-35 routes.get
        37-39 default
        40-44 adding
        41-43 adding.adds two numbers
        45-47 Foo.bar
        48-52 Deep
        49-51 Deep.Colour""",
    "go": """
        5-8 Store
        11-13 A
        14-16 B
        19-22 Store.Open
        24-26 List.Len
        28-30 main""",
    "rust": """
        5-9 Point
        11-16 Point
        12-15 Point.new
        18-22 Point
        19-21 Point.fmt
        24-29 tests
        25-28 tests.works
        31-33 twice""",
    "java": """
        3-21 Thing
        8-10 Thing.Thing
        12-16 Thing.run
        18-20 Thing.Kind
        23-25 Shape""",
    "c": """
        5-6 SQUARE
        8-10 point_t
        12-14 node
        16-21 print_all
        23-26 split""",
    "cpp": """
        3-30 geo
        4-11 geo.Shape
        8-10 geo.Shape.area
        13-16 geo.Box
        18-20 geo.Shape.edge
        22-24 geo.name
        26-29 geo.largest
        32-34 Colour
        36-38 operator<""",
    "csharp": """
        3-21 A.B
        5-20 A.B.Store
        8-11 A.B.Store.Name
        13-17 A.B.Store.Store""",
    "ruby": """
        1-13 Outer
        3-12 Outer.Thing
        4-7 Outer.Thing.run
        9-11 Outer.Thing.build
        15-19 Thing
        16-18 Thing.runs""",
    "php": """
        4-14 Store
        9-13 Store.find
        16-19 helper""",
    "bash": """
        2-5 install_all
        7-9 build""",
}
SUFFIXES = {
    "python": "py",
    "javascript": "js",
    "typescript": "ts",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "c": "c",
    "cpp": "cpp",
    "csharp": "cs",
    "ruby": "rb",
    "php": "php",
    "bash": "sh",
}


def document(language: str, text: str, name: str = "sample") -> Document:
    return Document(name=name, language=language, data=text.encode("utf-8", "replace"), text=text)


def outline(language: str, text: str) -> Outline:
    found = code_extractor.extract(document(language, text))
    assert found is not None
    return found


def table(outline: Outline) -> list[str]:
    return [f"{section.start_line}-{section.end_line} {section.symbol}" for section in outline.sections]


@pytest.mark.parametrize("language", EXPECTED)
def test_definitions_have_their_names_and_lines(language: str) -> None:
    text = (SAMPLES / f"sample.{SUFFIXES[language]}").read_text()

    assert table(outline(language, text)) == [line.strip() for line in EXPECTED[language].split("\n") if line.strip()]


@pytest.mark.parametrize("language", GRAMMARS)
def test_the_text_stays_as_it_is_in_every_language(language: str) -> None:
    assert outline(language, "é x\r\n\x00 (").text == "é x\r\n\x00 ("


def test_a_header_written_in_cpp_is_read_as_cpp() -> None:
    text = "namespace a {\nclass B {\n  int c() {\n    return 1;\n  }\n};\n}\n"

    assert table(outline("c", text)) == ["1-7 a", "2-6 a.B", "3-5 a.B.c"]


def test_a_syntax_error_leaves_the_other_definitions() -> None:
    assert "4-5 fine" in table(outline("python", "def broken(:\n    pass\n\ndef fine():\n    return 1\n"))


def test_windows_line_ends_keep_the_lines() -> None:
    assert table(outline("python", "def a():\r\n    return 1\r\n\r\n\r\ndef b():\r\n    return 2\r\n")) == [
        "1-2 a",
        "5-6 b",
    ]


def test_a_comment_behind_code_does_not_lead_a_definition() -> None:
    assert table(outline("go", "package a\nvar x = 1 // one\nfunc f() {\n}\n")) == ["3-4 f"]


def test_several_names_of_one_statement_are_one_section() -> None:
    assert table(outline("javascript", "const a = () => {\n  1;\n}, b = () => {\n  2;\n};\n")) == ["1-5 a"]


def test_a_very_long_name_is_shortened() -> None:
    (section,) = outline("python", f"def {'a' * 500}():\n    pass\n").sections

    assert section.symbol == "a" * 99 + "…"


@pytest.mark.parametrize("piece", ["(", "{", "[", "a => {", "class A { ", "if x:\n", "`${", "def a(): ("])
@pytest.mark.parametrize("language", ["python", "javascript", "cpp"])
def test_deep_nesting_is_survived(language: str, piece: str) -> None:
    text = piece * 20_000

    found = code_extractor.extract(document(language, text))

    assert found is None or found.text == text


def test_a_document_that_is_no_code_at_all_is_left_to_the_next_extractor() -> None:
    assert code_extractor.extract(document("javascript", "( " * 20_000)) is None


def test_a_document_that_takes_too_long_to_parse_is_left_to_the_next_extractor() -> None:
    assert code_extractor.extract(document("csharp", "a<" * 100_000)) is None


def test_names_are_read_beyond_the_first_block_that_the_parser_reads() -> None:
    text = "".join(f"def function_{number:05}():\n    return {number}\n\n\n" for number in range(5_000))

    assert [section.symbol for section in outline("python", text).sections] == [
        f"function_{number:05}" for number in range(5_000)
    ]


def test_a_huge_document_is_left_to_the_next_extractor() -> None:
    assert code_extractor.extract(document("python", "x = 1\n" * 200_000)) is None


def test_a_binary_document_is_left_to_the_next_extractor() -> None:
    assert code_extractor.extract(Document(name="a.py", language="python", data=b"\x00", text=None)) is None


@settings(deadline=None, max_examples=60)
@given(
    language=st.sampled_from(sorted(GRAMMARS)),
    pieces=st.lists(
        st.one_of(
            st.sampled_from(
                ["def a():", "class B", "{", "}", "(", ")", "\n", "\n    ", "function f() ", "=> ", "// c\n", "# c\n"]
            ),
            st.sampled_from(
                ["/* x\n", "*/", "struct S ", "impl T ", "func (s *S) M() ", "module X ", ";", "=", "'", '"']
            ),
            st.text(max_size=5),
        ),
        max_size=40,
    ),
)
def test_sections_nest_or_do_not_touch_whatever_the_text(language: str, pieces: list[str]) -> None:
    text = "".join(pieces)
    found = outline(language, text)

    around: list[int] = []
    previous = 1
    for section in found.sections:
        assert previous <= section.start_line <= section.end_line <= text.count("\n") + 1
        while around and around[-1] < section.start_line:
            around.pop()
        assert not around or section.end_line <= around[-1]
        around.append(section.end_line)
        previous = section.start_line


def test_a_missing_grammar_leaves_the_document_to_the_next_extractor() -> None:
    """In a fresh interpreter that is told the wheel is not there."""
    program = (
        "import sys; sys.modules['tree_sitter_python'] = None\n"
        "from imprint.default_plugins import code_extractor\n"
        "from imprint.plugins import Document\n"
        "assert code_extractor.extract(Document(name='a.py', language='python', data=b'x', text='x')) is None\n"
        "assert code_extractor.extract(Document(name='a.go', language='go', data=b'x', text='x')) is not None\n"
    )

    subprocess.run([sys.executable, "-c", program], check=True)


def test_describing_the_extractor_loads_no_parser() -> None:
    program = (
        "import sys\n"
        "from imprint.default_plugins import code_extractor\n"
        "code_extractor.describe_extractor()\n"
        "assert not any(name.startswith('tree_sitter') for name in sys.modules)\n"
    )

    subprocess.run([sys.executable, "-c", program], check=True)
