"""Bundles that are broken, hostile or from elsewhere: each is refused by a typed error, and nothing was changed."""

import io
import json
import os
import struct
import sys
import tracemalloc
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from desks import ACME, DEFAULT, Desk, fact, version

from imprint.errors import (
    ArchiveDamagedError,
    ArchiveTooNewError,
    ImprintError,
    MissingPathError,
    NoRoomError,
    UnreadableFileError,
)


@pytest.fixture
def bundle(desk: Desk, tmp_path: Path) -> Path:
    desk.write(version("/w/a.md", ["apples are red", "pears"]), version("memory:1", ["deploy on mondays"]))
    desk.add_facts(fact("red"))
    desk.embed()
    path = tmp_path / "small.imprint"
    desk.export(path)
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return tmp_path / "broken.imprint"


def content_of(desk: Desk, path: Path) -> object:
    with desk.bundles.open(path, desk.progress) as content:
        identity = desk.embedder.identity
        return list(content.sources()), list(content.facts()), list(content.vectors(identity))


def members_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(path: Path, members: dict[str, bytes], *, tell: bool = True) -> None:
    """Write a bundle of these members, and tell of them in the manifest."""
    manifest = json.loads(members["manifest.json"])
    if tell:
        for one in manifest["members"]:
            data = members[one["name"]]
            one |= {"bytes": len(data), "sha256": sha256(data).hexdigest()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, json.dumps(manifest) if name == "manifest.json" else data)


def refused(desk: Desk, path: Path, error: type[ImprintError] = ArchiveDamagedError) -> ImprintError:
    before = desk.dump(ACME)
    with pytest.raises(error) as raised:
        desk.import_(path, ACME)
    assert desk.dump(ACME) == before
    assert raised.value.hint
    assert str(path) in str(raised.value)
    return raised.value


def test_one_that_is_cut_off_anywhere_is_refused(desk: Desk, bundle: Path, broken: Path):
    data = bundle.read_bytes()
    for length in range(len(data)):
        broken.write_bytes(data[:length])
        with pytest.raises(ArchiveDamagedError):
            content_of(desk, broken)
    broken.write_bytes(data[: len(data) // 2])
    refused(desk, broken)


def test_one_with_a_flipped_byte_is_refused_or_says_the_same(desk: Desk, bundle: Path, broken: Path):
    data = bundle.read_bytes()
    whole = content_of(desk, bundle)
    accepted = 0
    for place in range(len(data)):
        broken.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        try:
            assert content_of(desk, broken) == whole
            accepted += 1
        except (ArchiveDamagedError, NoRoomError):
            pass
    assert accepted < len(data) // 5, "only what a ZIP says beside its content, such as times"


def test_one_with_another_digest_is_refused(desk: Desk, bundle: Path, broken: Path):
    members = members_of(bundle)
    members["facts.jsonl"] = members["facts.jsonl"].replace(b"red", b"tan")
    rewrite(broken, members, tell=False)

    refused(desk, broken)


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip at all" * 100, b"\0" * 5000, b"SQLite format 3\0"])
def test_what_is_no_archive_is_refused(desk: Desk, broken: Path, content: bytes):
    broken.write_bytes(content)

    refused(desk, broken)


def test_another_archive_is_refused(desk: Desk, broken: Path):
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr("holiday.txt", "photos")

    refused(desk, broken)


def test_a_newer_bundle_is_refused_by_its_number(desk: Desk, bundle: Path, broken: Path):
    members = members_of(bundle)
    members["manifest.json"] = b'{"kind": "imprint-bundle", "format": 2, "members": [], "new": "thing"}'
    with zipfile.ZipFile(broken, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)

    error = refused(desk, broken, ArchiveTooNewError)

    assert (error.found, error.supported) == (2, 1)


def test_a_bundle_of_a_newer_store_is_taken_if_its_own_format_is_known(desk: Desk, bundle: Path, broken: Path):
    members = members_of(bundle)
    manifest = json.loads(members["manifest.json"]) | {"schema": 999}
    rewrite(broken, members | {"manifest.json": json.dumps(manifest).encode()})

    desk.import_(broken, ACME)

    assert desk.dump(ACME) == desk.dump(DEFAULT)


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "sources.jsonl/../outside", "C:\\outside", "notes.txt"])
def test_members_that_nobody_told_of_are_refused_and_put_nowhere(desk: Desk, bundle: Path, broken: Path, name: str):
    rewrite(broken, members_of(bundle) | {name: b"tricked"})
    before = {path for path in broken.parent.rglob("*") if desk.folder.path not in path.parents}

    refused(desk, broken)

    assert {path for path in broken.parent.rglob("*") if desk.folder.path not in path.parents} == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_is_there_twice_is_refused(desk: Desk, bundle: Path, broken: Path):
    broken.write_bytes(bundle.read_bytes())
    with zipfile.ZipFile(broken, "a") as archive:
        archive.writestr("facts.jsonl", members_of(bundle)["facts.jsonl"])

    refused(desk, broken)


