"""Ingest on real files, a real store and the shipped extractors."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath
from typing import Any

import attrs
import pytest

from imprint.domain.purge import Exclusion
from imprint.domain.skips import SkipReason
from imprint.domain.sources import SourceKind, WorkspaceName
from imprint.errors import (
    ExcludedSourceError,
    FileChangedError,
    LockHeldError,
    MissingPathError,
    ModelUnavailableError,
    OutsideRootsError,
    RefusedRootError,
    RootOverlapError,
    SkippedPathError,
    StoreError,
    StoreFullError,
    UnknownWorkspaceError,
    UnreadableFileError,
)
from imprint.services.indexing_reports import Outcome

DEFAULT, ACME = WorkspaceName("default"), WorkspaceName("acme")
PRIVATE_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n"

Bench = Any
Steps = Any


def test_a_folder_is_indexed_with_lines_symbols_language_and_project(bench: Bench, steps: Steps) -> None:
    bench.write(
        {
            "pyproject.toml": '[project]\nname = "acme-tools"\n',
            "src/stores.py": "class Store:\n    def open(self):\n        return 1\n",
            "docs/guide.md": "# Guide\n\nHow to install it.\n",
            "run": "#!/usr/bin/env bash\necho hello\n",
        }
    )

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert report.sources == {Outcome.ADDED: 4, Outcome.UNCHANGED: 0}
    assert (report.workspace, report.reason, report.failures) == (DEFAULT, "active", ())
    stored = bench.stored()
    store, guide, run = (stored[name].source for name in ("src/stores.py", "docs/guide.md", "run"))
    assert (store.kind, store.language, store.project) == (SourceKind.CODE, "python", "acme-tools")
    assert (guide.kind, guide.language, guide.title) == (SourceKind.DOCUMENT, "", "Guide")
    assert (run.kind, run.language) == (SourceKind.CODE, "bash")
    assert store.path == PurePosixPath(bench.canonical("src", "stores.py"))
    with bench.stores.open(DEFAULT) as opened:
        (chunk,) = opened.source_chunks(store.key)
    assert (chunk.chunk.start_line, chunk.chunk.end_line) == (1, 3)
    assert "Store" in chunk.chunk.symbol


@pytest.mark.skipif(os.name == "nt", reason="files there have no such times")
@pytest.mark.parametrize("nanoseconds", [2**63 + 10**9, -(2**62)])
def test_a_file_of_a_time_that_no_database_holds_is_indexed_once(bench: Bench, steps: Steps, nanoseconds: int) -> None:
    bench.write({"a.md": "# Guide\n\nHow to install it.\n"})
    os.utime(bench.tree / "a.md", ns=(0, nanoseconds))

    (first,), (second,) = bench.ingest.ingest([bench.tree], steps), bench.ingest.ingest([bench.tree], steps)

    assert (first.sources[Outcome.ADDED], second.sources[Outcome.UNCHANGED]) == (1, 1)


def test_the_report_as_json_has_the_agreed_keys(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})

    (report,) = bench.ingest.ingest([bench.tree], steps)

    document = report.as_json()
    assert document.items() >= {"workspace": "default", "reason": "active", "chunks": 1, "failures": []}.items()
    assert set(document["sources"]) == {"added", "changed", "unchanged", "removed", "excluded", "refused", "failed"}
    assert isinstance(document["seconds"], float)


def test_progress_knows_the_bytes_before_the_first_file_is_read(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n", "b.py": "y = 22\n"})

    bench.ingest.ingest([bench.tree], steps)

    assert steps.stages == [("scan", None), ("index", 13), ("finished", None)]
    assert steps.bytes == 13


def test_the_first_ingest_binds_the_folder_and_later_targets_must_lie_in_it(bench: Bench, steps: Steps) -> None:
    bench.write({"one/a.py": "x = 1\n", "two/b.py": "y = 1\n"})

    bench.ingest.ingest([bench.tree / "one"], steps)
    with pytest.raises(OutsideRootsError) as refused:
        bench.ingest.ingest([bench.tree / "two"], steps)

    assert [str(root.path) for root in bench.registry.roots()] == [str(bench.canonical("one"))]
    assert (refused.value.path, refused.value.workspace) == (str(bench.canonical("two")), "default")
    assert set(bench.stored()) == {"one/a.py"}


def test_a_single_file_binds_its_folder(bench: Bench, steps: Steps) -> None:
    bench.write({"one/a.py": "x = 1\n", "one/b.py": "y = 1\n"})

    bench.ingest.ingest([bench.tree / "one" / "a.py"], steps)

    assert [str(root.path) for root in bench.registry.roots()] == [str(bench.canonical("one"))]
    assert set(bench.stored()) == {"one/a.py"}


def test_two_first_targets_side_by_side_are_refused_before_anything_is_bound(bench: Bench, steps: Steps) -> None:
    bench.write({"one/a.py": "x = 1\n", "two/b.py": "y = 1\n"})

    with pytest.raises(OutsideRootsError):
        bench.ingest.ingest([bench.tree / "one", bench.tree / "two"], steps)

    assert bench.registry.roots() == ()


def test_a_home_is_never_bound(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})

    for target in (bench.home, bench.home.parent, Path("/")):
        with pytest.raises(RefusedRootError):
            bench.ingest.ingest([target], steps)
        with pytest.raises(RefusedRootError):
            bench.ingest.ingest([target], steps, dry_run=True)

    assert bench.registry.roots() == ()


def test_each_target_goes_to_the_workspace_of_its_own_directory(bench: Bench, steps: Steps) -> None:
    bench.write({"one/a.py": "x = 1\n", "two/b.py": "y = 1\n"})
    bench.workspaces.use(bench.tree / "one", "acme")

    reports = bench.ingest.ingest([bench.tree / "two", bench.tree / "one"], steps)

    assert [(report.workspace, report.reason) for report in reports] == [(DEFAULT, "active"), (ACME, "project-file")]
    assert set(bench.stored()) == {"two/b.py"}
    assert set(bench.stored(ACME)) == {"one/a.py"}


def test_an_overlap_is_refused_unless_it_is_confirmed(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})
    bench.ingest.ingest([bench.tree], steps)
    bench.workspaces.create("acme")

    with pytest.raises(RootOverlapError):
        bench.ingest.ingest([bench.tree], steps, explicit="acme")
    (report,) = bench.ingest.ingest([bench.tree], steps, explicit="acme", allow_overlap=True)

    assert (report.workspace, report.sources[Outcome.ADDED]) == (ACME, 1)


def test_a_missing_path_and_an_unknown_workspace_change_nothing(bench: Bench, steps: Steps) -> None:
    with pytest.raises(MissingPathError) as missing:
        bench.ingest.ingest([bench.tree / "nowhere"], steps)
    with pytest.raises(UnknownWorkspaceError):
        bench.ingest.ingest([bench.tree], steps, explicit="nobody")

    assert missing.value.path == str(bench.canonical("nowhere"))
    assert bench.registry.roots() == ()
    assert not bench.stores.exists(DEFAULT)


def test_secrets_are_never_indexed_and_the_report_says_so(bench: Bench, steps: Steps) -> None:
    secrets = {
        ".env": "TOKEN=abc\n",
        ".env.local": "TOKEN=abc\n",
        "deploy/id_ed25519": PRIVATE_KEY,
        "deploy/server.key": "abc\n",
        "deploy/unsuspicious.txt": PRIVATE_KEY,
        ".ssh/config": "Host a\n",
    }
    bench.write({"a.py": "x = 1\n", **secrets})

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert set(bench.stored()) == {"a.py"}
    assert {Path(refusal.source).name for refusal in report.refusals} == {
        *(".env", ".env.local", "id_ed25519", "server.key", "unsuspicious.txt", ".ssh")
    }
    assert report.sources[Outcome.REFUSED] == 6
    with pytest.raises(SkippedPathError) as refused:
        bench.ingest.ingest([bench.tree / ".env"], steps)
    assert refused.value.reason == "secret"


def test_what_tools_wrote_is_passed_over_by_reason(bench: Bench, steps: Steps) -> None:
    bench.write(
        {
            "kept.py": "x = 1\n",
            "app.min.js": "var a=1;\n",
            "bundle.js": "var a=1;" * 2_000,
            "yarn.lock": "lock\n",
            "logo.png": "not really\n",
            "blob": b"\x00\x01\x02" * 50,
            "api.py": "# Code generated by protoc. DO NOT EDIT.\nx = 1\n",
            "empty.py": "",
            "node_modules/left/index.js": "x\n",
            "env/pyvenv.cfg": "home = /usr\n",
            "env/lib/site.py": "x = 1\n",
        }
    )

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert set(bench.stored()) == {"kept.py"}
    assert report.skipped == {
        SkipReason.MINIFIED: 2,
        SkipReason.LOCK_FILE: 1,
        SkipReason.BINARY: 2,
        SkipReason.GENERATED: 1,
        SkipReason.EMPTY: 1,
        SkipReason.DEPENDENCIES: 2,
    }
    assert report.refusals == ()


@pytest.mark.parametrize(
    "data",
    [
        "grüße = 1\r\nnoch = 2\r\n".encode(),
        b"\xef\xbb\xbf" + "grüße = 1\nnoch = 2\n".encode(),
        "grüße = 1\nnoch = 2\n".encode("utf-16"),
        "grüße = 1\nnoch = 2\n".encode("latin-1"),
        "# -*- coding: latin-1 -*-\ngrüße = 1\nnoch = 2\n".encode("latin-1"),
    ],
    ids=["crlf", "utf-8-mark", "utf-16", "latin-1", "declared"],
)
def test_text_is_read_in_whatever_encoding_it_is_written(bench: Bench, steps: Steps, data: bytes) -> None:
    bench.write({"a.py": data})

    bench.ingest.ingest([bench.tree], steps)

    assert "grüße = 1\nnoch = 2" in bench.text("a.py")


def test_text_with_broken_bytes_is_indexed_all_the_same(bench: Bench, steps: Steps) -> None:
    bench.write({"a.txt": "größer und schöner, süß\n".encode() * 4 + b"broken \xff byte\n"})

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert report.failures == ()
    assert "größer und schöner, süß" in bench.text("a.txt")
    assert "broken � byte" in bench.text("a.txt")


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_name_that_is_not_utf8_is_listed_and_the_run_goes_on(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})
    try:
        Path(os.fsdecode(bytes(bench.tree) + b"/b\xff.py")).write_text("y = 1\n")
        Path(os.fsdecode(bytes(bench.tree) + b"/c\xff")).mkdir()
    except OSError:
        pytest.skip("this file system refuses such names")

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert set(bench.stored()) == {"a.py"}
    assert [(type(failure.error), failure.error.reason) for failure in report.failures] == [
        (UnreadableFileError, "name is not UTF-8")
    ] * 2
    report.as_json()["failures"][0]["error"].encode()
    report.as_json()["failures"][0]["source"].encode()


def test_a_file_of_500_megabytes_costs_nothing(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})
    with (bench.tree / "huge.txt").open("wb") as file:
        file.truncate(500_000_000)

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert set(bench.stored()) == {"a.py"}
    assert [(Path(refusal.source).name, refusal.reason) for refusal in report.refusals] == [
        ("huge.txt", SkipReason.TOO_LARGE)
    ]
    assert steps.bytes == 6


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_links_are_not_followed_out_of_the_folder_nor_in_circles(bench: Bench, steps: Steps) -> None:
    outside = bench.home / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("token = 1\n")
    bench.write({"a.py": "x = 1\n", "sub/b.py": "y = 1\n"})
    (bench.tree / "sub" / "loop").symlink_to(bench.tree)
    (bench.tree / "escape").symlink_to(outside)
    (bench.tree / "escape.py").symlink_to(outside / "secret.py")
    (bench.tree / "dangling").symlink_to("nowhere")

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert set(bench.stored()) == {"a.py", "sub/b.py"}
    assert report.skipped == {SkipReason.LINK: 4}
    with pytest.raises(OutsideRootsError):
        bench.ingest.ingest([bench.tree / "escape.py"], steps)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_folder_that_becomes_a_link_after_the_scan_is_not_read_through(bench: Bench, steps: Steps) -> None:
    outside = bench.home / "outside"
    outside.mkdir()
    (outside / "b.py").write_text("token = 'stolen'\n")
    bench.write({"a.py": "x = 1\n", "sub/b.py": "y = 1\n"})

    def swap(path: str) -> None:
        if path.endswith("a.py"):
            (bench.tree / "sub" / "b.py").unlink()
            (bench.tree / "sub").rmdir()
            (bench.tree / "sub").symlink_to(outside)

    steps.on_file = swap
    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert set(bench.stored()) == {"a.py"}
    assert [type(failure.error) for failure in report.failures] == [UnreadableFileError]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_never_opened(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})
    os.mkfifo(bench.tree / "pipe.py")

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert set(bench.stored()) == {"a.py"}
    assert report.skipped == {SkipReason.SPECIAL: 1}


def test_a_file_that_does_not_hold_still_is_listed_and_the_run_goes_on(
    bench: Bench, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the reading of the real file can be disturbed in time: the system call appends a line first."""
    bench.write({"a.py": "x = 1\n", "b.py": "y = 1\n"})
    real = os.fstat

    def fstat(descriptor: int) -> os.stat_result:
        if Path(f"/proc/self/fd/{descriptor}").resolve().name == "a.py":
            with (bench.tree / "a.py").open("a") as file:
                file.write("more = 1\n")
        return real(descriptor)

    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc to know the file")
    monkeypatch.setattr(os, "fstat", fstat)
    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert set(bench.stored()) == {"b.py"}
    assert [type(failure.error) for failure in report.failures] == [FileChangedError]


