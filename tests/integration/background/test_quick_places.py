"""A hook finds the user's folders without what finds them elsewhere; the two must agree."""

import itertools
import os

import pytest

from imprint.adapters.quick_places import find_config_path, find_data_path
from imprint.adapters.user_folders import find_config_file, find_data_folder

VARIABLES = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "IMPRINT_DATA_DIR")
VALUES = (
    (None, "", " ", "/x/data", "/x/data/"),
    (None, "", "/x/config"),
    (None, "", "~/memory", "relative", "/x/../y"),
)


@pytest.mark.parametrize("values", list(itertools.product(*VALUES)))
def test_a_hook_finds_the_folders_that_every_program_finds(
    values: tuple[str | None, ...], monkeypatch: pytest.MonkeyPatch
):
    for name, value in zip(VARIABLES, values, strict=True):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)

    found = find_data_path(os.environ), find_config_path(os.environ)

    assert [os.path.normpath(path) for path in found] == [
        os.path.normpath(path) for path in (find_data_folder(os.environ), find_config_file())
    ]
