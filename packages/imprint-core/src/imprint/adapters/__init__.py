"""Protocols met with the real world: SQLite, files, git's own files, locks."""
