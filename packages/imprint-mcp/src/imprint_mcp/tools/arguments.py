"""Types of arguments: flat, with plain defaults, and lenient where clients are known to differ."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

__all__ = ["Flag", "Number", "Ref", "Text", "Workspace"]


def _none_as(default: Any) -> BeforeValidator:
    """Some clients send null for what they leave out."""
    return BeforeValidator(lambda value: default if value is None else value)


def _as_text(value: Any) -> Any:
    """Ids are shown as numbers, and some models send them so."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Text = Annotated[str, _none_as("")]
Number = Annotated[int, _none_as(0)]
Flag = Annotated[bool, _none_as(False)]
Ref = Annotated[str, BeforeValidator(_as_text)]
Workspace = Annotated[Text, Field(description="Name of a workspace; empty: this session's.")]
