"""What Imprint itself puts into a conversation: marked where it is given, and known by the mark where it comes back.

A client writes what a hook told the model into its transcript, some of them into the user's own text. Learned again, a
memory would feed on itself.
"""

import re

__all__ = ["mark_context", "strip_context"]

_BEGIN = "<imprint-context>"
_END = "</imprint-context>"
# Only where a line begins: whoever speaks of the mark writes it inside a sentence. A client may cut a long one short.
_MARKED = re.compile(rf"^[ \t]*{_BEGIN}.*?(?:{_END}|\Z)", re.DOTALL | re.MULTILINE)


def mark_context(text: str) -> str:
    """Text for a model, marked as ours; a mark inside it does not end it."""
    harmless = text.replace(_END, _END.replace(">", " >"))
    return f"{_BEGIN}\n{harmless}\n{_END}"


def strip_context(text: str) -> str:
    """Text without what we put in; all the rest of it where a client cut the end of the mark off."""
    return _MARKED.sub("", text).strip() if _BEGIN in text else text
