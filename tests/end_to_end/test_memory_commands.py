"""Remembering, searching, showing and forgetting, run as programs."""

import pytest
from real_program import Program


def test_what_is_remembered_is_found_shown_and_forgotten(program: Program):
    remembered = program.run("remember", "We deploy from the release branch only.", "--kind", "decision", "--json")
    found = program.run("search", "where do we deploy from", "--json")
    (result,) = found.json["results"]
    shown = program.run("show", result["id"], "--json")
    forgotten = program.run("forget", result["id"], "--json")

    assert list(remembered.json) == ["workspace", "reason", "source", "ids", "repeated", "redactions"]
    assert list(found.json) == ["workspace", "reason", "query", "relevant", "notes", "results"]
    assert set(result) == {"id", "workspace", "source", "kind", "project", "lines", "score", "text", "timestamp"}
    assert (result["kind"], result["text"]) == ("decision", "We deploy from the release branch only.")
    assert shown.json["text"] == result["text"]
    assert forgotten.json["forgotten"] == [remembered.json["source"]]
    assert not program.run("search", "deploy", "--json").json["relevant"]


def test_nothing_relevant_is_an_answer_not_a_failure(program: Program):
    program.run("remember", "We deploy from the release branch only.")

    done = program.run("search", "photosynthesis of ferns")

    assert done.code == 0
    assert done.stdout == 'nothing relevant in workspace "default"\n'


def test_searching_where_nothing_is_indexed_says_what_to_do_first(program: Program):
    empty = program.run("search", "photosynthesis of ferns")
    quiet = program.run("search", "photosynthesis of ferns", "--json")
    program.run("workspace", "create", "acme")
    everywhere = program.run("search", "photosynthesis of ferns", "--all-workspaces")
    program.run("remember", "We deploy from the release branch only.")
    filled = program.run("search", "photosynthesis of ferns")

    assert "nothing is indexed in workspace \"default\" yet; run 'imprint ingest PATH'" in empty.stderr
    assert "nothing is indexed in any workspace yet" in everywhere.stderr
    assert (empty.code, quiet.code, quiet.stderr) == (0, 0, "")
    assert "nothing is indexed" not in filled.stderr


def test_a_project_that_no_source_has_is_told_with_the_nearest(program: Program):
    program.run("add-text", "runbook.md", "--project", "billing", stdin="Drain the queue before you restart.\n")

    misspelt = program.run("search", "how to restart", "--project", "biling")
    known = program.run("search", "photosynthesis of ferns", "--project", "billing")

    assert 'no source has the project "biling"; did you mean "billing"?' in misspelt.stderr
    assert "no source has the project" not in known.stderr


@pytest.mark.parametrize("command", [["search", "x"], ["sources"], ["move", "--from", "default", "--to", "acme"]])
def test_a_kind_that_is_none_is_answered_with_the_kinds(program: Program, command: list[str]):
    program.run("workspace", "create", "acme")

    done = program.run(*command, "--kind", "banana", "--json")

    assert (done.code, done.error["type"]) == (2, "UsageError")
    assert "code, document, conversation, web, memory, decision, preference" in done.error["message"]


def test_several_words_are_one_question(program: Program):
    program.run("remember", "We deploy from the release branch only.")

    done = program.run("search", "where", "do", "we", "deploy", "from", "--json")

    assert done.json["query"] == "where do we deploy from"
    assert done.json["relevant"]


def test_a_result_is_a_place_a_score_and_the_text_itself(program: Program):
    program.run("add-text", "runbook.md", stdin="# Runbook\n\n## Restart\n\nDrain the queue before you restart.\n")

    done = program.run("search", "how to restart")

    head, *_, text = done.stdout.rstrip().split("\n")
    assert head.startswith("1. text:runbook.md:")
    assert "Runbook" in head
    assert "score" in head
    assert "Drain the queue before you restart." in text
    assert done.stderr.startswith('workspace "default" — ')


def test_quiet_leaves_the_results_only(program: Program):
    program.run("remember", "quiet works")

    done = program.run("--quiet", "search", "quiet works")

    assert done.code == 0
    assert done.stderr == ""


def test_what_a_terminal_is_told_about_a_search_is_in_its_json_too(program: Program):
    empty = program.run("search", "heron", "--json").json["notes"]
    program.run("remember", "The staging database is called heron.", "--project", "acme")

    corrected = program.run("search", "staging databse", "--json").json["notes"]
    elsewhere = program.run("search", "heron", "--project", "acne", "--json").json["notes"]
    plain = program.run("search", "heron", "--json").json["notes"]

    assert empty == ["nothing is indexed in workspace \"default\" yet; run 'imprint ingest PATH'"]
    assert corrected == ["searched for 'database': 'databse' occurs nowhere"]
    assert elsewhere == ['no source has the project "acne"; did you mean "acme"?']
    assert plain == []
    assert f"note: {corrected[0]}" in program.run("search", "staging databse").stderr


