"""Plugins of the group ``imprint.clients``, one package a client. They do not know each other."""
