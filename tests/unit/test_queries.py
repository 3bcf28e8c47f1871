"""Questions become terms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.queries import correct_query, parse_query


def terms_of(text: str) -> set[str]:
    return set(parse_query(text).terms)


@given(st.text(max_size=500))
def test_any_text_is_a_question(text):
    question = parse_query(text)

    assert len(set(question.terms)) == len(question.terms)
    assert all(term.strip() == term != "" for term in question.terms)


def test_small_words_are_not_asked_for():
    assert parse_query("Where is the retry policy of the uploader?").terms == ("retry", "policy", "uploader")


def test_a_question_of_small_words_alone_asks_for_them():
    assert terms_of("to be or not to be") == {"to", "be", "or", "not"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("error E0502", {"error", "e0502", "0502"}),
        ("os.path.join", {"os path join", "os", "path", "join"}),
        ("load_json", {"load json", "load", "json"}),
        ("ERR_CONN-42", {"err conn 42", "err", "conn", "42"}),
        ("std::move", {"std move", "std", "move"}),
        ("src/app/main.rs", {"src app main rs", "src", "app", "main", "rs"}),
        ("main.rs:12:7", {"main rs", "main", "rs", "12", "7"}),
    ],
)
def test_names_are_asked_for_whole_and_in_parts(text, wanted):
    assert terms_of(text) == wanted


def test_a_quoted_phrase_stays_together():
    assert "lost the thread" in terms_of('who said "lost the thread" yesterday')


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("数据库连接", {"数据", "据库", "库连", "连接"}),
        ("猫", {"猫"}),
        ("データベース接続", {"デー", "ータ", "タベ", "ベー", "ース", "ス接", "接続"}),
        ("학교에서 store", {"학교", "교에", "에서", "store"}),
        ("数据库Store", {"数据", "据库", "store"}),
    ],
)
def test_scripts_without_spaces_are_asked_for_in_pairs(text, wanted):
    assert terms_of(text) == wanted


def test_accents_are_left_to_full_text():
    assert terms_of("Größe café") == {"größe", "café"}


def test_identifiers_are_embedded_in_words():
    assert parse_query("why does parseJSONBody fail").embedded == "why does parse json body fail"


def test_prose_is_embedded_as_written():
    assert parse_query("What did Caroline say in May?").embedded == "What did Caroline say in May?"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("open", {"open"}),
        ("where is load_json called", {"load json"}),
        ("Store.open_file()", {"open file"}),
        ("what was decided about billing", set()),
    ],
)
def test_names_of_code_are_told_from_prose(text, names):
    assert parse_query(text).names == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("cannot import name 'Worktree' from 'imprint'", {"worktree", "imprint"}),
        ("what is the difference of `load` and `save()`", {"load", "save"}),
        ('no attribute "open_file" here', {"open file"}),
        ("it's what the user's friends' friend said", set()),
        ("who said 'lost the thread' to whom", set()),
    ],
)
def test_quoted_names_are_names(text, names):
    assert parse_query(text).names == names


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("docs/storage.md", {"docs storage md"}),
        ("src\\app.rs is slow", {"src app rs"}),
        ("fails at app.py:12:3 in load", {"app py"}),
        ("docs/Makefile", {"docs makefile"}),
        ("where is the store opened", set()),
        ("load_json and std::move", set()),
    ],
)
def test_paths_are_told_from_other_words(text, paths):
    assert parse_query(text).paths == paths


def test_misspelled_words_are_replaced_and_nothing_else():
    corrected = correct_query("Wat is a Worktre, worktres/worktre.md?", {"worktre": "worktree"})

    assert corrected == "Wat is a worktree, worktres/worktree.md?"
