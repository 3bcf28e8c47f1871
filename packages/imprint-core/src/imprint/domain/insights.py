"""Insights: what a conversation decided, preferred and mended, each with the sentence that says so; and its summary.

Rules, not a model: a sentence counts only where its form leaves little doubt. What the user wants is taken from the
user's own words alone, never from what was quoted, pasted, asked, or said by a model in the user's place.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import attrs

from imprint.domain.sources import MemoryKind

__all__ = ["Insight", "Said", "find_insights", "summarize"]

_MOST_OF_A_KIND = 20
_LONGEST_OWN_WORDS = 4_000
"""What is longer was pasted into a question, not said."""

_LENGTHS = range(12, 401)
_PART = 300
_LONGEST_SUMMARY = 1_500
_LEAST_TURNS = 4


@attrs.frozen(kw_only=True)
class Said:
    """A turn, or a passage of one.

    Attributes:
        speaker: ``user`` for the person alone; any other word for a model or a program.
        reference: Names the turn as evidence: a transcript's line, or a client's id.
        time: UTC ISO 8601 with ``Z``; may be empty.
    """

    speaker: str
    text: str
    reference: str
    time: str = ""
    line: int | None = None


@attrs.frozen(kw_only=True)
class Insight:
    """One thing that was found; ``text`` quotes the turn that ``said`` is.

    Attributes:
        kind: A decision, a preference or a bug.
    """

    kind: MemoryKind
    text: str
    said: Said


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_PREFERENCE = _any(
    r"\b(?:I|we) (?:\w+ly |always |much )?prefer (?!not to say)\w",
    r"^(?:please |and |also )?(?:always|never) (?!mind\b|ending\b|seen\b|heard\b)[a-z]+ \w",
    r"^(?:please )?(?:from now on|going forward|in (?:the )?future),? ",
    r"\bplease (?:always|never) \w",
    r"\bmy preference is\b",
    r"\b(?:I|we) (?:always|never) (?:use|commit|deploy|write|want|push|merge|add|squash)\b",
    r"\bI (?:don't|do not) (?:like|want) (?:you to|it when you|when you)\b",
    r"\bich bevorzuge\b",
    r"^(?:bitte )?(?:immer|nie|niemals) [a-zäöüß]+ \w",
    r"^(?:bitte )?ab (?:jetzt|sofort|nun),? ",
    r"\b(?:ich|wir) (?:verwende|nutze|benutze|schreibe)n? (?:immer|nie|niemals)\b",
)
_DECISION = _any(
    r"\bwe(?:'ve| have)? (?:decided|agreed|settled|opted) (?:to|on|that|against|for|not)\b",
    r"\bI(?:'ve| have)? decided (?:to|on|that|against|for|not)\b",
    r"^(?:ok(?:ay)?|alright|good|yes|fine)?[,.]? ?let'?s (?:go|stick|stay) with \w",
    r"\bwe(?:'ll| will|'re going to| are going to) (?:use|go with|stick with|stay with|switch to|migrate to|drop)\b",
    r"\bthe decision is\b",
    r"\bwir haben (?:uns )?[^.]{0,80}\b(?:entschieden|beschlossen|geeinigt)\b",
    r"\bich habe mich [^.]{0,80}\bentschieden\b",
    r"^(?:ok(?:ay)?|gut|ja)?[,.]? ?wir (?:nehmen|bleiben bei) \w",
)
_NAMED_DECISION = _any(r"^\W*(?:decision|entscheidung)\W*: ?\w")
_CAUSE = _any(
    r"\broot cause (?:was|is|were|turned out)\b",
    r"\bthe (?:[\w-]+ ){0,2}(?:bug|problem|crash|failure|issue|error) (?:was|were) "
    r"(?:that|caused by|due to|because|in|an?|the)\b",
    r"\bdie ursache (?:war|ist)\b",
    r"\bder fehler (?:war|lag)\b",
)
_FIX = _any(
    r"\b(?:I|we)(?:'ve| have)? (?:now )?(?:fixed|resolved|solved|corrected)\b",
    r"\b(?:fixed|resolved|solved) (?:it |this |that |the [\w-]+ )?by\b",
    r"\bthe fix (?:was|is)\b",
    r"^fix(?:ed)?: ",
    r"\b(?:behoben|korrigiert|gelöst)\b",
)
_DOUBT = _any(
    r"\?\W*$",
    r"^(?:if|should|shall|could|would|can|do|did|does|are|is|was|what|why|how|when|suppose|imagine|say|reply|print|write|"
    r"output|repeat|wenn|falls|soll|sollen|kann|warum|wie)\b",
    r"\b(?:maybe|perhaps|might|not sure|unless|vielleicht|eventuell)\b",
    r"\b(?:haven't|have not|not yet|noch nicht) \w*",
)
_CODE = re.compile(
    r"(?s:```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z))|^(?: {4}|\t|>)[^\n]*$|(?s:<([a-z][\w-]*)>.*?</\1>)", re.MULTILINE
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[\"'A-ZÄÖÜ])")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|#{1,6})\s+")
_FILE = re.compile(r"(?<![\w/@:.-])(?:[\w.-]+/)*[\w-][\w.-]*\.(?:[a-z]{1,4}|toml|yaml|json|lock|ipynb)\b(?![\w(/@])")
_COMMAND = re.compile(
    r"`((?:git|npm|npx|pnpm|yarn|pytest|make|docker|kubectl|cargo|pip|uv|go|node|python3?|nox|ruff|mypy|imprint) "
    r"[^`\n]{1,80})`"
)


def find_insights(turns: Iterable[Said]) -> list[Insight]:
    """What was decided, preferred and mended, in the order it was said; the same sentence counts once."""
    found: dict[tuple[MemoryKind, str], Insight] = {}
    counts: Counter[MemoryKind] = Counter()
    for said in turns:
        for kind, text in _judge(said):
            key = (kind, " ".join(text.split()).casefold())
            if key not in found and counts[kind] < _MOST_OF_A_KIND:
                counts[kind] += 1
                found[key] = Insight(kind=kind, text=text, said=said)
    return list(found.values())


def summarize(turns: Iterable[Said], insights: Sequence[Insight]) -> str:
    """What a conversation was about, in its own words; empty where it is too short to need one."""
    first: Said | None = None
    last: Said | None = None
    count = 0
    files: Counter[str] = Counter()
    commands: Counter[str] = Counter()
    for count, said in enumerate(turns, start=1):  # noqa: B007 (the last one is their number)
        first = first or (said if said.speaker == "user" else None)
        last = said if said.speaker == "assistant" else last
        files.update(_named(_FILE, said.text))
        commands.update(_named(_COMMAND, said.text))
    if first is None or last is None or count < _LEAST_TURNS:
        return ""
    parts = [
        ("Asked", _shorten(" ".join(_own_words(first.text).split()), _PART)),
        ("Decided", "; ".join(_kept(insights, MemoryKind.DECISION))),
        ("Mended", "; ".join(_kept(insights, MemoryKind.BUG))),
        ("Files", ", ".join(_most(files, 8))),
        ("Commands", ", ".join(_most(commands, 5))),
        ("Ended with", _shorten(" ".join(_own_words(last.text).split()), _PART)),
    ]
    return _shorten("\n".join(f"{name}: {content}" for name, content in parts if content), _LONGEST_SUMMARY)


def _judge(said: Said) -> Iterator[tuple[MemoryKind, str]]:
    if len(said.text) > _LONGEST_OWN_WORDS:
        return
    sentences = list(_sentences(said.text))
    fix = next((one for one in sentences if _FIX.search(one) and not _DOUBT.search(one)), "")
    for sentence in sentences:
        kind = _kind_of(sentence, said.speaker, has_fix=bool(fix))
        if kind is None or _DOUBT.search(sentence):
            continue
        yield kind, f"{sentence} {fix}" if kind is MemoryKind.BUG and fix != sentence else sentence


def _kind_of(sentence: str, speaker: str, *, has_fix: bool) -> MemoryKind | None:
    """What a sentence would say if there were no doubt about it; asked first, since few say anything."""
    if speaker not in ("user", "assistant"):
        return None
    if (speaker == "user" and _DECISION.search(sentence)) or _NAMED_DECISION.search(sentence):
        return MemoryKind.DECISION
    if speaker == "user" and _PREFERENCE.search(sentence):
        return MemoryKind.PREFERENCE
    return MemoryKind.BUG if has_fix and _CAUSE.search(sentence) else None


def _sentences(text: str) -> Iterator[str]:
    for line in _own_words(text).splitlines():
        for sentence in _SENTENCE_END.split(_BULLET.sub("", line)):
            plain = sentence.strip().strip("*_ ")
            if len(plain) in _LENGTHS and not plain.startswith(('"', "“", "„", "'")):
                yield plain


def _own_words(text: str) -> str:
    """Text without code, quotations and what stands between tags."""
    return _CODE.sub("", text)


def _kept(insights: Sequence[Insight], kind: MemoryKind) -> Iterator[str]:
    return islice((_shorten(one.text, 200) for one in insights if one.kind is kind), 3)


def _named(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    return (match[match.lastindex or 0] for match in pattern.finditer(text))


def _most(counts: Counter[str], number: int) -> Iterator[str]:
    return (name for name, _ in counts.most_common(number))


def _shorten(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 1].rstrip()}…"