def test_an_excluded_target_is_refused_and_excluded_files_are_counted(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n", "gone/b.py": "y = 1\n", "gone/c.py": "y = 1\n"})
    bench.registry.add_exclusion(
        Exclusion(workspace=DEFAULT, target=str(bench.canonical("gone")), recursive=True, added_at="")
    )

    (report,) = bench.ingest.ingest([bench.tree], steps)
    with pytest.raises(ExcludedSourceError):
        bench.ingest.ingest([bench.tree / "gone"], steps)

    assert set(bench.stored()) == {"a.py"}
    assert report.sources[Outcome.EXCLUDED] == 2


def test_an_ignored_file_that_is_named_is_refused_with_the_way_out(bench: Bench, steps: Steps) -> None:
    bench.write({".gitignore": "notes/\n", "notes/a.md": "# A\n", "b.py": "x = 1\n"})
    bench.ingest.ingest([bench.tree], steps)

    with pytest.raises(SkippedPathError) as refused:
        bench.ingest.ingest([bench.tree / "notes" / "a.md"], steps)
    assert ".imprintignore" in (refused.value.hint or "")
    bench.write({".imprintignore": "!notes/\n"})
    bench.ingest.ingest([bench.tree / "notes" / "a.md"], steps)
    (report,) = bench.refresh.refresh_workspace(bench.tree, steps)

    assert "notes/a.md" in bench.stored()
    assert Outcome.REMOVED not in report.sources


def test_an_ignored_folder_that_is_a_root_of_its_own_stays_indexed(bench: Bench, steps: Steps) -> None:
    bench.write({".gitignore": "build/\n", "build/a.py": "x = 1\n", "b.py": "x = 1\n"})
    bench.ingest.ingest([bench.tree], steps)

    bench.ingest.roots.add(bench.tree / "build")
    bench.ingest.ingest([bench.tree / "build"], steps)
    bench.refresh.refresh_workspace(bench.tree, steps)
    bench.refresh.refresh_paths([bench.tree], steps)

    assert set(bench.stored()) == {".gitignore", "b.py", "build/a.py"}


def test_the_given_project_replaces_the_detected_one(bench: Bench, steps: Steps) -> None:
    bench.write({"package.json": '{"name": "web"}', "a.js": "x\n", "sub/Cargo.toml": '[package]\nname = "core"\n'})

    bench.ingest.ingest([bench.tree / "sub"], steps, explicit="")
    detected = bench.stored()["sub/Cargo.toml"].source.project
    (bench.tree / "sub" / "Cargo.toml").write_text('[package]\nname = "core2"\n')
    bench.ingest.ingest([bench.tree / "sub"], steps, project="mine")

    assert detected == "core"
    assert bench.stored()["sub/Cargo.toml"].source.project == "mine"


def test_a_dry_run_writes_nothing_at_all(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n", "b.py": "y = 1\n", ".env": "TOKEN=1\n"})
    before = sorted(path for path in bench.data.path.rglob("*"))

    (report,) = bench.ingest.ingest([bench.tree], steps, dry_run=True)

    assert report.dry_run
    assert (report.sources[Outcome.ADDED], report.sources[Outcome.REFUSED], report.chunks) == (2, 1, 0)
    assert sorted(path for path in bench.data.path.rglob("*")) == before
    assert bench.registry.roots() == ()


def test_the_workspace_is_embedded_after_its_text_is_stored(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})

    bench.ingest.ingest([bench.tree], steps)

    assert bench.embedded == [DEFAULT]


def test_an_embedder_that_fails_costs_neither_the_text_nor_the_report(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})
    failure = ModelUnavailableError("missing", "there is no such folder", remedy="choose another")

    def fail(store: object, progress: object) -> None:
        raise failure

    indexing = attrs.evolve(bench.ingest.indexing, embed=fail)
    (report,) = attrs.evolve(bench.ingest, indexing=indexing).ingest([bench.tree], steps)

    assert report.embedding_failure is failure
    assert report.as_json()["embedding_failure"] == f"{failure}; choose another"
    assert (report.sources[Outcome.ADDED], report.failures, report.interrupted) == (1, (), False)
    assert set(bench.stored()) == {"a.py"}


