"""Identifiers and places become words."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.identifiers import embedding_text, index_text, split_identifier, to_embed
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind

CODE = Source(key=SourceKey("/p/a.py"), kind=SourceKind.CODE, path=PurePosixPath("/p/a.py"))
PROSE = Source(key=SourceKey("/p/a.md"), kind=SourceKind.DOCUMENT, path=PurePosixPath("/p/a.md"))


def naive_split(token: str) -> list[str]:
    """Letter by letter: a new word begins where the kind of letter changes."""
    words: list[str] = []
    previous = ""
    for at, letter in enumerate(token):
        kind = kind_of(letter)
        following = kind_of(token[at + 1]) if at + 1 < len(token) else ""
        joins = (
            kind == previous == "digit"
            or (kind == "small" and previous in ("small", "capital"))
            or (kind == previous == "capital" and following != "small")
        )
        if kind and joins:
            words[-1] += letter
        elif kind:
            words.append(letter)
        previous = kind
    return [word.lower() for word in words]


def kind_of(letter: str) -> str:
    if letter.isdecimal():
        return "digit"
    if "A" <= letter <= "Z":
        return "capital"
    return "small" if letter.isalnum() else ""


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("HTTPServer", ("http", "server")),
        ("loadHTTPServer_v2", ("load", "http", "server", "v", "2")),
        ("parse_json", ("parse", "json")),
        ("__init__", ("init",)),
        ("utf8", ("utf", "8")),
        ("E0502", ("e", "0502")),
        ("A", ("a",)),
        ("", ()),
    ],
)
def test_an_identifier_splits_at_cases_digits_and_underscores(token, words):
    assert split_identifier(token) == words


@given(st.text(alphabet="abzABZ019_éß数", max_size=20))
def test_splitting_agrees_with_reading_letter_by_letter(token):
    assert list(split_identifier(token)) == naive_split(token)


@given(st.text(max_size=200), st.text(max_size=20))
def test_any_text_has_an_index_and_an_embedding_text(text, symbol):
    chunk = Chunk(text=text, symbol=symbol)

    for source in (CODE, PROSE):
        assert index_text(chunk, source).context == ""
        assert isinstance(embedding_text(to_embed(chunk, source)), str)


def test_only_what_full_text_cannot_see_is_indexed_besides():
    chunk = Chunk(text="HTTPServer.serve_forever(load_json, toUTF8)", symbol="App.runServer")

    derived = index_text(chunk, CODE)

    assert derived.words == "http server to utf 8"
    assert derived.names == "App.runServer run server"
    assert "serve" not in derived.words.split()


def test_digests_and_encoded_data_add_no_words():
    chunk = Chunk(text="a1b2c3d4e5f6a7b8c9d0 " + "aB" * 60)

    assert index_text(chunk, CODE).words == ""


def test_chinese_japanese_and_korean_are_indexed_by_characters_and_pairs():
    words = index_text(Chunk(text="use 数据库 ok"), PROSE).words

    assert words.split() == ["数", "据", "库", "数据", "据库"]


@pytest.mark.parametrize(
    "path", [PurePosixPath("/home/me/work/app/src/userStore.py"), PureWindowsPath("C:/me/work/app/src/userStore.py")]
)
def test_the_end_of_a_path_is_searched_in_words(path):
    place = index_text(Chunk(text=""), Source(key=SourceKey("k"), kind=SourceKind.CODE, path=path)).place

    assert {"app", "src", "user", "store"} <= set(place.split())


def test_the_place_of_a_page_is_its_address_and_title():
    source = Source(key=SourceKey("u"), kind=SourceKind.WEB, url="https://example.org/howTo", title="A Title")

    assert index_text(Chunk(text=""), source).place == "https://example.org/howTo A Title how to"


def test_code_is_embedded_in_words_with_its_name_before_it():
    text = embedding_text(to_embed(Chunk(text="return parseJSON(a_b)", symbol="Api.readBody"), CODE))

    assert text.splitlines()[0] == "Api.read body"
    assert text.splitlines()[-1] == "return parse json(a b)"


def test_prose_is_embedded_as_written_below_its_heading():
    text = embedding_text(to_embed(Chunk(text="Use McDonald_s.", symbol="Guide > Food"), PROSE))

    assert text == "Guide > Food\nUse McDonald_s."
