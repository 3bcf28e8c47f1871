"""Gemini CLI's rules about tools: a file of ours beside the user's, ``policies/imprint.toml``.

A rule that the user makes by saying yes for good outranks both. In plan mode nothing is allowed that was not before.
"""

import json
import re

import attrs

from imprint.domain.config_text.encoded_text import decode_text
from imprint.domain.config_text.toml_text import read_toml
from imprint_client_plugins.our_server import ASKING_TOOLS, SERVER

__all__ = ["PolicyPart"]

_BLOCK = re.compile(r"# imprint:begin\n.*?# imprint:end\n", re.DOTALL)
_RULES = f"""\
# imprint:begin
[[rule]]
mcpName = "{SERVER}"
toolName = "*"
decision = "allow"
priority = 100
modes = ["default", "autoEdit", "yolo"]

[[rule]]
mcpName = "{SERVER}"
toolName = {json.dumps(ASKING_TOOLS)}
decision = "ask_user"
priority = 200
# imprint:end
"""


@attrs.frozen
class PolicyPart:
    """Our rules, between two comments; meets `imprint_client_plugins.registrations.Part`."""

    def put_in(self, data: bytes, place: str) -> bytes:
        read_toml(data, place)
        text = decode_text(data, place)
        if _BLOCK.search(text):
            text = _BLOCK.sub(lambda _: _RULES, text)
        else:
            text += f"\n{_RULES}" if text and not text.endswith("\n") else _RULES
        written = text.encode()
        read_toml(written, place)  # where something else stands in the place of rules, they cannot be added
        return written

    def take_out(self, data: bytes, before: bytes | None, place: str) -> bytes:
        del before
        read_toml(data, place)
        return _BLOCK.sub("", decode_text(data, place)).encode()

    def is_blank(self, data: bytes) -> bool:
        return not data.strip()
