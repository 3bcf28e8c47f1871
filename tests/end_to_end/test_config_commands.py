"""`imprint config`, run as programs."""

from real_program import Program

from imprint.domain.settings import specs


def test_settings_are_listed_with_their_origin(program: Program):
    program.run("config", "set", "search.limit", "3")

    done = program.run("config", "list", "--json", environ={"IMPRINT_VECTORS_BACKEND": "other"})

    origins = {line["key"]: line["origin"] for line in done.json_lines}
    assert list(origins) == [spec.key for spec in specs()]
    assert origins["search.limit"] == "file"
    assert origins["vectors.backend"] == "environment"
    assert origins["embedder.plugin"] == "default"


def test_a_setting_is_set_read_and_taken_out_again(program: Program):
    set_ = program.run("config", "set", "search.limit", "3", "--json")
    again = program.run("config", "set", "search.limit", "3", "--json")
    read = program.run("config", "get", "search.limit")
    unset = program.run("config", "unset", "search.limit", "--json")

    assert (set_.json["value"], set_.json["changed"], again.json["changed"]) == (3, True, False)
    assert read.stdout == "3\n"
    assert unset.json["changed"]
    assert program.run("config", "get", "search.limit").stdout == "8\n"


def test_a_limit_that_is_set_is_the_limit_of_a_search(program: Program):
    for text in ("apples are red", "pears are green", "plums are blue"):
        program.run("remember", text)
    program.run("config", "set", "search.limit", "2")

    assert len(program.run("search", "apples pears plums", "--json").json["results"]) == 2
    assert len(program.run("search", "apples pears plums", "-n", "3", "--json").json["results"]) == 3


def test_a_misspelt_setting_is_answered_with_the_nearest(program: Program):
    done = program.run("config", "set", "serch.limit", "3", "--json")

    assert (done.code, done.error["nearest"]) == (3, "search.limit")


def test_a_value_that_does_not_fit_is_refused_and_not_written(program: Program):
    done = program.run("config", "set", "search.limit", "many", "--json")

    assert (done.code, done.error["type"]) == (2, "InvalidSettingError")
    assert not list((program.home / "config").rglob("config.toml"))


def test_a_misspelt_key_in_the_file_stops_commands_and_can_be_mended(program: Program):
    file = program.home / "mine.toml"
    file.write_text("[serch]\nlimit = 3\n")

    stopped = program.run("--config", str(file), "search", "x", "--json")
    mended = program.run("--config", str(file), "config", "unset", "serch.limit")
    works = program.run("--config", str(file), "search", "x")

    assert (stopped.code, stopped.error["place"]) == (3, str(file))
    assert (mended.code, works.code) == (0, 0)


def test_a_broken_file_is_a_usage_error_that_names_it(program: Program):
    file = program.home / "mine.toml"
    file.write_text("= oops")

    done = program.run("--config", str(file), "status", "--json")

    assert (done.code, done.error["path"]) == (2, str(file))
