"""What search finds, what it leaves out, and what it says."""

from contextlib import nullcontext
from pathlib import PurePosixPath

import attrs
import pytest

from imprint.domain.sources import Chunk, MemoryKind, Source, SourceKey, SourceKind, WorkspaceName
from imprint.domain.times import parse_moment
from imprint.errors import EmptyQueryError, ModelUnavailableError
from imprint.protocols.text_indexes import ChunkFilter
from imprint.services.search import SearchRequest
from imprint.testing.embedders import FakeEmbedder
from imprint.testing.fakes import FixedClock

DEFAULT = WorkspaceName("default")
OTHER = WorkspaceName("other")
NOW = "2026-06-03T12:00:00.000Z"

Sourced = tuple[Source, Chunk]


def memory(id: str, text: str, *, time: str = NOW, kind: MemoryKind = MemoryKind.DECISION) -> Sourced:
    source = Source(key=SourceKey(f"memory:{id}"), kind=SourceKind.MEMORY, memory_kind=kind, time=time)
    return source, Chunk(text=text)


def code(path: str, text: str, symbol: str = "", *, project: str = "") -> Sourced:
    source = Source(
        key=SourceKey(path), kind=SourceKind.CODE, path=PurePosixPath(path), project=project, language="python"
    )
    return source, Chunk(text=text, symbol=symbol, start_line=1, end_line=text.count("\n") + 1)


LIBRARY = (
    code("/app/store.py", "def load_json(path):\n    return json.loads(path.read_text())", "load_json"),
    code("/app/main.py", "def main():\n    config = load_json(find_config())\n    start_server(config)", "main"),
    code(
        "/app/net.py", "class HTTPServer:\n    def serve_forever(self):\n        os.path.join(root, name)", "HTTPServer"
    ),
    memory("1", "Compiling fails with error E0502 when the buffer is borrowed twice."),
    memory("2", "Deployments happen on Tuesdays, never on Fridays."),
    memory("3", "The café in Zürich hosts our yearly meeting."),
)


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("E0502", "Compiling fails"),
        ("what does error E0502 mean", "Compiling fails"),
        ("load_json", "def load_json"),
        ("os.path.join", "class HTTPServer"),
        ("HTTPServer", "class HTTPServer"),
        ("http server", "class HTTPServer"),
        ("on which days are there deployments?", "Deployments happen"),
        ("cafe zurich", "The café"),
        ("CAFÉ", "The café"),
        ("read a JSON file from disk", "def load_json"),
    ],
)
@pytest.mark.parametrize("with_vectors", [True, False])
def test_the_best_passage_comes_first(searcher, query, answer, with_vectors):
    for source, chunk in LIBRARY:
        searcher.add(source, chunk)
    if with_vectors:
        searcher.embed()

    report = searcher.find(query)

    assert report.relevant
    assert report.results[0].passage.chunk.text.startswith(answer)
    assert bool(report.notes) is not with_vectors


def test_vectors_find_what_words_do_not(embedded):
    """FTS5's stemmer makes ``deploi`` of deploy and ``deploy`` of deployments."""
    assert embedded(*LIBRARY).texts("when do we deploy?")[0].startswith("Deployments happen")


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("连接池", "数据库连接池的大小是二十。"),
        ("数据库连接池有多大", "数据库连接池的大小是二十。"),
        ("猫", "我们的猫叫小花。"),
        ("デプロイ", "デプロイは火曜日に行います。"),
        ("火曜日", "デプロイは火曜日に行います。"),
        ("회의", "회의는 월요일에서 화요일로 옮겼습니다."),
        ("월요일", "회의는 월요일에서 화요일로 옮겼습니다."),
    ],
)
def test_parts_of_unspaced_texts_are_found(embedded, query, answer):
    texts = (
        "数据库连接池的大小是二十。",
        "我们的猫叫小花。",
        "デプロイは火曜日に行います。",
        "회의는 월요일에서 화요일로 옮겼습니다.",
        "The quarterly report is late.",
    )

    searcher = embedded(*(memory(str(number), text) for number, text in enumerate(texts)))

    assert searcher.texts(query)[0] == answer


@pytest.mark.parametrize("query", ["recipe for apple pie", "quantum chromodynamics", "???", "苹果派"])
def test_nothing_relevant_is_an_answer(embedded, query):
    report = embedded(*LIBRARY).find(query)

    assert (report.relevant, report.results) == (False, ())


def test_passages_about_something_else_are_not_shown_beside_the_answer(embedded):
    assert len(embedded(*LIBRARY).texts("E0502 borrowed buffer")) == 1


