"""Group ``imprint.language_models``: a text is answered by a model."""

from contextlib import AbstractContextManager

from imprint.plugins.language_models import LanguageModelInfo, LanguageModelSettings
from imprint.plugins.specs import hookspec
from imprint.protocols.language_models import LanguageModel

__all__ = ["describe_language_model", "open_language_model"]


@hookspec(firstresult=True)
def describe_language_model() -> LanguageModelInfo:
    """Say what this language model is. Pure, and without heavy imports: listing plugins calls it.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def open_language_model(settings: LanguageModelSettings) -> AbstractContextManager[LanguageModel]:
    """Give back a model that can be asked; leaving the context manager frees it. Nobody is asked before a question.

    Import what is heavy here, in the body. Ask nobody but the program at ``settings.url``, whatever that program or the
    environment (proxies, redirects) would lead to.

    Args:
        settings: Whom to ask, and how long to wait.

    Raises:
        InvalidEndpointError: The settings do not say enough.
        ImprintError: A typed error of yours goes to the user as it is; any other exception becomes a
            `PluginCallError` that names the plugin.

    .. versionadded:: 0.1
    """
