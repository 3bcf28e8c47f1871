"""From a client's hook to what a search finds, through the detached worker; and what becomes of work that fails."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from hook_calls import Hooks
from real_program import Program

from imprint.adapters.jobs_db import open_jobs
from imprint.domain.jobs import LEARN, JobRequest


@pytest.fixture
def hooks(program: Program) -> Hooks:
    return Hooks(program)


def workers(data: Path) -> list[int]:
    """The processes that work on a data folder (Linux)."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
                environ = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"jobs" in command and f"IMPRINT_DATA_DIR={data}".encode() in environ:
                found.append(int(entry.name))
    return found


def texts(program: Program, query: str, workspace: str = "default") -> str:
    return program.run("search", query, "--workspace", workspace).stdout


def test_what_one_session_says_the_next_one_finds(hooks: Hooks):
    project = hooks.program.project("proj")
    hooks.stop("one", project, hooks.say("one", project, "The staging database is called heron."))

    (job,) = hooks.settled()

    assert (job["state"], job["workspace"], job["error"]) == ("done", "default", None)
    assert "heron" in texts(hooks.program, "name of the staging database")


def test_a_later_switch_does_not_redirect_what_was_said_before(hooks: Hooks):
    """Here nothing decides but the active workspace, and the worker comes only after the switch."""
    project = hooks.program.project("proj")
    transcript = hooks.say("one", project, "The staging database is called heron.")
    hooks.program.run("workspace", "create", "other")
    with open_jobs(str(hooks.program.data)) as queue:
        queue.add(JobRequest("claude-code", str(transcript), str(project), "", "default"), LEARN)

    hooks.program.run("workspace", "switch", "other")
    hooks.program.run("jobs", "run")

    assert [job["workspace"] for job in hooks.jobs()] == ["default"]
    assert "heron" in texts(hooks.program, "heron")
    assert "heron" not in texts(hooks.program, "heron", "other")


def test_a_path_that_leads_in_a_circle_is_in_nobodys_way(hooks: Hooks, tmp_path: Path):
    circle = tmp_path / "circle.jsonl"
    circle.symlink_to(circle)
    project = hooks.program.project("proj")
    transcript = hooks.say("one", project, "The staging database is called heron.")
    with open_jobs(str(hooks.program.data)) as queue:
        for path in (circle, transcript):
            queue.add(JobRequest("claude-code", str(path), str(project), "", "default"), LEARN)

    hooks.program.run("jobs", "run")

    assert [job["state"] for job in hooks.jobs()] == ["done", "done"]
    assert "heron" in texts(hooks.program, "heron")


def test_a_transcript_that_its_client_writes_after_the_call_is_learned(hooks: Hooks):
    project = hooks.program.project("proj")
    late = hooks.say("one", project, "The staging database is called heron.")
    hidden = late.rename(late.with_suffix(".kept"))

    hooks.stop("one", project, late)
    while hooks.attempts() != [("queued", 1)]:
        time.sleep(0.05)
    hidden.rename(late)

    assert [job["state"] for job in hooks.settled()] == ["done"]
    assert "heron" in texts(hooks.program, "heron")


def test_a_transcript_that_is_never_written_is_nothing_to_be_done(hooks: Hooks):
    project = hooks.program.project("proj")
    hooks.stop("one", project, hooks.say("other", project, "heron").with_stem("one"))

    (job,) = hooks.settled()

    assert (job["state"], job["error"]) == ("done", None)
    assert "nothing waits" in hooks.program.run("doctor").stdout


def test_the_hook_notes_what_a_switch_could_redirect(hooks: Hooks):
    hooks.program.run("workspace", "create", "other")
    hooks.program.run("workspace", "switch", "other")
    project = hooks.program.project("proj")

    hooks.stop("one", project, hooks.say("one", project, "heron"))

    with open_jobs(str(hooks.program.data)) as queue:
        assert [job.request.active for job in queue.list()] == ["other"]


def test_the_variable_of_the_session_counts_and_not_that_of_who_works(hooks: Hooks):
    project = hooks.program.project("proj")
    for name in ("mine", "theirs"):
        hooks.program.run("workspace", "create", name)
    transcript = hooks.say("one", project, "The staging database is called heron.")

    hooks.stop("one", project, transcript, environ={"IMPRINT_WORKSPACE": "mine"})

    assert [job["workspace"] for job in hooks.settled()] == ["mine"]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")
def test_the_worker_outlives_the_client_and_nothing_is_left_when_it_is_done(hooks: Hooks):
    project = hooks.program.project("proj")
    transcript = hooks.say("one", project, *(f"Sentence number {number}." for number in range(200)))

    hooks.stop("one", project, transcript)

    while not (found := workers(hooks.program.data)):  # it may not have begun yet
        time.sleep(0.01)
    (worker,) = found
    assert os.getsid(worker) == worker
    assert os.getpriority(os.PRIO_PROCESS, worker) >= 10
    assert {str(Path(f"/proc/{worker}/fd/{stream}").readlink()) for stream in range(3)} == {os.devnull}
    assert Path(f"/proc/{worker}/cwd").readlink() == hooks.program.data
    hooks.settled()
    deadline = time.monotonic() + 60
    while workers(hooks.program.data):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_two_workers_at_once_do_nothing_twice(hooks: Hooks):
    project = hooks.program.project("proj")
    with open_jobs(str(hooks.program.data)) as queue:
        for number in range(6):
            transcript = hooks.say(f"s{number}", project, f"Heron number {number} lives in Oslo.")
            queue.add(JobRequest("claude-code", str(transcript), str(project), "", "default"), LEARN)

    running = [hooks.program.start("jobs", "run", "--json") for _ in range(3)]
    outputs = [process.communicate(timeout=120)[0] for process in running]

    assert [process.returncode for process in running] == [0, 0, 0]
    assert sum(len(output.splitlines()) for output in outputs) == 6
    assert hooks.attempts() == [("done", 1)] * 6


