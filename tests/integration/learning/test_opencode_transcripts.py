"""Conversations of opencode: recorded, growing, strange, and written to by another process while they are read."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath

import pytest
from learning_home import Home

from imprint.adapters.client_files import RealClientFiles
from imprint.adapters.transcripts import RealTranscriptFiles
from imprint.domain.conversations import Checkpoint, ConversationFacts, TranscriptItem, Turn
from imprint.errors import ClientFileUnreadableError, TranscriptUnreadableError
from imprint.plugins.clients import ClientHome, TranscriptReference
from imprint.services.indexing_reports import Outcome
from imprint_client_plugins import opencode

SAMPLE = Path(__file__).parents[2] / "samples" / "transcripts" / "opencode" / "opencode.sql"
ONE, TWO = "ses_dcf9e6e2dffe3x5C22SWP4ZN7W", "ses_dcf9c6e4dffesEJ5bGZXrCtfzc"
SAID = {
    ONE: ["We name the staging database heron.", "DONE-ONE"],
    TWO: ["what is it called", "DONE-TWO", "and who is on call", "We decided that Ada is on call."],
}


@pytest.fixture
def database(home: Home) -> Path:
    """What was recorded, in the place that opencode keeps it in."""
    path = home.path / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SAMPLE.read_text("utf-8").replace("/home/dev/proj", str(home.project("proj"))))
        connection.execute("PRAGMA journal_mode = WAL")
    return path


def find(home: Home, **environ: str) -> list[TranscriptReference]:
    files = RealClientFiles()
    place = ClientHome(path=PurePosixPath(home.path), system="linux", environ=environ)
    installation = opencode.find_installation(place, files)
    assert installation is not None
    return list(opencode.find_transcripts(installation, files))


def read(reference: TranscriptReference, since: str = "") -> list[TranscriptItem]:
    with RealTranscriptFiles().open(reference.path) as reader:
        return list(opencode.read_transcript(reference, reader, since))


def turns(items: list[TranscriptItem]) -> list[Turn]:
    return [item for item in items if isinstance(item, Turn)]


class Session:
    """A session that goes on in another connection, as opencode writes it."""

    def __init__(self, path: Path, id: str, moment: int = 1_796_200_000_000) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None, timeout=30)
        self.id = id
        self.moment = moment

    def say(self, id: str, role: str, text: str, *, done: bool = True, message: object = None, **part: object) -> None:
        self.moment += 1000
        time = {"created": self.moment, **({"completed": self.moment} if done else {})}
        data = {"role": role, "time": time, **(message if isinstance(message, dict) else {})}
        self._put("message", {"id": id, "session_id": self.id, "data": json.dumps(data)})
        content = json.dumps({"type": "text", "text": text, **part})
        self._put("part", {"id": f"prt_{id}", "message_id": id, "session_id": self.id, "data": content})

    def _put(self, table: str, row: dict[str, str]) -> None:
        row |= {"time_created": str(self.moment), "time_updated": str(self.moment)}
        self.connection.execute(
            f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", [*row.values()]
        )


@pytest.fixture
def session(database: Path) -> Iterator[Session]:
    session = Session(database, ONE)
    yield session
    session.connection.close()


def test_each_session_is_found_with_its_folder_and_its_title(home: Home, database: Path):
    found = find(home)

    assert [(one.conversation, one.cwd, bool(one.title), one.path) for one in found] == [
        (id, str(home.project("proj")), True, PurePosixPath(database)) for id in SAID
    ]
    assert len({one.fingerprint for one in found}) == 2


def test_what_was_recorded_gives_what_was_said_and_nothing_else(home: Home, database: Path):
    for reference in find(home):
        items = read(reference)
        said = turns(items)

        expected = SAID[reference.conversation]
        assert [turn.text.partition(" [[")[0] for turn in said] == expected
        assert all(turn.time.endswith("Z") and turn.id.startswith("said ") for turn in said)
        assert isinstance(items[-1], Checkpoint)
        assert all("imprint-context" not in turn.text for turn in said)


def test_a_session_that_grows_gives_what_is_new(home: Home, session: Session):
    before = find(home)[0]
    *_, checkpoint = read(before)
    assert isinstance(checkpoint, Checkpoint)
    session.say("msg_z1", "user", "We moved to Oslo.")

    after = find(home)[0]

    assert before.fingerprint != after.fingerprint
    assert [turn.text for turn in turns(read(after, checkpoint.position))] == ["We moved to Oslo."]


def test_a_fork_gives_the_turns_of_what_it_was_taken_from(home: Home, session: Session):
    """opencode copies every message and part under new ids, with the moments inside them."""
    session.say("msg_z1", "user", "We moved to Oslo.")
    session.say("msg_z2", "assistant", "Noted.")
    fork = Session(find(home)[0].path, "ses_fork", moment=session.moment - 2000)
    with closing(fork.connection):
        columns = [row[1] for row in fork.connection.execute("PRAGMA table_info(session)")]
        copied = ", ".join("'ses_fork'" if column == "id" else column for column in columns)
        fork.connection.execute(f"INSERT INTO session SELECT {copied} FROM session WHERE id = ?", (session.id,))
        fork.say("msg_f1", "user", "We moved to Oslo.")
        fork.say("msg_f2", "assistant", "Noted.")
        fork.say("msg_f3", "user", "And now?")

    found = {one.conversation: [turn.id for turn in turns(read(one))] for one in find(home)}

    assert found["ses_fork"][:2] == found[session.id][-2:]
    assert len({id for ids in found.values() for id in ids}) == sum(map(len, found.values())) - 2


def test_an_answer_that_is_being_given_is_left_for_later_with_what_is_said_meanwhile(home: Home, session: Session):
    session.say("msg_z1", "user", "Why?")
    session.say("msg_z2", "assistant", "Bec", done=False)
    session.say("msg_z3", "user", "And how?")
    first = read(find(home)[0])
    session.moment -= 2000
    session.say("msg_z2", "assistant", "Because.")
    *_, checkpoint = first
    assert isinstance(checkpoint, Checkpoint)

    later = read(find(home)[0], checkpoint.position)

    assert [turn.text for turn in turns(first)][2:] == ["Why?"]
    assert [turn.text for turn in turns(later)] == ["Because.", "And how?"]


def test_an_answer_that_was_never_finished_counts_as_it_is_once_another_is(home: Home, session: Session):
    session.say("msg_z1", "assistant", "I began", done=False)
    session.say("msg_z2", "user", "Again.")
    session.say("msg_z3", "assistant", "Done.")

    assert [turn.text for turn in turns(read(find(home)[0]))][2:] == ["I began", "Again.", "Done."]


@pytest.mark.parametrize(
    "told",
    [
        {"role": "user", "text": "Called the Read tool with the following input", "synthetic": True},
        {"role": "user", "text": "hidden", "ignored": True},
        {"role": "assistant", "text": "A summary.", "message": {"summary": True}},
        {"role": "system", "text": "be kind"},
        {"role": "user", "text": " "},
        {"role": "assistant", "text": "thinking", "type": "reasoning"},
    ],
)
def test_what_no_person_and_no_model_said_is_left_out(home: Home, session: Session, told: dict[str, object]):
    role, text = str(told.pop("role")), str(told.pop("text"))
    session.say("msg_z1", role, text, **told)  # type: ignore[arg-type]

    assert len(turns(read(find(home)[0]))) == 2


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ('"Call it \\"heron\\"."', 'Call it "heron".'),
        ('"Call" it "heron"', '"Call" it "heron"'),
        ('"" ', ""),
        ('"', '"'),
    ],
)
def test_what_was_given_as_an_argument_is_read_without_its_quotes(home: Home, session: Session, kept: str, said: str):
    session.say("msg_z1", "user", kept)

    assert [turn.text for turn in turns(read(find(home)[0]))][2:] == ([said] if said else [])


def test_a_subagents_session_is_known_as_one(home: Home, session: Session):
    session.connection.execute("UPDATE session SET parent_id = ? WHERE id = ?", (TWO, ONE))

    items = read(find(home)[0])

    (facts,) = [item for item in items if isinstance(item, ConversationFacts)]
    assert (facts.is_subagent, facts.parent_id) == (True, TWO)
    assert all(turn.is_sidechain for turn in turns(items))


@pytest.mark.parametrize("data", ["", "null", "[1]", '{"role": "user"', '{"role": ["user"]}', "[" * 5000, b"\xff"])
def test_a_row_that_cannot_be_understood_is_passed_over(home: Home, session: Session, data: object):
    session.say("msg_z1", "user", "strange")
    session.connection.execute("UPDATE message SET data = ? WHERE id = 'msg_z1'", (data,))
    session.say("msg_z2", "user", "half \ud83d of a smile\0")
    session.say("msg_z3", "assistant", "after")

    said = [turn.text for turn in turns(read(find(home)[0]))][2:]

    assert said == ["half \ufffd of a smile\ufffd", "after"]


def test_a_hook_s_job_learns_its_session_and_no_other(home: Home, database: Path):
    home.learn(clients=["opencode"], conversations=[f"conversation:opencode/{TWO}"])

    assert [key for key in home.sources() if key.startswith("conversation:")] == [f"conversation:opencode/{TWO}"]


def test_the_project_s_folder_decides_who_may_have_a_session(home: Home, database: Path):
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(home.project("proj"), explicit="acme")

    elsewhere = home.learn(clients=["opencode"])
    there = home.learn(clients=["opencode"], workspace="acme")

    assert elsewhere.sources == {Outcome.REFUSED: 2}
    assert there.sources == {Outcome.ADDED: 2}


def test_a_second_run_reads_nothing_and_a_third_what_is_new(home: Home, session: Session):
    home.learn(clients=["opencode"])
    second = home.learn(clients=["opencode"])
    session.say("msg_z1", "user", "We moved to Oslo.")
    third = home.learn(clients=["opencode"])

    assert second.sources == {Outcome.UNCHANGED: 2}
    assert third.sources == {Outcome.CHANGED: 1, Outcome.UNCHANGED: 1}
    assert home.passages(f"conversation:opencode/{ONE}")[-1] == "We moved to Oslo."


_WRITER = """
import sys, time
sys.path.insert(0, {tests!r})
from test_opencode_transcripts import Session
from pathlib import Path
session = Session(Path({path!r}), {id!r})
session.connection.execute("BEGIN IMMEDIATE")
print("begun", flush=True)
for number in range(400):
    session.say(f"msg_z{{number:05}}", ("user", "assistant")[number % 2], f"Sentence number {{number}}.")
    if number % 10 == 9:
        session.connection.execute("COMMIT")
        session.connection.execute("BEGIN IMMEDIATE")