def test_a_member_that_is_missing_is_refused(desk: Desk, bundle: Path, broken: Path):
    members = members_of(bundle)
    rewrite(broken, members)
    with zipfile.ZipFile(broken, "w") as archive:
        for name, data in members.items():
            if name != "facts.jsonl":
                archive.writestr(name, data)

    refused(desk, broken)


@pytest.mark.parametrize(
    ("member", "old", "new"),
    [
        ("sources.jsonl", b'"kind":"document"', b'"kind":"spell"'),
        ("sources.jsonl", b'"path":"/w/a.md"', b'"path":"../../etc/passwd"'),
        ("sources.jsonl", b'"chunks":2', b'"chunks":3'),
        ("sources.jsonl", b"apples", b"\xff\xfe"),
        ("facts.jsonl", b'"predicate"', b'"verb"'),
    ],
)
def test_what_we_would_not_write_is_refused_even_under_its_own_digest(
    desk: Desk, bundle: Path, broken: Path, member: str, old: bytes, new: bytes
):
    members = members_of(bundle)
    assert old in members[member]
    rewrite(broken, members | {member: members[member].replace(old, new)})

    refused(desk, broken)


def test_vectors_that_are_not_finite_are_refused(desk: Desk, bundle: Path, broken: Path):
    members = members_of(bundle)
    vectors = members["vectors-1.f16"]
    nan = vectors[:8] + struct.pack("<e", float("nan")) + vectors[10:]
    rewrite(broken, members | {"vectors-1.f16": nan})

    refused(desk, broken)


def test_a_bundle_that_would_fill_the_disk_is_refused_before_it_is_unpacked(desk: Desk, bundle: Path, broken: Path):
    """The sizes that the archive and its manifest tell agree, and nobody has so much room."""
    members = members_of(bundle)
    manifest = json.loads(members["manifest.json"])
    size = len(members["sources.jsonl"])
    huge = 2**60
    manifest["members"][0]["bytes"] = huge
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in members.items():
            data = json.dumps(manifest).encode() if name == "manifest.json" else data
            archive.writestr(name, data)
        info = archive.getinfo("sources.jsonl")
        info.file_size = huge
    broken.write_bytes(written.getvalue())
    assert size < huge

    error = refused(desk, broken, NoRoomError)

    assert error.needed > error.free


def test_a_bomb_of_one_endless_line_is_refused_in_little_memory(desk: Desk, bundle: Path, broken: Path):
    """A few kilobytes that unpack to 200 MB."""
    members = members_of(bundle)
    manifest = json.loads(members["manifest.json"])
    block, hashed = b" " * 2**20, sha256()
    with zipfile.ZipFile(broken, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("sources.jsonl", "w", force_zip64=True) as member:
            for _ in range(200):
                member.write(block)
                hashed.update(block)
        manifest["members"][0] |= {"bytes": 200 * 2**20, "sha256": hashed.hexdigest()}
        for name in ("facts.jsonl", "vectors-1.f16"):
            archive.writestr(name, members[name])
        archive.writestr("manifest.json", json.dumps(manifest))

    tracemalloc.start()
    try:
        refused(desk, broken)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 100 * 2**20


def test_a_manifest_without_end_is_refused(desk: Desk, broken: Path):
    with zipfile.ZipFile(broken, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", b'{"kind": "' + b"x" * (5 * 2**20) + b'"}')

    refused(desk, broken)


def test_what_is_not_there_is_told(desk: Desk, broken: Path):
    with pytest.raises(MissingPathError):
        desk.import_(broken, ACME)


@pytest.mark.skipif(sys.platform == "win32", reason="special files of POSIX")
def test_what_is_no_file_is_told_without_waiting(desk: Desk, broken: Path):
    os.mkfifo(broken)

    for path in (broken, broken.parent, Path("/dev/zero")):
        with pytest.raises(UnreadableFileError):
            desk.import_(path, ACME)
