"""A client's plugin that opens a database whenever its hook is called."""

from mutants import sound_client
from mutants.sound_client import *  # noqa: F403

from imprint.plugins import hookimpl


@hookimpl
def parse_hook_payload(event_name, payload):
    import sqlite3  # noqa: F401

    return sound_client.parse_hook_payload(event_name, payload)
