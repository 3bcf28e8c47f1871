"""What an unchanged tree costs to refresh, as a multiple of looking at each of its files once (scandir and stat)."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from measure import best_of, emit

FILES_A_FOLDER = 25
IGNORE = "*.pyc\n__pycache__/\n/dist/\nbuild/\n*.egg-info\n.venv\nnode_modules\n*.log\n!kept.log\n"
BUDGET = 3.0
RUNS = 7


class Silent:
    def start(self, activity: str, total_bytes: int | None) -> None:
        pass

    def advance(self, count: int, bytes: int, current: str) -> None:
        pass

    def finish(self) -> None:
        pass


def main(files: int = 20_000) -> None:
    from imprint.bootstrap import open_application

    with tempfile.TemporaryDirectory() as folder:
        tree, data = make_tree(Path(folder, "tree"), files), Path(folder, "data")
        environ = {**os.environ, "HOME": str(data)}
        with open_application(environ=environ, data_dir=data) as application:
            application.ingest.ingest([tree], Silent())

        def refresh() -> None:
            with open_application(environ=environ, data_dir=data) as application:
                (report,) = application.refresh.refresh_paths([tree], Silent())
                assert report.sources == {"unchanged": files + 1}, report

        bare = best_of(RUNS, lambda: look_at_each(tree))
        seconds = best_of(RUNS, refresh)
        facts = {"files": files, "bare_ms": round(bare * 1000), "ms": round(seconds * 1000)}
        emit("unchanged refresh", seconds / bare, "x scandir+stat", budget=BUDGET, **facts)


def make_tree(tree: Path, files: int) -> Path:
    """A repository whose files are all tracked, as most are."""
    for number in range(files):
        module, name = divmod(number, FILES_A_FOLDER)
        path = tree / f"package{module % 20}" / f"module{module // 20}" / f"file{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"def answer_{number}():\n    return {number}\n")
    (tree / ".gitignore").write_text(IGNORE)
    if shutil.which("git"):
        subprocess.run(["git", "init", "-q", str(tree)], check=True)
        subprocess.run(["git", "add", "-A"], cwd=tree, check=True)
    time.sleep(0.1)  # so that the newest file's time tells versions apart
    return tree


def look_at_each(folder: Path) -> int:
    """The floor: every folder listed, every file looked at, nothing remembered."""
    count = 0
    pending = [str(folder)]
    while pending:
        with os.scandir(pending.pop()) as listing:
            for entry in listing:
                if entry.name == ".git":
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    count += 1
    return count


if __name__ == "__main__":
    main()
