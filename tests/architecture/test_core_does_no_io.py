"""The core touches nothing: the interpreter itself reports whatever it does while the unit tests exercise it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

UNIT_TESTS = Path(__file__).parents[1] / "unit"

# Runs the tests it is given, and lists every audited event that has a frame of the core below it. An import that the
# core causes reads its module's file: that is the import system's doing, not a function's, and is left out.
WATCH = """
import json, sys

seen = set()
WATCHED = ("open", "os.", "shutil.", "subprocess.", "socket.", "sqlite3.", "tempfile.", "glob.", "pathlib.", "urllib.",
           "ctypes.", "mmap.", "fcntl.", "signal.", "winreg.")

def report(event, arguments):
    if not event.startswith(WATCHED):
        return
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("importlib"):
            return
        if name.startswith("imprint.domain."):
            seen.add((name, frame.f_code.co_name, event))
            return
        frame = frame.f_back

sys.addaudithook(report)
"""

RUN_UNIT_TESTS = """
import pytest

class Brief:
    def pytest_sessionstart(self):
        from hypothesis import settings

        settings.load_profile("suite")
        settings.register_profile("brief", parent=settings(), max_examples=5, database=None)
        settings.load_profile("brief")

outcome = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]], plugins=[Brief()])
assert outcome == 0, outcome
sys.stderr.write("\\n" + json.dumps(sorted(seen)))
"""

# Calls every public function with whatever fits its annotations. What it answers or raises is not the question here.
CALL_EVERYTHING = """
import collections.abc, contextlib, importlib, inspect, pkgutil, typing
from pathlib import PurePosixPath
from hypothesis import HealthCheck, given, settings, strategies as st
import imprint.domain
from imprint.domain.chunking import ChunkLimits

st.register_type_strategy(ChunkLimits, st.just(ChunkLimits()))
# A function that Hypothesis makes up reads its own source to describe itself, and would be taken for the core's doing.
st.register_type_strategy(collections.abc.Callable, st.just(lambda *_: None))
st.register_type_strategy(PurePosixPath, st.text(max_size=9).map(lambda text: PurePosixPath("/", text)))
brief = settings(max_examples=4, database=None, deadline=None, suppress_health_check=list(HealthCheck))
called, uncalled = 0, []

for found in pkgutil.walk_packages(imprint.domain.__path__, "imprint.domain."):
    module = importlib.import_module(found.name)
    for name in () if found.ispkg else module.__all__:
        function = getattr(module, name)
        if not inspect.isfunction(function):
            continue
        try:
            hints = typing.get_type_hints(function)
            arguments = {key: st.from_type(hint) for key, hint in hints.items() if key != "return"}

            @brief
            @given(st.fixed_dictionaries(arguments))
            def call(values):
                with contextlib.suppress(Exception):
                    answer = function(**values)
                    if inspect.isgenerator(answer):
                        list(answer)

            call()
            called += 1
        except Exception as error:
            uncalled.append([found.name, name, repr(error)[:200]])

sys.stderr.write("\\n" + json.dumps([sorted(seen), called, uncalled]))
"""

PLANTED = """
import types

planted = types.ModuleType("imprint.domain.planted")
exec("import os\\ndef look(): return os.listdir('.')\\ndef read(): return open(os.devnull).close()", planted.__dict__)
planted.look()
planted.read()
sys.stderr.write("\\n" + json.dumps(sorted(seen)))
"""


def report_of(script: str, *arguments: str) -> Any:
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stderr.splitlines()[-1])


def test_no_function_of_the_core_touches_the_machine_while_the_unit_tests_run():
    files = [str(path) for path in UNIT_TESTS.rglob("test_*.py") if "imprint.domain" in path.read_text("utf-8")]

    assert report_of(WATCH + RUN_UNIT_TESTS, *files) == []


def test_no_public_function_of_the_core_touches_the_machine_whatever_it_is_given():
    seen, called, uncalled = report_of(WATCH + CALL_EVERYTHING)

    assert seen == []
    assert uncalled == []
    assert called > 50


def test_a_planted_breach_is_reported():
    seen = report_of(WATCH + PLANTED)

    assert [event for _, _, event in seen] == ["os.listdir", "open"]
