"""Worker processes that talk through their standard streams.

A worker reads tasks until its input ends, and the operating system ends it when this process is gone: no worker
outlives the run that began it, not even a killed one. (A `multiprocessing` pool would, and would run the main script of
whoever embeds us a second time.)
"""

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import attrs

from imprint.domain.resolution import WORKSPACE_VARIABLE

__all__ = ["WorkerProcesses", "count_processors", "serve_tasks"]

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS")
"""What libraries ask for the number of their threads: with a process a processor, more would wait for each other."""

_WAITING_TASKS = 2  # a worker; enough to keep each busy, few enough to bound memory


@attrs.frozen
class WorkerProcesses:
    """Meets `imprint.protocols.workers.Workers`.

    Attributes:
        count: Number of processes.
        program: Python code that calls `serve_tasks`.
        setup: Given to each worker before its first task.
    """

    count: int
    program: str
    setup: object

    def map(self, tasks: Iterable[Any]) -> Iterator[Any]:
        idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        workers = [_Worker(self.program, self.setup) for _ in range(self.count)]
        for worker in workers:
            idle.put(worker)
        waiting: deque[Future[Any]] = deque()
        threads = ThreadPoolExecutor(self.count)
        try:
            for task in tasks:
                waiting.append(threads.submit(_run, task, idle))
                if len(waiting) > _WAITING_TASKS * self.count:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.kill()
            threads.shutdown()
            for worker in workers:
                worker.end()


def count_processors() -> int:
    """How many processors this process may use; 1 where no further process can be started."""
    if not sys.executable:
        return 1
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def serve_tasks(prepare: Callable[[Any], Callable[[Any], Any]]) -> None:
    """What a worker does: make itself ready with the setup, then answer one task after the other until input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the one who began us decides.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # What a plugin prints must not mix with answers.
    with contextlib.suppress(EOFError, BrokenPipeError):
        handle = prepare(pickle.load(sys.stdin.buffer))
        while True:
            pickle.dump(handle(pickle.load(sys.stdin.buffer)), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


def _run(task: Any, idle: "queue.SimpleQueue[_Worker]") -> Any:
    worker = idle.get()
    try:
        return worker.ask(task)
    finally:
        idle.put(worker)


class _Worker:
    """One process, started when it is first asked, and again after it broke."""

    def __init__(self, program: str, setup: object) -> None:
        self._program = program
        self._setup = setup
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, task: Any) -> Any:
        """The result, or `None` when the process ended over it."""
        if self._process is None:
            self._process = self._start()
            self._send(self._setup)
        self._send(task)
        try:
            assert self._process.stdout is not None
            return pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.end()
            return None

    def kill(self) -> None:
        """Have the process end soon, whatever it does; whoever waits for it gets `None`."""
        if (process := self._process) is not None:
            process.kill()

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _start(self) -> "subprocess.Popen[bytes]":
        # -P keeps the current directory, which may be a stranger's repository, out of the places modules come from.
        command: Sequence[str] = [sys.executable, "-P", "-c", self._program]
        # What one process was told to use is not what another one, started for whatever reason, should use.
        environ = {name: value for name, value in os.environ.items() if name != WORKSPACE_VARIABLE}
        environ |= dict.fromkeys(_ONE_THREAD, "1")
        return subprocess.Popen(
            command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def _send(self, value: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # It shows when the answer is read.
            pickle.dump(value, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
