"""Models of one's own choice: from a folder, by name, and what is said when there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from imprint.default_plugins import model2vec_embedder
from imprint.errors import ModelUnavailableError
from imprint.plugins import EmbedderSettings
from imprint_memvec.identity import MODEL_FOLDER


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "my-model"
    shutil.copytree(MODEL_FOLDER, folder)
    return folder


def open_model(name: object):
    return model2vec_embedder.open_embedder(EmbedderSettings(model=str(name)))


def test_a_folder_with_a_model_becomes_an_embedder(model: Path):
    texts = ["a session uses a workspace", "", "🙂", "def f(): pass"]

    with open_model(model) as embedder:
        rows = embedder.embed_documents(texts)

    assert (embedder.identity.name, embedder.identity.width) == ("my-model", 256)
    assert rows.dtype == numpy.float32
    assert numpy.linalg.norm(rows, axis=1).round(5).tolist() == [1, 0, 0, 1]
    numpy.testing.assert_allclose(embedder.embed_query(texts[0]), rows[0], atol=1e-6)


def test_no_texts_give_a_matrix_without_rows(model: Path):
    with open_model(model) as embedder:
        assert embedder.embed_documents([]).shape == (0, 256)


def test_rows_have_length_one_even_if_the_model_does_not_ask_for_it(model: Path):
    config = model / "config.json"
    config.write_text(config.read_text().replace("true", "false"))

    with open_model(model) as embedder:
        lengths = numpy.linalg.norm(embedder.embed_documents(["one", "two words"]), axis=1)

    assert lengths.round(5).tolist() == [1, 1]


def test_a_moved_model_keeps_its_identity_and_a_changed_one_does_not(model: Path, tmp_path: Path):
    def identity(folder: Path):
        with open_model(folder) as embedder:
            return embedder.identity

    first = identity(model)
    (tmp_path / "elsewhere").mkdir()
    moved = model.rename(tmp_path / "elsewhere" / "my-model")
    second = identity(moved)
    config = moved / "config.json"
    config.write_text(config.read_text().replace("512", "256"))

    assert first == second
    assert identity(moved).digest != first.digest


@pytest.mark.parametrize(
    "name", ["./no/such/folder", "/no/such/folder", "~/no such folder", "C:\\models\\mine", "a/b/c"]
)
def test_a_path_that_does_not_exist_is_not_looked_for_on_the_hub(name):
    with pytest.raises(ModelUnavailableError) as caught:
        open_model(name)

    assert (caught.value.model, caught.value.reason) == (name, "there is no such folder")


def test_without_a_name_the_error_says_what_to_name():
    with pytest.raises(ModelUnavailableError) as caught:
        open_model("")

    assert "minishlab/" in (caught.value.hint or "")


def test_a_folder_without_a_model_is_a_typed_error(tmp_path: Path):
    with pytest.raises(ModelUnavailableError) as caught:
        open_model(tmp_path)

    assert caught.value.model == str(tmp_path)


def test_a_model_of_the_hub_that_is_not_here_is_a_typed_error_when_offline(tmp_path: Path):
    """In a process of its own: the hub's library reads its environment once."""
    code = (
        "from imprint.default_plugins.model2vec_embedder import open_embedder\n"
        "from imprint.errors import ModelUnavailableError\n"
        "from imprint.plugins import EmbedderSettings\n"
        "try: open_embedder(EmbedderSettings(model='nobody/no-such-model'))\n"
        "except ModelUnavailableError as error: print(error.model, '|', error.hint)\n"
    )
    environ = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)

    assert done.stdout == (
        "nobody/no-such-model | check the name and go online once, or name a folder that holds the model\n"
    )


def test_a_model_in_the_hubs_cache_needs_no_network(model: Path, tmp_path: Path):
    repository = tmp_path / "hub/models--somebody--some-model"
    shutil.copytree(model, repository / "snapshots/0123456789abcdef0123456789abcdef01234567")
    (repository / "refs").mkdir()
    (repository / "refs/main").write_text("0123456789abcdef0123456789abcdef01234567")
    code = (
        "from imprint.default_plugins.model2vec_embedder import open_embedder\n"
        "from imprint.plugins import EmbedderSettings\n"
        "with open_embedder(EmbedderSettings(model='somebody/some-model')) as embedder:\n"
        "    print(embedder.identity.name, embedder.embed_query('hello').shape)\n"
    )
    environ = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)

    assert done.stdout == "somebody/some-model (256,)\n"


def test_describing_the_plugin_loads_no_model_library():
    code = (
        "import sys; from imprint.default_plugins.model2vec_embedder import describe_embedder; describe_embedder();"
        "print({'numpy', 'model2vec', 'huggingface_hub'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"
