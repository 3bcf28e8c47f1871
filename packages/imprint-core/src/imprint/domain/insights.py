"""Insights: what a conversation decided, preferred and mended, each with the sentence that says so.

Rules, not a model: a sentence counts only where its form leaves little doubt. What the user wants is taken from the
user's own words alone, never from what was quoted, pasted, asked, or said by a model in the user's place.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import attrs

from imprint.domain.own_words import split_sentences
from imprint.domain.sources import MemoryKind

__all__ = ["SENTENCE_LENGTHS", "Insight", "Said", "find_insights", "judge", "unite"]

SENTENCE_LENGTHS = range(12, 401)
"""Of what may be an insight: less says nothing, more is no sentence."""

_MOST_OF_A_KIND = 20


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
        finder: The language model that found it; empty: the rules.
    """

    kind: MemoryKind
    text: str
    said: Said
    finder: str = ""


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


def find_insights(turns: Iterable[Said]) -> list[Insight]:
    """What was decided, preferred and mended, in the order it was said."""
    return unite(one for said in turns for one in judge(said))


def judge(said: Said) -> Iterator[Insight]:
    """What one turn shows by itself."""
    sentences = [one for one in split_sentences(said.text) if len(one) in SENTENCE_LENGTHS]
    fix = next((one for one in sentences if _FIX.search(one) and not _DOUBT.search(one)), "")
    for sentence in sentences:
        kind = _kind_of(sentence, said.speaker, has_fix=bool(fix))
        if kind is None or _DOUBT.search(sentence):
            continue
        text = f"{sentence} {fix}" if kind is MemoryKind.BUG and fix != sentence else sentence
        yield Insight(kind=kind, text=text, said=said)


def unite(insights: Iterable[Insight]) -> list[Insight]:
    """Each once, and not too many of a kind: those that come first."""
    found: dict[tuple[MemoryKind, str], Insight] = {}
    counts: Counter[MemoryKind] = Counter()
    for one in insights:
        key = (one.kind, " ".join(one.text.split()).casefold())
        if key not in found and counts[one.kind] < _MOST_OF_A_KIND:
            counts[one.kind] += 1
            found[key] = one
    return list(found.values())


def _kind_of(sentence: str, speaker: str, *, has_fix: bool) -> MemoryKind | None:
    """What a sentence would say if there were no doubt about it; asked first, since few say anything."""
    if speaker not in ("user", "assistant"):
        return None
    if (speaker == "user" and _DECISION.search(sentence)) or _NAMED_DECISION.search(sentence):
        return MemoryKind.DECISION
    if speaker == "user" and _PREFERENCE.search(sentence):
        return MemoryKind.PREFERENCE
    return MemoryKind.BUG if has_fix and _CAUSE.search(sentence) else None
