"""Where the program starts, kept so light that `imprint --version` costs next to nothing."""

import os
import sys

from imprint_cli import __version__

__all__ = ["main"]


def main() -> int:
    """Run the program on the process's arguments; the exit code."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        sys.stdout.write(f"imprint {__version__}\n")
        return 0
    # Read by OpenBLAS when numpy loads. Its threads cost more than they bring on the small products of a search.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from imprint_cli.program import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