def test_all_workspaces_are_searched_when_that_is_asked_for(program: Program):
    program.run("workspace", "create", "acme")
    program.run("remember", "The gateway speaks gRPC.", "--workspace", "acme")

    here = program.run("search", "gateway", "--json")
    everywhere = program.run("search", "gateway", "--all-workspaces", "--json")

    assert here.json["results"] == []
    assert [result["workspace"] for result in everywhere.json["results"]] == ["acme"]


def test_an_unknown_id_is_an_error_and_nothing_is_forgotten(program: Program):
    id = program.run("remember", "Keep me.", "--json").json["ids"][0]

    done = program.run("forget", id, "999", "--json")

    assert (done.code, done.error["ids"]) == (3, ["999"])
    assert program.run("show", id).stdout == "Keep me.\n"


def test_remembering_reads_a_page_from_stdin(program: Program):
    program.run("remember", "-", stdin="Line one.\n\nLine two.\n")

    assert program.run("search", "line two", "--json").json["results"][0]["text"] == "Line one.\n\nLine two."


def test_terminal_codes_in_stored_text_are_disarmed(program: Program):
    program.run("remember", "danger \x1b[31mred\x1b[0m zone")

    assert "\x1b" not in program.run("search", "danger zone").stdout


@pytest.mark.parametrize("words", [["remember", ""], ["add-text", "empty"], ["search", " "]])
def test_nothing_at_all_is_a_usage_error(program: Program, words: list[str]):
    assert program.run(*words, "--json").code == 2


def test_a_kind_of_memory_that_does_not_exist_is_told_with_those_that_do(program: Program):
    done = program.run("remember", "x", "--kind", "decison", "--json")

    assert done.code == 2
    assert "decision" in done.error["known"]


def test_sources_are_one_object_a_line(program: Program):
    program.run("add-text", "a.md", stdin="# A\n")
    program.run("remember", "b")

    done = program.run("sources", "--json")

    assert [line["source"].split(":")[0] for line in done.json_lines] == ["memory", "text"]
    assert list(done.json_lines[0]) == ["workspace", "source", "kind", "project", "passages", "indexed"]


def test_facts_begin_hold_and_end(program: Program):
    added = program.run("facts", "add", "billing", "is written in", "Go", "--from", "2026-01-01", "--json")
    again = program.run("facts", "add", "billing", "is written in", "Go", "--from", "2026-01-01", "--json")
    ended = program.run("facts", "end", str(added.json["id"]), "--at", "2026-06-01", "--json")

    assert (added.json["added"], again.json["added"]) == (True, False)
    assert ended.json["until"].startswith(("2026-05-31", "2026-06-01"))
    assert program.run("facts", "list", "--json").json_lines == []
    assert len(program.run("facts", "list", "--at", "2026-03-01", "--json").json_lines) == 1
    assert len(program.run("facts", "history", "--json").json_lines) == 1


def test_a_fact_that_does_not_exist_cannot_end(program: Program):
    done = program.run("facts", "end", "7", "--json")

    assert (done.code, done.error["type"]) == (3, "UnknownFactError")


def test_a_time_that_is_none_is_answered_with_examples(program: Program):
    done = program.run("search", "x", "--since", "soonish", "--json")

    assert (done.code, done.error["type"]) == (2, "InvalidTimeError")
    assert "last week" in done.error["hint"]


@pytest.mark.parametrize("words", [["remember", "-"], ["add-text", "note"]])
def test_what_was_just_written_down_is_found_by_its_meaning(program: Program, words: list[str]):
    """The question shares no word with the text, so only vectors can find it."""
    program.run(*words, stdin="Doctors prescribe medicine to patients.")

    by_meaning = program.run("search", "physicians and medication", "--json")
    status = program.run("status", "--json").json
    program.run("config", "set", "embedder.plugin", "")
    by_words = program.run("search", "physicians and medication", "--json")

    assert [result["text"] for result in by_meaning.json["results"]] == ["Doctors prescribe medicine to patients."]
    assert by_words.json["results"] == []
    assert (status["vectors"], status["pending"]) == (1, 0)


def test_a_rescan_takes_out_what_the_settings_had_allowed(program: Program):
    secret = "ghp_" + "aB3dE6gH9" * 4
    program.run("config", "set", "redaction.allow", "ghp_.*")
    kept = program.run("remember", f"The deploy token is {secret}.", "--json")
    program.run("config", "unset", "redaction.allow")

    rescanned = program.run("doctor", "--rescan-secrets")
    found = program.run("search", "deploy token")
    again = program.run("remember", f"The build token is {secret}.")

    assert kept.json["redactions"] == 0
    assert 'workspace "default": 1 secret taken out' in rescanned.stderr
    assert "The deploy token is [redacted GitHub token]." in found.stdout
    assert again.stdout.endswith('in workspace "default", without 1 secret\n')
