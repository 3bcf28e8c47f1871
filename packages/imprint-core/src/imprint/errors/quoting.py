"""Showing what a stranger wrote."""

__all__ = ["escaped"]


def escaped(text: object, limit: int = 200) -> str:
    """Show text that somebody else chose (a repository, a variable) so that it cannot pose as ours.

    Control and other unprintable characters are escaped, and what is longer than the limit is cut.
    """
    shown = str(text)
    if len(shown) > limit:
        shown = shown[: limit - 1] + "…"
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)
