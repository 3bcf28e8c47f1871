"""Errors of language models, and of the programs that run them."""

import attrs

from imprint.errors.branches import PluginError, RefusedError, UsageError

__all__ = [
    "InvalidEndpointError",
    "LanguageModelAnswerError",
    "LanguageModelTimeoutError",
    "LanguageModelUnreachableError",
    "RemoteLanguageModelError",
]


@attrs.define
class InvalidEndpointError(UsageError):
    """The settings of a language model do not say whom to ask.

    Attributes:
        setting: The one that is wrong.
    """

    setting: str
    reason: str

    def __str__(self) -> str:
        return f"{self.setting} names no language model: {self.reason}"

    @property
    def hint(self) -> str | None:
        return (
            "set language_model.url to the program's address, such as http://127.0.0.1:11434/v1, "
            "and language_model.model to the name it knows the model by"
        )


@attrs.define
class RemoteLanguageModelError(RefusedError):
    """The language model is not on this machine, and nobody has allowed that.

    Attributes:
        place: The machine, or the model that is known to run on another one.
    """

    place: str

    def __str__(self) -> str:
        return f"what was said would leave this machine: the language model at {self.place!r} is a remote one"

    @property
    def hint(self) -> str | None:
        return (
            "name a program on this machine, such as http://127.0.0.1:11434/v1; or, if your conversations may go "
            "there, run 'imprint config set language_model.allow_remote true'"
        )


@attrs.define
class LanguageModelUnreachableError(PluginError):
    """Nothing answers at a language model's address."""

    url: str
    reason: str

    def __str__(self) -> str:
        return f"the language model at {self.url} cannot be reached: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "start the program that runs it, or run 'imprint config unset language_model.plugin'"


@attrs.define
class LanguageModelTimeoutError(PluginError):
    """A language model takes longer than it may."""

    url: str
    seconds: int

    def __str__(self) -> str:
        return f"the language model at {self.url} gave no answer within {self.seconds} s"

    @property
    def hint(self) -> str | None:
        return "raise language_model.timeout_seconds, lower language_model.max_characters, or take a smaller model"


@attrs.define
class LanguageModelAnswerError(PluginError):
    """What a language model answered cannot be used; nothing of it is."""

    model: str
    reason: str

    def __str__(self) -> str:
        return f"the answer of the language model {self.model!r} cannot be used: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "where this goes on, take a larger model, or run 'imprint config unset language_model.plugin'"
