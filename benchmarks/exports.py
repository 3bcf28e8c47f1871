"""What learning from an export costs: memory beside a small one, the rate, and a renewed export that changed little."""

import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from learn import Silent
from measure import emit, peak_megabytes

MEGABYTE = 1 << 20
LARGE_BYTES = 300 * MEGABYTE
BUDGET_MEGABYTES = 30.0


def main() -> None:
    kinds = sys.argv[1:] or ["claude", "chatgpt"]
    if len(kinds) > 1:  # each in a process of its own: the most memory that one had is never less later
        for kind in kinds:
            subprocess.run([sys.executable, __file__, kind], check=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder).resolve(), kinds[0])


def measure(home: Path, kind: str) -> None:
    learn(home, write_export(home / "small.zip", kind, MEGABYTE))
    before = peak_megabytes()
    export = write_export(home / "large.zip", kind, LARGE_BYTES)
    seconds, report = learn(home, export)
    megabytes = sum(info.file_size for info in zipfile.ZipFile(export).infolist()) / 1e6
    facts = {"service": kind, "MB": round(megabytes), "conversations": sum(report.sources.values())}
    emit("memory for a large export", peak_megabytes() - before, "MB", budget=BUDGET_MEGABYTES, **facts)
    emit("an export learned", megabytes / seconds, "MB/s of processor time", passages=report.chunks, **facts)
    seconds, report = learn(home, export)
    assert set(report.sources) == {"unchanged"}, report
    emit("the same export again", seconds, "s of processor time", **facts)


def learn(home: Path, export: Path):
    from imprint.bootstrap import open_application
    from imprint.domain.settings import Layer, Origin

    no_embedder = Layer(origin=Origin.ARGUMENT, values={"embedder.plugin": ""}, place="the benchmark")
    environ = {**os.environ, "HOME": str(home), "USERPROFILE": str(home)}
    with open_application(environ=environ, data_dir=home / "data", arguments=[no_embedder]) as application:
        begun = time.process_time()
        report = application.learning.learn(application.workspaces.selected(), Silent(), exports=[export])
        return time.process_time() - begun, report


def write_export(path: Path, kind: str, size: int) -> Path:
    """Conversations of the shape that real ones have: most of the bytes are what tools printed, little was said."""
    make = {"claude": claude, "chatgpt": chatgpt}[kind]
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("conversations.json", "w", force_zip64=True) as file,
    ):
        written = file.write(b"[")
        number = 0
        while written < size:
            text = ("," if number else "") + json.dumps(make(f"{path.stem}-{number}"))
            written += file.write(text.encode())
            number += 1
        file.write(b"]")
    return path


def said(id: str, turn: int) -> str:
    if turn % 2:
        return f"Step {turn} of {id} waits for a message that never comes.\n\n" + "It should give up sooner. " * 20
    return f"Why does step {turn} of the pipeline {id} time out when the queue is empty?"


def printed(id: str, turn: int) -> str:
    return "\n".join(f"src/module_{row}.py:{row}: def handle_{turn}_{id}(request): ..." for row in range(60))


def claude(id: str) -> dict[str, object]:
    messages = []
    for turn in range(20):
        content = [{"type": "text", "text": said(id, turn)}]
        if turn % 2:
            content.append({"type": "tool_result", "content": [{"type": "text", "text": printed(id, turn)}]})
        sender = "assistant" if turn % 2 else "human"
        messages.append({"uuid": f"{id}-{turn}", "sender": sender, "text": "", "content": content})
    return {"uuid": id, "name": id, "updated_at": "2026-03-01T10:00:00Z", "chat_messages": messages}


def chatgpt(id: str) -> dict[str, object]:
    mapping = {}
    above = None
    for turn in range(20):
        for role in ("assistant", "tool") if turn % 2 else ("user",):
            node = f"{id}-{turn}-{role}"
            parts = [printed(id, turn) if role == "tool" else said(id, turn)]
            message = {"author": {"role": role}, "content": {"content_type": "text", "parts": parts}}
            mapping[node] = {"id": node, "parent": above, "message": {"id": node, "recipient": "all", **message}}
            above = node
    return {"id": id, "title": id, "update_time": 1772359200.5, "mapping": mapping, "current_node": above}


if __name__ == "__main__":
    main()
