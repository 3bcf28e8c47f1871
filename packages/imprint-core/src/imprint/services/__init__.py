"""Use cases, one module a verb; every effect goes through a protocol."""
