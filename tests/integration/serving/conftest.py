"""A person's device with a home of its own, and servers for sessions on it, in this process."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import attrs
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conversations import ERAS, Conversation, Elicit, converse

from imprint.bootstrap import Application, open_application
from imprint_mcp.server import build_server
from imprint_mcp.session import Session


@attrs.frozen
class Person:
    """One user's account: a home, a data folder, a configuration."""

    home: Path

    @property
    def environ(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "IMPRINT_DATA_DIR": str(self.home / "data"),
        }

    def application(self, cwd: Path | None = None) -> Application:
        """Imprint as another program of the user uses it."""
        return open_application(environ=self.environ, cwd=cwd)

    def folder(self, name: str, files: Mapping[str, str] | None = None) -> Path:
        """Make a plain folder."""
        place = self.home / name
        place.mkdir(parents=True, exist_ok=True)
        for path, content in (files or {}).items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(content, "utf-8")
        return place

    def project(self, name: str, files: Mapping[str, str] | None = None, *, proposes: str = "") -> Path:
        """Make a git repository, with a project file if it proposes a workspace."""
        place = self.folder(name, {".git/HEAD": "ref: refs/heads/main\n", **(files or {})})
        if proposes:
            self.folder(name, {".imprint/workspace.json": f'{{"workspace": "{proposes}"}}\n'})
        return place

    def create(self, *names: str) -> None:
        """Make workspaces."""
        with self.application() as application:
            for name in names:
                application.workspaces.create(name)


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    home = tmp_path / "home"
    home.mkdir()
    person = Person(home)
    for name, value in person.environ.items():
        monkeypatch.setenv(name, value)  # The configuration's place is found through the process's environment.
    monkeypatch.delenv("IMPRINT_WORKSPACE", raising=False)
    return person


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    """Each protocol era in turn."""
    return str(request.param)


@pytest.fixture
def begin(person: Person) -> Iterator[Callable[..., Session]]:
    """Begin the session of a server process in a directory; its environment is its own."""
    with ExitStack() as stack:

        def begin(cwd: Path | None, environ: Mapping[str, str] | None = None) -> Session:
            session = Session.start({**person.environ, **(environ or {})}, cwd=cwd)
            stack.callback(session.close)
            return session

        yield begin


@pytest.fixture
def meet(era: str, begin: Callable[..., Session]) -> Iterator[Callable[..., Conversation]]:
    """Connect a client to a new session's server, in this process."""
    with ExitStack() as stack:

        def meet(
            cwd: Path | None, *, environ: Mapping[str, str] | None = None, elicit: Elicit | None = None
        ) -> Conversation:
            server = build_server(begin(cwd, environ))
            return stack.enter_context(converse(server, era, elicit=elicit))

        yield meet


@pytest.fixture
def is_posix() -> bool:
    return os.name == "posix"
