"""Path algebra: the laws that every rule about folders rests on."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.paths import (
    ancestors,
    contains,
    depth,
    is_filesystem_root,
    normalize_path,
    parse_path,
    same_place,
)
from imprint.domain.sources import CanonicalPath
from imprint.errors import InvalidPathError
from imprint.testing.strategies import canonical_paths, posix_paths, windows_paths, windows_spellings


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/w/app", PurePosixPath("/w/app")),
        ("/w//app/./", PurePosixPath("/w/app")),
        ("//w/app", PurePosixPath("/w/app")),
        ("/C:/x", PurePosixPath("/C:/x")),
        ("/a\\b", PurePosixPath("/a\\b")),
        ("C:/x", PureWindowsPath("C:\\x")),
        ("c:\\x\\", PureWindowsPath("C:\\x")),
        ("\\\\?\\C:\\x", PureWindowsPath("C:\\x")),
        ("//?/C:/x", PureWindowsPath("C:\\x")),
        ("\\\\h\\s\\x", PureWindowsPath("\\\\h\\s\\x")),
        ("\\\\?\\UNC\\h\\s\\x", PureWindowsPath("\\\\h\\s\\x")),
        ("\\\\?\\unc\\h\\s", PureWindowsPath("\\\\h\\s\\")),
        ("\\\\wsl$\\D\\p", PureWindowsPath("\\\\wsl.localhost\\D\\p")),
        ("//wsl$/D/p", PureWindowsPath("\\\\wsl.localhost\\D\\p")),
        ("\\\\?\\UNC\\WSL.localhost\\D\\p", PureWindowsPath("\\\\wsl.localhost\\D\\p")),
    ],
)
def test_a_spelling_is_read_into_the_one_form(text: str, path: CanonicalPath):
    parsed = parse_path(text)

    assert (type(parsed), str(parsed)) == (type(path), str(path))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "./x",
        "~",
        "~/x",
        "C:",
        "C:x",
        "\\x",
        "\\\\h",
        "\\\\h\\",
        "\\\\h\\..\\x",
        "\\\\.\\C:\\x",
        "\\\\?\\x",
        "/a/../b",
        "C:\\a\\..\\b",
        "/a\0b",
        "\\\\?\\UNC\\h",
        "\\\\?\\Volume{1}\\x",
        "http://h/s",
    ],
)
def test_what_is_no_canonical_path_is_refused_with_a_reason(text: str):
    with pytest.raises(InvalidPathError) as caught:
        parse_path(text)

    assert caught.value.path == text


@given(st.text() | st.text(alphabet="/\\.:?*CcUN wsl$ocahtx\0", max_size=24))
def test_any_text_is_a_path_or_refused_with_a_reason(text: str):
    try:
        path = parse_path(text)
    except InvalidPathError:
        return

    assert parse_path(str(path)) == path == normalize_path(path)
    assert str(parse_path(str(path))) == str(path)
    assert contains(ancestors(path)[-1], path)


@given(canonical_paths())
def test_a_canonical_path_is_read_back_from_its_text(path: CanonicalPath):
    assert (parse_path(str(path)), type(parse_path(str(path)))) == (path, type(path))


@given(st.data(), windows_paths())
def test_equivalent_windows_spellings_are_equal(data: st.DataObject, path: PureWindowsPath):
    spelling = data.draw(windows_spellings(path))
    raw = PureWindowsPath(spelling)

    assert parse_path(spelling) == path
    assert same_place(raw, path)
    assert contains(raw, path)
    assert contains(path, raw)
    assert depth(raw) == depth(path)


@given(canonical_paths())
def test_a_path_contains_itself(path: CanonicalPath):
    assert contains(path, path)


@given(canonical_paths(max_depth=3), canonical_paths(max_depth=3), canonical_paths(max_depth=3))
def test_containment_is_transitive(one: CanonicalPath, two: CanonicalPath, three: CanonicalPath):
    inner, middle, outer = sorted((one, two, three), key=depth, reverse=True)

    if contains(outer, middle) and contains(middle, inner):
        assert contains(outer, inner)


@given(st.data(), canonical_paths())
def test_each_ancestor_contains_what_lies_below_it(data: st.DataObject, path: CanonicalPath):
    above = data.draw(st.sampled_from(ancestors(path)))

    assert contains(above, path)
    assert contains(path, above) == (path == above)


@given(canonical_paths(max_depth=3), canonical_paths(max_depth=3))
def test_paths_that_contain_each_other_are_the_same_place(one: CanonicalPath, other: CanonicalPath):
    assert (contains(one, other) and contains(other, one)) == same_place(one, other)


@given(canonical_paths(), st.text(alphabet="a2-. ", min_size=1))
def test_a_sibling_whose_name_begins_alike_is_never_contained(path: CanonicalPath, more: str):
    if is_filesystem_root(path):
        return
    sibling = path.with_name(path.name + more)

    assert not contains(path, sibling)
    assert not contains(path, sibling / "x")


@given(posix_paths(), posix_paths())
def test_posix_paths_compare_with_case(one: PurePosixPath, other: PurePosixPath):
    naive = (str(other) + "/").startswith(str(one).rstrip("/") + "/")

    assert contains(one, other) == naive


@given(windows_paths())
def test_windows_paths_compare_without_case(path: PureWindowsPath):
    assert same_place(PureWindowsPath(str(path).upper()), PureWindowsPath(str(path).lower()))


@given(posix_paths(), windows_paths())
def test_nothing_is_contained_across_flavours(posix: PurePosixPath, windows: PureWindowsPath):
    assert not contains(posix, windows)
    assert not contains(windows, posix)


@pytest.mark.parametrize("text", ["/", "C:\\", "d:/", "\\\\h\\s", "\\\\h\\s\\", "\\\\wsl$\\Debian", "\\\\?\\C:\\"])
def test_file_system_roots_are_known(text: str):
    assert is_filesystem_root(parse_path(text))


@given(canonical_paths())
def test_only_what_has_no_parent_is_a_file_system_root(path: CanonicalPath):
    assert is_filesystem_root(path) == (path.parent == path)
    assert depth(path) == len(ancestors(path)) - 1
