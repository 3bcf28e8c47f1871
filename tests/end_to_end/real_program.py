"""The real program, with a home of its own under the test's folder."""

import contextlib
import ctypes
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from imprint_cli import program

_PR_CAPBSET_DROP = 24
_DAC_OVERRIDE, _DAC_READ_SEARCH, _FOWNER = 1, 2, 3

PROGRAM = (sys.executable, "-m", "imprint_cli")


@attrs.frozen
class Done:
    """What a run of the program left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """The one object on stdout."""
        (line,) = self.stdout.splitlines()
        return json.loads(line)

    @property
    def json_lines(self) -> list[Any]:
        return [json.loads(line) for line in self.stdout.splitlines()]

    @property
    def error(self) -> Any:
        """The error on stderr, which is all there is."""
        assert self.stdout == ""
        (line,) = self.stderr.splitlines()
        return json.loads(line)["error"]


@attrs.frozen
class Program:
    """`imprint`, as a person with a fresh home would start it."""

    home: Path

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def environ(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
        return {
            **kept,
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "IMPRINT_DATA_DIR": str(self.data),
            "COLUMNS": "100",
        }

    def run(
        self,
        *words: str,
        cwd: Path | None = None,
        stdin: str = "",
        environ: Mapping[str, str | None] | None = None,
    ) -> Done:
        """Run the program in this process, which is quicker than `spawn` and shows the same.

        Args:
            environ: Changes to the environment; a variable that is `None` is taken out.
        """
        out, err = (
            io.TextIOWrapper(io.BytesIO(), write_through=True),
            io.TextIOWrapper(io.BytesIO(), write_through=True),
        )
        with (
            contextlib.chdir(cwd or self.home),
            _environment(self._variables(environ)),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _standard_input(io.TextIOWrapper(io.BytesIO(stdin.encode()))),
        ):
            code = program.run(words)
        return Done(int(code), _written(out), _written(err))

    def spawn(
        self,
        *words: str,
        cwd: Path | None = None,
        stdin: str = "",
        environ: Mapping[str, str | None] | None = None,
        vanish: bool = False,
        obedient: bool = False,
    ) -> Done:
        """Run the program as a process of its own.

        Args:
            vanish: Remove the directory, which is empty, once the process is in it.
            obedient: Permissions count even where the tests are run by root.
        """
        shell = ("sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh") if vanish else ()
        done = subprocess.run(
            [*shell, *PROGRAM, *words],
            cwd=cwd or self.home,
            env=self._variables(environ),
            input=stdin.encode(),
            capture_output=True,
            timeout=120,
            check=False,
            preexec_fn=obey_permissions if obedient and sys.platform == "linux" else None,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *words: str, cwd: Path | None = None) -> "subprocess.Popen[bytes]":
        """Begin a process and leave it running."""
        return subprocess.Popen(
            [*PROGRAM, *words],
            cwd=cwd or self.home,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def project(self, name: str, files: Mapping[str, str] | None = None) -> Path:
        """Make a git repository with some files."""
        folder = self.home / name
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        for path, content in (files or {}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content)
        return folder

    def _variables(self, changes: Mapping[str, str | None] | None) -> dict[str, str]:
        changed = {**self.environ, **(changes or {})}
        return {name: value for name, value in changed.items() if value is not None}


def obey_permissions() -> None:
    """Give up root's right to read and write everything, in this process and those it starts (Linux)."""
    for capability in (_DAC_OVERRIDE, _DAC_READ_SEARCH, _FOWNER):
        ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


@contextlib.contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _standard_input(stream: io.TextIOWrapper) -> Iterator[None]:
    before, sys.stdin = sys.stdin, stream
    try:
        yield
    finally:
        sys.stdin = before