def test_a_store_that_fails_while_it_is_embedded_ends_the_run(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})

    def fail(store: object, progress: object) -> None:
        raise StoreFullError("store.sqlite3")

    indexing = attrs.evolve(bench.ingest.indexing, embed=fail)
    with pytest.raises(StoreFullError):
        attrs.evolve(bench.ingest, indexing=indexing).ingest([bench.tree], steps)


def test_other_long_work_on_the_workspace_is_an_error_that_names_it(
    make_bench: Callable[[], Bench], steps: Steps
) -> None:
    first, second = make_bench(), make_bench()
    first.write({"a.py": "x = 1\n"})

    with second.ingest.indexing.locks.hold(DEFAULT, "refresh"), pytest.raises(LockHeldError) as busy:
        first.ingest.ingest([first.tree], steps)

    assert (busy.value.activity, busy.value.pid) == ("refresh", os.getpid())


def test_an_unreadable_folder_and_file_are_listed_and_the_run_goes_on(
    bench: Bench, steps: Steps, unprivileged: Callable[[], AbstractContextManager[None]]
) -> None:
    bench.write({"a.py": "x = 1\n", "locked/b.py": "y = 1\n", "c.py": "z = 1\n"})
    (bench.tree / "locked").chmod(0)
    (bench.tree / "c.py").chmod(0)

    with unprivileged():
        (report,) = bench.ingest.ingest([bench.tree], steps)

    (bench.tree / "locked").chmod(0o700)
    assert set(bench.stored()) == {"a.py"}
    assert [(Path(failure.source).name, type(failure.error)) for failure in report.failures] == [
        ("locked", UnreadableFileError),
        ("c.py", UnreadableFileError),
    ]


