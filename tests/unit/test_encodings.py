"""Text in whatever encoding comes out as it was meant, and nothing fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.adapters.charsets import guess_encoding
from imprint.domain.encodings import decode_text

GERMAN = "Größe und Höhe der Bäume\n"
JAPANESE = "これは日本語のテキストです。\n検索できるはずです。\n"


@given(text=st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\0\ufeff")))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    assert decode_text(text.encode()) == text


@given(data=st.binary())
def test_any_bytes_become_text_without_surrogates_or_nuls(data: bytes) -> None:
    text = decode_text(data)

    text.encode()
    assert "\0" not in text
    assert "\r" not in text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_at_the_beginning_decides_and_is_dropped(encoding: str) -> None:
    assert decode_text(GERMAN.encode(encoding)) == GERMAN


def test_line_ends_of_every_system_become_one() -> None:
    assert decode_text(b"a\r\nb\rc\nd") == "a\nb\nc\nd"


def test_a_few_broken_bytes_do_not_turn_utf8_into_something_else() -> None:
    assert decode_text(GERMAN.encode() * 3 + b"\xff") == GERMAN * 3 + "\ufffd"


@pytest.mark.parametrize(
    ("declaration", "encoding"),
    [
        ("# -*- coding: koi8-r -*-\n", "koi8-r"),
        ('<meta charset="windows-1251">\n', "windows-1251"),
        ("# vim: set fileencoding=euc-jp :\n", "euc-jp"),
    ],
)
def test_a_file_is_believed_what_it_says_about_itself(declaration: str, encoding: str) -> None:
    body = JAPANESE if encoding == "euc-jp" else "Привет, мир\n"

    assert decode_text((declaration + body).encode(encoding)) == declaration + body


@pytest.mark.parametrize("codec", ["punycode", "unicode_escape", "rot13", "nonsense"])
def test_a_declared_codec_that_is_no_encoding_of_text_is_passed_over(codec: str) -> None:
    data = f"# coding: {codec}\n{GERMAN}".encode("cp1252")

    assert decode_text(data).endswith(GERMAN)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("shift_jis", JAPANESE),
        ("gb18030", "这是一个中文文本文件，应该可以搜索到。\n"),
        ("euc_kr", "이것은 한국어 텍스트입니다.\n"),
        ("cp1251", "Это русский текст, который должен находиться.\n"),
        ("cp1250", "Zażółć gęślą jaźń. Dziś jest piękny dzień.\n"),
        ("latin-1", GERMAN),
        ("cp1252", "naïve café – “quoted”\n"),
    ],
)
def test_text_that_says_nothing_is_guessed(encoding: str, text: str) -> None:
    data = (text * 2).encode(encoding)

    assert decode_text(data, guess_encoding) == text * 2


def test_the_guess_is_asked_only_when_nothing_else_decides() -> None:
    asked: list[bytes] = []

    for data in (b"plain", GERMAN.encode(), GERMAN.encode("utf-16"), f"# coding: cp1252\n{GERMAN}".encode("cp1252")):
        decode_text(data, lambda sample: asked.append(sample))

    assert asked == []