def test_a_source_is_found_by_its_path(embedded):
    searcher = embedded(*LIBRARY, code("/app/billing/invoices.py", "x = 1"))

    assert searcher.find("billing/invoices.py").results[0].passage.source.key == "/app/billing/invoices.py"


def test_an_empty_workspace_has_nothing_relevant_and_nothing_to_note(searcher):
    report = searcher.find("anything")

    assert (report.relevant, report.results, report.notes) == (False, (), ())
    assert not searcher.stores.exists(DEFAULT)


@pytest.mark.parametrize("query", ["", " \n"])
def test_an_empty_question_is_refused(searcher, query):
    with pytest.raises(EmptyQueryError):
        searcher.find(query)


def test_the_limit_is_kept(embedded):
    searcher = embedded(*(memory(str(n), f"Deployment number {n} went to cluster {n}.") for n in range(30)))

    assert len(searcher.find("deployment cluster", limit=3).results) == 3


def test_filters_narrow_by_project_kind_and_source(embedded):
    searcher = embedded(
        code("/a/deploy.py", "def deploy(): ...  # deploy the app", "deploy", project="a"),
        code("/b/deploy.py", "def deploy(): ...  # deploy other things", "deploy", project="b"),
        memory("1", "We deploy on Tuesdays."),
        memory("2", "Deploy only after review.", kind=MemoryKind.PREFERENCE),
    )

    def keys(**fields: object) -> set[str]:
        report = searcher.find("deploy", where=ChunkFilter(**fields))
        return {result.passage.source.key for result in report.results}

    assert keys(project="a") == {"/a/deploy.py"}
    assert keys(kinds=("code",)) == {"/a/deploy.py", "/b/deploy.py"}
    assert keys(kinds=("memory",)) == {"memory:1", "memory:2"}
    assert keys(kinds=("preference", "code")) == {"memory:2", "/a/deploy.py", "/b/deploy.py"}
    assert keys(source_glob="/b/*") == {"/b/deploy.py"}
    assert keys(project="nobody") == set()


def test_last_week_means_the_week_before_this_one(embedded):
    """2026-06-03 is a Wednesday; the week before it began on Monday, the 25th of May."""
    searcher = embedded(
        memory("1", "Deploy froze on Sunday.", time="2026-05-24T23:59:59.000Z"),
        memory("2", "Deploy moved to Tuesday.", time="2026-05-25T00:00:00.000Z"),
        memory("3", "Deploy failed on Sunday night.", time="2026-05-31T23:59:59.999Z"),
        memory("4", "Deploy works again.", time="2026-06-01T00:00:00.000Z"),
    )
    zone = FixedClock(NOW).zone()
    since, until = (parse_moment(text, now=NOW, zone=zone) for text in ("last week", "this week"))

    report = searcher.find("deploy", where=ChunkFilter(since=since, until=until))

    assert {result.passage.source.key for result in report.results} == {"memory:2", "memory:3"}


def test_the_newer_of_two_decisions_comes_first(embedded):
    searcher = embedded(
        memory("1", "We decided to use MySQL as the billing database.", time="2024-02-01T00:00:00.000Z"),
        memory("2", "We decided to use PostgreSQL as the billing database.", time="2026-05-20T00:00:00.000Z"),
        *LIBRARY[:3],
    )

    assert searcher.texts("which billing database did we decide on")[0].startswith("We decided to use PostgreSQL")


def test_an_old_decision_that_fits_better_comes_first(embedded):
    searcher = embedded(
        memory("1", "The billing database is MySQL.", time="2024-02-01T00:00:00.000Z"),
        memory("2", "The cache is Redis.", time="2026-06-01T00:00:00.000Z"),
        *LIBRARY[:3],
    )

    assert searcher.texts("billing database")[0] == "The billing database is MySQL."


def test_the_same_text_is_shown_once_with_its_other_places(embedded):
    text = "Retry three times with exponential backoff."
    searcher = embedded(memory("1", text), memory("2", text.upper()), memory("3", "Retry never pays off for payments."))

    report = searcher.find("retry backoff")

    best = report.results[0]
    assert {best.passage.source.key, *(other.source.key for other in best.duplicates)} == {"memory:1", "memory:2"}
    assert sum("ackoff" in result.passage.chunk.text.lower() for result in report.results) == 1


def test_a_definition_comes_before_its_uses(embedded):
    uses = [
        code(f"/app/use{n}.py", f"def use{n}():\n    parse_header(parse_header(row{n}))", f"use{n}") for n in range(6)
    ]
    definition = code(
        "/app/headers.py", "def parse_header(line):\n    name, _, value = line.partition(':')", "parse_header"
    )

    searcher = embedded(*uses, definition)

    assert searcher.find("parse_header").results[0].passage.source.key == "/app/headers.py"


