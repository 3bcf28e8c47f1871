"""The whole test of a plugin: Imprint's own checks."""

import pytest
from imprint_toy_store import plugin

from imprint.testing.checks.vector_backends import vector_backend_checks


@pytest.mark.parametrize("check", vector_backend_checks(plugin), ids=str)
def test_toy_store_keeps_the_contract(check):
    check()
