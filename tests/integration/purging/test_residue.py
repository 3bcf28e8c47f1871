"""After a purge nothing of what went is in any file of the data folder: rows, words, vectors, journals, index files."""

import sqlite3
from contextlib import closing

import attrs
import pytest

from imprint.domain.settings import Layer, Origin
from imprint.domain.sources import WorkspaceName
from imprint.services.search import SearchRequest

DEFAULT = WorkspaceName("default")

SECRET = "The Wqzxfjord7741 opens the vault of Kjhqbrine8852.\n\nAsk Ulvqtrond5563 for the other half.\n"
NEEDLES = (b"qzxfjord7741", b"jhqbrine8852", b"lvqtrond5563")
"""Without the first letters: the full-text index stores of a word what it does not share with the one before."""

PLAIN = {
    f"plain{number}.md": f"# Harbour {number}\n\nBoats of kind {number} lie at pier {number}.\n" for number in range(12)
}


def test_no_byte_of_a_purged_source_is_left_in_any_file(device, another_connection):
    """Another process has the database open all the while, so that its journal is not just deleted at the end."""
    secret = device.tree / "secrets" / "vault.md"
    device.write({**PLAIN, "secrets/vault.md": SECRET})
    device.ingest()
    with device.open() as application:
        application.memories.remember(DEFAULT, "Remember Pqvzmemo2201", origin=str(secret))
        application.facts.add(
            DEFAULT, subject="Gqvzsubj3302", predicate="opens", object="Hqvzobj4403", source=str(secret)
        )
    needles = (*NEEDLES, b"qvzmemo2201", b"qvzsubj3302", b"qvzobj4403", *device.vectors_of(str(secret)))
    index_files = [path.name for path in device.data.rglob("local*") if path.is_file() and not path.suffix]

    with another_connection(device.store_file()):
        before = device.find_residue(*needles)
        report = device.purge(secret)
        after = device.find_residue(*needles)
        journal = device.store_file().with_name("store.sqlite3-wal").stat().st_size

    assert set(before) == set(needles)
    assert {name for names in before.values() for name in names} >= {"store.sqlite3", *index_files}
    assert [name.rpartition("-")[0] for name in sorted(index_files)] == ["local-1", "local-graph-1"]
    assert (len(report.sources), report.linked_facts, report.pending) == (2, 1, ())
    assert after == {}
    assert journal == 0
    assert device.keys() == set(PLAIN)


def test_versions_that_were_replaced_or_never_became_visible_go_too(device):
    device.write({"vault.md": SECRET, "other.md": "Boats.\n"})
    device.ingest()
    device.write({"vault.md": "Zvqnewer6674 has it now.\n" * 3})
    device.ingest()
    with closing(sqlite3.connect(device.store_file())) as connection:
        for number, state in enumerate(("staged", "dropped"), start=9_000):
            word = f"Yvq{state}{number}"
            connection.execute(
                "INSERT INTO sources (id, state, key, kind, path, origin, project, language, url, title, digest, time, "
                "indexed_at, chunks) SELECT ?, ?, key, kind, path, origin, project, language, url, ?, digest, time, "
                "indexed_at, 1 FROM sources WHERE key LIKE '%vault.md' AND state = 'live'",
                (number, state, word),
            )
            connection.execute("INSERT INTO chunks VALUES (?, ?, 0, 1, 1, '', '', '')", (number, number))
            for table, key in (("passages", "chunk"), ("full_text", "rowid")):
                connection.execute(
                    f"INSERT INTO {table} ({key}, text, words, names, place, context) VALUES (?, ?, ?, '', '', '')",
                    (number, word, word.lower()),
                )
        connection.commit()
    needles = (*NEEDLES, b"vqnewer6674", b"vqstaged9000", b"vqdropped9001")
    before = device.find_residue(*needles)

    report = device.purge(device.tree / "vault.md")

    assert {b"vqnewer6674", b"vqstaged9000", b"vqdropped9001"} <= set(before)
    assert report.sources == (str(device.tree / "vault.md"),)
    assert device.find_residue(*needles) == {}


def test_what_was_forgotten_before_is_gone_with_the_next_purge(device):
    """Forgetting deletes rows; their bytes stay in gaps until something is purged."""
    with device.open() as application:
        (id,) = application.memories.remember(DEFAULT, "Remember Pqvzmemo2201").ids
        application.memories.forget(DEFAULT, [str(id)])

    device.purge("text:nothing")

    assert device.find_residue(b"qvzmemo2201") == {}


def test_names_of_what_lay_below_a_purged_folder_are_left_nowhere(device):
    device.write({"keep.md": "Boats.\n", "private/Xqvfolder9911/Vqvfile8822.py": "def Tqvname7733():\n    return 1\n"})
    device.ingest()
    needles = (b"qvfolder9911", b"qvfile8822", b"qvname7733")
    before = device.find_residue(*needles)

    device.purge(device.tree / "private", recursive=True)

    assert set(before) == set(needles)
    assert device.find_residue(*needles) == {}


