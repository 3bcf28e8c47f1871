"""The project file: what is written is read, and whatever else lies there has its fault."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.names import find_name_fault
from imprint.domain.project_files import (
    LARGEST_PROJECT_FILE,
    ProjectFileFault,
    explain_project_file_fault,
    parse_project_file,
    render_project_file,
)
from imprint.domain.sources import WorkspaceName
from imprint.testing.strategies import workspace_names


@given(workspace_names())
def test_what_is_rendered_is_read_back(workspace: WorkspaceName):
    data = render_project_file(workspace)

    assert parse_project_file(data) == workspace
    assert data.endswith(b"\n")


@pytest.mark.parametrize(
    "data",
    [
        b'{"workspace": "acme"}',
        b'\xef\xbb\xbf{"workspace": "acme"}',
        b' \r\n{\t"workspace"\n:"acme" }\n\n',
        b'{"\\u0077orkspace": "a\\u0063me"}',
        b'{"workspace": "acme"}' + b" " * (LARGEST_PROJECT_FILE - 21),
    ],
)
def test_every_spelling_of_the_object_is_read(data: bytes):
    assert parse_project_file(data) == "acme"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b" " * (LARGEST_PROJECT_FILE + 1), ProjectFileFault.TOO_LARGE),
        (b'{"workspace": "\xff"}', ProjectFileFault.NOT_UTF8),
        ('{"workspace": "acme"}'.encode("utf-16"), ProjectFileFault.NOT_UTF8),
        (b"", ProjectFileFault.NOT_JSON),
        (b"{", ProjectFileFault.NOT_JSON),
        (b'{"workspace": "acme"} x', ProjectFileFault.NOT_JSON),
        (b"{'workspace': 'acme'}", ProjectFileFault.NOT_JSON),
        (b'\xef\xbb\xbf\xef\xbb\xbf{"workspace": "acme"}', ProjectFileFault.NOT_JSON),
        (b"[" * LARGEST_PROJECT_FILE, ProjectFileFault.NOT_JSON),
        (b"1" * 5000, ProjectFileFault.NOT_JSON),
        (b'{"workspace": "acme", "workspace": "acme"}', ProjectFileFault.DUPLICATE_KEY),
        (b'{"workspace": "acme", "\\u0077orkspace": "lab"}', ProjectFileFault.DUPLICATE_KEY),
        (b"null", ProjectFileFault.NOT_AN_OBJECT),
        (b'"acme"', ProjectFileFault.NOT_AN_OBJECT),
        (b'["workspace"]', ProjectFileFault.NOT_AN_OBJECT),
        (b"NaN", ProjectFileFault.NOT_AN_OBJECT),
        (b"{}", ProjectFileFault.MISSING_KEY),
        (b'{"Workspace": "acme"}', ProjectFileFault.MISSING_KEY),
        (b'{"workspace": "acme", "roots": ["/"]}', ProjectFileFault.UNKNOWN_KEY),
        (b'{"workspace": null}', ProjectFileFault.NAME_NOT_TEXT),
        (b'{"workspace": ["acme"]}', ProjectFileFault.NAME_NOT_TEXT),
        (b'{"workspace": ""}', ProjectFileFault.INVALID_NAME),
        (b'{"workspace": "Acme"}', ProjectFileFault.INVALID_NAME),
        (b'{"workspace": "../acme"}', ProjectFileFault.INVALID_NAME),
        (b'{"workspace": "\\ud800"}', ProjectFileFault.INVALID_NAME),
    ],
)
def test_everything_else_has_its_fault(data: bytes, fault: ProjectFileFault):
    assert parse_project_file(data) is fault


def test_each_fault_has_its_own_message():
    assert len({explain_project_file_fault(fault) for fault in ProjectFileFault}) == len(ProjectFileFault)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_workspace_or_a_fault(data: bytes):
    found = parse_project_file(data)

    assert isinstance(found, ProjectFileFault) or find_name_fault(found) is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda value: st.lists(value) | st.dictionaries(st.text(), value),
        max_leaves=5,
    )
)
def test_any_json_is_a_workspace_or_a_fault(value: object):
    found = parse_project_file(json.dumps(value).encode())

    named = value.get("workspace") if isinstance(value, dict) and len(value) == 1 else None
    if isinstance(named, str) and find_name_fault(named) is None:
        assert found == named
    else:
        assert isinstance(found, ProjectFileFault)
