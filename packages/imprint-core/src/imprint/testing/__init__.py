"""For those who test Imprint, or a plugin of it: conformance checks, fakes, strategies.

Needs the extra ``imprint-core[testing]``.
"""
