"""Every branch of the error tree has its exit code."""

import pytest

from imprint import errors
from imprint.errors import ImprintError
from imprint_cli.exit_codes import ExitCode, exit_code


@pytest.mark.parametrize(
    ("branch", "code"),
    [
        (errors.UsageError, 2),
        (errors.UnknownNameError, 3),
        (errors.RefusedError, 4),
        (errors.BusyError, 5),
        (errors.StoreError, 6),
        (errors.PluginError, 1),
        (errors.SourceError, 1),
        (ImprintError, 1),
        (ValueError, 1),
        (KeyboardInterrupt, 130),
    ],
)
def test_each_branch_has_its_code(branch: type[BaseException], code: int):
    assert exit_code(branch()) == code


def test_no_leaf_stands_in_two_branches_that_have_different_codes():
    leaves = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, ImprintError)]
    branches = [errors.UsageError, errors.UnknownNameError, errors.RefusedError, errors.BusyError, errors.StoreError]

    for leaf in leaves:
        assert sum(issubclass(leaf, branch) for branch in branches) <= 1, leaf


def test_the_codes_are_the_documented_ones():
    assert {code.name: code.value for code in ExitCode} == {
        "DONE": 0,
        "FAILED": 1,
        "USAGE": 2,
        "UNKNOWN_NAME": 3,
        "REFUSED": 4,
        "BUSY": 5,
        "STORE": 6,
        "INTERRUPTED": 130,
    }
