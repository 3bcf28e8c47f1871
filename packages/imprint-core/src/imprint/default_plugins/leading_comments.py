"""Comments and attributes right above a definition, which belong to it."""

from collections.abc import Sequence

__all__ = ["first_line_with_comments"]

_LONGEST_COMMENT = 200


def first_line_with_comments(lines: Sequence[str], line: int, leads: tuple[str, ...]) -> int:
    """The first of the comment lines directly above a line, itself if there is none; both 1-based.

    Args:
        leads: What such a line begins with; block comments ``/* … */`` count whenever ``//`` does. ``#!`` belongs to
            the whole file.
    """
    while line > 1:
        above = lines[line - 2].strip()
        if above.startswith(leads) and not above.startswith("#!"):
            line -= 1
        elif above.endswith("*/") and "//" in leads and (start := _block_start(lines, line - 1)):
            line = start
        else:
            break
    return line


def _block_start(lines: Sequence[str], line: int) -> int | None:
    for candidate in range(line, max(line - _LONGEST_COMMENT, 0), -1):
        text = lines[candidate - 1]
        if "/*" in text:
            return candidate if text.lstrip().startswith("/*") else None
    return None
