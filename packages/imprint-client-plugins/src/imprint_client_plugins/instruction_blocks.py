"""Our block in the file of instructions that a client's model reads."""

import attrs

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK
from imprint.domain.config_text.markdown_blocks import put_block, take_block

__all__ = ["InstructionsPart"]


@attrs.frozen
class InstructionsPart:
    """Meets `imprint_client_plugins.registrations.Part`."""

    content: str

    def put_in(self, data: bytes, place: str) -> bytes:
        return put_block(data, self.content, place)

    def take_out(self, data: bytes, before: bytes | None, place: str) -> bytes:
        del before
        return take_block(data, place)

    def is_blank(self, data: bytes) -> bool:
        return not data.decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK).strip()
