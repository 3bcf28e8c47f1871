"""Settings: what layers say, which wins, and how a wrong one is told."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.setting_sections import Settings
from imprint.domain.settings import Layer, Origin, environment_layer, find_spec, flatten, parse_value, resolve, specs
from imprint.errors import InvalidSettingError, UnknownSettingError


def layer(origin: Origin, **values: object) -> Layer:
    return Layer(origin=origin, values={key.replace("__", "."): value for key, value in values.items()})


def test_without_layers_every_value_is_the_default():
    report = resolve([])

    assert report.settings == Settings()
    assert set(report.origins.values()) == {Origin.DEFAULT}
    assert list(report.values) == [spec.key for spec in specs()]


def test_the_last_layer_wins_and_every_value_knows_its_layer():
    report = resolve(
        [
            layer(Origin.FILE, search__limit=5, vectors__backend="exotic"),
            layer(Origin.ENVIRONMENT, search__limit="6"),
            layer(Origin.ARGUMENT, search__limit=7),
        ]
    )

    assert report.settings.search.limit == 7
    assert report.origins["search.limit"] is Origin.ARGUMENT
    assert report.origins["vectors.backend"] is Origin.FILE
    assert report.origins["embedder.plugin"] is Origin.DEFAULT


def test_every_setting_reads_its_own_variable():
    environ = {spec.environment: "7" for spec in specs() if spec.environment}

    values = environment_layer(environ).values

    assert set(values) == {spec.key for spec in specs() if spec.environment}


def test_a_variable_cannot_choose_a_workspace():
    """Repositories can set variables."""
    assert all(not spec.environment for spec in specs() if spec.section == "workspace")


def test_an_empty_variable_is_no_value():
    assert environment_layer({"IMPRINT_SEARCH_LIMIT": ""}).values == {}


def test_a_list_is_written_with_commas_in_the_environment_and_as_a_list_in_the_file():
    assert parse_value("plugins.blocked", " a, b ,") == ("a", "b")
    assert parse_value("plugins.blocked", ["a", "b"]) == ("a", "b")


@pytest.mark.parametrize(("raw", "value"), [(True, True), ("true", True), (" false ", False)])
def test_a_switch_is_true_or_false(raw: object, value: bool):
    assert parse_value("language_model.allow_remote", raw) is value


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("search.limit", "many"),
        ("search.limit", 0),
        ("search.limit", 10**30),
        ("search.limit", True),
        ("search.limit", 1.5),
        ("embedder.plugin", 3),
        ("plugins.blocked", [1]),
        ("plugins.blocked", 1),
        ("language_model.allow_remote", "yes"),
        ("language_model.allow_remote", 1),
        ("language_model.timeout_seconds", True),
    ],
)
def test_a_value_of_another_type_or_out_of_bounds_is_refused(key: str, raw: object):
    with pytest.raises(InvalidSettingError) as caught:
        parse_value(key, raw, place="config.toml")

    assert (caught.value.key, caught.value.place) == (key, "config.toml")


def test_an_unknown_setting_is_told_with_the_nearest_spelling():
    with pytest.raises(UnknownSettingError) as caught:
        resolve([Layer(origin=Origin.FILE, values={"serch.limit": 3}, place="config.toml")])

    assert (caught.value.key, caught.value.nearest) == ("serch.limit", "search.limit")
    assert caught.value.place == "config.toml"


def test_an_unknown_setting_that_resembles_none_suggests_none():
    with pytest.raises(UnknownSettingError) as caught:
        find_spec("zzz")

    assert caught.value.nearest is None


def test_a_document_becomes_values_by_key():
    assert flatten({"search": {"limit": 3}, "loose": 1}) == {"search.limit": 3, "loose": 1}


_texts = st.text(max_size=20)
_raws = st.none() | st.booleans() | st.integers() | st.floats() | _texts | st.lists(_texts, max_size=3)


@given(st.sampled_from([spec.key for spec in specs()]) | _texts, _raws)
def test_any_value_is_parsed_to_the_settings_own_type_or_refused(key: str, raw: object):
    try:
        value = parse_value(key, raw)
    except (InvalidSettingError, UnknownSettingError):
        return

    assert type(value) is type(find_spec(key).default)
    assert parse_value(key, value) == value


def test_every_setting_has_help_and_a_section_of_its_own_name():
    for spec in specs():
        section = getattr(Settings(), spec.section)

        assert spec.help.endswith(".") or spec.help.endswith("s")
        assert spec.default == getattr(section, spec.name)
        assert attrs.has(type(section))
