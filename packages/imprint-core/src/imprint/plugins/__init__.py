"""The plugin API: the marker, and the values that plugins and Imprint exchange.

A plugin is a module, named by an entry point, with `hookimpl` functions; `imprint.plugins.specs` says what each group's
hooks are given and must give back. This module is all that a plugin needs to import, and it is light.
"""

from imprint.domain.outlines import Document, Outline, Section
from imprint.domain.sources import ChunkId
from imprint.plugins.markers import hookimpl
from imprint.plugins.values import EmbedderInfo, EmbedderSettings, ExtractorInfo, VectorBackendInfo
from imprint.protocols.embedders import Embedder, ModelIdentity
from imprint.protocols.vectors import (
    Generation,
    VectorBackend,
    VectorBackendSettings,
    VectorBatch,
    VectorFeed,
    VectorHit,
)

__all__ = [
    "ChunkId",
    "Document",
    "Embedder",
    "EmbedderInfo",
    "EmbedderSettings",
    "ExtractorInfo",
    "Generation",
    "ModelIdentity",
    "Outline",
    "Section",
    "VectorBackend",
    "VectorBackendInfo",
    "VectorBackendSettings",
    "VectorBatch",
    "VectorFeed",
    "VectorHit",
    "hookimpl",
]
