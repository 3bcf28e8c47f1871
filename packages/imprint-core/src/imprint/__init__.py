"""Imprint: persistent, local memory for AI coding tools."""
