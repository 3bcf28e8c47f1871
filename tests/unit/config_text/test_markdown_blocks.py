"""A block in a file that somebody else writes."""

import pytest
from hypothesis import given

from imprint.domain.config_text.markdown_blocks import find_block, put_block, take_block
from imprint.errors import InvalidClientFileError
from imprint.testing.documents import markdown_documents

PLACE = "/home/me/.claude/CLAUDE.md"
CONTENT = "## Memory\n\nSearch first."


def put(data, content=CONTENT):
    return put_block(data, content, PLACE)


@given(markdown_documents())
def test_block_put_in_and_taken_out_leaves_the_old_bytes(data):
    assert take_block(put(data), PLACE) == data


@given(markdown_documents())
def test_block_stands_after_what_was_there(data):
    after = put(data)

    assert after.startswith(data)
    assert find_block(after, PLACE) == CONTENT


@given(markdown_documents())
def test_putting_it_in_twice_is_the_same_as_once_and_new_text_replaces_the_old(data):
    once = put(data)

    assert put(once) == once
    assert find_block(put(once, "Other."), PLACE) == "Other."
    assert take_block(put(once, "Other."), PLACE) == data


@given(markdown_documents())
def test_what_is_written_after_the_block_stays_when_it_goes(data):
    left = take_block(put(data) + b"\nmine\n", PLACE)

    assert left.startswith(data.rstrip())
    assert left.endswith(b"mine\n")


@given(markdown_documents())
def test_nothing_to_take_out_changes_nothing(data):
    assert take_block(data, PLACE) == data
    assert find_block(data, PLACE) is None


@pytest.mark.parametrize(
    "data",
    [
        b"<!-- imprint:begin -->\nopen",
        b"closed\n<!-- imprint:end -->",
        b"<!-- imprint:end -->\n<!-- imprint:begin -->",
        put(b"") + put(b""),
        b"\xff",
    ],
)
def test_marks_that_are_no_pair_are_refused(data):
    with pytest.raises(InvalidClientFileError):
        put(data)
    with pytest.raises(InvalidClientFileError):
        take_block(data, PLACE)
