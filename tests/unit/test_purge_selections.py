from pathlib import PurePosixPath

import attrs
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.facts import FactId
from imprint.domain.purge import Exclusion, is_excluded
from imprint.domain.purge_selections import Selection, VersionedSource, select
from imprint.domain.sources import Source, SourceId, SourceKey, SourceKind, WorkspaceName

segments = st.sampled_from(["a", "b", "ab", "a.md", "é"])
paths = st.lists(segments, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))
names = st.lists(segments, max_size=3).map("/".join)
logical_keys = st.builds("{}:{}".format, st.sampled_from(["text", "memory"]), names)
keys = paths | logical_keys


def exclusion(target: str, *, recursive: bool = False) -> Exclusion:
    return Exclusion(workspace=WorkspaceName("default"), target=target, recursive=recursive, added_at="")


exclusions = st.builds(exclusion, keys, recursive=st.booleans())


@st.composite
def versioned_sources(draw: st.DrawFn) -> list[VersionedSource]:
    """Sources with different numbers; a key may have several versions."""
    drawn = draw(st.lists(st.tuples(keys, st.none() | paths, st.just("") | keys), max_size=8))
    return [
        VersionedSource(
            SourceId(number),
            Source(
                key=SourceKey(key),
                kind=SourceKind.DOCUMENT,
                path=None if path is None else PurePosixPath(path),
                origin=origin,
            ),
        )
        for number, (key, path, origin) in enumerate(drawn, start=1)
    ]


facts = st.dictionaries(st.integers(1, 50).map(FactId), keys, max_size=8)


def begins_with(key: str, exclusion: Exclusion) -> bool:
    """What a target covers, said with lists of components."""
    parts, target = key.split("/"), exclusion.target.rstrip("/").split("/")
    return key == exclusion.target or (
        exclusion.recursive and parts[: len(target)] == target and (key.startswith("/") or len(parts) > len(target))
    )


@given(exclusions, versioned_sources(), facts)
def test_a_selection_is_what_a_plain_reading_of_the_target_says(exclusion, sources, facts):
    selection = select(exclusion, sources, facts)

    wanted = {
        found.version
        for found in sources
        if any(
            begins_with(name, exclusion)
            for name in (found.source.key, found.source.origin, str(found.source.path or ""))
            if name
        )
    }
    drawn_from = {found.source.key for found in sources if found.version in wanted}
    assert {selected.version for selected in selection.sources} == wanted
    assert set(selection.linked) == {id for id, key in facts.items() if key in drawn_from}
    assert set(selection.orphans) == {
        id for id, key in facts.items() if key not in drawn_from and begins_with(key, exclusion)
    }


@given(exclusions, versioned_sources(), facts)
def test_what_a_purge_takes_is_what_its_exclusion_keeps_out(exclusion, sources, facts):
    taken = {selected.version for selected in select(exclusion, sources, facts).sources}

    assert taken == {found.version for found in sources if is_excluded(found.source, [exclusion])}


@given(exclusions, versioned_sources(), facts, st.randoms(use_true_random=False))
def test_the_digest_does_not_depend_on_an_order(exclusion, sources, facts, random):
    shuffled, turned = list(sources), dict(random.sample(list(facts.items()), len(facts)))
    random.shuffle(shuffled)

    assert select(exclusion, shuffled, turned).digest == select(exclusion, sources, facts).digest


@given(exclusions, versioned_sources(), facts, st.data())
def test_the_digest_tells_every_change_of_what_is_selected(exclusion, sources, facts, data):
    before = select(exclusion, sources, facts, epoch="1")
    changes = [attrs.evolve(before, epoch="2")]
    changes.append(attrs.evolve(before, exclusion=attrs.evolve(exclusion, recursive=not exclusion.recursive)))
    changes.append(attrs.evolve(before, exclusion=attrs.evolve(exclusion, target=exclusion.target + "x")))
    changes.append(attrs.evolve(before, exclusion=attrs.evolve(exclusion, workspace=WorkspaceName("other"))))
    changes.append(attrs.evolve(before, orphans=(*before.orphans, FactId(99))))
    if before.sources:
        changed = data.draw(st.sampled_from(before.sources))
        rest = tuple(one for one in before.sources if one != changed)
        changes.append(attrs.evolve(before, sources=rest))
        changes.append(attrs.evolve(before, sources=(*rest, attrs.evolve(changed, version=SourceId(99)))))
    if before.facts:
        changes.append(attrs.evolve(before, linked=(), orphans=()))

    digests = {change.digest for change in changes}

    assert before.digest not in digests
    assert len(digests) == len({str(change) for change in changes})


def test_a_touched_exclusion_is_the_same_review():
    before = Selection(exclusion=exclusion("/w"))

    assert attrs.evolve(before, exclusion=attrs.evolve(before.exclusion, added_at="2026")).digest == before.digest


def test_a_sibling_that_begins_with_the_same_letters_is_not_selected():
    sources = [
        VersionedSource(SourceId(number), Source(key=SourceKey(key), kind=SourceKind.CODE, path=PurePosixPath(key)))
        for number, key in enumerate(["/w/app/a", "/w/app2/a", "/w/app"], start=1)
    ]

    assert select(exclusion("/w/app", recursive=True), sources, {}).keys == ("/w/app", "/w/app/a")


def test_versions_that_came_after_an_earlier_selection_are_counted():
    known = [VersionedSource(SourceId(1), Source(key=SourceKey("/w/a"), kind=SourceKind.CODE))]
    newer = [
        VersionedSource(SourceId(2), Source(key=SourceKey("/w/a"), kind=SourceKind.CODE)),
        VersionedSource(SourceId(3), Source(key=SourceKey("/w/b"), kind=SourceKind.CODE)),
    ]
    everything = exclusion("/w", recursive=True)

    assert select(everything, newer, {}).count_newer(select(everything, known, {})) == 2
    assert select(everything, known, {}).count_newer(select(everything, known, {})) == 0
