"""The embedded default model of Imprint."""
