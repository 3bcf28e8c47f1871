"""Edits of JSON: what is not ours keeps every byte."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from imprint.domain.config_text.json_syntax import DEEPEST
from imprint.domain.config_text.json_text import parse_json
from imprint.errors import InvalidClientFileError
from imprint.testing.documents import json_documents

OURS = {"command": "/opt/imprint-mcp", "args": []}
PLACE = "/home/me/.claude.json"


def parse(data, **options):
    return parse_json(data, PLACE, **options)


def values(data):
    return parse(data).get(())


@given(json_documents(comments=True))
def test_reading_gives_back_the_same_bytes(data):
    assert parse(data).data == data


@given(json_documents())
def test_values_are_those_that_the_standard_library_reads(data):
    assert values(data) == json.loads(data.decode("utf-8-sig"))


@given(json_documents(comments=True))
def test_member_that_is_put_in_is_there_and_nothing_else_has_changed(data):
    before = values(data)
    assume("ours" not in before)

    after = values(parse(data).set(("ours",), OURS).data)

    assert after == {**before, "ours": OURS}
    assert list(after)[-1] == "ours"


@given(json_documents(comments=True))
def test_member_put_in_and_taken_out_leaves_the_old_bytes(data):
    document = parse(data)
    assume(not document.has(("ours",)) and document.count(()))

    assert document.set(("ours",), OURS).remove(("ours",)).data == data


@given(json_documents(comments=True), st.sampled_from(["", ",", " ,\n", "// a word\n"]))
def test_element_put_in_and_taken_out_leaves_the_old_bytes(element, ending):
    data = b'{"list": [' + element.removeprefix(b"\xef\xbb\xbf") + f"{ending}]}}".encode()

    longer = parse(data).append(("list",), OURS)

    assert longer.get(("list",)) == [values(element), OURS]
    assert longer.remove(("list", 1)).data == data


@given(json_documents(comments=True))
def test_nested_member_put_in_twice_is_the_same_as_once(data):
    document = parse(data)
    assume(isinstance(document.get(("mcpServers",)), dict) or not document.has(("mcpServers",)))
    once = document.set(("mcpServers", "imprint"), OURS)

    assert once.set(("mcpServers", "imprint"), dict(reversed(OURS.items()))) == once


@given(json_documents(comments=True), st.data())
def test_any_member_can_be_taken_out(data, draw):
    document = parse(data)
    before = document.get(())
    assume(before)
    key = draw.draw(st.sampled_from(list(before)))

    assert values(document.remove((key,)).data) == {name: value for name, value in before.items() if name != key}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{ // 1\n"ours": 1, // 2\n "x": 2 /* 3 */ }', b'{ // 1\n // 2\n "x": 2 /* 3 */ }'),
        (b'{"x": 1, // 1\n"ours": 2 /* 2 */}', b'{"x": 1 // 1\n /* 2 */}'),
        (b'{/* 1 */ "ours": 2 /* 2 */, "x": 1}', b'{/* 1 */ /* 2 */ "x": 1}'),
        (b'{// 1\n"ours": 2}', b"{// 1\n}"),
    ],
)
def test_every_comment_beside_what_is_taken_out_stays(before, after):
    assert parse(before).remove(("ours",)).data == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b'{\n  "a": {\n    "b": 1\n  }\n}\n'),
        (b"\xef\xbb\xbf", b'\xef\xbb\xbf{\n  "a": {\n    "b": 1\n  }\n}\n'),
        (b" \r\n", b'{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'),
        (b"{}", b'{\n  "a": {\n    "b": 1\n  }\n}'),
        (b'{"x": 1}', b'{"x": 1, "a": {"b": 1}}'),
        (b'{\n\t"x": 1\n}\n', b'{\n\t"x": 1,\n\t"a": {\n\t\t"b": 1\n\t}\n}\n'),
        (b'{\n    "a": {}\n}', b'{\n    "a": {\n        "b": 1\n    }\n}'),
        (b'{\r\n  "x": 1, // why\r\n}', b'{\r\n  "x": 1, // why\r\n  "a": {\r\n    "b": 1\r\n  },\r\n}'),
        (b'{\n  "x": 1 // why\n}', b'{\n  "x": 1, // why\n  "a": {\n    "b": 1\n  }\n}'),
        (b'{"x": 1 // why\n}', b'{"x": 1, // why\n"a": {\n  "b": 1\n}\n}'),
    ],
)
def test_what_is_put_in_is_laid_out_as_the_file_is(before, after):
    assert parse(before).set(("a", "b"), 1).data == after


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"[]",
        b"null",
        b"{} {}",
        b'{"a" 1}',
        b'{"a": 01}',
        b"{'a': 1}",
        b'{"a": "\n"}',
        b'{"a": NaN}',
        b'{"a": 1 "b": 2}',
        b"{,}",
        b"\xff\xfe{\x00}\x00",
        b'{"a": "\xff"}',
        b"/* open {}",
        b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
def test_what_is_no_json_object_is_refused(data):
    with pytest.raises(InvalidClientFileError) as caught:
        parse(data)

    assert caught.value.path == PLACE


@pytest.mark.parametrize("data", [b'{"a": 1,}', b"{} // end", b'{"a": [1,]}'])
def test_comments_and_trailing_commas_are_refused_where_the_client_refuses_them(data):
    assert parse(data).data == data
    with pytest.raises(InvalidClientFileError):
        parse(data, comments=False)


def test_deepest_nesting_is_read_and_one_level_more_is_not():
    def nested(levels):
        return b'{"a":' * (levels - 1) + b"{}" + b"}" * (levels - 1)

    assert parse(nested(DEEPEST)).data == nested(DEEPEST)
    with pytest.raises(InvalidClientFileError):
        parse(nested(DEEPEST + 1))


def test_key_that_is_there_twice_is_refused_where_it_matters_and_left_alone_elsewhere():
    twice = b'{"a": {}, "a": {"x": 1}, "b": {}}'

    with pytest.raises(InvalidClientFileError):
        parse(twice).set(("a", "b"), 1)
    assert parse(twice).set(("b", "c"), 1).data == b'{"a": {}, "a": {"x": 1}, "b": {"c": 1}}'


@pytest.mark.parametrize("data", [b'{"a": null}', b'{"a": 1}', b'{"a": []}', b'{"a": "x"}'])
def test_nothing_is_put_into_what_is_no_object(data):
    with pytest.raises(InvalidClientFileError):
        parse(data).set(("a", "b"), 1)
    if data != b'{"a": []}':
        with pytest.raises(InvalidClientFileError):
            parse(data).append(("a",), 1)


def test_numbers_of_thousands_of_digits_are_read():
    assert values(b'{"a": ' + b"9" * 5000 + b"}") == {"a": float("inf")}