session.connection.execute("COMMIT")
"""


def test_a_database_that_another_process_writes_to_is_read_whole_at_each_moment(home: Home, database: Path):
    """Neither waits for the other, no reading sees half of a transaction, and in the end all is there, once."""
    program = _WRITER.format(tests=str(Path(__file__).parent), path=str(database), id=ONE)
    position, said, growths = "", [], 0
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        is_over = False
        while not is_over:
            is_over = writer.poll() is not None
            items = read(find(home)[0], position)
            said += [turn.text for turn in turns(items)]
            assert (len(said) - 2) % 10 == 0
            assert isinstance(items[-1], Checkpoint)
            growths += items[-1].position != position
            position = items[-1].position

    assert (writer.returncode, growths > 2) == (0, True)
    assert said[2:] == [f"Sentence number {number}." for number in range(400)]
    assert home.learn(clients=["opencode"]).failures == ()


@pytest.mark.parametrize("content", [b"", b"no database"])
def test_what_only_has_a_database_s_name_is_told_and_hides_no_session(home: Home, database: Path, content: bytes):
    (database.parent / "opencode-2026.db").write_bytes(content)

    report = home.learn()

    assert [(type(one.error), one.source[-16:]) for one in report.failures] == [
        (TranscriptUnreadableError, "opencode-2026.db")
    ]
    assert {f"conversation:opencode/{ONE}", f"conversation:opencode/{TWO}"} <= set(home.sources())


def test_a_database_that_cannot_be_read_is_told_and_others_are_learned(home: Home, database: Path):
    database.write_bytes(b"no database")
    home.say("claude", "Apples are red.")

    report = home.learn()

    assert [type(failure.error) for failure in report.failures] == [ClientFileUnreadableError]
    assert "conversation:claude-code/claude" in home.sources()


def test_its_folder_and_its_file_follow_the_variables(home: Home, database: Path):
    moved = home.path / "elsewhere"
    moved.mkdir()
    (database.parent).rename(moved / "opencode")

    assert len(find(home, XDG_DATA_HOME=str(moved), XDG_CONFIG_HOME=str(home.path))) == 2


def test_reading_leaves_the_client_s_files_as_they_were(home: Home, database: Path):
    before = database.read_bytes()

    for reference in find(home):
        read(reference)

    assert database.read_bytes() == before
