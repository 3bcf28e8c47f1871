"""`imprint plugins`, run as a program."""

from importlib.resources import files

from real_program import Program


def test_every_shipped_plugin_is_listed_and_ready(program: Program):
    done = program.run("plugins", "list")

    assert done.code == 0
    for plugin in ("embedders/memvec", "embedders/model2vec", "vector_backends/local", "extractors/code"):
        assert f"{plugin} " in done.stdout
    assert "failed" not in done.stdout


def test_checks_of_a_plugin_run_without_pytest(program: Program):
    done = program.run("plugins", "check", "vector_backends/local")

    assert done.code == 0
    assert "passed  damaged-files-are-not-trusted" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("none failed")


def test_embedder_is_checked_with_the_model_that_is_named(program: Program):
    model = str(files("imprint_memvec") / "model")

    without = program.run("plugins", "check", "embedders/model2vec")
    with_model = program.run("plugins", "check", "embedders/model2vec", "--model", model)

    assert without.code == 1
    assert "FAILED  identity-is-stable: ModelUnavailableError" in without.stdout
    assert (with_model.code, with_model.stdout.splitlines()[-1]) == (0, "15 checks, none failed")


def test_unknown_plugin_ends_with_its_own_code(program: Program):
    done = program.run("plugins", "check", "embedders/memvek")

    assert done.code == 3
    assert "did you mean 'memvec'" in done.stderr
