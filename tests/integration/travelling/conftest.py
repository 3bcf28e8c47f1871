"""Two workspaces, and a device beside ours."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from desks import ACME, SAMPLE, SAMPLE_FACTS, Desk, open_desk


@pytest.fixture
def make_desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Open a data folder by its name, anew each time."""
    with ExitStack() as opened:

        def make_desk(name: str = "here", **options: object) -> Desk:
            return opened.enter_context(open_desk(tmp_path / name, **options))  # type: ignore[arg-type]

        yield make_desk


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    desk = make_desk("here")
    desk.registry.create_workspace(ACME)
    return desk


@pytest.fixture
def there(make_desk: Callable[..., Desk]) -> Desk:
    return make_desk("there")


@pytest.fixture
def filled(desk: Desk) -> Desk:
    desk.write(*SAMPLE)
    desk.add_facts(*SAMPLE_FACTS)
    desk.embed()
    return desk
