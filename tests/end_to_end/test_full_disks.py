"""A disk without room: the command says so, what was stored is whole, and the same command goes on once there is."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from real_program import PROGRAM, Program

if sys.platform == "win32":
    pytest.skip("file systems and limits of POSIX", allow_module_level=True)

import resource

WORDS = [
    ["status"],
    ["search", "page 7"],
    ["remember", "something"],
    ["add-text", "notes"],
    ["facts", "add", "a", "is", "b"],
    ["workspace", "create", "acme"],
    ["workspace", "which"],
    ["ingest", "pages"],
    ["refresh"],
    ["purge", "pages/0.md", "--apply", "--workspace", "default"],
    ["config", "set", "search.limit", "3"],
    ["doctor"],
    ["doctor", "--fix"],
]


@attrs.frozen
class SmallDisk:
    """A file system of its own, with the home on it."""

    program: Program

    def fill(self) -> None:
        """Leave no room at all."""
        with (self.program.home / "filler").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 1024)
            except OSError:
                pass

    def grow(self) -> None:
        (self.program.home / "filler").unlink(missing_ok=True)
        subprocess.run(["mount", "-o", "remount,size=64m", self.program.home], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    home = tmp_path / "small"
    home.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "imprint-tests", home], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small disk takes root, and Linux")
    try:
        yield SmallDisk(Program(home))
    finally:
        subprocess.run(["umount", "--lazy", home], check=True)


def write_pages(folder: Path, number: int) -> None:
    folder.mkdir()
    for page in range(number):
        (folder / f"{page}.md").write_text(f"# Page {page}\n\n" + f"Page {page} tells of the number {page}. " * 40)


def test_an_ingest_that_fills_the_disk_keeps_what_is_done_and_goes_on_later(disk: SmallDisk, tmp_path: Path):
    program, pages = disk.program, tmp_path / "pages"
    write_pages(pages, 400)

    full = program.spawn("ingest", str(pages), "--json")
    kept = program.spawn("status", "--json")
    disk.grow()
    again = program.spawn("ingest", str(pages), "--json")
    found = program.spawn("search", "the number 399", "--json")

    assert (full.code, full.error["type"]) == (6, "StoreFullError")
    assert "make room" in full.error["hint"]
    assert 0 < kept.json["sources"]["document"] < 400
    assert (again.code, again.json["sources"]["unchanged"]) == (0, kept.json["sources"]["document"])
    assert again.json["sources"]["added"] + again.json["sources"]["unchanged"] == 400
    assert found.json["results"][0]["source"] == str(pages / "399.md")
    assert program.spawn("doctor").code == 0


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_no_command_fails_in_words_of_its_own_where_nothing_can_be_written(
    disk: SmallDisk, tmp_path: Path, words: list[str]
):
    program = disk.program
    write_pages(tmp_path / "pages", 8)
    program.run("remember", "kept")
    program.run("ingest", str(tmp_path / "pages"))
    disk.fill()

    done = program.spawn(*words, "--json", cwd=tmp_path, stdin="A text.\n")
    disk.grow()

    assert "Unexpected" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.code in (0, 1, 6)
    assert program.run("show", "1").stdout == "kept\n"
    assert program.run("search", "number 7", "--json").json["relevant"]


def test_a_memory_that_is_written_down_is_not_called_lost(disk: SmallDisk):
    """The text finds room in the journal, the vector's lock or index may not: the memory is there."""
    disk.program.spawn("remember", "first")
    disk.fill()

    done = [disk.program.spawn("remember", f"number {number}", "--json") for number in range(3)]
    disk.grow()

    texts = [disk.program.spawn("show", str(id)).stdout for id in (2, 3, 4)]
    for number, one in enumerate(done):
        assert (one.code == 0) == (f"number {number}\n" in texts)


def test_a_limit_on_the_size_of_files_is_told_like_a_full_disk(program: Program):
    write_pages(program.home / "pages", 400)
    limit = (300_000, 300_000)

    done = subprocess.run(
        [*PROGRAM, "ingest", "pages", "--json"],
        cwd=program.home,
        env=program.environ,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )
    again = program.spawn("ingest", "pages", "--json")

    assert done.returncode == 6, done.stderr
    assert '"type": "Store' in done.stderr
    assert "Traceback" not in done.stderr
    assert again.json["sources"]["added"] + again.json["sources"]["unchanged"] == 400
