"""Bundles between real stores: what arrives is what was sent, united with what was there."""

import json
import stat
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import attrs
import pytest
from desks import ACME, DEFAULT, EARLY, LATE, SAMPLE, CountingEmbedder, Desk, dump, fact, open_desk, version
from hypothesis import given, settings
from hypothesis import strategies as st

from imprint.adapters.store_schema import STORE_SCHEMA
from imprint.domain.purge import Exclusion
from imprint.domain.roots import Root
from imprint.domain.sources import SourceKey
from imprint.domain.versions import SourceVersion
from imprint.errors import LockHeldError, TargetExistsError, UnwritableFileError, WorkspaceDeletedError
from imprint.protocols.versions import FactMerge, Replacement


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return tmp_path / "acme.imprint"


def exclude(desk: Desk, target: str, *, recursive: bool = False, workspace=DEFAULT) -> None:
    desk.registry.add_exclusion(Exclusion(workspace=workspace, target=target, recursive=recursive, added_at=""))


def test_what_arrives_is_what_was_sent(filled: Desk, there: Desk, bundle: Path):
    manifest = filled.export(bundle)

    report = there.import_(bundle)

    assert there.dump() == filled.dump()
    assert report.sources == {**dict.fromkeys(Replacement, 0), Replacement.ADDED: len(SAMPLE)}
    assert report.facts == FactMerge(added=3)
    assert (report.chunks, report.vectors) == (455, 454)
    assert (manifest.sources, manifest.chunks, manifest.facts, manifest.vectors) == (5, 455, 3, 455)


def test_vectors_of_the_model_in_use_are_taken_as_they_are(filled: Desk, there: Desk, bundle: Path):
    filled.export(bundle)

    there.import_(bundle)

    assert there.embedder.texts == 0


def test_vectors_of_another_model_are_not_taken_and_the_text_is_embedded_here(filled: Desk, make_desk, bundle: Path):
    there = make_desk("there", embedder=CountingEmbedder(name="other"))
    filled.export(bundle)

    report = there.import_(bundle)

    assert report.vectors == 0
    assert there.embedder.texts == 455
    assert set(there.dump()["vectors"]) == {there.embedder.identity}
    assert there.dump()["sources"] == filled.dump()["sources"]


def test_a_model_of_the_same_name_and_another_digest_is_another_model(filled: Desk, make_desk, bundle: Path):
    embedder = CountingEmbedder()
    embedder.identity = attrs.evolve(embedder.identity, digest="f" * 32)
    there = make_desk("there", embedder=embedder)
    filled.export(bundle)

    assert there.import_(bundle).vectors == 0
    assert set(there.dump()["vectors"]) == {embedder.identity}


def test_importing_again_changes_nothing(filled: Desk, there: Desk, bundle: Path):
    filled.export(bundle)
    there.import_(bundle)
    before = there.dump()

    report = there.import_(bundle)

    assert there.dump() == before
    assert report.sources[Replacement.UNCHANGED] == len(SAMPLE)
    assert report.facts == FactMerge(known=3)
    assert (report.chunks, report.vectors) == (0, 0)


def test_importing_into_the_workspace_it_came_from_changes_nothing(filled: Desk, bundle: Path):
    before = filled.dump()
    filled.export(bundle)

    filled.import_(bundle)

    assert filled.dump() == before


def test_of_two_versions_the_newer_is_kept(desk: Desk, there: Desk, bundle: Path):
    desk.write(version("/w/a", ["old"], at=EARLY), version("/w/b", ["new"], at=LATE))
    there.write(version("/w/a", ["new"], at=LATE), version("/w/b", ["old"], at=EARLY), version("/w/c", ["only here"]))
    desk.export(bundle)

    report = there.import_(bundle)

    texts = {key: one.chunks[0].text for key, one in there.dump()["sources"].items()}
    assert texts == {"/w/a": "new", "/w/b": "new", "/w/c": "only here"}
    assert (report.sources[Replacement.KEPT], report.sources[Replacement.CHANGED]) == (1, 1)


def test_a_clock_that_runs_ahead_does_not_win_for_ever(desk: Desk, there: Desk, bundle: Path):
    desk.write(version("/w/a", ["from the future"], at="2999-01-01T00:00:00.000Z"))
    desk.export(bundle)
    there.import_(bundle)

    assert there.dump()["sources"]["/w/a"].indexed_at <= there.clock.now()


