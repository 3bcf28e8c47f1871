"""The extractor of prose: headings of each markup, notebooks, and that nothing upsets it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.default_plugins import prose_extractor
from imprint.plugins import Document, Outline

LANGUAGES = sorted(prose_extractor.describe_extractor().languages)


def outline(language: str, text: str, name: str = "sample") -> Outline:
    found = prose_extractor.extract(Document(name=name, language=language, data=text.encode(), text=text))
    assert found is not None
    return found


def table(outline: Outline) -> list[str]:
    return [f"{section.start_line}-{section.end_line} {section.symbol}" for section in outline.sections]


def test_headings_of_markdown_nest_by_their_level() -> None:
    text = "# Guide\n\nHello.\n\n## Install\n\npip\n\n### Windows ###\n\n## Use of C#\n\n# Other"

    assert table(outline("markdown", text)) == [
        "1-12 Guide",
        "5-10 Guide > Install",
        "9-10 Guide > Install > Windows",
        "11-12 Guide > Use of C#",
        "13-13 Other",
    ]


def test_setext_headings_begin_at_their_text() -> None:
    text = "Title\n=====\n\ntext\n\nPart\n---\n\nmore"

    assert table(outline("markdown", text)) == ["1-9 Title", "6-9 Title > Part"]


@pytest.mark.parametrize(
    "text",
    [
        "```sh\n# comment\n```",
        "~~~\n# comment\n```\n# still\n~~~",
        "````\n```\n# comment\n````",
        "- list\n  ```\n# comment\n  ```",
        "    # indented code",
        "#tag",
        "text\n\n---\n\ntext",
        "| a |\n---",
        "- item\n---",
        "```\ncode\n```\n---",
        "first line\nsecond line\n---",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert table(outline("markdown", text)) == []


def test_front_matter_gives_the_title_and_no_headings() -> None:
    found = outline("markdown", '---\ntitle: "My page"\n# comment\n---\n\n## Part\n')

    assert (found.title, table(found)) == ("My page", ["6-7 Part"])


def test_the_first_heading_of_the_highest_rank_is_the_title() -> None:
    assert outline("markdown", "## Preface\n\n# The [Book](x.md) of `it`\n\n# Second").title == "The Book of it"


def test_ranks_of_restructuredtext_are_in_order_of_their_first_use() -> None:
    text = "=====\nGuide\n=====\n\nInstall\n=======\n\ntext\n\nWindows\n-------\n\ntext\n\nUse\n===\n"

    assert table(outline("restructuredtext", text)) == [
        "1-17 Guide",
        "5-14 Guide > Install",
        "10-14 Guide > Install > Windows",
        "15-17 Guide > Use",
    ]


def test_tables_and_rules_of_restructuredtext_are_no_headings() -> None:
    rows = "=====  =====\na      b\n=====  =====\n1      2\n=====  =====\n"
    text = f"text\n\n----\n\n{rows}\nlong paragraph\nof two lines\n---\n"

    assert table(outline("restructuredtext", text)) == []


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("asciidoc", "= Book\n\n----\n== code\n----\n\n== Part\ntext", ["1-8 Book", "7-8 Book > Part"]),
        ("wiki", "== Part ==\ntext\n=== Deep ===", ["1-3 Part", "3-3 Part > Deep"]),
        ("org", "* One\ntext\n** Two\n* Three", ["1-3 One", "3-3 One > Two", "4-4 Three"]),
        ("tex", "\\chapter{One}\n\\section*{Two}\ntext", ["1-3 One", "2-3 One > Two"]),
        ("html", '<h1 id="a">One</h1>\n<p>x\n<H2>T<b>w</b>o</H2>\ny', ["1-4 One", "3-4 One > Two"]),
        ("text", "Changes\n=======\n\n1.0\n---\nfirst", ["1-6 Changes", "4-6 Changes > 1.0"]),
        ("text", "just\nsome text", []),
    ],
)
def test_headings_of_other_markup(language: str, text: str, expected: list[str]) -> None:
    assert table(outline(language, text)) == expected


def test_a_notebook_is_the_markdown_of_its_cells_without_outputs() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Study\n", "\n", "Why."]},
        {"cell_type": "code", "source": "# load\nx = 1\n", "outputs": [{"text": "secret"}]},
        {"cell_type": "markdown", "source": "## Result"},
        {"cell_type": "code", "source": []},
        "not a cell",
    ]
    found = outline("json", json.dumps({"cells": cells, "nbformat": 4}), name="Study.ipynb")

    assert found.text == "# Study\n\nWhy.\n\n~~~~~~~~\n# load\nx = 1\n~~~~~~~~\n\n## Result"
    assert table(found) == ["1-10 Study", "10-10 Study > Result"]
    assert found.title == "Study"


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"cells": 3}', "{broken", "[" * 100_000])
def test_what_is_no_notebook_is_left_to_the_next_extractor(text: str) -> None:
    document = Document(name="a.ipynb", language="json", data=text.encode(), text=text)

    assert prose_extractor.extract(document) is None


def test_a_binary_document_is_left_to_the_next_extractor() -> None:
    assert prose_extractor.extract(Document(name="a.md", language="markdown", data=b"\x00", text=None)) is None


@given(
    language=st.sampled_from(LANGUAGES),
    text=st.lists(
        st.one_of(
            st.sampled_from(
                ["# a", "## b ##", "===", "---", "```", "~~~~", "* x", "= y", "Title", "<h2>", "\\section{z}"]
            ),
            st.text(max_size=12),
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


@pytest.mark.parametrize(
    "line", ["# " + " " * 50_000 + "x", "[" * 50_000, "# " + "[" * 50_000, "> " * 30_000 + "```", "<h1 " * 20_000]
)
@pytest.mark.parametrize("language", ["markdown", "html"])
def test_a_long_line_costs_no_more_than_its_length(language: str, line: str) -> None:
    assert outline(language, line).text == line
