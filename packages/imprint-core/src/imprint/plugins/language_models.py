"""What language models say about themselves, and what they are opened with."""

import attrs

from imprint.domain.endpoints import parse_endpoint
from imprint.errors import InvalidSettingError, RemoteLanguageModelError

__all__ = ["LanguageModelInfo", "LanguageModelSettings"]

_CLOUD_MODELS = ("-cloud", ":cloud")
"""How Ollama's names of models end that it hands on to another machine, although it is asked on this one."""


@attrs.frozen(kw_only=True)
class LanguageModelInfo:
    """What a language model says about itself before it is opened.

    Attributes:
        name: What its entry point is named.
        summary: One line for lists.
        has_endpoint: It asks a program at `LanguageModelSettings.url`, with the OpenAI-compatible chat completions;
            further checks prove how.

    .. versionadded:: 0.1
    """

    name: str
    summary: str
    has_endpoint: bool = False


@attrs.frozen(kw_only=True)
class LanguageModelSettings:
    """What a language model is opened with. Settings that would lead away from this machine cannot be made.

    Attributes:
        url: Address of a program that runs models; empty where the plugin needs none.
        model: Which model, in the plugin's or the program's own words.
        api_key: What the program asks for; empty where it asks for nothing. It stands in no error and no log.
        timeout_seconds: How long one answer may take.
        allow_remote: The user allows that the program is on another machine.

    Raises:
        InvalidEndpointError: The address is none.
        RemoteLanguageModelError: It leads to another machine, or the model's name does, and that is not allowed.
        InvalidSettingError: The key cannot be sent.

    .. versionadded:: 0.1
    """

    url: str = ""
    model: str = ""
    api_key: str = attrs.field(default="", repr=False)
    timeout_seconds: int = 120
    allow_remote: bool = False

    def __attrs_post_init__(self) -> None:
        if not (self.api_key.isascii() and self.api_key.isprintable()):
            raise InvalidSettingError("language_model.api_key_variable", "what it holds", "the variable of a key")
        if self.url and not (endpoint := parse_endpoint(self.url)).is_local and not self.allow_remote:
            raise RemoteLanguageModelError(endpoint.host)
        if self.model.endswith(_CLOUD_MODELS) and not self.allow_remote:
            raise RemoteLanguageModelError(self.model)