def test_facts_are_united_and_an_end_is_taken_over(desk: Desk, there: Desk, bundle: Path):
    desk.add_facts(fact("red", until=LATE), fact("green"))
    there.add_facts(fact("red"), fact("blue"))
    desk.export(bundle)

    report = there.import_(bundle)

    assert report.facts == FactMerge(added=1, ended=1)
    assert there.dump()["facts"] == sorted([fact("red", until=LATE), fact("green"), fact("blue")], key=repr)
    there.export(bundle.with_suffix(".back"))
    assert desk.import_(bundle.with_suffix(".back")).facts == FactMerge(added=1, known=2)
    assert desk.dump() == there.dump()


def test_what_is_excluded_here_stays_out_with_its_facts(filled: Desk, there: Desk, bundle: Path):
    filled.export(bundle)
    exclude(there, "/w/a.md")
    exclude(there, "text:notes")

    report = there.import_(bundle)

    assert set(there.dump()["sources"]) == {"/w/large.md", "/w/empty.md"}
    assert report.sources[Replacement.EXCLUDED] == 3  # the file, what was drawn from it, the text
    assert report.facts == FactMerge(added=2, excluded=1)


def test_facts_drawn_from_what_is_kept_out_stay_out_too(desk: Desk, there: Desk, bundle: Path):
    """A memory is kept out by the purge of what it was drawn from; its own key says nothing of that."""
    desk.write(version("memory:1", ["apples are red"], origin="/w/a.md"))
    desk.add_facts(fact("red", source="memory:1"))
    desk.export(bundle)
    exclude(there, "/w/a.md")

    assert there.import_(bundle).facts == FactMerge(excluded=1)
    assert there.dump()["facts"] == []


def test_neither_roots_nor_exclusions_are_exported(filled: Desk, there: Desk, bundle: Path):
    filled.registry.add_root(Root(workspace=DEFAULT, path=SAMPLE[0].source.path.parent, how="add", added_at=""))
    exclude(filled, "/secret/place")

    filled.export(bundle)

    with zipfile.ZipFile(bundle) as archive:
        assert set(archive.namelist()) == {"manifest.json", "sources.jsonl", "facts.jsonl", "vectors-1.f16"}
        assert not any(b"/secret/place" in archive.read(name) for name in archive.namelist())
        assert b"roots" not in archive.read("manifest.json")
    there.import_(bundle)
    assert (there.registry.roots(), there.registry.exclusions(DEFAULT)) == ((), ())


def test_what_is_excluded_is_not_exported_either(filled: Desk, there: Desk, bundle: Path):
    exclude(filled, "/w/a.md")

    filled.export(bundle)

    there.import_(bundle)
    assert set(there.dump()["sources"]) == {"/w/large.md", "/w/empty.md", "text:notes"}


def test_the_manifest_tells_schema_model_counts_and_digests(filled: Desk, bundle: Path):
    filled.export(bundle)

    with zipfile.ZipFile(bundle) as archive:
        told = json.loads(archive.read("manifest.json"))
    identity = filled.embedder.identity
    assert (told["kind"], told["format"], told["schema"], told["program"]) == (
        "imprint-bundle",
        1,
        STORE_SCHEMA.version,
        "1.2.3",
    )
    assert (told["workspace"], told["sources"], told["chunks"], told["facts"]) == ("default", 5, 455, 3)
    assert told["models"] == [
        {"name": identity.name, "digest": identity.digest, "width": identity.width, "vectors": 455}
    ]
    assert all(len(member["sha256"]) == 64 and member["bytes"] for member in told["members"])


def test_the_same_content_gives_the_same_members(filled: Desk, bundle: Path):
    first = filled.export(bundle)

    second = filled.export(bundle.with_suffix(".again"))

    assert first.members == second.members


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_bundle_is_private(filled: Desk, bundle: Path):
    filled.export(bundle)

    assert stat.S_IMODE(bundle.stat().st_mode) == 0o600


def test_nothing_is_overwritten(filled: Desk, bundle: Path):
    bundle.write_text("precious")

    with pytest.raises(TargetExistsError):
        filled.export(bundle)

    assert bundle.read_text() == "precious"
    assert list(bundle.parent.glob(".*.part")) == []


def test_a_link_to_nothing_is_something(filled: Desk, bundle: Path):
    bundle.symlink_to(bundle.parent / "elsewhere")

    with pytest.raises(TargetExistsError):
        filled.export(bundle)

    assert not (bundle.parent / "elsewhere").exists()


def test_a_folder_that_is_not_there_is_told(filled: Desk, bundle: Path):
    with pytest.raises(UnwritableFileError):
        filled.export(bundle / "deep" / "file")


