"""Workspace names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.names import NameFault, explain_name_fault, find_name_fault, nearest_name, parse_workspace_name
from imprint.errors import InvalidWorkspaceNameError
from imprint.testing.strategies import workspace_names

FAULTS = [
    ("", NameFault.EMPTY),
    ("a" * 41, NameFault.TOO_LONG),
    ("-a", NameFault.BAD_FIRST_CHARACTER),
    ("é", NameFault.BAD_FIRST_CHARACTER),
    (" a", NameFault.BAD_FIRST_CHARACTER),
    (".", NameFault.BAD_FIRST_CHARACTER),
    ("a_b", NameFault.BAD_CHARACTER),
    ("a\n", NameFault.BAD_CHARACTER),
    ("a/b", NameFault.BAD_CHARACTER),
    ("aß", NameFault.BAD_CHARACTER),
    ("a١", NameFault.BAD_CHARACTER),
    ("A b", NameFault.BAD_CHARACTER),
    ("a\0", NameFault.BAD_CHARACTER),
    ("con", NameFault.WINDOWS_DEVICE),
    ("NUL", NameFault.WINDOWS_DEVICE),
    ("com1", NameFault.WINDOWS_DEVICE),
    ("lpt9", NameFault.WINDOWS_DEVICE),
    ("Acme", NameFault.UPPER_CASE),
]


@pytest.mark.parametrize(("text", "fault"), FAULTS)
def test_each_way_to_be_wrong_has_its_own_fault(text: str, fault: NameFault):
    with pytest.raises(InvalidWorkspaceNameError) as caught:
        parse_workspace_name(text)

    assert (caught.value.name, caught.value.reason) == (text, fault)


def test_each_fault_has_its_own_message():
    assert len({explain_name_fault(fault) for fault in NameFault}) == len(NameFault)
    assert {fault for _, fault in FAULTS} == set(NameFault)


@pytest.mark.parametrize("name", ["a", "0", "default", "a-", "a--b", "com", "com10", "console", "nul-1", "a" * 40])
def test_a_valid_name_is_taken_as_it_is(name: str):
    assert parse_workspace_name(name) == name


@given(workspace_names())
def test_every_generated_name_is_taken_as_it_is(name: str):
    assert parse_workspace_name(name) == name


@given(workspace_names())
def test_upper_case_suggests_a_name_that_is_taken(name: str):
    shouted = name.upper()
    if shouted == name:
        return

    with pytest.raises(InvalidWorkspaceNameError) as caught:
        parse_workspace_name(shouted)

    assert caught.value.suggestion == name


@given(st.text())
def test_any_text_is_a_name_or_has_a_fault(text: str):
    fault = find_name_fault(text)

    allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"
    looks_right = 1 <= len(text) <= 40 and all(c in allowed for c in text) and not text.startswith("-")
    assert looks_right or fault is not None
    assert not looks_right or fault in (None, NameFault.WINDOWS_DEVICE)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [("acm", "acme"), ("ACME", "acme"), ("deafult", "default"), ("zzz", None), ("", None), ("a" * 100_000, None)],
)
def test_a_misspelt_name_finds_the_nearest_known_one(text: str, nearest: str | None):
    assert nearest_name(text, ["default", "acme", "lab"]) == nearest
