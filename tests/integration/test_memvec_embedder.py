"""The embedded default: the same vectors as model2vec reads from its folder, from one package, with nothing fetched."""

import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model2vec import StaticModel

from imprint.errors import ModelUnavailableError
from imprint.plugins import EmbedderSettings
from imprint_memvec import plugin
from imprint_memvec.embedder import load_embedder
from imprint_memvec.identity import IDENTITY, MODEL_FOLDER, digest_of_model
from imprint_memvec.words import WordSums

EMBEDDER = load_embedder()
REFERENCE = StaticModel.from_pretrained(MODEL_FOLDER)

TEXTS = {
    "nothing": "",
    "blanks": " \t\r\n ",
    "a sentence": "Which workspace does a session use?",
    "code": "def open_store(path: Path) -> Store:\n    return Store(path)  # TODO: HTTPServer2\n",
    "accents": "Überraschung: crème brûlée, naïve façade, İstanbul",
    "Chinese": "中文没有空格",
    "an unknown script": "ᚠᚢᚦᚨᚱᚲ",
    "emoji": "🙂🎉",
    "emoji among words": "ship it 🚀 now",
    "controls": "a\x00b\x0bc\x0cd\x1fe\x7ff g",
    "special tokens": "a [UNK] b [PAD] c [unk]",
    "unusual blanks": "a\u00a0b\u2028c\u3000d\x85e",
    "one endless word": "x" * 5_000,
    "a word beyond the tokenizer's limit": "a" * 101 + " b",
    "marks": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" * 3,
    "more than 512 tokens": "the quick brown fox " * 600,
    "more than 512 short words": "a b " * 400,
    "accents in more than 512 tokens": "été " * 600,
    "512 tokens or so, in fewer words": "unquestionablyverylong" * 4 + " antidisestablishmentarianism" * 100,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_document_has_the_vector_that_model2vec_gives_it(text):
    row = EMBEDDER.embed_documents([text])[0]

    assert row.dtype == numpy.float32
    numpy.testing.assert_allclose(row, REFERENCE.encode(text, use_multiprocessing=False), atol=1e-6)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_question_has_the_vector_of_the_same_words_in_a_document(text):
    numpy.testing.assert_allclose(EMBEDDER.embed_query(text), EMBEDDER.embed_documents([text])[0], atol=1e-6)


@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec="ascii"), max_size=60) | st.text(max_size=60), max_size=8))
def test_any_texts_have_the_vectors_that_model2vec_gives_them(texts):
    rows = EMBEDDER.embed_documents(texts)

    assert rows.shape == (len(texts), 256)
    for text, row in zip(texts, rows, strict=True):
        numpy.testing.assert_allclose(row, REFERENCE.encode(text, use_multiprocessing=False), atol=1e-6)


@pytest.mark.parametrize("name", ["nothing", "blanks", "an unknown script", "emoji"])
def test_a_text_without_a_known_token_has_a_row_of_zeros(name):
    assert not EMBEDDER.embed_documents([TEXTS[name]]).any()


def test_every_other_row_has_length_one():
    rows = EMBEDDER.embed_documents(list(TEXTS.values()))

    lengths = numpy.linalg.norm(rows, axis=1)

    assert set(lengths.round(5)) == {0.0, 1.0}


def make_words(limit: int = 8, room: int = 12) -> WordSums:
    """Sums that tell how many words, and how many letters, were added up; each letter is a token."""

    def token_sum(word: str, most: int):
        count = min(len(word), most)
        return numpy.array([1, count], dtype=numpy.float32), count

    return WordSums(token_sum, width=2, limit=limit, room=room)


def test_a_full_word_table_starts_afresh_and_goes_on_giving_the_same_sums():
    words = make_words()

    for number in range(50):
        out = numpy.zeros(2, dtype=numpy.float32)
        assert words.add_up(f"{number} b, C", out=out)
        assert out.tolist() == [4, len(str(number)) + 3]
    assert len(words) <= 12


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        ("abcd efgh", [2, 8]),
        ("abcd efgh i", [2, 8]),
        ("abcde fghij", [2, 8]),
        ("a.b.c.d.e", [8, 8]),
        ("abcdefghijk", [1, 8]),
        ("a b c d e f g h i j k l m n o p q r s t", [8, 8]),
    ],
)
def test_of_a_long_text_the_first_tokens_count(text, sums):
    out = numpy.zeros(2, dtype=numpy.float32)

    assert make_words().add_up(text, out=out)
    assert out.tolist() == sums


@pytest.mark.parametrize("text", ["a\x00", "a\x0c", "a\x7f", "[UNK]", "x [PAD] y", "é a b c d e f g h"])
def test_texts_that_only_the_tokenizer_can_take_apart_are_left_to_it(text):
    out = numpy.full(2, 7, dtype=numpy.float32)

    assert not make_words().add_up(text, out=out)
    assert out.tolist() == [7, 7]


def test_the_recorded_digest_is_that_of_the_files():
    assert digest_of_model(MODEL_FOLDER) == IDENTITY.digest
    assert IDENTITY.width == 256


def test_the_digest_tells_apart_models_that_differ_in_one_byte(tmp_path: Path):
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (tmp_path / name).write_bytes((MODEL_FOLDER / name).read_bytes())
    with (tmp_path / "model.safetensors").open("r+b") as file:
        file.seek(4_000_000)
        byte = file.read(1)
        file.seek(4_000_000)
        file.write(bytes([byte[0] ^ 1]))

    assert digest_of_model(tmp_path) != IDENTITY.digest


def test_the_plugin_opens_the_model_and_refuses_to_load_another():
    with plugin.open_embedder(EmbedderSettings()) as embedder:
        assert embedder.identity == IDENTITY

    with pytest.raises(ModelUnavailableError) as caught:
        plugin.open_embedder(EmbedderSettings(model="minishlab/potion-base-8M"))
    assert caught.value.model == "minishlab/potion-base-8M"


def test_describing_the_plugin_loads_none_of_the_heavy_libraries():
    code = (
        "import sys; from imprint_memvec.plugin import describe_embedder; describe_embedder();"
        "print({'numpy', 'tokenizers', 'safetensors', 'model2vec'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"


def test_loading_needs_no_model2vec():
    code = (
        "import sys; from imprint_memvec.embedder import load_embedder; load_embedder().embed_query('a');"
        "print({'model2vec', 'huggingface_hub', 'joblib', 'tqdm'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"
