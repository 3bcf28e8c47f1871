"""The plugin that opencode loads, run by Node with a hook of the test's: what it asks, what it takes, what it bears."""

import json
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")

_SESSION = """
const { Imprint } = await import(process.argv[2])
const hooks = await Imprint({ directory: "/home/me/proj" })
const ask = async (input) => { const output = { system: ["own"] }
  await hooks["experimental.chat.system.transform"](input, output); return output.system }
const said = []
for (const input of [{ sessionID: "s" }, { sessionID: "s" }, {}]) said.push(await ask(input))
await hooks.event({ event: { type: "session.created", properties: { info: { id: "child", parentID: "s" } } } })
said.push(await ask({ sessionID: "child" }))
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } })
for (const event of [{ type: "session.created" }, { type: "session.idle" }, {}]) await hooks.event({ event })
const part = (values) => ({ id: "prt_1", messageID: "msg_1", sessionID: "s", type: "text", ...values })
for (const sessionID of ["s", "child"]) {
  const output = { parts: [part({ text: "What" }), part({ text: "never", synthetic: true }), part({ text: "for?" })] }
  await hooks["chat.message"]?.({ sessionID }, output)
  said.push(output.parts.slice(3))
}
await hooks["chat.message"]?.({ sessionID: "s" }, { parts: [] })
console.log(JSON.stringify(said))
"""
_HOOK = """
import json, sys
payload = json.load(sys.stdin)
with open({log!r}, "a") as file:
    file.write(json.dumps([sys.argv[1:], payload]) + chr(10))
{answer}
"""


def run(folder: Path, answer: str | None, *, recalls: bool = False) -> tuple[list[list[str]], list[list[object]]]:
    """A session with a hook that does this (`None`: there is none): what its models are told, what the hook was."""
    log = folder / "calls.jsonl"
    (folder / "hook.py").write_text(_HOOK.format(log=str(log), answer=answer))
    program = [sys.executable, str(folder / "hook.py")] if answer is not None else [str(folder / "no-such-hook")]
    source = files("imprint_client_plugins.opencode").joinpath("plugin.js").read_text("utf-8")
    (folder / "imprint.mjs").write_text(
        source.replace("@HOOK@", json.dumps(program)).replace("@RECALLS@", json.dumps(recalls))
    )
    (folder / "session.mjs").write_text(_SESSION)
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(folder / "session.mjs"), str(folder / "imprint.mjs")],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    calls = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return json.loads(done.stdout), calls


def test_a_session_is_told_once_and_again_with_each_request_and_its_pause_is_told(tmp_path: Path):
    said, calls = run(tmp_path, """print('{"context": "Remember."}')""")

    assert said == [["own", "Remember."], ["own", "Remember."], ["own"], ["own"], [], []]
    asked = [call for call in calls if call[0][1] == "experimental.chat.system.transform"]
    assert len(asked) == 1
    for words, payload in calls:
        assert words[0] == "opencode"
        assert isinstance(payload, dict)
        assert (payload["session_id"], payload["cwd"]) == ("s", "/home/me/proj")
        assert payload["call_id"]


def test_what_is_said_of_a_prompt_goes_behind_it_where_prompts_are_told(tmp_path: Path):
    said, calls = run(tmp_path, """print('{"context": "Remember."}')""", recalls=True)

    told = {"messageID": "msg_1", "sessionID": "s", "type": "text", "text": "Remember.", "synthetic": True}
    assert said[4:] == [[{"id": "prt_10", **told}], []]
    ((_, payload),) = [call for call in calls if call[0] == ["opencode", "chat.message"]]
    assert payload == {"session_id": "s", "cwd": "/home/me/proj", "call_id": "msg_1", "prompt": "What\n\nfor?"}


@pytest.mark.parametrize("answer", [None, "", "print('no JSON')", "raise SystemExit(3)", "print('null')"])
def test_a_hook_that_fails_is_not_felt(tmp_path: Path, answer: str | None):
    said, _ = run(tmp_path, answer, recalls=True)

    assert said == [["own"]] * 4 + [[]] * 2


def test_what_a_pause_tells_outlives_the_program(tmp_path: Path):
    """The client may end in the moment after its session has come to rest."""
    run(tmp_path, "")
    slow = tmp_path / "slow"
    slow.mkdir()

    run(slow, "import time; time.sleep(1); open(__file__ + '.done', 'w').close()")

    for _ in range(600):
        if (slow / "hook.py.done").exists():
            return
        subprocess.run([sys.executable, "-c", "import time; time.sleep(0.05)"], check=True)
    raise AssertionError("the hook was ended with the program")
