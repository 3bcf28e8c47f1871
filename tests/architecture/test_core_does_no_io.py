"""The core touches nothing: the interpreter itself reports whatever it does while the unit tests exercise it."""

import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import imprint.domain

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

RUN = """
import pytest

class Brief:
    def pytest_sessionstart(self):
        from hypothesis import settings

        settings.load_profile("suite")
        settings.register_profile("brief", parent=settings(), max_examples=5, database=None)
        settings.load_profile("brief")

pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]], plugins=[Brief()])
loaded = sorted(name for name in sys.modules if name.startswith("imprint.domain."))
sys.stderr.write("\\n" + json.dumps([sorted(seen), loaded]))
"""

PLANTED = """
import types

planted = types.ModuleType("imprint.domain.planted")
exec("import os\\ndef look(): return os.listdir('.')\\ndef read(): return open(os.devnull).close()", planted.__dict__)
planted.look()
planted.read()
sys.stderr.write("\\n" + json.dumps(sorted(seen)))
"""


def report_of(script: str, *arguments: str) -> list[list[list[str]]]:
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report: list[list[list[str]]] = json.loads(done.stderr.splitlines()[-1])
    return report


def test_no_function_of_the_core_touches_the_machine():
    files = [str(path) for path in UNIT_TESTS.glob("test_*.py") if "imprint.domain" in path.read_text("utf-8")]

    seen, loaded = report_of(WATCH + RUN, *files)

    assert seen == []
    assert loaded == sorted(f"imprint.domain.{module.name}" for module in pkgutil.iter_modules(imprint.domain.__path__))


def test_a_planted_breach_is_reported():
    seen = report_of(WATCH + PLANTED)

    assert [event for _, _, event in seen] == ["os.listdir", "open"]
