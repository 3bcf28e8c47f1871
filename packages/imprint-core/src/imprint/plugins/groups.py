"""The groups of plugins, and the plugins that Imprint brings along.

One group is one entry-point group ``imprint.NAME``, one module ``imprint.plugins.specs.NAME``, one set of checks
``imprint.testing.checks.NAME`` and one reference page: a new group is a line here and those files.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from imprint.errors import UnknownPluginGroupError

__all__ = ["GROUPS", "find_group", "shipped_distribution", "short_name", "spec_module"]

GROUPS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "imprint.embedders": {
            "memvec": "imprint_memvec.plugin",
            "model2vec": "imprint.default_plugins.model2vec_embedder",
        },
        "imprint.vector_backends": {
            "local": "imprint.default_plugins.local_vectors",
        },
        "imprint.extractors": {
            "code": "imprint.default_plugins.code_extractor",
            "prose": "imprint.default_plugins.prose_extractor",
            "plain": "imprint.default_plugins.plain_extractor",
        },
        "imprint.clients": {
            "claude-code": "imprint_client_plugins.claude_code",
            "claude-desktop": "imprint_client_plugins.claude_desktop",
            "cline": "imprint_client_plugins.cline",
            "codex": "imprint_client_plugins.codex",
            "continue": "imprint_client_plugins.continue_dev",
            "copilot-cli": "imprint_client_plugins.copilot_cli",
            "cursor": "imprint_client_plugins.cursor",
            "gemini-cli": "imprint_client_plugins.gemini_cli",
            "opencode": "imprint_client_plugins.opencode",
            "qwen-code": "imprint_client_plugins.qwen_code",
            "vscode-copilot": "imprint_client_plugins.vscode_copilot",
        },
        "imprint.exports": {
            "chatgpt": "imprint_client_plugins.chatgpt_export",
            "claude": "imprint_client_plugins.claude_export",
        },
        "imprint.homes": {
            "wsl": "imprint_client_plugins.wsl",
        },
        "imprint.language_models": {
            "openai-compatible": "imprint.default_plugins.openai_compatible_model",
        },
    }
)
"""Each group's shipped plugins: name to module. Nothing is imported before someone chooses it."""


def find_group(name: str) -> str:
    """The group that people mean by ``embedders`` or ``imprint.embedders``.

    Raises:
        UnknownPluginGroupError: There is no such group.
    """
    group = name if name.startswith("imprint.") else f"imprint.{name}"
    if group in GROUPS:
        return group
    known = tuple(map(short_name, GROUPS))
    nearest = get_close_matches(short_name(group), known, n=1)
    raise UnknownPluginGroupError(group=name, known=known, nearest=nearest[0] if nearest else None)


def short_name(group: str) -> str:
    """What people call a group: ``embedders`` for ``imprint.embedders``."""
    return group.removeprefix("imprint.")


def spec_module(group: str) -> str:
    """The module that holds a group's hookspecs."""
    return f"imprint.plugins.specs.{short_name(group)}"


def shipped_distribution(module: str) -> str:
    """The distribution of ours that a shipped plugin's module belongs to."""
    package = module.partition(".")[0]
    return "imprint-core" if package == "imprint" else package.replace("_", "-")
