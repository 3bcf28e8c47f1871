from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.purge import Exclusion, is_excluded, is_key_excluded, keep_out_conversations, keep_out_parts
from imprint.domain.sources import Source, SourceKey, SourceKind, WorkspaceName


def exclusion(target: str, *, recursive: bool = False) -> Exclusion:
    return Exclusion(workspace=WorkspaceName("default"), target=target, recursive=recursive, added_at="")


def source(key: str, **fields: object) -> Source:
    return Source(key=SourceKey(key), kind=SourceKind.DOCUMENT, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("target", "recursive", "key", "covered"),
    [
        ("/w/a.md", False, "/w/a.md", True),
        ("/w", False, "/w/a.md", False),
        ("/w", True, "/w/a.md", True),
        ("/w/", True, "/w/a.md", True),
        ("/w", True, "/w", True),
        ("/w", True, "/w2/a.md", False),
        ("/w/a", True, "/w/a.md", False),
        ("/", True, "/w/a.md", True),
        ("C:\\Work", True, "c:\\work\\a.md", True),
        ("C:\\Work", True, "\\\\?\\C:\\work\\a.md", True),
        ("C:\\Work", True, "C:\\Workshop\\a.md", False),
        ("\\\\wsl$\\Ubuntu\\p", True, "\\\\wsl.localhost\\Ubuntu\\p\\a.md", True),
        ("https://x.org/docs/", True, "https://x.org/docs/a", True),
        ("https://x.org/docs", True, "https://x.org/docs/a", True),
        ("https://x.org/docs", True, "https://x.org/docs2", False),
        ("https://x.org/docs/", False, "https://x.org/docs/a", False),
        ("text:notes", False, "text:notes", True),
        ("text:notes", False, "text:notes2", False),
        ("text:notes", True, "text:notes2", False),
    ],
)
def test_an_exclusion_covers_by_components(target: str, recursive: bool, key: str, covered: bool):
    assert is_key_excluded(key, [exclusion(target, recursive=recursive)]) is covered
    assert is_excluded(source(key), [exclusion(target, recursive=recursive)]) is covered


@pytest.mark.parametrize(
    "kept_out",
    [
        source("/w/secret/a.md"),
        source("conversation:1", path=PurePosixPath("/w/secret/log.jsonl")),
        source("memory:1", origin="/w/secret/a.md"),
    ],
)
def test_key_path_and_origin_are_all_compared(kept_out: Source):
    assert is_excluded(kept_out, [exclusion("/v"), exclusion("/w/secret", recursive=True)]) is True
    assert is_excluded(kept_out, [exclusion("/w/secret")]) is False
    assert is_excluded(kept_out, []) is False


held = st.lists(st.tuples(st.sampled_from(["/w/a", "/w/a/b", "/v", "C:\\w", ""]), st.sampled_from("klm")), max_size=6)


@given(held=held, target=st.sampled_from(["/w", "/w/a", "c:\\W", "k", "/"]), recursive=st.booleans())
def test_a_place_keeps_out_exactly_the_conversations_that_it_holds(held, target: str, recursive: bool):
    place = exclusion(target, recursive=recursive)

    extended = keep_out_conversations(place, held)

    assert extended.conversations == {key for path, key in held if is_key_excluded(path, [place])}
    assert keep_out_conversations(extended, held) == extended
    for _, key in held:
        drawn = source("memory:1", origin=key)
        assert is_excluded(drawn, [extended]) is (is_excluded(drawn, [place]) or key in extended.conversations)


def test_what_was_done_for_a_conversation_is_covered_with_it_and_nothing_else():
    parts = [(f"conversation:x/{whole}", f"conversation:x/{part}") for whole, part in ("12", "23", "45", "32")]

    assert keep_out_parts(exclusion("conversation:x/1"), parts).conversations == {f"conversation:x/{n}" for n in "23"}
    assert keep_out_parts(exclusion("conversation:x/", recursive=True), parts).conversations == frozenset()


def test_paths_of_two_systems_never_match():
    assert is_excluded(source("x", path=PureWindowsPath("C:\\w")), [exclusion("/w", recursive=True)]) is False


parts = st.lists(st.sampled_from(["a", "b", "ab", "a b", "é"]), max_size=4)


@given(target=parts, below=parts)
def test_a_recursive_path_covers_exactly_what_begins_with_its_components(target: list[str], below: list[str]):
    covered = is_key_excluded("/" + "/".join(below), [exclusion("/" + "/".join(target), recursive=True)])

    assert covered is (below[: len(target)] == target)


@given(st.text(max_size=20), st.text(max_size=20), st.booleans())
def test_any_text_has_an_answer(target: str, key: str, recursive: bool):
    assert is_key_excluded(key, [exclusion(target, recursive=recursive)]) in (True, False)
