"""Take a still of Imprint in a real terminal: ``python tools/take_picture.py docs/images/first-search.svg``.

Runs the README's commands in tmux, in a copy of this repository and with a home of its own, and draws what the terminal
shows. Needs tmux, git, rich, and `imprint` on the PATH.
"""

import io
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

COMMANDS = ("imprint ingest .", 'imprint search "which workspace does a session use" -n 3')
WIDTH, HEIGHT = 110, 60
SECONDS = 120

# As rich draws it, without the font that it would fetch from a server.
FORMAT = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


def main(target: Path) -> None:
    """Run the commands and write the picture."""
    repository = Path(__file__).parents[1]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        subprocess.run(["git", "clone", "--quiet", "--depth=1", repository.as_uri(), home / "imprint"], check=True)
        text = _watch(home)
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(text)
    target.write_text(console.export_svg(title="imprint", theme=MONOKAI, code_format=FORMAT, unique_id="imprint"))


def _watch(home: Path) -> Text:
    tmux = ["tmux", "-L", f"picture-{home.name}", "-f", "/dev/null"]
    size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
    program = shutil.which("imprint")
    if program is None:
        sys.exit("imprint is not on the PATH")
    environment = {
        "HOME": str(home),
        "PATH": f"{Path(program).parent}:/usr/bin:/bin",
        "PS1": "$ ",
        "TERM": "screen-256color",
    }
    shell = ["env", "-i", *(f"{name}={value}" for name, value in environment.items()), "sh"]
    subprocess.run([*tmux, "new-session", "-d", *size, "-c", str(home / "imprint"), shlex.join(shell)], check=True)
    try:
        for command in COMMANDS:
            _run(tmux, command)
        screen = _capture(tmux, "-e", "-J")
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)
    lines = screen.split("\n")
    while lines and not Text.from_ansi(lines[-1]).plain.strip(" $"):
        del lines[-1]
    return Text("\n").join(Text.from_ansi(line.replace(str(home), "~")) for line in lines)


def _run(tmux: list[str], command: str) -> None:
    _await_prompt(tmux)
    subprocess.run([*tmux, "send-keys", "-l", command], check=True)
    subprocess.run([*tmux, "send-keys", "Enter"], check=True)
    _await_prompt(tmux)


def _await_prompt(tmux: list[str]) -> None:
    deadline = time.monotonic() + SECONDS
    before = None
    while time.monotonic() < deadline:
        time.sleep(1)
        now = _capture(tmux)
        if now.rstrip().split("\n")[-1] == "$" and now == before:
            return
        before = now
    sys.exit(f"the terminal gave no prompt within {SECONDS} s")


def _capture(tmux: list[str], *options: str) -> str:
    return subprocess.run([*tmux, "capture-pane", "-p", *options], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]))
