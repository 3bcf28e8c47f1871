"""A plugin watched in an interpreter of its own: what describing it or a hook's call loads, whom its use calls."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from imprint.plugins import EmbedderSettings, LanguageModelSettings
from imprint.testing.conformance import ensure

__all__ = ["find_calls_of_opening", "find_loaded_packages", "find_modules_of_a_hook_call", "find_network_calls"]

# Not part of this module's own run: what it imports would count as loaded before.
_HOOK_CALL = """
import json, sys
before = set(sys.modules)
from importlib import import_module
module, events, watched, payload = json.loads(sys.argv[1])
plugin = import_module(module)
for event in events:
    plugin.parse_hook_payload(event_name=event, payload=payload)
    plugin.render_hook_response(event_name=event, context="some")
loaded = set(sys.modules) - before
print(json.dumps(sorted({name.partition(".")[0] for name in loaded} | loaded.intersection(watched))))
"""
_WATCHED = ("importlib.metadata",)
_NETWORK_EVENTS = frozenset({"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"})


def find_loaded_packages(module: str, hook: str) -> list[str]:
    """The top-level packages that importing a plugin and describing it load, besides the plugin API itself."""
    return _run("describe", module, hook)


def find_modules_of_a_hook_call(module: str, events: Sequence[str], payload: Mapping[str, str]) -> list[str]:
    """The top-level packages, and a few heavy modules, that an interpreter has loaded when the hook was called.

    Args:
        payload: One that every event can be read from.
    """
    return _start("-c", _HOOK_CALL, json.dumps([module, list(events), list(_WATCHED), dict(payload)]))


def find_network_calls(module: str, model: str) -> list[str]:
    """The attempts to reach the network while an embedder is opened and used; each of them was refused."""
    return _run("embed", module, model)


def find_calls_of_opening(module: str, model: str) -> list[str]:
    """The attempts to reach the network while a language model is opened; each of them was refused."""
    return _run("open", module, model)


def _run(*arguments: str) -> list[str]:
    return _start("-m", __name__, *arguments)


def _start(*arguments: str) -> list[str]:
    process = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    last_words = process.stderr.strip().splitlines()[-1:]
    ensure(process.returncode == 0, f"in an interpreter of its own: {' '.join(last_words) or process.returncode}")
    report: list[str] = json.loads(process.stdout.splitlines()[-1])
    return report


def _describe(module: str, hook: str) -> list[str]:
    before = set(sys.modules)
    getattr(import_module(module), hook)()
    return sorted({name.partition(".")[0] for name in set(sys.modules) - before})


def _embed(module: str, model: str) -> list[str]:
    def use(embedder: Any) -> None:
        embedder.embed_documents(["a passage"])
        embedder.embed_query("a question")

    return _watch("imprint.embedders", module, "open_embedder", EmbedderSettings(model=model), use)


def _open(module: str, model: str) -> list[str]:
    settings = LanguageModelSettings(url="http://127.0.0.1:9/v1", model=model or "any")
    return _watch("imprint.language_models", module, "open_language_model", settings, lambda _: None)


def _watch(group: str, module: str, hook: str, settings: object, use: Callable[[Any], None]) -> list[str]:
    from imprint.testing.subjects import hold

    attempts: list[str] = []

    def refuse(event: str, _: object) -> None:
        if event in _NETWORK_EVENTS:
            attempts.append(event)
            raise OSError("there is no network")

    handle = hold(import_module(module), group)
    sys.addaudithook(refuse)
    with handle.call(hook, settings=settings) as opened:
        use(opened)
    return attempts


if __name__ == "__main__":
    sys.stdout.write(
        "\n" + json.dumps({"describe": _describe, "embed": _embed, "open": _open}[sys.argv[1]](*sys.argv[2:])) + "\n"
    )
