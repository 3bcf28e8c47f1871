"""What only a terminal shows, on a pseudo-terminal: the picker, the question before a deletion, colours, progress."""

import os
import re
import select
import signal
import subprocess
import sys
import time

import attrs
import pytest
from real_program import PROGRAM, Program

if sys.platform == "win32":
    pytest.skip("pseudo-terminals of POSIX", allow_module_level=True)

import fcntl
import pty
import termios


@attrs.define
class Terminal:
    """A process on a terminal of its own."""

    process: "subprocess.Popen[bytes]"
    descriptor: int
    seen: str = ""

    def expect(self, pattern: str) -> None:
        """Read until something shows up."""
        deadline = time.monotonic() + 30
        while not re.search(pattern, self.seen):
            assert time.monotonic() < deadline, f"{pattern!r} did not show up in {self.seen!r}"
            if select.select([self.descriptor], [], [], 0.1)[0] and not self._read():
                break
        assert re.search(pattern, self.seen), self.seen

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C until the process ends: Python misses one in the instant before a read begins."""
        deadline = time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < deadline:
            self.type("\x03")
            time.sleep(0.2)

    def finish(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + 60
        try:
            while time.monotonic() < deadline:
                if select.select([self.descriptor], [], [], 0.1)[0] and not self._read():
                    break
            return self.process.wait(timeout=10)
        finally:
            self.process.kill()
            self.process.wait()
            os.close(self.descriptor)

    def _read(self) -> bool:
        try:
            data = os.read(self.descriptor, 65_536)
        except OSError:  # the other side is closed
            return False
        self.seen += data.decode("utf-8", "replace")
        return bool(data)


def start(program: Program, *words: str, **environ: str) -> Terminal:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *words],
        cwd=program.home / "project",
        env={**program.environ, "TERM": "xterm-256color", **environ},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=_take_terminal,
    )
    os.close(slave)
    return Terminal(process, master)


def _take_terminal() -> None:
    """Make standard input the controlling terminal, so that Ctrl-C typed there becomes a signal that is heard."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # parallel test runners ignore it, and children inherit that
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def furnished(program: Program) -> Program:
    program.project("project", {"notes.md": "# Notes\n\nThe release branch is frozen on Thursdays.\n"})
    program.run("workspace", "create", "acme")
    return program


@pytest.mark.parametrize("answer", ["1", "acme"])
def test_a_workspace_is_picked_by_number_or_name(furnished: Program, answer: str):
    terminal = start(furnished, "workspace", "switch")
    terminal.expect(r"1  acme")
    terminal.expect(r"2  default  \(active\)")
    terminal.type(f"{answer}\r")

    assert terminal.finish() == 0
    assert 'workspace "acme" is now the active one' in terminal.seen


def test_an_answer_that_is_none_is_asked_again(furnished: Program):
    terminal = start(furnished, "workspace", "use")
    terminal.expect("default")
    terminal.type("9\r")
    terminal.expect("is none of them")
    terminal.type("acme\r")

    assert terminal.finish() == 0
    assert (furnished.home / "project" / ".imprint" / "workspace.json").exists()


def test_the_projects_proposal_is_offered_and_never_the_default(furnished: Program):
    (furnished.home / "project" / ".imprint").mkdir()
    (furnished.home / "project" / ".imprint" / "workspace.json").write_text('{"workspace": "theirs"}')
    unwary = start(furnished, "workspace", "use")
    unwary.expect(r"3  theirs  \(proposed by this project, new\)")
    unwary.expect(r"\[default\]")
    unwary.type("\r")
    assert unwary.finish() == 0
    assert [line["name"] for line in furnished.run("workspace", "list", "--json").json_lines] == ["acme", "default"]

    (furnished.home / "project" / ".imprint" / "workspace.json").write_text('{"workspace": "theirs"}')
    knowing = start(furnished, "workspace", "use", "--allow-overlap")
    knowing.expect("theirs")
    knowing.type("3\r")

    assert knowing.finish() == 0
    assert 'uses workspace "theirs" (new)' in knowing.seen


def test_a_new_name_is_made_once_it_is_confirmed(furnished: Program):
    terminal = start(furnished, "workspace", "use")
    terminal.expect("Use for this project")
    terminal.type("Acne\r")
    terminal.expect("letters must be lower case")
    terminal.type("acne\r")
    terminal.expect(r'no workspace "acne" yet. Make it\? \[y/N\]')
    terminal.type("n\r")
    terminal.expect("'acne' is none of them")
    terminal.type("studio\r")
    terminal.expect(r'no workspace "studio" yet')
    terminal.type("y\r")

    assert terminal.finish() == 0
    assert 'uses workspace "studio" (new)' in terminal.seen
    assert "acne" not in furnished.run("workspace", "list").stdout


