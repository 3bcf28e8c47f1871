"""The queue on a real database, with other processes at it."""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from imprint.adapters.jobs_db import JOBS_FILE, SqliteJobQueue, open_jobs
from imprint.domain.jobs import LEARN, MOST_ATTEMPTS, JobRequest, JobState
from imprint.domain.sources import WorkspaceName
from imprint.errors import StoreDamagedError, StoreTooNewError

REQUEST = JobRequest("codex", "/home/me/.codex/one.jsonl", "/home/me/proj", "", "default")
DEFAULT = WorkspaceName("default")


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[SqliteJobQueue]:
    with open_jobs(str(tmp_path)) as queue:
        yield queue


def states(queue: SqliteJobQueue) -> list[JobState]:
    return [job.state for job in queue.list()]


def ready(queue: SqliteJobQueue, request: JobRequest = REQUEST) -> None:
    queue.add(request, LEARN)
    for job in queue.list(JobState.QUEUED):
        queue.fix_workspace(job.id, DEFAULT)


def test_calls_about_one_transcript_wait_as_one_job(queue: SqliteJobQueue):
    assert [queue.add(REQUEST, LEARN), queue.add(REQUEST, LEARN)] == [True, False]

    assert [job.request for job in queue.list()] == [REQUEST]


def test_a_call_from_elsewhere_is_a_job_of_its_own(queue: SqliteJobQueue):
    queue.add(REQUEST, LEARN)
    queue.add(REQUEST._replace(active="other"), LEARN)

    assert len(queue.list()) == 2


def test_a_call_while_the_job_runs_is_done_after_it(queue: SqliteJobQueue):
    ready(queue)
    queue.take()

    assert queue.add(REQUEST, LEARN)
    assert states(queue) == [JobState.RUNNING, JobState.QUEUED]


def test_a_job_without_its_workspace_is_not_begun(queue: SqliteJobQueue):
    queue.add(REQUEST, LEARN)

    assert queue.take() is None


def test_a_workspace_is_fixed_once(queue: SqliteJobQueue):
    ready(queue)
    queue.fix_workspace(1, WorkspaceName("other"))

    assert queue.list()[0].workspace == "default"


def test_a_job_that_failed_rests_before_it_is_begun_again(queue: SqliteJobQueue):
    ready(queue)
    queue.take()
    queue.settle(1, JobState.QUEUED, error="LockHeldError", rest_seconds=0.05)

    assert queue.take() is None
    time.sleep(0.06)
    again = queue.take()
    assert again is not None
    assert (again.attempts, again.error) == (2, "LockHeldError")


def test_a_failure_and_a_new_call_wait_as_one_job_which_keeps_its_attempts(queue: SqliteJobQueue):
    ready(queue)
    queue.take()
    ready(queue)

    queue.settle(1, JobState.QUEUED, error="LockHeldError")

    assert [(job.id, job.attempts) for job in queue.list()] == [(1, 1)]


@pytest.mark.parametrize("is_looked_for", [False, True], ids=["rests", "is looked for"])
def test_a_new_call_about_what_was_not_there_has_it_looked_for_as_often_again(
    queue: SqliteJobQueue, is_looked_for: bool
):
    """The client calls because it writes now; what was counted is about what it did not write before."""
    ready(queue)
    queue.take()
    if is_looked_for:
        queue.add(REQUEST, LEARN)
    queue.settle(1, JobState.QUEUED, rest_seconds=60)
    if not is_looked_for:
        queue.add(REQUEST, LEARN)

    assert [(job.id, job.attempts, job.workspace) for job in queue.list()] == [(1, 0, "default")]
    found = queue.take()
    assert found is not None
    assert (found.id, found.attempts) == (1, 1)


def test_of_many_that_wait_those_are_found_that_have_no_workspace_yet(queue: SqliteJobQueue):
    ready(queue)
    queue.add(REQUEST._replace(source="/two"), LEARN)
    queue.add(REQUEST._replace(source="/three"), LEARN)
    queue.settle(3, JobState.FAILED, error="InvalidEnvironmentWorkspaceError")

    assert [job.id for job in queue.unplaced()] == [2]


def test_what_a_dead_worker_began_is_taken_up_so_often_and_then_fails(queue: SqliteJobQueue):
    ready(queue)
    for _ in range(MOST_ATTEMPTS - 1):
        assert queue.take() is not None
        queue.recover()
        assert states(queue) == [JobState.QUEUED]

    assert queue.take() is not None
    queue.recover()

    assert [(job.state, job.error) for job in queue.list()] == [(JobState.FAILED, "WorkerDied")]


