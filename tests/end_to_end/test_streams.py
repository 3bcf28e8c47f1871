"""What goes in and out: encodings, pipes, closed and full streams, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from real_program import PROGRAM, Done, Program

ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="streams, pipes and signals of POSIX")


def in_a_shell(program: Program, redirections: str, *words: str) -> Done:
    """Run the program with its streams as a shell redirects them."""
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirections}', "sh", *PROGRAM, *words],
        cwd=program.home,
        env=program.environ,
        capture_output=True,
        text=True,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def test_json_is_utf8_whatever_the_locale(program: Program):
    program.run("remember", "日本語 — ß")

    done = program.spawn("search", "日本語", "--json", environ={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})

    assert json.loads(done.stdout)["results"][0]["text"] == "日本語 — ß"


@pytest.mark.parametrize("words", [["remember", "-"], ["add-text", "letter"]])
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_bytes_that_are_no_text_are_replaced_and_the_rest_is_kept(program: Program, words: list[str], locale: str):
    done = subprocess.run(
        [*PROGRAM, *words],
        cwd=program.home,
        env={**program.environ, "LC_ALL": locale},
        input=b"crooked \xff\xfe letters\n",
        capture_output=True,
    )

    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert program.run("show", "1").stdout == "crooked \ufffd\ufffd letters\n"


def test_colours_are_for_terminals_only(program: Program):
    program.run("remember", "plain as day")

    assert "\x1b" not in program.spawn("search", "plain as day").stdout
    assert "\x1b" not in program.spawn("search", "--help").stdout


@ON_POSIX
def test_a_reader_that_goes_away_is_no_error_of_ours(program: Program):
    program.run("remember", "one")
    read, write = os.pipe()
    os.close(read)

    done = subprocess.run(
        [*PROGRAM, "sources", "--json"], cwd=program.home, env=program.environ, stdout=write, stderr=subprocess.PIPE
    )
    os.close(write)

    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "words", [["config", "list"], ["config", "list", "--json"], ["--version"], ["config", "--help"]]
)
def test_output_that_cannot_be_written_is_told(program: Program, words: list[str]):
    done = in_a_shell(program, "> /dev/full", *words)

    assert done.code == 1
    assert os.strerror(28) in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_note_that_cannot_be_written_keeps_nobody_from_the_result(program: Program):
    done = in_a_shell(program, "2> /dev/full", "status")

    assert done.code == 0
    assert "workspace  default" in done.stdout


@ON_POSIX
@pytest.mark.parametrize("redirections", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("words", "code"), [(["remember", "x"], 0), (["--version"], 0), (["add-text", "notes"], 2)])
def test_closed_streams_change_nothing_else(program: Program, redirections: str, words: list[str], code: int):
    done = in_a_shell(program, redirections, *words)

    assert done.code == code
    assert "Traceback" not in done.stderr
    assert "unexpected" not in done.stderr


@ON_POSIX
def test_ctrl_c_ends_with_130(program: Program):
    running = subprocess.Popen(
        [*PROGRAM, "add-text", "slow"],
        cwd=program.home,
        env=program.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # parallel test runners ignore it
    )
    assert running.stdin is not None
    running.stdin.write(b"x")
    running.stdin.flush()
    wait_until_waiting(running.pid)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)

    assert (running.returncode, out) == (130, b"")
    assert b"interrupted" in err
    assert b"Traceback" not in err


def wait_until_waiting(pid: int) -> None:
    """Until a process has loaded its modules and sleeps in a read; where the system does not tell, a good while."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            with open(f"/proc/{pid}/wchan") as file:  # noqa: PTH123 (a file of the kernel)
                if "pipe" in file.read():
                    return
        except OSError:
            time.sleep(2)
            return
        time.sleep(0.05)