def test_what_a_killed_worker_had_begun_is_done_by_the_next(hooks: Hooks):
    project = hooks.program.project("proj")
    transcript = hooks.say("one", project, *(f"Heron number {number} lives in Oslo." for number in range(3000)))
    with open_jobs(str(hooks.program.data)) as queue:
        queue.add(JobRequest("claude-code", str(transcript), str(project), "", "default"), LEARN)
    killed = hooks.program.start("jobs", "run")
    while [job["state"] for job in hooks.jobs()] != ["running"]:
        assert killed.poll() is None
    killed.kill()
    killed.communicate()

    hooks.program.run("jobs", "run")

    assert hooks.attempts() == [("done", 2)]
    assert "Heron number 2999" in texts(hooks.program, "Heron number 2999")


def test_a_job_of_a_deleted_workspace_fails_and_does_not_make_it_anew(hooks: Hooks):
    project = hooks.program.project("proj")
    transcript = hooks.say("one", project, "heron")
    hooks.program.run("workspace", "create", "gone")
    with open_jobs(str(hooks.program.data)) as queue:
        queue.add(JobRequest("claude-code", str(transcript), str(project), "", "gone"), LEARN)
    hooks.program.run("workspace", "delete", "gone", "--yes")

    done = hooks.program.run("jobs", "run")

    (job,) = hooks.jobs()
    assert (done.code, job["error"], hooks.attempts()) == (1, "UnknownWorkspaceError", [("failed", 1)])
    assert [row["name"] for row in hooks.program.run("workspace", "list", "--json").json_lines] == ["default"]
    finding = next(one for one in hooks.program.run("doctor", "--json").json_lines if one["part"] == "background work")
    assert (finding["state"], f"imprint jobs show {job['id']}" in finding["remedy"]) == ("problem", True)


def test_a_workspace_that_was_made_anew_does_not_get_the_jobs_of_the_old(hooks: Hooks):
    project = hooks.program.project("proj")
    transcript = hooks.say("one", project, "heron")
    hooks.program.run("workspace", "create", "gone")
    with open_jobs(str(hooks.program.data)) as queue:
        queue.add(JobRequest("claude-code", str(transcript), str(project), "", "gone"), LEARN)
    hooks.program.run("workspace", "delete", "gone", "--yes")
    hooks.program.run("workspace", "create", "gone")

    hooks.program.run("jobs", "run")

    assert [(job["state"], job["error"]) for job in hooks.jobs()] == [("failed", "WorkspaceDeletedError")]


def test_a_purge_cancels_the_jobs_about_what_it_keeps_out(hooks: Hooks):
    project = hooks.program.project("proj")
    kept_out, other = (hooks.say(name, project, "heron") for name in ("one", "two"))
    with open_jobs(str(hooks.program.data)) as queue:
        for transcript in (kept_out, other):
            queue.add(JobRequest("claude-code", str(transcript), str(project), "", "default"), LEARN)

    hooks.program.run("purge", str(kept_out), "--apply", "--workspace", "default")

    assert [job["state"] for job in hooks.jobs()] == ["cancelled", "queued"]


def test_jobs_are_shown_and_cancelled_by_their_number(hooks: Hooks):
    with open_jobs(str(hooks.program.data)) as queue:
        queue.add(JobRequest("claude-code", "/t.jsonl", "", "", "default"), LEARN)

    shown = hooks.program.run("jobs", "show", "1", "--json").json
    cancelled = hooks.program.run("jobs", "cancel", "1", "--json").json
    unknown = hooks.program.run("jobs", "show", "7", "--json")

    assert set(shown) >= {"id", "kind", "workspace", "source", "state", "error", "created"}
    assert (shown["state"], cancelled["state"]) == ("queued", "cancelled")
    assert (unknown.code, unknown.error["type"]) == (3, "UnknownJobError")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_gives_the_job_back(hooks: Hooks):
    project = hooks.program.project("proj")
    transcript = hooks.say("one", project, *(f"Heron number {number} lives in Oslo." for number in range(3000)))
    with open_jobs(str(hooks.program.data)) as queue:
        queue.add(JobRequest("claude-code", str(transcript), str(project), "", "default"), LEARN)
    worker: subprocess.Popen[bytes] = hooks.program.start("jobs", "run")
    while [job["state"] for job in hooks.jobs()] != ["running"]:
        assert worker.poll() is None
    worker.send_signal(signal.SIGINT)
    worker.communicate(timeout=60)

    assert worker.returncode == 130
    assert [job["state"] for job in hooks.jobs()] == ["queued"]
