"""Trees as they are on real disks: links in circles, odd names, odd bytes, huge files, files that change meanwhile."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from real_program import Program

HALF_A_GIGABYTE = 500_000_000
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="what only POSIX lets be made")


@pytest.fixture
def folder(program: Program) -> Path:
    """A project with one good file."""
    return program.project("acme", {"good.md": "# Good\n\nThe well is shared.\n"})


def write(folder: Path, name: bytes, content: bytes = b"# A page\n\nWith a sentence.\n") -> None:
    try:
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:  # noqa: PTH118, PTH123 (names that are no text)
            file.write(content)
    except OSError:
        pytest.skip("this file system does not take such names")


@POSIX
def test_links_in_circles_and_out_of_the_tree_are_not_followed(program: Program, folder: Path):
    secret = program.home / "secret.md"
    secret.write_text("# Outside\n\nNobody approved this.\n")
    (folder / "circle").symlink_to(".")
    (folder / "up").symlink_to("..")
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    (folder / "outside.md").symlink_to(secret)
    (folder / "dangling").symlink_to("nothing")

    done = program.run("ingest", str(folder), "--json")
    through = program.run("ingest", str(folder / "circle" / "circle"), "--json")
    itself = program.run("ingest", str(folder / "a"), "--json")
    away = program.run("ingest", str(folder / "outside.md"), "--json")

    assert (done.code, done.json["sources"]["added"], done.json["failures"]) == (0, 1, [])
    assert (through.code, through.json["sources"]["unchanged"]) == (0, 1)
    assert (itself.code, itself.error["type"]) == (4, "SkippedPathError")
    assert (away.code, away.error["type"], away.error["path"]) == (4, "OutsideRootsError", str(secret))


@POSIX
def test_pipes_and_sockets_are_not_waited_for(program: Program, folder: Path):
    os.mkfifo(folder / "pipe.md")

    done = program.run("ingest", str(folder), "--json")
    named = program.run("ingest", str(folder / "pipe.md"), "--json")

    assert (done.code, done.json["sources"]["added"]) == (0, 1)
    assert (named.code, named.error["type"]) == (4, "SkippedPathError")


@POSIX
def test_names_that_are_no_utf8_are_listed_and_the_run_goes_on(program: Program, folder: Path):
    write(folder, b"bad\xff.md")
    inside = os.fsdecode(os.fsencode(folder) + b"/dir\xfe")
    Path(inside).mkdir()

    done = program.run("ingest", str(folder), "--json")

    assert done.code == 0
    assert (done.json["sources"]["added"], done.json["sources"]["failed"]) == (1, 2)
    assert "not UTF-8" in done.json["failures"][0]["error"]


@POSIX
@pytest.mark.parametrize("words", [["ingest"], ["refresh"], ["roots", "add"]], ids=" ".join)
def test_a_folder_whose_name_is_no_utf8_is_refused_when_it_is_asked_for(
    program: Program, folder: Path, words: list[str]
):
    inside = os.fsdecode(os.fsencode(folder) + b"/dir\xfe")
    Path(inside).mkdir()
    program.run("ingest", str(folder))

    named = program.run(*words, inside, "--json")
    here = program.run(*words, ".", "--json", cwd=Path(inside))

    assert (named.code, named.error["type"]) == (2, "InvalidPathError")
    assert (here.code, here.error["type"]) == (2, "InvalidPathError")
    assert program.run("status", cwd=Path(inside)).code == 0


@POSIX
def test_names_that_would_steer_a_terminal_are_disarmed(program: Program, folder: Path):
    write(folder, b"esc\x1b[31m.md")
    write(folder, b"new\nline.md")
    write(folder, b"secret\x1b]0;x\x07.pem", b"-----BEGIN PRIVATE KEY-----\n")
    evil = folder / "dir\x1b[2J"
    (evil / ".git").mkdir(parents=True)
    (evil / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    shown = [
        program.run("ingest", str(folder)),
        program.run("ingest", str(evil)),
        program.run("sources"),
        program.run("search", "a page with a sentence"),
        program.run("show", str(folder / "esc\x1b[31m.md")),
        program.run("workspace", "which", str(evil)),
        program.run("workspace", "use", "evil", "--allow-overlap", cwd=evil),
        program.run("status", cwd=evil),
        program.run("roots", "list", "--workspace", "evil"),
        program.run("purge", str(folder / "esc\x1b[31m.md")),
        program.run("roots", "add", str(evil), "--allow-overlap"),
        program.run("refresh", cwd=evil),
        program.run("roots", "remove", str(evil), "--workspace", "evil"),
    ]

    for done in shown:
        assert "\x1b" not in done.stdout + done.stderr
        assert done.code == 0, done.stderr
    assert len([line for line in shown[2].stdout.splitlines() if "document" in line]) == 3


@pytest.mark.parametrize(
    "content",
    [
        b"caf\xe9 au lait, an old encoding\n" * 20,
        "byte-order mark: 日本語\n".encode("utf-16"),
        b"good start \xff\xfe\xc3\x28 bad middle \xed\xa0\x80 good end, and more words\n" * 10,
        b"half a character at the end " * 9 + b"\xf0\x9f",
        b"\x00\x01\x02\x03" * 500,
        b"\r\r\r\r\n\n\x0c\x0b\x85" * 50,
        b"a" * 999_000,
        b"",
    ],
    ids=["latin-1", "utf-16", "bad-utf-8", "torn", "binary", "blanks", "one-line", "empty"],
)
def test_any_bytes_are_indexed_or_passed_over(program: Program, folder: Path, content: bytes):
    (folder / "odd.md").write_bytes(content)

    done = program.run("ingest", str(folder), "--json")

    assert (done.code, done.json["failures"]) == (0, [])
    assert done.json["sources"]["added"] in (1, 2)
    assert program.run("sources", "--json").code == 0


@pytest.mark.parametrize("name", ["huge.md", "huge.bin", "huge"])
def test_a_huge_file_is_refused_by_its_size_and_the_run_goes_on(program: Program, folder: Path, name: str):
    with (folder / name).open("wb") as file:
        file.truncate(HALF_A_GIGABYTE)

    done = program.run("ingest", str(folder), "--json")
    named = program.run("ingest", str(folder / name), "--json")

    assert (done.code, done.json["sources"]["added"]) == (0, 1)
    assert [Path(refusal["source"]).name for refusal in done.json["refusals"]] in ([name], [])
    if name == "huge.bin":  # passed over for its name already
        assert (named.code, named.error["type"]) == (4, "SkippedPathError")
    else:
        assert (named.code, named.json["sources"]["added"], named.json["sources"]["refused"]) == (0, 0, 1)


def test_a_huge_file_that_may_be_read_does_not_end_the_run(program: Program, folder: Path):
    """Its bytes are all zero, so it is binary: the beginning decides that, not half a gigabyte."""
    program.run("config", "set", "ingest.max_file_bytes", "1000000000")
    with (folder / "huge.md").open("wb") as file:
        file.truncate(HALF_A_GIGABYTE)

    done = program.run("ingest", str(folder), "--json")

    assert (done.code, done.json["sources"]["added"], done.json["failures"]) == (0, 1, [])


def test_a_named_file_that_is_passed_over_is_told_with_the_reason(program: Program, folder: Path):
    (folder / "image.md").write_bytes(b"\x00\x01\x02\x03" * 500)

    done = program.run("ingest", str(folder / "image.md"))

    assert done.code == 0
    assert "binary" in done.stderr


def test_files_that_change_and_vanish_meanwhile_are_listed_at_worst(program: Program, folder: Path):
    """Whatever is seen of them is whole; the next refresh has them as they are then."""
    for number in range(200):
        (folder / f"{number}.md").write_text(f"# Page {number}\n\nUntouched.\n")

    with keep_changing(folder):
        dones = [program.run("ingest", str(folder), "--json") for _ in range(3)]
    settled = program.run("refresh", str(folder), "--accept-removals", "--json")

    for done in [*dones, settled]:
        assert done.code in (0, 1)
        assert "Unexpected" not in done.stderr
    assert settled.json["failures"] == []
    texts = [done.json["text"] for done in shown(program)]
    assert all(text.startswith("# Page") for text in texts)
    assert len(texts) == len(list(folder.glob("[0-9]*.md")))


class keep_changing:  # noqa: N801 (used as a function)
    """Rewrite, remove and make files, for as long as a `with` statement lasts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._change)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _change(self) -> None:
        turn = 0
        while not self._over.is_set():
            turn += 1
            file = self._folder / f"{turn * 7 % 200}.md"
            if turn % 5 == 0:
                file.unlink(missing_ok=True)
            else:
                file.write_text(f"# Page {turn}\n\n" + f"Rewritten {turn}.\n" * (turn % 50))
            self._over.wait(0.0005)


def shown(program: Program) -> Iterator[object]:
    for line in program.run("sources", "--json").json_lines:
        if Path(line["source"]).name != "good.md":
            yield program.run("show", line["source"], "--json")
