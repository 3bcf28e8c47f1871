"""Messages as Gemini's API has them, in the transcripts of Gemini CLI and of what was made of it: text, or parts."""

from imprint_client_plugins.transcript_lines import spoken

__all__ = ["join_texts", "texts_of"]

# What a message refers to with ``@`` is pasted behind it: a file's content is nobody's words.
_REFERRED = "--- Content from referenced files ---"


def texts_of(content: object) -> list[str]:
    """The texts of a message: neither thoughts nor calls of tools and their results."""
    parts = content if isinstance(content, list) else [content]
    return [text for part in parts if (text := _text(part))]


def join_texts(texts: list[str]) -> str:
    """Texts as one, up to the files that it refers to."""
    return spoken("\n\n".join(filter(None, map(spoken, texts))).partition(_REFERRED)[0])


def _text(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("thought"):
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else ""