def test_a_cancelled_job_is_not_begun_and_what_its_worker_says_later_does_not_count(queue: SqliteJobQueue):
    ready(queue)
    queue.take()

    cancelled = queue.cancel(lambda job: job.id == 1)
    queue.settle(1, JobState.DONE)

    assert [job.state for job in cancelled] == states(queue) == [JobState.CANCELLED]


def test_old_jobs_are_forgotten_and_those_that_wait_are_not(queue: SqliteJobQueue):
    for number in range(5):
        ready(queue, REQUEST._replace(source=f"/{number}"))
        if number:
            queue.cancel(lambda job, last=f"/{number}": job.request.source == last)

    queue.prune(keep=2)

    assert [job.request.source for job in queue.list()] == ["/0", "/3", "/4"]


def test_the_second_of_two_calls_is_known(queue: SqliteJobQueue):
    assert [queue.is_first_call("a"), queue.is_first_call("a"), queue.is_first_call("b")] == [True, False, True]


def test_of_many_calls_one_starts_a_worker_until_that_has_begun(queue: SqliteJobQueue):
    claims = [queue.claim_start() for _ in range(3)]
    queue.begin_work()

    assert claims == [True, False, False]
    assert queue.claim_start()


def test_a_worker_that_does_not_come_is_waited_for_a_few_seconds(queue: SqliteJobQueue):
    queue.claim_start()
    queue._connection.execute("UPDATE calls SET at = at - 11")

    assert queue.claim_start()


def test_a_call_of_long_ago_is_not_taken_for_the_same(queue: SqliteJobQueue, tmp_path: Path):
    queue.is_first_call("a")
    with closing(sqlite3.connect(tmp_path / JOBS_FILE, isolation_level=None)) as connection:
        connection.execute("UPDATE calls SET at = at - 60")

    assert queue.is_first_call("a")


def test_many_hooks_at_once_make_the_file_and_lose_nothing(tmp_path: Path):
    code = (
        "import sys; from imprint.adapters.jobs_db import open_jobs\n"
        "from imprint.domain.jobs import JobRequest\n"
        "for number in range(5):\n"
        "    with open_jobs(sys.argv[1]) as queue: queue.add(JobRequest('c', f'/{sys.argv[2]}/{number}'), 'learn')"
    )
    folder = tmp_path / "data"
    hooks = [subprocess.Popen([sys.executable, "-c", code, folder, str(number)]) for number in range(8)]

    assert [hook.wait(60) for hook in hooks] == [0] * 8
    with open_jobs(str(folder)) as queue:
        assert len({job.request.source for job in queue.list()}) == 40


def test_the_queue_is_private_to_the_user(tmp_path: Path):
    with open_jobs(str(tmp_path / "data")):
        pass

    if os.name == "posix":
        assert (tmp_path / "data").stat().st_mode & 0o077 == 0


def test_a_newer_file_and_one_that_is_no_database_are_told_apart(tmp_path: Path):
    with open_jobs(str(tmp_path)):
        pass
    with closing(sqlite3.connect(tmp_path / JOBS_FILE)) as connection:
        connection.execute("PRAGMA user_version = 9")

    with pytest.raises(StoreTooNewError), open_jobs(str(tmp_path)):
        pass
    (tmp_path / JOBS_FILE).write_bytes(b"nothing of the kind" * 500)
    with pytest.raises(StoreDamagedError), open_jobs(str(tmp_path)):
        pass


def test_a_session_begins_once_however_long_ago(queue: SqliteJobQueue):
    begun = [queue.begin(session) for session in ("one", "one", "two")]
    queue._connection.execute("UPDATE begun SET at = at - 1000000")

    assert begun == [True, False, True]
    assert not queue.begin("one")


def test_of_several_processes_at_once_one_begins_a_session(tmp_path: Path):
    program = (
        "import sys; from imprint.adapters.jobs_db import open_jobs\n"
        "with open_jobs(sys.argv[1]) as queue: print(queue.begin('s'))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]

    assert sorted(process.communicate()[0].strip() for process in running) == ["False", "False", "False", "True"]


def test_a_queue_of_the_version_before_is_brought_up_with_what_it_holds(tmp_path: Path):
    with open_jobs(str(tmp_path)) as queue:
        queue.add(REQUEST, LEARN)
    with closing(sqlite3.connect(tmp_path / JOBS_FILE)) as connection:
        connection.executescript("DROP TABLE begun; PRAGMA user_version = 1")

    with open_jobs(str(tmp_path)) as queue:
        assert queue.begin("s")
        assert [job.request for job in queue.list()] == [REQUEST]
