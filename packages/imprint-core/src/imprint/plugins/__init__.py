"""The plugin API: the marker, and the values that plugins and Imprint exchange.

A plugin is a module, named by an entry point, with `hookimpl` functions; `imprint.plugins.specs` says what each group's
hooks are given and must give back. This module is all that a plugin needs to import. Each name is loaded when it is
first asked for: a client's hook starts an interpreter for every event, and pays for what it uses.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from imprint.domain.conversations import Checkpoint, ConversationFacts, Role, Turn
    from imprint.domain.hook_events import HookEvent, HookEventKind, HookOutput
    from imprint.domain.outlines import Document, Outline, Section
    from imprint.domain.plans import ConnectionRecord, FileEdit, RunCommand
    from imprint.domain.sources import ChunkId
    from imprint.plugins.clients import (
        ClientDocument,
        ClientHome,
        ClientInfo,
        ClientNote,
        Installation,
        OurPrograms,
        TranscriptReference,
    )
    from imprint.plugins.exports import ExportedConversation, ExportInfo
    from imprint.plugins.homes import HomeInfo
    from imprint.plugins.language_models import LanguageModelInfo, LanguageModelSettings
    from imprint.plugins.markers import hookimpl
    from imprint.plugins.values import EmbedderInfo, EmbedderSettings, ExtractorInfo, VectorBackendInfo
    from imprint.protocols.clients import ClientFiles, TranscriptLine, TranscriptReader
    from imprint.protocols.embedders import Embedder, ModelIdentity
    from imprint.protocols.homes import HomeHost
    from imprint.protocols.language_models import LanguageModel, ModelAnswer, ModelQuestion
    from imprint.protocols.vectors import (
        Generation,
        VectorBackend,
        VectorBackendSettings,
        VectorBatch,
        VectorFeed,
        VectorHit,
    )

_MODULES = {
    "imprint.domain.conversations": ("Checkpoint", "ConversationFacts", "Role", "Turn"),
    "imprint.domain.hook_events": ("HookEvent", "HookEventKind", "HookOutput"),
    "imprint.domain.outlines": ("Document", "Outline", "Section"),
    "imprint.domain.plans": ("ConnectionRecord", "FileEdit", "RunCommand"),
    "imprint.domain.sources": ("ChunkId",),
    "imprint.plugins.clients": (
        "ClientDocument",
        "ClientHome",
        "ClientInfo",
        "ClientNote",
        "Installation",
        "OurPrograms",
        "TranscriptReference",
    ),
    "imprint.plugins.exports": ("ExportInfo", "ExportedConversation"),
    "imprint.plugins.homes": ("HomeInfo",),
    "imprint.plugins.language_models": ("LanguageModelInfo", "LanguageModelSettings"),
    "imprint.plugins.markers": ("hookimpl",),
    "imprint.plugins.values": ("EmbedderInfo", "EmbedderSettings", "ExtractorInfo", "VectorBackendInfo"),
    "imprint.protocols.clients": ("ClientFiles", "TranscriptLine", "TranscriptReader"),
    "imprint.protocols.embedders": ("Embedder", "ModelIdentity"),
    "imprint.protocols.homes": ("HomeHost",),
    "imprint.protocols.language_models": ("LanguageModel", "ModelAnswer", "ModelQuestion"),
    "imprint.protocols.vectors": (
        "Generation",
        "VectorBackend",
        "VectorBackendSettings",
        "VectorBatch",
        "VectorFeed",
        "VectorHit",
    ),
}

__all__ = [
    "Checkpoint",
    "ChunkId",
    "ClientDocument",
    "ClientFiles",
    "ClientHome",
    "ClientInfo",
    "ClientNote",
    "ConnectionRecord",
    "ConversationFacts",
    "Document",
    "Embedder",
    "EmbedderInfo",
    "EmbedderSettings",
    "ExportInfo",
    "ExportedConversation",
    "ExtractorInfo",
    "FileEdit",
    "Generation",
    "HomeHost",
    "HomeInfo",
    "HookEvent",
    "HookEventKind",
    "HookOutput",
    "Installation",
    "LanguageModel",
    "LanguageModelInfo",
    "LanguageModelSettings",
    "ModelAnswer",
    "ModelIdentity",
    "ModelQuestion",
    "OurPrograms",
    "Outline",
    "Role",
    "RunCommand",
    "Section",
    "TranscriptLine",
    "TranscriptReader",
    "TranscriptReference",
    "Turn",
    "VectorBackend",
    "VectorBackendInfo",
    "VectorBackendSettings",
    "VectorBatch",
    "VectorFeed",
    "VectorHit",
    "hookimpl",
]


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
