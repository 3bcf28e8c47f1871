"""Git's wildcards as regular expressions: ``*`` and ``?`` stay inside a component, ``**`` crosses them.

The expressions use atomic groups where an earlier match is as good as a later one, so a hostile pattern such as
``*a*a*a*a*b`` cannot make a search take longer than pattern times path.
"""

import re
from collections.abc import Sequence
from enum import Enum, auto

import attrs

__all__ = ["translate_wildcards"]

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
    "space": " \\t\\n\\r\\x0b\\x0c",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class _Kind(Enum):
    ONE = auto()  # exactly one character, never a slash
    SLASH = auto()
    STAR = auto()
    CROSSING = auto()  # `**` at the end
    CROSSING_SLASH = auto()  # `**/`


@attrs.frozen
class _Token:
    kind: _Kind
    regex: str = ""


def translate_wildcards(pattern: str) -> str | None:
    """A regular expression for `re.fullmatch` with ``DOTALL``; `None` for a pattern that matches nothing."""
    tokens = _tokenize(pattern)
    if tokens is None:
        return None
    runs: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind in (_Kind.CROSSING, _Kind.CROSSING_SLASH):
            runs.append([])
        runs[-1].append(token)
    last = len(runs) - 1
    return "".join(_join(run, atomic=0 < index < last) for index, run in enumerate(runs))


def _join(run: Sequence[_Token], *, atomic: bool) -> str:
    """Between two ``**`` the leftmost place is as good as any other: nothing further left is ever needed again."""
    body = list[str]()
    for index, token in enumerate(run):
        match token.kind:
            case _Kind.ONE:
                body.append(token.regex)
            case _Kind.SLASH:
                body.append("/")
            case _Kind.CROSSING:
                body.append(".*")
            case _Kind.CROSSING_SLASH:
                body.append("(?:.*?/)??")
            case _Kind.STAR:
                body.append(_open_star(run[index + 1 :]))
        if token.kind is not _Kind.STAR and _closes_star(run, index):
            body.append(")")
    joined = "".join(body)
    return f"(?>{joined})" if atomic else joined


def _open_star(rest: Sequence[_Token]) -> str:
    return "(?>[^/]*?" if _next_star(rest) else "[^/]*"


def _next_star(rest: Sequence[_Token]) -> bool:
    """Whether another star follows in the same component."""
    for token in rest:
        if token.kind is not _Kind.ONE:
            return token.kind is _Kind.STAR
    return False


def _closes_star(run: Sequence[_Token], index: int) -> bool:
    """Whether a token is the last between two stars of one component."""
    if index + 1 >= len(run) or run[index + 1].kind is not _Kind.STAR:
        return False
    for token in reversed(run[: index + 1]):
        if token.kind is not _Kind.ONE:
            return token.kind is _Kind.STAR
    return False


def _tokenize(pattern: str) -> list[_Token] | None:
    tokens: list[_Token] = []
    at, wild = 0, False
    while at < len(pattern):
        match pattern[at]:
            case "*":
                stars = at
                while at < len(pattern) and pattern[at] == "*":
                    at += 1
                # Git compares the literal beginning first and matches only the rest, so `**` right behind
                # it counts as the start of a component even when it is none: `a**/b` matches `a/x/b`.
                starts = not wild or pattern[stars - 1] == "/"
                wild = True
                if at - stars == 1 or not starts:
                    tokens.append(_Token(_Kind.STAR))
                elif at == len(pattern):
                    tokens.append(_Token(_Kind.CROSSING))
                elif pattern[at] == "/":
                    tokens.append(_Token(_Kind.CROSSING_SLASH))
                    at += 1
                elif pattern.startswith("\\/", at):
                    tokens.append(_Token(_Kind.CROSSING))
                else:
                    tokens.append(_Token(_Kind.STAR))
            case "?":
                tokens.append(_Token(_Kind.ONE, "[^/]"))
                at, wild = at + 1, True
            case "[":
                bracket = _translate_bracket(pattern, at + 1)
                if bracket is None:
                    return None
                regex, at = bracket
                tokens.append(_Token(_Kind.ONE, regex))
                wild = True
            case "\\":
                if at + 1 == len(pattern):
                    return None
                tokens.append(_literal(pattern[at + 1]))
                at, wild = at + 2, True
            case character:
                tokens.append(_literal(character))
                at += 1
    return tokens


def _literal(character: str) -> _Token:
    return _Token(_Kind.SLASH) if character == "/" else _Token(_Kind.ONE, re.escape(character))


def _translate_bracket(pattern: str, at: int) -> tuple[str, int] | None:
    """The set that begins behind ``[`` and the place behind its ``]``; `None` where git gives the pattern up."""
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    items: list[str] = []
    previous, first = "", True
    while True:
        character = pattern[at : at + 1]
        if not character:
            return None
        if character == "]" and not first:
            break
        first = False
        if character == "\\":
            at += 1
            previous = pattern[at : at + 1]
            if not previous:
                return None
            items.append(_in_set(previous))
        elif character == "-" and previous and pattern[at + 1 : at + 2] not in ("", "]"):
            at += 1
            if pattern[at] == "\\":
                at += 1
            end = pattern[at : at + 1]
            if not end:
                return None
            if previous <= end:
                items.append(f"{_in_set(previous)}-{_in_set(end)}")
            previous = ""
        elif character == "[" and pattern[at + 1 : at + 2] == ":":
            close = pattern.find("]", at + 2)
            if close < 0:
                return None
            if close > at + 2 and pattern[close - 1] == ":":
                members = _CLASSES.get(pattern[at + 2 : close - 1])
                if members is None:
                    return None
                items.append(members)
                at, previous = close, ""
            else:
                items.append(_in_set("["))
                previous = "["
        else:
            items.append(_in_set(character))
            previous = character
        at += 1
    members = "".join(items)
    return (f"[^/{members}]" if negated else f"(?!/)[{members}]" if members else "(?!)"), at + 1


def _in_set(character: str) -> str:
    return f"\\x{ord(character):02x}"
