"""Exports as the services write them, made by the documented field names: none was recorded."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["chatgpt", "claude", "write_zip"]

PRIVATE = '[{"email_address": "me@example.com", "full_name": "Somebody"}]'


def claude(id: str, *texts: str, updated: str = "2026-03-01T10:00:00.000000Z", **fields: object) -> dict[str, Any]:
    """A conversation of Claude, the user and the model in turn."""
    return {
        "uuid": id,
        "name": f"About {id}",
        "created_at": "2026-03-01T09:00:00.000000Z",
        "updated_at": updated,
        "account": {"uuid": "somebody"},
        "chat_messages": [
            {
                "uuid": f"{id}-{number}",
                "sender": "assistant" if number % 2 else "human",
                "text": text,
                "content": [{"type": "text", "text": text}],
                "created_at": f"2026-03-01T09:00:{number:02}.000000Z",
                "attachments": [],
                "files": [],
            }
            for number, text in enumerate(texts)
        ],
        **fields,
    }


def chatgpt(id: str, *texts: str, updated: float = 1772359200.5, **fields: object) -> dict[str, Any]:
    """A conversation of ChatGPT, the user and the model in turn, below the empty node that each begins with."""
    nodes: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    above = "root"
    for number, text in enumerate(texts):
        node = f"{id}-{number}"
        nodes[node] = {
            "id": node,
            "parent": above,
            "children": [],
            "message": {
                "id": node,
                "author": {"role": "assistant" if number % 2 else "user"},
                "content": {"content_type": "text", "parts": [text]},
                "create_time": 1772355600.0 + number,
                "recipient": "all",
                "metadata": {},
            },
        }
        nodes[above]["children"].append(node)
        above = node
    return {
        "conversation_id": id,
        "title": f"About {id}",
        "create_time": 1772355600.0,
        "update_time": updated,
        "mapping": nodes,
        "current_node": above,
        **fields,
    }


def write_zip(path: Path, conversations: Sequence[object], **members: str) -> Path:
    """An export, with files about the user beside its conversations."""
    others: Mapping[str, str] = {"users.json": PRIVATE, "user.json": PRIVATE, **members}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(conversations))
        for name, text in others.items():
            archive.writestr(name, text)
    return path
