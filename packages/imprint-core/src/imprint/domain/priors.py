"""What speaks for a passage or against it before its text is compared with the question.

In deviations of the fused score (`imprint.domain.ranking`); what each is worth is told in
`docs/explanation/retrieval.md`.
"""

import math
import re
from collections.abc import Iterator
from datetime import datetime

from imprint.domain.queries import ParsedQuery, spell_name
from imprint.domain.sources import CanonicalPath, SourceKind, StoredChunk

__all__ = ["DEFINITION_BONUS", "PATH_BONUS", "RECENCY_BONUS", "TEST_MALUS", "is_test_file", "prior_of"]

DEFINITION_BONUS = 2.0
"""Lifts the definition to the first place for .96 of bare names; .92 without."""

PATH_BONUS = 5.0
"""Others mention a file more often than it does itself. Lifts the file to the first place for .88 to .94 of bare file
names (.63 to .68 without), and for all that come with their folder.
"""

TEST_MALUS = 1.5
"""Tests say in plain words what the code under test does in its own, and would be found in its place: among as many
tests, four tenths of what they cost described functions in recall at 1 comes back, and most of recall at 10.
"""

RECENCY_BONUS = 1.0
RECENCY_HALF_LIFE_DAYS = 180.0
"""Mild: between two memories on one matter the newer wins; an old one that fits better still comes first."""

_FOLDERS_LOOKED_AT = 6
_TEST_FOLDERS = frozenset(("test", "tests", "__tests__", "e2e"))
_TEST_FILE = re.compile(r"^(?:tests?|conftest)(?=[._-])|[._-](?:tests?|spec)(?=\.)|[a-z0-9](?:Tests?|Spec)(?=\.)")
_TEST_WORDS = frozenset(
    ("test", "tests", "tested", "testing", "spec", "specs", "pytest", "unittest", "fixture", "fixtures")
)


def prior_of(stored: StoredChunk, question: ParsedQuery, *, now: str) -> float:
    """Weigh a passage by where and when it is from.

    Args:
        now: UTC ISO 8601.
    """
    source = stored.source
    if source.kind is SourceKind.MEMORY:
        age = _days_between(stored.chunk.time or source.time, now)
        return RECENCY_BONUS * math.exp2(-age / RECENCY_HALF_LIFE_DAYS)
    prior = 0.0
    if question.paths and source.path is not None and _ends_with_any(source.path, question.paths):
        prior += PATH_BONUS
    if source.kind is SourceKind.CODE:
        if question.names and not question.names.isdisjoint(_defined_names(stored.chunk.symbol)):
            prior += DEFINITION_BONUS
        if source.path is not None and is_test_file(source.path) and _TEST_WORDS.isdisjoint(question.terms):
            prior -= TEST_MALUS
    return prior


def is_test_file(path: CanonicalPath) -> bool:
    """Whether a file holds tests, by the customs of most languages."""
    return not _TEST_FOLDERS.isdisjoint(path.parts[-_FOLDERS_LOOKED_AT:-1]) or bool(_TEST_FILE.search(path.name))


def _ends_with_any(path: CanonicalPath, ends: frozenset[str]) -> bool:
    spelled = f" {spell_name(str(path))}"
    return any(spelled.endswith(f" {end}") for end in ends)


def _defined_names(symbol: str) -> Iterator[str]:
    """The last components of a qualified name; a chunk of several small definitions lists theirs."""
    return (spell_name(name.rpartition(".")[2]) for name in symbol.split(", "))


def _days_between(earlier: str, later: str) -> float:
    """Days from one moment to another, never negative; a moment that cannot be read is long ago."""
    try:
        seconds = (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
    except (TypeError, ValueError):
        return float("inf")
    return max(0.0, seconds / 86_400)
