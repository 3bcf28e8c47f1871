"""An embedder that keeps every promise; mutants change one thing in it."""

from contextlib import nullcontext

from imprint.plugins import EmbedderInfo, hookimpl


@hookimpl
def describe_embedder():
    return EmbedderInfo(name="sound", summary="Keeps every promise")


@hookimpl
def open_embedder():
    from imprint.testing.embedders import FakeEmbedder

    return nullcontext(FakeEmbedder(width=64))
