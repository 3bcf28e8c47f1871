"""Summaries: what a conversation was about, in its own words, and what is counted for that as it grows."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

import attrs

from imprint.domain.insights import Insight, Said
from imprint.domain.own_words import own_words
from imprint.domain.sources import MemoryKind

__all__ = ["Tally", "summarize"]

_PART = 300
_LONGEST_SUMMARY = 1_500
_LEAST_PASSAGES = 4
_MOST_NAMES = 200
_FORM = 1
"""A written tally begins with it; another number when what is counted changes, so that all is counted anew."""

_FILE = re.compile(r"(?<![\w/@:.-])(?:[\w.-]+/)*[\w-][\w.-]*\.(?:[a-z]{1,4}|toml|yaml|json|lock|ipynb)\b(?![\w(/@])")
_COMMAND = re.compile(
    r"`((?:git|npm|npx|pnpm|yarn|pytest|make|docker|kubectl|cargo|pip|uv|go|node|python3?|nox|ruff|mypy|imprint) "
    r"[^`\n]{1,80})`"
)
_HEAD = re.compile(rf"{_FORM}/([0-9]{{1,9}})")
_COUNTED = re.compile(r"([1-9][0-9]{0,8}) (?:([^`\n]+)|`([^`\n]+)`)")


@attrs.frozen(kw_only=True)
class Tally:
    """What was named in a conversation so far, and how often.

    Of files and commands the 200 that were named most are kept; what falls out is counted anew when it comes again.

    Attributes:
        passages: How many were counted, from the first one on.
    """

    passages: int = 0
    files: Mapping[str, int] = attrs.field(default=MappingProxyType({}))
    commands: Mapping[str, int] = attrs.field(default=MappingProxyType({}))

    def add(self, turns: Iterable[Said]) -> "Tally":
        """Count on."""
        passages, files, commands = self.passages, Counter(self.files), Counter(self.commands)
        for said in turns:
            passages += 1
            files.update(_named(_FILE, said.text))
            commands.update(_named(_COMMAND, said.text))
        return Tally(passages=passages, files=_most_named(files), commands=_most_named(commands))

    def write(self) -> str:
        """The tally as lines of text, which `read` reads; without a word of ours, since such text is searched."""
        files = (f"{number} {name}" for name, number in self.files.items())
        commands = (f"{number} `{name}`" for name, number in self.commands.items())
        return "\n".join([f"{_FORM}/{self.passages}", *files, *commands])

    @staticmethod
    def read(text: str) -> "Tally | None":
        """A tally that was written; `None` for any other text."""
        first, *lines = text.split("\n")
        head = _HEAD.fullmatch(first)
        counted = [match for line in lines if (match := _COUNTED.fullmatch(line))]
        if head is None or len(counted) < len(lines):
            return None
        return Tally(
            passages=int(head[1]),
            files={match[2]: int(match[1]) for match in counted if match[2]},
            commands={match[3]: int(match[1]) for match in counted if match[3]},
        )


def summarize(
    tally: Tally, insights: Sequence[Insight], *, first: Said | None, last: Said | None, outcome: str = ""
) -> str:
    """What a conversation was about, in its own words; empty where it is too short to need that.

    Args:
        tally: Of the whole conversation; the insights too.
        first: The first that the user said.
        last: The last that the model said.
        outcome: What it came to; empty: the beginning of the last answer.
    """
    if first is None or last is None or tally.passages < _LEAST_PASSAGES:
        return ""
    parts = [
        ("Asked", _shorten(" ".join(own_words(first.text).split()), _PART)),
        ("Decided", "; ".join(_kept(insights, MemoryKind.DECISION))),
        ("Mended", "; ".join(_kept(insights, MemoryKind.BUG))),
        ("Files", ", ".join(islice(tally.files, 8))),
        ("Commands", ", ".join(islice(tally.commands, 5))),
        ("Ended with", _shorten(outcome or " ".join(own_words(last.text).split()), _PART)),
    ]
    return _shorten("\n".join(f"{name}: {content}" for name, content in parts if content), _LONGEST_SUMMARY)


def _kept(insights: Sequence[Insight], kind: MemoryKind) -> Iterator[str]:
    return islice((_shorten(one.text, 200) for one in insights if one.kind is kind), 3)


def _named(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    return (match[match.lastindex or 0] for match in pattern.finditer(text))


def _most_named(counts: Counter[str]) -> Mapping[str, int]:
    """The most often named first; equals in the order of their names, so that counting on gives what counting gives."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST_NAMES])


def _shorten(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 1].rstrip()}…"