def test_another_workspace_is_never_searched(searcher):
    searcher.add(*memory("1", "The launch code is swordfish."), workspace=OTHER)
    searcher.add(*memory("2", "Lunch is at noon."))
    searcher.embed(OTHER)
    searcher.embed()

    assert searcher.texts("launch code swordfish") == []
    assert searcher.texts("launch code swordfish", workspaces=[OTHER]) == ["The launch code is swordfish."]


def test_several_workspaces_are_ranked_together(searcher):
    searcher.add(*memory("1", "The launch code is swordfish."), workspace=OTHER)
    searcher.add(*memory("1", "The launch was postponed."))
    searcher.embed()

    report = searcher.find("launch code", workspaces=[DEFAULT, OTHER])

    assert [result.workspace for result in report.results] == [OTHER, DEFAULT]
    assert report.results[0].passage.chunk.text == "The launch code is swordfish."
    assert len(report.notes) == 1


def test_what_is_gone_is_not_found(embedded):
    searcher = embedded(*LIBRARY)
    assert searcher.find("E0502").relevant

    with searcher.stores.open(DEFAULT) as store:
        store.remove_sources([SourceKey("memory:1")])

    assert "memory:1" not in {result.passage.source.key for result in searcher.find("E0502 borrowed twice").results}


def test_without_vectors_no_model_is_loaded(searcher):
    searcher.add(*LIBRARY[0])

    report = searcher.find("load_json")

    assert report.relevant
    assert searcher.embedders_opened == 0
    assert "no vectors yet" in report.notes[0]


def test_vectors_of_another_model_are_never_compared(searcher):
    searcher.add(*LIBRARY[0])
    other = FakeEmbedder()
    with searcher.stores.open(DEFAULT) as store:
        [pending] = store.pending(other.identity, after=0, limit=10)
        store.add_vectors(other.identity, [pending.id], other.embed_documents([pending.chunk.text]))

    report = searcher.find("load_json")

    assert report.relevant
    assert other.identity.name in report.notes[0]


def test_a_model_that_cannot_be_loaded_leaves_the_search_by_words(embedded):
    searcher = embedded(*LIBRARY)

    def fail() -> nullcontext[None]:
        raise ModelUnavailableError("lost", "its files are gone", remedy="install it again")

    search = attrs.evolve(searcher.search, open_embedder=fail)
    report = search.run(SearchRequest(query="load_json", workspaces=(DEFAULT,)))

    assert report.results[0].passage.source.key == "/app/store.py"
    assert "lost" in report.notes[0]


def test_a_search_by_words_only_may_be_chosen(embedded):
    searcher = embedded(*LIBRARY)

    report = attrs.evolve(searcher.search, open_embedder=None).run(
        SearchRequest(query="load_json", workspaces=(DEFAULT,))
    )

    assert report.results[0].passage.source.key == "/app/store.py"
    assert searcher.embedders_opened == 0


def test_chunks_without_a_vector_are_found_beside_those_with_one(embedded):
    searcher = embedded(*LIBRARY)
    searcher.add(*memory("9", "The staging cluster is called Nimbus."))

    assert searcher.texts("nimbus staging")[0] == "The staging cluster is called Nimbus."


def test_passages_next_to_nothing_beside_the_best_are_not_shown(embedded):
    """A model makes something of any text, but knows nothing of an error code."""
    searcher = embedded(*LIBRARY, memory("4", "Borrowed errors fail the buffer."))

    assert searcher.texts("E0502") == ["Compiling fails with error E0502 when the buffer is borrowed twice."]


def test_a_file_that_is_named_comes_before_those_that_mention_it(embedded):
    mentions = [
        code(
            f"/app/use{n}.py", f"from app.headers import parse\n# see headers.py for how parse works {n * 7}", f"use{n}"
        )
        for n in range(3, 9)
    ]
    definition = code("/app/headers.py", "def split(line):\n    return line.partition(':')", "split")

    searcher = embedded(*mentions, definition, *LIBRARY)

    for query in ("headers.py", "app/headers.py", "what does headers.py parse?", "/app/headers.py:2"):
        assert searcher.find(query).results[0].passage.source.key == "/app/headers.py", query


def test_a_name_quoted_in_a_message_is_looked_up(embedded):
    uses = [
        code(f"/app/use{n}.py", f"def use{n}(folder):\n    return Worktree(folder, name={n})", f"use{n}")
        for n in range(6)
    ]
    definition = code("/app/trees.py", "class Worktree:\n    folder: str\n    name: int", "Worktree")

    searcher = embedded(*uses, definition, *LIBRARY[:3])

    report = searcher.find("NameError: name 'Worktree' is not defined")
    assert report.results[0].passage.source.key == "/app/trees.py"


