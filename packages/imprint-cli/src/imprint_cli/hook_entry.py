"""`imprint-hook CLIENT EVENT`: what a client calls when something happens in a session.

It runs on every answer of the model, so it loads no more than the event needs; and it must never be in the client's
way: whatever goes wrong, it says nothing and ends with 0.
"""

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from imprint.domain.hook_events import HookOutput

__all__ = ["main"]


def main() -> int:
    """Answer the client on stdout; always 0, since other codes mean something to clients."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        from imprint_cli import __version__

        sys.stdout.write(f"imprint-hook {__version__}\n")
        return 0
    client, event = (*arguments, "", "")[:2]
    try:
        # Whatever a plugin prints is not for the client.
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
        code = _answer(client, event, os.environ)
        os._exit(code)  # the interpreter's own farewell would take a tenth of the run
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the top of the program
        _note(client, event, error)
    return 0


def _answer(client: str, event: str, environ: "Mapping[str, str]") -> int:
    from imprint_cli.hook_calls import answer

    output = answer(client, event, environ)
    _write(output)
    return output.exit_code


def _write(output: "HookOutput") -> None:
    data = output.stdout.encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(1, data) :]


def _note(client: str, event: str, error: BaseException) -> None:
    from imprint.bootstrap.hook_faults import note_hook_fault

    note_hook_fault(client, event, error, environ=os.environ)


if __name__ == "__main__":
    sys.exit(main())
