"""Redaction: secrets are taken out of a text before anything is stored or embedded."""

import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TypeAlias

import attrs

from imprint.domain.secret_rules import RULES, SHORTEST_WORD, SecretRule
from imprint.errors import InvalidSettingError

__all__ = ["Redact", "Redactor", "secret_digest"]

Redact: TypeAlias = Callable[[str], tuple[str, int]]
"""Takes secrets out of a text; how many they were."""

_SETTING = "redaction.allow"
_MARK_BEGIN = "[redacted "
_MARK = re.compile(r"\[redacted [A-Za-z ]{1,40}\]")
_SMALL = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}
_TOKEN_LIKE = re.compile(r"[0-9]|[A-Z]{6}|[rs]k_(?:live|test)_")
"""What a token has in it: digits, or, where chance gave it none, capitals; a short alphabet of both cases is named."""

_DIGEST = "sha256:"
_DIGEST_FORM = re.compile(r"sha256:[0-9a-f]{16,64}")


@attrs.frozen
class _Found:
    start: int
    end: int
    name: str


class Redactor:
    """Takes secrets out of texts; as often as it is asked, the second time nothing."""

    def __init__(self, allow: Sequence[str] = (), *, rules: Iterable[SecretRule] = RULES) -> None:
        """Read the list of what is allowed.

        Args:
            allow: What is no secret: each a regular expression for the whole of it, or its `secret_digest`.

        Raises:
            InvalidSettingError: An expression is none.
        """
        self._rules = tuple(rules)
        self._literals = self._find_literals(folds=False, is_word=False)
        self._folded_literals = self._find_literals(folds=True, is_word=False)
        self._word_literals = self._find_literals(folds=False, is_word=True)
        self._folded_word_literals = self._find_literals(folds=True, is_word=True)
        self._digests = tuple(one for one in allow if one.startswith(_DIGEST))
        self._patterns = tuple(_compile(one) for one in allow if not one.startswith(_DIGEST))
        for digest in self._digests:
            if not _DIGEST_FORM.fullmatch(digest):
                raise InvalidSettingError(_SETTING, digest, "sha256: and at least 16 hexadecimal digits")

    def redact(self, text: str) -> tuple[str, int]:
        """Put ``[redacted NAME]`` in the place of each secret; how many they were. Lines stay where they are.

        What has one is looked through again: a secret may have hidden the beginning of its neighbour.
        """
        count = 0
        while found := self._find(text):
            parts, end = [], 0
            for one in found:
                lines = text.count("\n", one.start, one.end)
                parts += [text[end : one.start], f"[redacted {one.name}]", "\n" * lines]
                end = one.end
            text = "".join((*parts, text[end:]))
            count += len(found)
        return text, count

    def _find(self, text: str) -> list[_Found]:
        """Where secrets are, in the order of the text, none inside another or inside what stands for one."""
        folded = text.lower()
        if len(folded) != len(text):  # a capital that becomes two characters
            folded = text.translate(_SMALL)
        rules = self._find_rules(text, folded)
        taken = [mark.span() for mark in _MARK.finditer(text)] if rules and _MARK_BEGIN in text else []
        found: list[_Found] = []
        for rule in rules:
            for match, (start, end) in _matches(rule, text, folded):
                if not _overlaps(match.span(), taken) and not self._is_allowed(text[start:end]):
                    insort(taken, (start, end))
                    found.append(_Found(start, end, rule.name))
        return sorted(found, key=lambda one: one.start)

    def _find_rules(self, text: str, folded: str) -> list[SecretRule]:
        """The rules that may find something. Most of them are tried on the longest words only, which are few."""
        long_words = [word for word in text.split() if len(word) >= SHORTEST_WORD]
        words = "\n".join(filter(_TOKEN_LIKE.search, long_words))
        there = {place for place, literal in self._literals if literal in text}
        there |= {place for place, literal in self._folded_literals if literal in folded}
        if words:
            small = words.lower()
            near = {place for place, literal in self._word_literals if literal in words}
            near |= {place for place, literal in self._folded_word_literals if literal in small}
            there |= {place for place in near if self._rules[place].pattern.search(words)}
        return [self._rules[place] for place in sorted(there)]

    def _find_literals(self, *, folds: bool, is_word: bool) -> tuple[tuple[int, str], ...]:
        return tuple(
            (place, literal)
            for place, rule in enumerate(self._rules)
            if (rule.folds, rule.is_word) == (folds, is_word)
            for literal in rule.literals
        )

    def _is_allowed(self, secret: str) -> bool:
        if self._digests and secret_digest(secret).startswith(self._digests):
            return True
        return any(pattern.fullmatch(secret) for pattern in self._patterns)


def secret_digest(secret: str) -> str:
    """What the list of allowed texts may name a secret by."""
    return _DIGEST + sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _matches(rule: SecretRule, text: str, folded: str) -> Iterator[tuple[re.Match[str], tuple[int, int]]]:
    """Each match of a rule with the place of the secret in it, none inside another."""
    searched = folded if rule.folds else text
    end = 0
    for literal in rule.literals:
        place = searched.find(literal)
        while place >= 0:
            match = rule.pattern.match(text, place - rule.before) if place >= rule.before else None
            span = match.span(match.lastindex or 0) if match else (0, 0)
            if match and (rule.is_secret is None or rule.is_secret(text[slice(*span)])):
                yield match, span
                end = span[1]
            place = searched.find(literal, max(end, place + len(literal)))
        end = 0


def _overlaps(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a span shares a character with one of others, which are in order and apart."""
    place = bisect_left(taken, (span[1], 0))
    return place > 0 and taken[place - 1][1] > span[0]


def _compile(expression: str) -> re.Pattern[str]:
    try:
        return re.compile(expression)
    except re.error:
        raise InvalidSettingError(_SETTING, expression, "a list of regular expressions and digests") from None
