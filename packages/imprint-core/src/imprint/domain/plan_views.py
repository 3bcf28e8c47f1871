"""Plans as people read them before anything happens."""

from collections.abc import Iterator
from difflib import unified_diff

from imprint.domain.plans import FileEdit, Plan, RunCommand

__all__ = ["render_plan"]

_CONTEXT_LINES = 3


def render_plan(plan: Plan) -> str:
    """What would be changed, as one unified diff; what is to be run is told in a line of its own."""
    return "".join(line for step in plan for line in _render_step(step))


def _render_step(step: FileEdit | RunCommand) -> Iterator[str]:
    if isinstance(step, RunCommand):
        yield f"# {step.purpose}\n$ {' '.join(step.arguments)}\n"
        return
    yield f"# {step.purpose}\n"
    if not step.before and not step.after:  # a diff of nothing says nothing
        yield f"# {'make' if step.before is None else 'remove'} the empty file {step.path}\n"
        return
    yield from (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(
            _lines(step.before),
            _lines(step.after),
            "/dev/null" if step.before is None else str(step.path),
            "/dev/null" if step.after is None else str(step.path),
            n=_CONTEXT_LINES,
        )
    )


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace")
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