def test_an_import_waits_for_other_long_work(filled: Desk, bundle: Path):
    filled.export(bundle)

    with filled.locks.hold(ACME, "ingest"), pytest.raises(LockHeldError):
        filled.import_(bundle, ACME)

    assert filled.dump(ACME)["sources"] == {}


def test_a_deleted_workspace_takes_nothing(filled: Desk, bundle: Path):
    filled.export(bundle)
    filled.registry.mark_deleted(ACME)

    with pytest.raises(WorkspaceDeletedError):
        filled.import_(bundle, ACME)


KEYS = ["/w/a", "/w/b", "memory:1"]
some_versions = st.lists(
    st.builds(
        lambda key, texts, day: version(key, texts, at=f"2026-01-0{day}T00:00:00.000Z"),
        st.sampled_from(KEYS),
        st.lists(st.sampled_from(["apple", "pear"]), max_size=2),
        st.integers(1, 4),
    ),
    max_size=3,
    unique_by=lambda one: one.source.key,
)


def unite(stores: list[list[SourceVersion]]) -> dict[SourceKey, tuple[str, tuple[str, ...]]]:
    """The naive model: of each key the latest, and of those that are equally late the one that sorts last."""
    known: dict[SourceKey, tuple[str, str, tuple[str, ...]]] = {}
    for one in (one for store in stores for one in store):
        said = (one.indexed_at, repr(attrs.evolve(one.source, mtime_ns=None, size=None, time="")), texts_of(one))
        known[one.source.key] = max(known.get(one.source.key, said), said)
    return {key: (at, texts) for key, (at, _, texts) in known.items()}


def texts_of(one: SourceVersion) -> tuple[str, ...]:
    return tuple(chunk.text for chunk in one.chunks)


@given(stores=st.lists(some_versions, min_size=2, max_size=4), data=st.data())
@settings(max_examples=settings().max_examples // 2)
def test_bundles_unite_as_a_naive_model_says_in_whatever_order_they_arrive(stores, data, tmp_path_factory):
    place = tmp_path_factory.mktemp("union")
    bundles = []
    for number, found in enumerate(stores):
        with open_desk(place / f"device-{number}") as desk:
            desk.write(*found)
            bundles.append(place / f"{number}.imprint")
            desk.export(bundles[-1])
    order = data.draw(st.permutations(bundles)) + data.draw(st.lists(st.sampled_from(bundles), max_size=2))

    with open_desk(place / "union") as desk:
        for path in order:
            desk.import_(path)
        found = desk.dump()["sources"]

    assert {key: (one.indexed_at, texts_of(one)) for key, one in found.items()} == unite(stores)


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from desks import open_desk, version
with open_desk(Path(sys.argv[1])) as desk, desk.stores.open("default") as store:
    print("ready", flush=True)
    for round in range(1, 10_000):
        at = f"2026-02-01T00:00:00.{round:06}Z"
        store.merge_sources([version(f"/w/{name}", [f"round {round} of {name}"] * 3, at=at) for name in "abc"])
"""


def test_an_export_is_of_one_moment_while_another_process_writes(desk: Desk, there: Desk, bundle: Path):
    command = [sys.executable, "-c", WRITER, str(desk.folder.path), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        seen = set()
        for number in range(12):
            path = bundle.with_suffix(f".{number}")
            desk.export(path)
            with desk.bundles.open(path, desk.progress) as content:
                texts = [chunk.text for one in content.sources() for chunk in one.chunks]
            rounds = {text.split()[1] for text in texts}
            assert len(rounds) <= 1, "three sources are written together, so they are seen together"
            assert len(texts) in (0, 9)
            seen |= rounds
        assert writer.poll() is None, "it wrote all the while"
        writer.kill()
    assert len(seen) > 1


def test_an_import_and_a_reader_do_not_disturb_each_other(filled: Desk, tmp_path: Path, bundle: Path):
    filled.export(bundle)
    done = threading.Event()

    def import_() -> None:
        with open_desk(filled.folder.path) as mine:
            mine.import_(bundle, ACME)
        done.set()

    thread = threading.Thread(target=import_)
    with filled.stores.open(ACME) as store:
        thread.start()
        while not done.is_set():
            for one in dump(store)["sources"].values():
                assert len(one.chunks) == {"/w/large.md": 450, "/w/empty.md": 0, "memory:1": 1}.get(one.source.key, 2)
        thread.join()
    assert filled.dump(ACME) == filled.dump()
