"""A person sets a local model up, learns with it, and sees in `doctor` when it fails; over real HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from real_program import Program

from imprint.testing.endpoints import Reply, StandInEndpoint, completion, serve_endpoint

QUESTION = "Tabs it is, for every file of ours."
POINTED_AT = {"insights": [{"kind": "preference", "quotes": [QUESTION]}], "outcome": []}


@pytest.fixture
def endpoint() -> Iterator[StandInEndpoint]:
    """A model that points at one sentence."""
    with serve_endpoint(lambda _: completion(json.dumps(POINTED_AT), model="small:3b")) as running:
        yield running


@pytest.fixture
def home(program: Program, endpoint: StandInEndpoint) -> Program:
    """A conversation that was held, and a model that is set."""
    transcript(program, "one")
    for name, value in (("url", endpoint.url), ("model", "small"), ("plugin", "openai-compatible")):
        assert program.run("config", "set", f"language_model.{name}", value).code == 0
    return program


def transcript(program: Program, session: str) -> Path:
    path = program.home / ".claude" / "projects" / "-slug" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {"sessionId": session, "cwd": str(program.home), "timestamp": "2026-03-01T10:00:00.000Z"}
    lines = [
        {**about, "type": "user", "uuid": f"{session}-1", "message": {"role": "user", "content": QUESTION}},
        {
            **about,
            "type": "user",
            "uuid": f"{session}-2",
            "message": {"role": "user", "content": "We decided to wait."},
        },
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def language_model(program: Program) -> dict[str, str]:
    return next(one for one in program.run("doctor", "--json").json_lines if one["part"] == "language model")


def test_learning_asks_the_model_and_search_shows_who_found_what(home: Program, endpoint: StandInEndpoint):
    proxied = {"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9", "no_proxy": None}

    learned = home.spawn("learn", "--json", environ=proxied)
    found = home.run("search", "tabs for every file", "--kind", "preference", "--json").json["results"]

    assert (learned.code, learned.json["model_failures"]) == (0, 0)
    assert len(endpoint.requests) == 1
    assert "found by small:3b" in found[0]["text"]
    assert language_model(home)["state"] == "ok"


def test_a_model_that_fails_is_told_by_learn_and_by_doctor(home: Program, endpoint: StandInEndpoint):
    endpoint.reply = lambda _: Reply(status=500)

    learned = home.spawn("learn")
    diagnosed = language_model(home)

    assert learned.code == 0
    assert "read by rules, 1 conversation: the answer of the language model 'small'" in learned.stderr
    assert home.run("search", "decided to wait", "--kind", "decision", "--json").json["results"]
    assert (diagnosed["state"], "LanguageModelAnswerError" in diagnosed["message"]) == ("problem", True)
    assert home.run("doctor").code == 1


def test_a_remote_model_is_refused_until_it_is_allowed(home: Program, endpoint: StandInEndpoint):
    home.run("config", "set", "language_model.url", "https://models.example/v1")

    learned = home.run("learn", "--json")
    refused = language_model(home)
    home.run("config", "set", "language_model.allow_remote", "true")

    assert (learned.code, endpoint.requests) == (0, [])
    assert "models.example" in learned.json["model_failure"]
    assert "language_model.allow_remote" in refused["remedy"]
    assert home.run("config", "get", "language_model.allow_remote").stdout == "true\n"


def test_a_plugin_of_the_group_is_listed_shown_and_checked(program: Program):
    listed = program.run("plugins", "list", "--json").json_lines
    shown = program.run("plugins", "show", "language_models/openai-compatible", "--json").json
    checked = program.spawn("plugins", "check", "language_models/openai-compatible", "--json")

    assert ("language_models/openai-compatible", "ready") in {(one["plugin"], one["state"]) for one in listed}
    assert shown["details"]["has_endpoint"] is True
    assert checked.code == 0
    assert {"redirect-is-not-followed", "proxies-are-not-asked"} <= {one["check"] for one in checked.json_lines}


def test_a_variable_turns_no_model_on(program: Program, endpoint: StandInEndpoint):
    """A repository can set variables."""
    transcript(program, "one")
    environ = {"IMPRINT_LANGUAGE_MODEL_PLUGIN": "openai-compatible", "IMPRINT_LANGUAGE_MODEL_URL": endpoint.url}

    assert program.spawn("learn", environ=environ).code == 0
    assert endpoint.requests == []
