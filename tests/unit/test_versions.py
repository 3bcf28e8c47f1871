import attrs
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.sources import Source, SourceKey, SourceKind
from imprint.domain.versions import Standing, compare_versions

MOMENTS = [f"2026-01-0{day}T00:00:00.000Z" for day in range(1, 5)]

contents = st.builds(
    Source,
    key=st.just(SourceKey("/w/a")),
    kind=st.just(SourceKind.CODE),
    project=st.sampled_from(["", "p"]),
    digest=st.sampled_from(["aa", "bb", "cc"]),
    mtime_ns=st.none() | st.integers(0, 3),
    size=st.none() | st.integers(0, 3),
)
versions = st.tuples(st.sampled_from(MOMENTS), contents)


def meet(ours: tuple[str, Source], theirs: tuple[str, Source]) -> tuple[str, Source]:
    """What a store holds when another version arrives."""
    standing = compare_versions(ours=ours[1], ours_indexed_at=ours[0], theirs=theirs[1], theirs_indexed_at=theirs[0])
    if standing is Standing.SAME:
        return max(ours[0], theirs[0]), ours[1]
    return theirs if standing is Standing.NEWER else ours


def said(version: tuple[str, Source]) -> tuple[str, Source]:
    return version[0], attrs.evolve(version[1], mtime_ns=None, size=None)


@given(version=versions)
def test_a_version_changes_nothing_where_it_is_already(version):
    assert meet(version, version) == version


@given(one=versions, other=versions)
def test_two_versions_meet_the_same_way_on_either_side(one, other):
    assert said(meet(one, other)) == said(meet(other, one))


@given(first=versions, second=versions, third=versions)
def test_the_order_in_which_versions_arrive_does_not_matter(first, second, third):
    assert said(meet(meet(first, second), third)) == said(meet(first, meet(second, third)))


@given(one=versions, other=versions)
def test_the_later_of_two_contents_is_kept(one, other):
    kept = meet(one, other)

    assert kept[0] == max(one[0], other[0])
    assert kept[1] in (one[1], other[1])


def test_content_without_a_digest_is_the_same_only_if_it_was_indexed_in_the_same_moment():
    source = Source(key=SourceKey("memory:1"), kind=SourceKind.MEMORY)

    def compare(ours: str, theirs: str) -> Standing:
        return compare_versions(ours=source, ours_indexed_at=ours, theirs=source, theirs_indexed_at=theirs)

    assert compare(MOMENTS[0], MOMENTS[0]) is Standing.SAME
    assert compare(MOMENTS[0], MOMENTS[1]) is Standing.NEWER
    assert compare(MOMENTS[1], MOMENTS[0]) is Standing.OLDER
