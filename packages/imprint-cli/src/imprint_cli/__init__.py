"""The command line of Imprint."""
