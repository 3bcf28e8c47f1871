"""Settings in layers that say where each value came from.

A setting's key is ``section.name``. Layers are laid over each other, lowest first: defaults, the file, the environment,
arguments. Each layer gives raw values (TOML values from the file, text from elsewhere); this module alone decides what
they mean.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

import attrs

from imprint.domain.setting_sections import Settings, SettingValue
from imprint.errors import InvalidSettingError, UnknownSettingError

__all__ = [
    "Layer",
    "Origin",
    "SettingSpec",
    "SettingsReport",
    "environment_layer",
    "find_spec",
    "flatten",
    "parse_value",
    "resolve",
    "specs",
]


class Origin(StrEnum):
    """The layer a value came from."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    ARGUMENT = "argument"


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
