"""Settings: one class a section, and layers that say where each value came from.

A setting's key is ``section.name``. Layers are laid over each other, lowest first: defaults, the file, the environment,
arguments. Each layer gives raw values (TOML values from the file, text from elsewhere); this module alone decides what
they mean.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeVar

import attrs

from imprint.errors import InvalidSettingError, UnknownSettingError

__all__ = [
    "MOST_RESULTS",
    "EmbedderSection",
    "HooksSection",
    "IngestSection",
    "LanguageModelSection",
    "Layer",
    "Origin",
    "PluginsSection",
    "RedactionSection",
    "SearchSection",
    "SettingSpec",
    "SettingValue",
    "Settings",
    "SettingsReport",
    "VectorsSection",
    "WorkspaceSection",
    "environment_layer",
    "find_spec",
    "flatten",
    "parse_value",
    "resolve",
    "specs",
]

SettingValue = str | bool | int | tuple[str, ...]

MOST_RESULTS = 1000
"""More passages than that nobody reads, and each costs its comparison with the others."""

_Value = TypeVar("_Value", str, bool, int, tuple[str, ...])


class Origin(StrEnum):
    """The layer a value came from."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    ARGUMENT = "argument"


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


@attrs.frozen(kw_only=True)
class SettingSpec:
    """What is known about a setting before it has a value."""

    key: str
    default: SettingValue
    help: str
    environment: str
    minimum: int | None
    maximum: int | None

    @property
    def section(self) -> str:
        return self.key.partition(".")[0]

    @property
    def name(self) -> str:
        return self.key.partition(".")[2]

    @property
    def names_workspace(self) -> bool:
        """Whether its values are the names of this device's workspaces."""
        return self.section == "workspace"

    @property
    def changes_connections(self) -> bool:
        """Whether what is registered with clients depends on it."""
        return self.section == "hooks"


@attrs.frozen(kw_only=True)
class Layer:
    """Raw values of one origin, by key; ``place`` is the file or what else a person would look at."""

    origin: Origin
    values: Mapping[str, object]
    place: str = ""


@attrs.frozen(kw_only=True)
class SettingsReport:
    """The settings and, by key, the layer each value came from."""

    settings: Settings
    values: Mapping[str, SettingValue]
    origins: Mapping[str, Origin]


def specs() -> tuple[SettingSpec, ...]:
    """Every setting there is, in the order of the sections."""
    return tuple(_specs())


def find_spec(key: str) -> SettingSpec:
    """Look a setting up.

    Raises:
        UnknownSettingError: There is no such setting.
    """
    return _find(key, place="")


def parse_value(key: str, raw: object, *, place: str = "") -> SettingValue:
    """Turn text or a TOML value into the setting's own type.

    Raises:
        UnknownSettingError: There is no such setting.
        InvalidSettingError: The value is of another type, or out of bounds.
    """
    spec = _find(key, place=place)
    if isinstance(spec.default, tuple):
        return _parse_names(spec, raw, place)
    if isinstance(spec.default, bool):
        return _parse_switch(spec, raw, place)
    if isinstance(spec.default, int):
        return _parse_number(spec, raw, place)
    if isinstance(raw, str):
        return raw.strip()
    raise InvalidSettingError(key=key, value=_shown(raw), expected="text", place=place)


def resolve(layers: Sequence[Layer]) -> SettingsReport:
    """Lay layers over the defaults; later ones win.

    Raises:
        UnknownSettingError: A layer names a setting that does not exist.
        InvalidSettingError: A layer's value is not one the setting takes.
    """
    values = {spec.key: spec.default for spec in specs()}
    origins = dict.fromkeys(values, Origin.DEFAULT)
    for layer in layers:
        for key, raw in layer.values.items():
            values[key] = parse_value(key, raw, place=layer.place)
            origins[key] = layer.origin
    return SettingsReport(settings=_build(values), values=values, origins=origins)


def environment_layer(environ: Mapping[str, str]) -> Layer:
    """The settings that environment variables give; an empty variable gives none."""
    values = {spec.key: environ[spec.environment] for spec in specs() if environ.get(spec.environment)}
    return Layer(origin=Origin.ENVIRONMENT, values=values, place="the environment")


def flatten(document: Mapping[str, object]) -> dict[str, object]:
    """A parsed TOML document as values by key; what is no section keeps its bare name, and is an unknown setting."""
    flat: dict[str, object] = {}
    for section, content in document.items():
        if isinstance(content, Mapping):
            flat.update({f"{section}.{name}": value for name, value in content.items()})
        else:
            flat[section] = content
    return flat


def _specs() -> Iterator[SettingSpec]:
    for section, cls in _sections():
        for field in attrs.fields(cls):
            yield SettingSpec(
                key=f"{section}.{field.name}",
                default=field.default,
                help=field.metadata["help"],
                environment=field.metadata["environment"],
                minimum=field.metadata["minimum"],
                maximum=field.metadata["maximum"],
            )


def _sections() -> Iterator[tuple[str, type[Any]]]:
    return ((field.name, type(field.default)) for field in attrs.fields(Settings))


def _find(key: str, *, place: str) -> SettingSpec:
    known = {spec.key: spec for spec in specs()}
    if key in known:
        return known[key]
    nearest = get_close_matches(key, known, n=1, cutoff=0.6)
    raise UnknownSettingError(key=key, nearest=nearest[0] if nearest else None, place=place)


def _build(values: Mapping[str, SettingValue]) -> Settings:
    sections: dict[str, Any] = {
        section: cls(**{field.name: values[f"{section}.{field.name}"] for field in attrs.fields(cls)})
        for section, cls in _sections()
    }
    return Settings(**sections)


def _parse_names(spec: SettingSpec, raw: object, place: str) -> tuple[str, ...]:
    if isinstance(raw, str):
        return tuple(name for part in raw.split(",") if (name := part.strip()))
    if isinstance(raw, list | tuple) and all(isinstance(item, str) for item in raw):
        return tuple(raw)
    raise InvalidSettingError(key=spec.key, value=_shown(raw), expected="a list of names", place=place)


def _parse_switch(spec: SettingSpec, raw: object, place: str) -> bool:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.strip() in ("true", "false"):
        return raw.strip() == "true"
    raise InvalidSettingError(key=spec.key, value=_shown(raw), expected="true or false", place=place)


def _parse_number(spec: SettingSpec, raw: object, place: str) -> int:
    expected = "a whole number" if spec.minimum is None else f"a whole number of at least {spec.minimum}"
    if spec.maximum is not None:
        expected += f" and at most {spec.maximum}"
    refusal = InvalidSettingError(key=spec.key, value=_shown(raw), expected=expected, place=place)
    if isinstance(raw, bool) or not isinstance(raw, int | str):
        raise refusal
    try:
        number = int(raw)
    except ValueError:
        raise refusal from None
    if (spec.minimum is not None and number < spec.minimum) or (spec.maximum is not None and number > spec.maximum):
        raise refusal
    return number


def _shown(raw: object) -> str:
    return str(raw)[:200]
