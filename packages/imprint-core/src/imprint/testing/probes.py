"""A plugin watched in an interpreter of its own: what describing it loads, and whom embedding calls."""

import json
import os
import subprocess
import sys
from importlib import import_module

from imprint.plugins import EmbedderSettings
from imprint.testing.conformance import ensure

__all__ = ["find_loaded_packages", "find_network_calls"]

_NETWORK_EVENTS = frozenset({"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"})


def find_loaded_packages(module: str, hook: str) -> list[str]:
    """The top-level packages that importing a plugin and describing it load, besides the plugin API itself."""
    return _run("describe", module, hook)


def find_network_calls(module: str, model: str) -> list[str]:
    """The attempts to reach the network while an embedder is opened and used; each of them was refused."""
    return _run("embed", module, model)


def _run(*arguments: str) -> list[str]:
    process = subprocess.run(
        [sys.executable, "-m", __name__, *arguments],
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
    from imprint.plugins.handles import hold_to_specs
    from imprint.plugins.references import PluginReference

    attempts: list[str] = []

    def refuse(event: str, _: object) -> None:
        if event in _NETWORK_EVENTS:
            attempts.append(event)
            raise OSError("there is no network")

    reference = PluginReference(group="imprint.embedders", name=module, module=module, distribution="")
    handle = hold_to_specs(import_module(module), reference)
    sys.addaudithook(refuse)
    with handle.call("open_embedder", settings=EmbedderSettings(model=model)) as embedder:
        embedder.embed_documents(["a passage"])
        embedder.embed_query("a question")
    return attempts


if __name__ == "__main__":
    sys.stdout.write("\n" + json.dumps({"describe": _describe, "embed": _embed}[sys.argv[1]](*sys.argv[2:])) + "\n")
