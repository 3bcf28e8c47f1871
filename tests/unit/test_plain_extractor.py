"""The extractor of everything else: definitions by their look, and that nothing upsets it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.default_plugins import plain_extractor
from imprint.default_plugins.definition_patterns import DEFINITIONS
from imprint.plugins import Document, Outline


def outline(language: str, text: str) -> Outline:
    found = plain_extractor.extract(Document(name="sample", language=language, data=text.encode(), text=text))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "kotlin",
            "package a\n\n/** Keeps. */\n@Serializable\ndata class Store(val x: Int) {\n    // Opens.\n"
            "    suspend fun open() {\n    }\n}\n\nfun main() {}\n",
            ["3-10 Store", "6-10 Store.open", "11-12 main"],
        ),
        ("swift", "public struct A {\n  func b() {}\n}\nextension A {\n}", ["1-3 A", "2-3 A.b", "4-5 A"]),
        ("scala", "object A {\n  def b(x: Int) = x\n}", ["1-3 A", "2-3 A.b"]),
        (
            "lua",
            "local function a()\nend\n-- Does b.\nM.b = function()\nend\nfunction M:c()\nend",
            ["1-2 a", "3-5 M.b", "6-7 M:c"],
        ),
        (
            "sql",
            "-- Users.\nCREATE TABLE IF NOT EXISTS app.users (\n  id int\n);\ncreate view v as select 1;",
            ["1-4 app.users", "5-5 v"],
        ),
        ("elixir", "defmodule A.B do\n  def c?(x) do\n  end\nend", ["1-4 A.B", "2-4 A.B.c?"]),
        ("perl", "sub one {\n}\nsub two {\n}", ["1-2 one", "3-4 two"]),
        ("r", "a <- function(x) {\n  x\n}\nb = function() 1", ["1-3 a", "4-4 b"]),
        ("clojure", "(ns a)\n; Adds.\n(defn add [x]\n  x)\n(def y 1)", ["2-4 add", "5-5 y"]),
        ("haskell", "data A = B\n-- Adds.\nadd :: Int -> Int\nadd x = x", ["1-1 A", "2-4 add"]),
        ("toml", "name = 1\n[tool.ruff]\nx = [\n  1,\n]\n[[bin]]\ny = 2", ["2-5 tool.ruff", "6-7 bin"]),
        ("yaml", '# Jobs.\njobs:\n  test: 1\n"on":\n  push:', ["1-3 jobs", "4-5 on"]),
        ("json", '{\n  "scripts": {\n    "a": "b"\n  },\n  "x": 1\n}', ["2-6 scripts"]),
        ("make", "X := 1\nall: build\n\tgo\nbuild:\n\tgo", ["2-3 all", "4-5 build"]),
        ("hcl", 'resource "a" "b" {\n}\nlocals {\n}', ["1-2 resource a b", "3-4 locals"]),
        ("css", "/* Top. */\n.a > b {\n  x: y;\n}\n@media print {\n}", ["1-4 .a > b", "5-6 @media print"]),
        ("unheard-of", "class A {\n}", []),
    ],
)
def test_definitions_are_found_by_their_look(language: str, text: str, expected: list[str]) -> None:
    found = [
        f"{section.start_line}-{section.end_line} {section.symbol}" for section in outline(language, text).sections
    ]

    assert found == expected


def test_a_binary_document_is_nobodys() -> None:
    assert plain_extractor.extract(Document(name="a", language="", data=b"\x00", text=None)) is None


@given(
    language=st.sampled_from(["", *sorted(DEFINITIONS)]),
    text=st.lists(
        st.one_of(
            st.sampled_from(["def a", "  class B {", "// x", "# y", "[t]", "k: v", "/*", "*/"]), st.text(max_size=12)
        ),
        max_size=30,
    ).map("\n".join),
)
def test_any_text_is_kept_and_its_sections_nest(language: str, text: str) -> None:
    found = outline(language, text)

    assert found.text == text
    around: list[int] = []
    for section in found.sections:
        assert 1 <= section.start_line <= section.end_line <= text.count("\n") + 1
        while around and around[-1] < section.start_line:
            around.pop()
        assert not around or section.end_line <= around[-1]
        around.append(section.end_line)