def test_only_known_workspaces_are_switched_to(furnished: Program):
    terminal = start(furnished, "workspace", "switch")
    terminal.expect("Make active")
    terminal.type("studio\r")
    terminal.expect("is none of them")
    terminal.type("acme\r")

    assert terminal.finish() == 0


def test_ctrl_c_at_the_question_changes_nothing(furnished: Program):
    terminal = start(furnished, "workspace", "switch")
    terminal.expect("Make active")
    terminal.interrupt()

    assert terminal.finish() == 130
    assert "Traceback" not in terminal.seen


def test_a_deletion_is_confirmed_by_typing_the_name(furnished: Program):
    terminal = start(furnished, "workspace", "delete", "acme")
    terminal.expect("Type its name")
    terminal.type("acme\r")

    assert terminal.finish() == 0
    assert 'deleted workspace "acme"' in terminal.seen


def test_another_name_deletes_nothing(furnished: Program):
    terminal = start(furnished, "workspace", "delete", "acme")
    terminal.expect("Type its name")
    terminal.type("acne\r")

    assert terminal.finish() == 2
    assert "acme" in furnished.run("workspace", "list").stdout


def test_results_have_colours_unless_they_are_not_wanted(furnished: Program):
    furnished.run("remember", "colours")

    colored = start(furnished, "search", "colours")
    plain = start(furnished, "search", "colours", NO_COLOR="1")
    option = start(furnished, "--no-color", "search", "colours")

    assert [terminal.finish() for terminal in (colored, plain, option)] == [0, 0, 0]
    assert "\x1b[" in colored.seen
    assert "\x1b[" not in plain.seen
    assert "\x1b[" not in option.seen


def test_ingest_says_what_it_does_on_a_terminal(furnished: Program):
    terminal = start(furnished, "ingest", ".")

    assert terminal.finish() == 0
    assert "1 added" in terminal.seen
    assert "Traceback" not in terminal.seen


def test_a_long_ingest_tells_its_rate_and_the_time_left_and_ctrl_c_keeps_what_is_done(furnished: Program):
    pages = furnished.home / "project" / "pages"
    pages.mkdir()
    text = "The pump runs at dawn, and waits an hour when the tank is empty. " * 250
    for number in range(1_500):
        (pages / f"{number}.md").write_text(f"# Page {number}\n\n{text}{number}\n")
    terminal = start(furnished, "ingest", ".", COLUMNS="110")

    terminal.expect(r"Indexing .*[kM]B of [\d.]+ MB [\d.]+ [kM]B/s \d+ (s|min) left [1-9][\d,]{2,} files")
    terminal.type("\x03")
    code = terminal.finish()
    planned = furnished.run("ingest", ".", "--dry-run", "--json", cwd=furnished.home / "project")

    assert code == 130
    assert "Traceback" not in terminal.seen
    assert "interrupted; what was done is kept, and the same command goes on from there" in terminal.seen
    added = re.search(r"([\d,]+) added", terminal.seen)
    assert added, terminal.seen
    # A batch that was committed in the very moment of the key is kept, though not counted.
    assert planned.json["sources"]["unchanged"] >= int(added[1].replace(",", ""))
    assert planned.json["sources"]["added"] > 0


@pytest.mark.parametrize("columns", ["60", "80", "130"])
def test_progress_keeps_to_one_line(furnished: Program, columns: str):
    terminal = start(furnished, "ingest", ".", COLUMNS=columns)

    assert terminal.finish() == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.seen)
    lines = [line for line in re.split(r"[\r\n]+", plain) if line.startswith(("Indexing", "Embedding", "Looking"))]
    assert lines
    assert all(len(line) < int(columns) for line in lines)


def test_an_interruption_begins_a_line_of_its_own(furnished: Program):
    terminal = start(furnished, "workspace", "delete", "acme")
    terminal.expect("Type its name")
    terminal.interrupt()

    assert terminal.finish() == 130
    assert re.search(r"\^C\r?\n.*error.*interrupted", terminal.seen)
    assert "acme" in furnished.run("workspace", "list").stdout


def test_a_narrow_terminal_shows_every_word_of_a_table(furnished: Program):
    furnished.run("ingest", str(furnished.home / "project"))

    terminal = start(furnished, "--no-color", "config", "list", COLUMNS="60")

    assert terminal.finish() == 0
    lines = terminal.seen.splitlines()
    assert all(len(line) <= 60 for line in lines)
    assert "Passages a search shows when it is not told a number." in re.sub(r"\s+", " ", terminal.seen)
