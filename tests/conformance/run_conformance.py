"""Hold the server to the protocol with the protocol's own tools: the Inspector's lint and the conformance suite.

They are npm packages; `nox -s conformance` gives their versions. Results are printed, and the exit code is 1 when
anything that a revision requires fails, or the lint finds anything at all.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
REVISIONS = ("2025-11-25", "2026-07-28")
ERAS = ("legacy", "modern")


def main(packages: Sequence[str]) -> int:
    """Run everything.

    Args:
        packages: With their versions: node, the Inspector, the conformance suite.
    """
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "HOME": folder, "IMPRINT_DATA_DIR": str(Path(folder, "data"))}
        npm = ["npm", "exec", "--yes", *(f"--package={package}" for package in packages), "--"]
        passed = [lint_tools(npm, era, environ) for era in ERAS]
        with serve_fixtures(environ) as url:
            passed += [meet_requirements(npm, url, revision, Path(folder)) for revision in REVISIONS]
    return 0 if all(passed) else 1


def lint_tools(npm: Sequence[str], era: str, environ: dict[str, str]) -> bool:
    """Whether the Inspector lists the tools over stdio and finds no fault with their schemas."""
    words = ["mcp-inspector", "--cli", "--strict", "--protocol-era", era, "--method", "tools/list", "--format", "json"]
    target = ["--", sys.executable, "-m", "imprint_mcp"]
    environment = [word for name in ("HOME", "IMPRINT_DATA_DIR") for word in ("-e", f"{name}={environ[name]}")]
    done = subprocess.run([*npm, *words, *environment, *target], capture_output=True, text=True, check=False)
    is_clean = done.returncode == 0 and '"purge_source"' in done.stdout and "schema" not in done.stderr.lower()
    print(f"inspector --strict, {era}: {'clean' if is_clean else 'NOT CLEAN'} (exit {done.returncode})", flush=True)
    if not is_clean:
        print(done.stdout[-2_000:] + done.stderr)
    return is_clean


def meet_requirements(npm: Sequence[str], url: str, revision: str, folder: Path) -> bool:
    """Whether the server passes every scenario that a revision of the protocol requires."""
    words = ["conformance", "server", "--url", url, "--requirements", revision, "-o", str(folder / revision)]
    done = subprocess.run([*npm, *words], capture_output=True, text=True, check=False)
    summary = done.stdout.partition("=== SUMMARY ===")[2]
    print(f"conformance, {revision}: {'passed' if done.returncode == 0 else 'FAILED'}\n{summary}", flush=True)
    if not summary:
        print(done.stdout[-2_000:] + done.stderr[-2_000:])
    return done.returncode == 0 and bool(summary)


@contextmanager
def serve_fixtures(environ: dict[str, str]) -> Iterator[str]:
    """Serve the fixtures beside our tools; the URL."""
    process = subprocess.Popen(
        [sys.executable, str(HERE / "serve_fixtures.py")], env=environ, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.communicate()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
