"""The extractors that Imprint brings keep every promise of their group."""

import pytest

from imprint.default_plugins import code_extractor, plain_extractor, prose_extractor
from imprint.testing.checks.extractors import extractor_checks
from imprint.testing.conformance import Check

CHECKS = [
    pytest.param(check, id=f"{plugin.__name__.rpartition('.')[2]}-{check.name}")
    for plugin in (code_extractor, prose_extractor, plain_extractor)
    for check in extractor_checks(plugin)
]


@pytest.mark.parametrize("check", CHECKS)
def test_the_promise_is_kept(check: Check) -> None:
    check()