def test_a_data_folder_that_cannot_be_written_is_an_error_and_says_which(
    bench: Bench, steps: Steps, unprivileged: Callable[[], AbstractContextManager[None]]
) -> None:
    bench.write({"a.py": "x = 1\n"})
    bench.ingest.ingest([bench.tree], steps)
    bench.write({"a.py": "x = 2\n"})
    for path in [*bench.data.path.rglob("*"), bench.data.path]:
        path.chmod(path.stat().st_mode & 0o555)

    with unprivileged(), pytest.raises(StoreError) as refused:
        bench.ingest.ingest([bench.tree], steps)

    assert str(bench.data.path) in str(refused.value)
    for path in [bench.data.path, *bench.data.path.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o700)
    assert bench.text("a.py") == "x = 1"


def test_secrets_are_taken_out_before_anything_is_stored_and_are_counted(bench: Bench, steps: Steps) -> None:
    secret = "ghp_" + "aB3dE6gH9" * 4
    notebook = f'{{"cells": [{{"cell_type": "code", "source": ["x = 1\\n", "token = \'{secret}\'\\n"]}}]}}'
    bench.write(
        {
            "a.py": f"def connect():\n    return '{secret}'\n\n\ndef close():\n    pass\n",
            "b.md": f"# Token {secret}\n\nNothing else.\n",
            "c.ipynb": notebook,
            "d.txt": "No secret in here.\n",
        }
    )

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert report.redactions == 3
    assert report.as_json()["redactions"] == 3
    with bench.stores.open(DEFAULT) as store:
        assert not store.holds_text(secret)
        assert all(
            secret not in chunk.chunk.symbol
            for found in store.sources()
            for chunk in store.source_chunks(found.source.key)
        )
    assert bench.text("a.py").splitlines()[1] == "    return '[redacted GitHub token]'"
