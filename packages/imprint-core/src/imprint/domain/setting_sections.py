"""Every setting there is: one class a section, with help, environment variable and bounds beside each default."""

from typing import TypeVar

import attrs

__all__ = [
    "MOST_RESULTS",
    "EmbedderSection",
    "HooksSection",
    "IngestSection",
    "LanguageModelSection",
    "PluginsSection",
    "RedactionSection",
    "SearchSection",
    "SettingValue",
    "Settings",
    "VectorsSection",
    "WorkspaceSection",
]

SettingValue = str | bool | int | tuple[str, ...]

MOST_RESULTS = 1000
"""More passages than that nobody reads, and each costs its comparison with the others."""

_Value = TypeVar("_Value", str, bool, int, tuple[str, ...])


def _setting(
    default: _Value, help: str, *, environment: str = "", minimum: int | None = None, maximum: int | None = None
) -> _Value:
    metadata = {"help": help, "environment": environment, "minimum": minimum, "maximum": maximum}
    value: _Value = attrs.field(default=default, metadata=metadata)
    return value


@attrs.frozen(kw_only=True)
class WorkspaceSection:
    """Which workspace is meant where nothing says so; every setting of this section names one.

    These two have no environment variable: a repository can set variables, and must not choose where a session goes.
    """

    unassigned: str = _setting("", "Workspace of sessions in a folder that nothing claims; empty: the active one.")
    inbox: str = _setting("", "Workspace of conversations that record no folder; empty: any workspace may learn them.")


@attrs.frozen(kw_only=True)
class IngestSection:
    """What is read into a workspace."""

    max_file_bytes: int = _setting(
        1_000_000,
        "Larger files are skipped.",
        environment="IMPRINT_INGEST_MAX_FILE_BYTES",
        minimum=1,
    )


@attrs.frozen(kw_only=True)
class SearchSection:
    """How much a search answers."""

    limit: int = _setting(
        8,
        "Passages a search shows when it is not told a number.",
        environment="IMPRINT_SEARCH_LIMIT",
        minimum=1,
        maximum=MOST_RESULTS,
    )


@attrs.frozen(kw_only=True)
class EmbedderSection:
    """What turns text into vectors."""

    plugin: str = _setting(
        "memvec", "Name of the embedder plugin; empty: full text only.", environment="IMPRINT_EMBEDDER_PLUGIN"
    )
    model: str = _setting(
        "",
        "Model of that plugin: a local folder or hub name where it takes one; empty: its default.",
        environment="IMPRINT_EMBEDDER_MODEL",
    )


@attrs.frozen(kw_only=True)
class VectorsSection:
    """Where vectors are searched."""

    backend: str = _setting("local", "Name of the vector backend plugin.", environment="IMPRINT_VECTORS_BACKEND")
    snapshot_threshold: int = _setting(
        500_000,
        "From so many vectors on, an approximate index is kept beside the exact one.",
        environment="IMPRINT_VECTORS_SNAPSHOT_THRESHOLD",
        minimum=1,
    )


@attrs.frozen(kw_only=True)
class HooksSection:
    """What a client's model is given unasked."""

    prompt_passages: int = _setting(
        0,
        "Passages that are put before the model with each prompt, once clients are connected anew; 0: none.",
        environment="IMPRINT_HOOKS_PROMPT_PASSAGES",
        minimum=0,
        maximum=10,
    )


@attrs.frozen(kw_only=True)
class PluginsSection:
    """Which plugins may load."""

    blocked: tuple[str, ...] = _setting(
        (),
        "Plugins that are never loaded, by NAME or GROUP/NAME; in the environment parted by commas.",
        environment="IMPRINT_PLUGINS_BLOCK",
    )


@attrs.frozen(kw_only=True)
class RedactionSection:
    """What is taken for a secret, and so kept out of what is stored.

    No environment variable decides: a repository can set them.
    """

    allow: tuple[str, ...] = _setting(
        (), "What is no secret: regular expressions for the whole of it, or its digest as `sha256:` and hexadecimal."
    )


@attrs.frozen(kw_only=True)
class LanguageModelSection:
    """Which language model reads conversations, if any.

    No environment variable decides: a repository can set them, and must not choose who is told what was said.
    """

    plugin: str = _setting("", "Name of the language model plugin that reads conversations; empty: rules read them.")
    url: str = _setting("", "Address of the program that runs the model, such as `http://127.0.0.1:11434/v1`.")
    model: str = _setting("", "Name that the program knows the model by.")
    api_key_variable: str = _setting("", "Environment variable that holds the program's key; empty: it asks for none.")
    timeout_seconds: int = _setting(120, "Seconds that one answer may take.", minimum=1, maximum=3_600)
    max_characters: int = _setting(
        24_000,
        "Characters that are sent at most; of a longer conversation the newest.",
        minimum=2_000,
        maximum=1_000_000,
    )
    allow_remote: bool = _setting(
        False, "Whether the program may be on another machine: what was said then leaves this one."
    )


@attrs.frozen(kw_only=True)
class Settings:
    """Every setting, by section."""

    workspace: WorkspaceSection = WorkspaceSection()
    ingest: IngestSection = IngestSection()
    search: SearchSection = SearchSection()
    embedder: EmbedderSection = EmbedderSection()
    vectors: VectorsSection = VectorsSection()
    hooks: HooksSection = HooksSection()
    plugins: PluginsSection = PluginsSection()
    redaction: RedactionSection = RedactionSection()
    language_model: LanguageModelSection = LanguageModelSection()
