"""Devices that nothing else uses: a home that is thrown away, the programs on it, and what runs there."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

__all__ = ["CLIENTS_VARIABLE", "PROGRAMS", "Device", "ProgramFailedError"]

CLIENTS_VARIABLE = "IMPRINT_REAL_CLIENTS"
"""Names the folder with the clients' `node_modules`; set by the nox session."""

PROGRAMS = Path(sys.executable).parent
_LONGEST_RUN = 120
_LONGEST_LEARNING = 120
_OURS = frozenset({"imprint", "imprint-hook", "imprint-mcp", "imprint_cli", "imprint_mcp"})


class ProgramFailedError(Exception):
    """A program that had to succeed did not."""


@attrs.frozen
class Device:
    """A user's account on a machine, which nothing else uses."""

    home: Path

    @property
    def environ(self) -> dict[str, str]:
        """Nothing of the environment that the tests run in, and so none of its data folders."""
        installed = Path(os.environ[CLIENTS_VARIABLE]) / "node_modules" / ".bin"
        node = Path(shutil.which("node") or "node").parent
        places = (installed, PROGRAMS, node, Path("/usr/local/bin"), Path("/usr/bin"), Path("/bin"))
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(map(str, dict.fromkeys(places))),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "SHELL": "/bin/sh",
            "USER": "somebody",
        }

    def run(self, *words: str, cwd: Path | None = None, environ: Mapping[str, str] | None = None) -> str:
        """Run a program that must succeed; what it printed.

        Raises:
            ProgramFailedError: It did not.
        """
        done = subprocess.run(
            words,
            cwd=cwd or self.home,
            env={**self.environ, **(environ or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LONGEST_RUN,
            check=False,
        )
        if done.returncode:
            output = f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
            raise ProgramFailedError(f"{words[:3]} ended with {done.returncode}: {output}")
        return done.stdout

    def imprint(self, *words: str, cwd: Path | None = None) -> str:
        """Run `imprint` as another program of the user's, in another window."""
        return self.run(str(PROGRAMS / "imprint"), *words, cwd=cwd)

    def list_json(self, *words: str) -> list[dict[str, Any]]:
        """What a command lists."""
        return [json.loads(line) for line in self.imprint(*words, "--json").splitlines()]

    def learned(self, workspace: str) -> dict[str, str]:
        """The conversations that a workspace holds, each as it is shown, under the name of its source; oldest first."""
        held = self.list_json("sources", "--kind", "conversation", "--workspace", workspace)
        shown = {str(one["source"]): self.imprint("show", str(one["source"]), "--workspace", workspace) for one in held}
        return dict(sorted(shown.items(), key=lambda one: one[1].partition(", ")[2]))

    def git(self, *words: str, cwd: Path | None = None) -> str:
        """Run git as somebody."""
        return self.run("git", "-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", *words, cwd=cwd)

    def repository(self, name: str, files: Mapping[str, str] | None = None) -> Path:
        """Make a repository with one commit."""
        folder = self.home / name
        for path, content in {"README.md": f"# {name}\n", **(files or {})}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content)
        self.git("init", "-q", "-b", "main", cwd=folder)
        self.git("add", ".", cwd=folder)
        self.git("commit", "-q", "-m", "Begin", cwd=folder)
        return folder

    def processes(self, *programs: str) -> list[int]:
        """Those of our programs that run in this home (on Linux); without names all of them."""
        wanted = {program.encode() for program in programs or _OURS}
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words, environ = ((folder / name).read_bytes().split(b"\0") for name in ("cmdline", "environ"))
            except OSError:
                continue  # It ended meanwhile, or is somebody else's.
            if f"HOME={self.home}".encode() in environ and any(word.rpartition(b"/")[2] in wanted for word in words):
                found.append(int(folder.name))
        return found

    def processes_after(self, seconds: float, *programs: str) -> list[int]:
        """Those that are left, when those that are ending have had their time."""
        end = time.monotonic() + seconds
        while (left := self.processes(*programs)) and time.monotonic() < end:
            time.sleep(0.05)
        return left

    def settle(self) -> list[dict[str, Any]]:
        """Wait until no process of ours is left; the jobs that were done meanwhile.

        Raises:
            ProgramFailedError: It took longer than any learning.
        """
        if left := self.processes_after(_LONGEST_LEARNING):
            raise ProgramFailedError(f"still running: {left}")
        return self.list_json("jobs", "list")
