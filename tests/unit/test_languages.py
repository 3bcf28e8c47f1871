"""The language of a file, by name and by its first line."""

import pytest

from imprint.domain.languages import PLAIN_TEXT, detect_language
from imprint.domain.sources import SourceKind

CODE, DOCUMENT = SourceKind.CODE, SourceKind.DOCUMENT


@pytest.mark.parametrize(
    ("name", "language", "kind"),
    [
        ("main.py", "python", CODE),
        ("Main.JAVA", "java", CODE),
        ("view.test.tsx", "tsx", CODE),
        ("README.md", "markdown", DOCUMENT),
        ("README", "text", DOCUMENT),
        ("README.de", "text", DOCUMENT),
        ("Makefile", "make", CODE),
        ("Dockerfile.dev", "dockerfile", CODE),
        ("CMakeLists.txt", "cmake", CODE),
        ("notes.txt", "text", DOCUMENT),
        ("notes.unheard-of", "text", DOCUMENT),
        ("data.json", "json", CODE),
        ("", "text", DOCUMENT),
    ],
)
def test_the_name_decides(name: str, language: str, kind: SourceKind) -> None:
    found = detect_language(name)

    assert (found.name, found.kind) == (language, kind)


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/bin/sh\n", "bash"),
        (b"#! /usr/bin/env python3.12\n", "python"),
        (b"#!/usr/bin/env -S uv run --script\n", "python"),
        (b"#!/usr/bin/env LANG=C perl -w\n", "perl"),
        (b"#!C:\\Ruby\\bin\\ruby.exe\r\n", "text"),
        (b"#!/usr/bin/node", "javascript"),
        (b"#!/usr/bin/env\n", "text"),
        (b"#!\n", "text"),
        (b"# not a shebang\n", "text"),
        (b"\xff\xfe#!/bin/sh\n", "text"),
    ],
)
def test_the_first_line_decides_where_the_name_says_nothing(head: bytes, language: str) -> None:
    assert detect_language("run", head).name == language


def test_the_name_outweighs_the_first_line() -> None:
    assert detect_language("run.rb", b"#!/bin/sh\n").name == "ruby"


def test_plain_text_is_a_document() -> None:
    assert PLAIN_TEXT.is_prose
