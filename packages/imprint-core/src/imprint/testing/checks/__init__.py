"""The conformance checks, one module a group, named like the group's hookspecs."""