def test_another_workspace_keeps_its_copy(device):
    device.write({"vault.md": SECRET})
    with device.open() as application:
        application.workspaces.create("acme")
    device.ingest()
    with device.open() as application:
        application.roots.add(device.tree, explicit="acme", allow_overlap=True)
    device.ingest(workspace="acme")

    device.purge(device.tree / "vault.md")

    places = [path for path in device.data.rglob("store.sqlite3") if NEEDLES[0] in path.read_bytes().lower()]
    assert places == [device.store_file("acme")]
    assert device.keys("acme") == {"vault.md"}
    assert device.refresh().sources["excluded"] == 1


def test_what_other_sources_say_in_the_same_words_is_found_as_before(device):
    shared = "The harbour master keeps the tide tables."
    device.write({"vault.md": f"{shared}\n\n{SECRET}", "public.md": f"{shared}\n"})
    device.ingest()

    device.purge(device.tree / "vault.md")

    with device.open() as application:
        found = application.search.run(SearchRequest(query="harbour tide tables", workspaces=(DEFAULT,)))
        verified = application.purge_verifier.verify(DEFAULT, str(device.tree / "vault.md"))
    assert [result.passage.source.key for result in found.results] == [str(device.tree / "public.md")]
    assert verified.is_clean
    assert "1 are in other sources too" in verified.checks[-1].detail


@pytest.mark.parametrize("plugin", ["nowhere", ""])
def test_vectors_of_another_model_go_without_any_embedder(device, plugin):
    """Nothing is embedded, so a model that is gone, or was never there, keeps nobody from forgetting."""
    device.write({**PLAIN, "vault.md": SECRET})
    device.ingest()
    vectors = device.vectors_of(str(device.tree / "vault.md"))
    before = device.find_residue(*vectors)
    chosen = Layer(origin=Origin.ARGUMENT, values={"embedder.plugin": plugin, "vectors.backend": "nowhere"})

    with device.open(chosen) as application:
        report = application.purge.apply(DEFAULT, str(device.tree / "vault.md"))

    assert set(before) == set(vectors)
    assert (report.vectors, report.pending) == (1, ())
    assert device.find_residue(*vectors, *NEEDLES) == {}


def test_verification_finds_what_is_left(device):
    device.write({**PLAIN, "vault.md": SECRET})
    device.ingest()
    target = str(device.tree / "vault.md")

    with device.open() as application:
        before = application.purge_verifier.verify(DEFAULT, target)
        application.purge.apply(DEFAULT, target)
        clean = application.purge_verifier.verify(DEFAULT, target)
    log = device.data / "logs" / "notes.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text(SECRET)
    with device.open() as application:
        leaked = application.purge_verifier.verify(DEFAULT, target)

    def failed(verification) -> set[str]:
        return {check.name for check in verification.checks if not check.passed}

    assert failed(before) == {"rows"}  # what is stored in its place is no residue
    assert failed(clean) == set()
    assert failed(leaked) == {"text"}
    assert str(log) in leaked.checks[-1].detail
    assert clean.untouched == (
        f"the original {target}",
        "backups and bundles that were made before",
        "other workspaces",
    )


def test_verification_of_lines_too_short_to_look_for_says_so(device):
    device.write({"pin.md": "1234\n"})
    device.ingest()
    device.purge(device.tree / "pin.md")

    with device.open() as application:
        verification = application.purge_verifier.verify(DEFAULT, str(device.tree / "pin.md"))

    assert verification.is_clean
    assert verification.checks[-1].detail == "no line of 1 original is long enough to look for"


def test_verification_of_an_original_that_is_no_text_compares_nothing_and_names_it(device):
    archive = device.tree / "export.zip"
    archive.parent.mkdir(parents=True, exist_ok=True)
    archive.write_bytes(b"PK\x03\x04\xff\xfe")
    device.purge(archive)

    with device.open() as application:
        verification = application.purge_verifier.verify(DEFAULT, str(archive))

    assert verification.checks[-1].detail == "no line of 1 original is long enough to look for"
    assert str(archive) in verification.untouched[0]


def test_a_report_says_what_went(device):
    device.write({"vault.md": SECRET})
    device.ingest()
    target = str(device.tree / "vault.md")
    with device.open() as application:
        preview = application.purge.preview(DEFAULT, target)
        application.facts.add(DEFAULT, subject="a", predicate="is", object="b", source=target)
        application.facts.add(DEFAULT, subject="c", predicate="is", object="d", source=str(device.tree / "gone.md"))
        again = application.purge.preview(DEFAULT, target)
        applied = application.purge.apply(DEFAULT, target, digest=again.digest)
        orphan = application.purge.apply(DEFAULT, str(device.tree), recursive=True)

    assert preview.digest != again.digest
    assert attrs.evolve(applied, applied=False, exclusion=None) == again
    assert (again.linked_facts, again.chunks, again.vectors, again.exclusion) == (1, 1, 1, None)
    assert (orphan.sources, orphan.linked_facts, orphan.orphan_facts) == ((), 0, 1)
