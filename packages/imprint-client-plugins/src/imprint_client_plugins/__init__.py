"""Plugins of the groups ``imprint.clients``, one package a client, and ``imprint.exports``, one module a service.

They do not know each other.
"""
