"""Plans as people read them."""

from pathlib import PurePosixPath

from imprint.domain.plan_views import render_plan
from imprint.domain.plans import FileEdit, RunCommand

PATH = PurePosixPath("/home/me/x.toml")


def render(before, after):
    return render_plan((FileEdit(path=PATH, before=before, after=after, purpose="try"),))


def test_change_is_a_unified_diff_with_a_little_around_it():
    before = b"".join(b"%d\n" % number for number in range(20))

    shown = render(before, before.replace(b"10\n", b"ten\n"))

    assert shown == (
        "# try\n--- /home/me/x.toml\n+++ /home/me/x.toml\n@@ -8,7 +8,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"
    )


def test_file_that_is_made_or_removed_is_compared_with_nothing():
    assert render(None, b"a\n") == "# try\n--- /dev/null\n+++ /home/me/x.toml\n@@ -0,0 +1 @@\n+a\n"
    assert render(b"a\n", None) == "# try\n--- /home/me/x.toml\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    assert render(None, b"") == "# try\n# make the empty file /home/me/x.toml\n"
    assert render(b"", None) == "# try\n# remove the empty file /home/me/x.toml\n"


def test_missing_last_line_end_is_said():
    assert render(b"a", b"a\n") == (
        "# try\n--- /home/me/x.toml\n+++ /home/me/x.toml\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
    )


def test_only_a_newline_ends_a_line():
    assert render(None, "a\u2028b\fc\n".encode()).endswith("@@ -0,0 +1 @@\n+a\u2028b\fc\n")


def test_command_is_told():
    assert render_plan((RunCommand(arguments=("acme", "add"), purpose="try"),)) == "# try\n$ acme add\n"