def test_code_comes_before_its_test_unless_the_question_is_about_tests(embedded):
    searcher = embedded(
        code(
            "/app/backoff.py",
            "def wait_before_retry(attempt):\n    return min(LIMIT, 2 ** attempt)",
            "wait_before_retry",
        ),
        code(
            "/app/tests/test_backoff.py",
            "def test_retries_wait_longer_after_each_attempt():\n    assert wait_before_retry(2) > 1",
            "test_retries_wait_longer_after_each_attempt",
        ),
        *LIBRARY,
    )

    def first(query: str) -> str:
        return searcher.find(query).results[0].passage.source.key

    assert first("how long do we wait before a retry") == "/app/backoff.py"
    assert first("is there a test that we wait before a retry") == "/app/tests/test_backoff.py"


@pytest.mark.parametrize("with_vectors", [True, False])
def test_a_misspelled_word_finds_what_is_meant_and_is_told(searcher, with_vectors):
    for source, chunk in LIBRARY:
        searcher.add(source, chunk)
    if with_vectors:
        searcher.embed()

    report = searcher.find("the yearly meetnig")

    assert report.results[0].passage.chunk.text.startswith("The café in Zürich")
    assert "searched for 'meeting': 'meetnig' occurs nowhere" in report.notes


def test_a_word_that_occurs_anywhere_is_not_taken_for_a_misspelling(searcher):
    searcher.add(*memory("1", "The deposit is paid."))
    searcher.add(*memory("1", "We deposed the queue."), workspace=OTHER)

    report = searcher.find("deposed", workspaces=[DEFAULT, OTHER])

    assert [result.workspace for result in report.results] == [OTHER]
    assert not any("occurs nowhere" in note for note in report.notes)


def test_filters_of_time_and_of_every_field_together(embedded):
    searcher = embedded(
        memory("1", "Deploy on Tuesdays.", time="2026-05-01T00:00:00.000Z"),
        memory("2", "Deploy on Fridays.", time="2026-05-20T00:00:00.000Z", kind=MemoryKind.PREFERENCE),
        code("/a/deploy.py", "def deploy(): ...", "deploy", project="a"),
    )

    def keys(**fields: object) -> set[str]:
        return {result.passage.source.key for result in searcher.find("deploy", where=ChunkFilter(**fields)).results}

    assert keys(since="2026-05-10T00:00:00.000Z") == {"memory:2"}
    assert keys(until="2026-05-10T00:00:00.000Z") == {"memory:1"}
    assert keys(kinds=("preference",), source_glob="memory:*", since="2026-05-10T00:00:00.000Z") == {"memory:2"}
    assert keys(kinds=("preference",), project="a") == set()


def test_a_turn_is_found_by_what_was_said_around_it(embedded):
    def turn(place: int, text: str, context: str) -> Sourced:
        source = Source(key=SourceKey(f"session:{place}"), kind=SourceKind.CONVERSATION)
        return source, Chunk(text=text, context=context, role="user")

    searcher = embedded(
        turn(1, "Ben: Shall we rename the ledger service?", "Ann: Yes, on Friday."),
        turn(2, "Ann: Yes, on Friday.", "Ben: Shall we rename the ledger service?"),
        turn(3, "Ann: Yes, on Monday.", "Ben: Shall we paint the office?"),
        *LIBRARY[:3],
    )

    texts = searcher.texts("when is the ledger service renamed")

    assert texts[:2] == ["Ben: Shall we rename the ledger service?", "Ann: Yes, on Friday."]


def test_long_passages_that_differ_in_a_word_are_folded_and_memories_are_not(embedded):
    words = " ".join(f"word{n} of the runbook" for n in range(40))

    def document(path: str, text: str) -> Sourced:
        return Source(key=SourceKey(path), kind=SourceKind.DOCUMENT, path=PurePosixPath(path)), Chunk(text=text)

    searcher = embedded(
        document("/a/runbook.md", f"Restart the gateway. {words} one"),
        document("/b/runbook.md", f"Restart the gateway. {words} two"),
        memory("1", f"Restart the gateway. {words} 10 seconds"),
        memory("2", f"Restart the gateway. {words} 20 seconds"),
    )

    report = searcher.find("restart the gateway")

    shown = [result.passage.source.key for result in report.results]
    assert {"memory:1", "memory:2"} < set(shown)
    assert len(shown) == 3
    assert [other.source.key for result in report.results for other in result.duplicates] != []
