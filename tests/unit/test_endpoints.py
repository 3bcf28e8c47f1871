"""The address of a language model: read in one way, and on this machine unless the user allows another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.endpoints import Endpoint, parse_endpoint
from imprint.domain.settings import specs
from imprint.errors import InvalidEndpointError, InvalidSettingError, RemoteLanguageModelError
from imprint.plugins import LanguageModelSettings


def test_an_address_is_taken_apart():
    assert parse_endpoint("http://127.0.0.1:11434/v1/") == Endpoint(
        is_secure=False, host="127.0.0.1", port=11434, path="/v1"
    )
    assert parse_endpoint("https://models.example") == Endpoint(
        is_secure=True, host="models.example", port=443, path=""
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "[::1]", "localhost", "LOCALHOST"])
def test_loopback_is_this_machine(host: str):
    assert parse_endpoint(f"http://{host}:8080/v1").is_local


@pytest.mark.parametrize(
    "host",
    [
        "models.example",
        "10.0.0.2",
        "192.168.1.5",
        "0.0.0.0",
        "127.0.0.1.nip.io",
        "localhost.models.example",
        "127.1",
        "2130706433",
        "0x7f000001",
        "[::]",
        "[fe80::1]",
        "169.254.169.254",
    ],
)
def test_what_is_not_plainly_loopback_is_refused_unless_it_is_allowed(host: str):
    with pytest.raises(RemoteLanguageModelError) as caught:
        LanguageModelSettings(url=f"http://{host}:11434/v1", model="m")

    assert caught.value.place == host.strip("[]")
    assert "allow_remote" in (caught.value.hint or "")
    assert LanguageModelSettings(url=f"http://{host}:11434/v1", model="m", allow_remote=True).allow_remote


@pytest.mark.parametrize("model", ["gpt-oss:120b-cloud", "kimi-k2:cloud"])
def test_a_model_that_the_local_program_hands_on_to_another_machine_is_refused(model: str):
    with pytest.raises(RemoteLanguageModelError) as caught:
        LanguageModelSettings(url="http://127.0.0.1:11434/v1", model=model)

    assert caught.value.place == model


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:11434",
        "localhost",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "http://",
        "http:///v1",
        "http://127.0.0.1:port/v1",
        "http://127.0.0.1:99999/v1",
        "http://user:word@127.0.0.1/v1",
        "http://127.0.0.1@models.example/v1",
        "http://127.0.0.1\\@models.example/v1",
        "http://127.0.0.1/v1?key=1",
        "http://127.0.0.1/v1#part",
        "http://127.0.0.1/v1\r\nHost: models.example",
        "http://127.0.0.1\t.models.example/",
        "http://[::1/v1",
        "http://１２７.0.0.1/v1",
    ],
)
def test_what_is_no_plain_address_is_refused(url: str):
    with pytest.raises(InvalidEndpointError) as caught:
        parse_endpoint(url)

    assert caught.value.setting == "language_model.url"


@given(url=st.text() | st.from_regex(r"https?://[\w.@:\[\]\\%-]{0,20}(/[\w?#%]{0,9})?", fullmatch=True))
def test_any_address_is_taken_apart_or_refused(url: str):
    try:
        endpoint = parse_endpoint(url)
    except InvalidEndpointError:
        return

    assert endpoint.host
    assert 0 <= endpoint.port <= 65_535
    assert (
        not endpoint.is_local
        or endpoint.host.lower() in ("localhost", "::1")
        or endpoint.host.startswith(("127.", "0", "::", "7f"))
    )


@pytest.mark.parametrize("key", ["a\r\nHost: models.example", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_told(key: str):
    with pytest.raises(InvalidSettingError) as caught:
        LanguageModelSettings(url="http://127.0.0.1/v1", model="m", api_key=key)

    assert key not in str(caught.value)
    assert "secret" not in repr(LanguageModelSettings(api_key="secret"))


def test_no_variable_chooses_who_is_told_what_was_said():
    """Repositories can set variables."""
    assert all(not spec.environment for spec in specs() if spec.section == "language_model")
