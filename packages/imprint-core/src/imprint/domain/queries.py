"""A question becomes terms for full text and a text for the embedder.

Full text is asked for *any* of the terms: asking for all of them, FTS5's default, finds next to nothing for a sentence.
So stop words go, and names are asked for whole and in parts. Which of the terms a large store is asked for is told in
`imprint.domain.term_choices`.
"""

import re
from collections.abc import Iterator, Mapping

import attrs

from imprint.domain.identifiers import split_identifier
from imprint.domain.scripts import query_grams, without_unspaced

__all__ = ["ParsedQuery", "correct_query", "parse_query", "spell_name"]

_FEW_WORDS = 2

_LONGEST_QUERY = 4_000
"""Characters; what lies beyond adds nothing but time."""

_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]{2,200})[\"“”„«»]")
_QUOTED_NAME = re.compile(r"(?<![^\W\d_])[\"'`‘’“”]([^\W\d]\w+)(?:\(\))?[\"'`’”](?!\w)")
"""How messages quote what they are about: ``cannot import name 'load_json'``."""

_NAME = re.compile(r"\w+(?:(?:[.\-/\\:#@]|::|->)\w+)*")
"""A word, or words joined the way names, paths, versions and error codes are."""

_WORD = re.compile(r"[^\W_]+")
_CODE_MARK = re.compile(r"\w_\w|[a-z][A-Z]|[A-Za-z]\d|\w(?:\.|::|->|#)[A-Za-z_]|\w\(\)")
"""What tells a name of code from a word of prose."""

_SMALL_WORDS = """
a an the and or but if then else of to in on at by for from with without as is are was were be been being am do does did
doing done have has had having it its this that these those there here i you he she we they me him her us them my your
his our their mine yours what which who whom whose when where why how can could will would shall should may might must
not no nor so than too very just about into over under again also any some such only own same both each few more most
other s t d ll m re ve o y
"""
_STOP_WORDS = frozenset(_SMALL_WORDS.split())
"""Few on purpose: words of code (get, set, new) stay."""

_PATH_MARK = re.compile(r"[/\\]|\.[^\W_]{1,8}$|\.[^\W_]{1,8}:\d")
_LINE_NUMBER = re.compile(r"(?::\d+)+$")


@attrs.frozen(kw_only=True)
class ParsedQuery:
    """A question as the sides of search take it.

    Attributes:
        terms: Words and phrases for full text, in the order of the question, each once, lower case.
        names: Those that name something in code; whatever is defined under such a name is meant first.
        paths: Those that may name a file by the end of its path, spelled as names are.
        embedded: The text for the embedder, identifiers taken apart.
    """

    terms: tuple[str, ...]
    names: frozenset[str]
    paths: frozenset[str]
    embedded: str


def parse_query(text: str) -> ParsedQuery:
    """Read a question; any text is one."""
    text = text[:_LONGEST_QUERY]
    terms = dict.fromkeys(term for term in _terms(text) if term not in _STOP_WORDS)
    if not terms:
        terms = dict.fromkeys(word.lower() for word in _WORD.findall(text))
    return ParsedQuery(
        terms=tuple(terms), names=_names(text), paths=_paths(text), embedded=_NAME.sub(_spelled_out, text).strip()
    )


def correct_query(text: str, corrections: Mapping[str, str]) -> str:
    """Write other words in the place of some; small letters stand for capitals too."""
    return _WORD.sub(lambda word: corrections.get(word[0].lower(), word[0]), text)


def spell_name(name: str) -> str:
    """Write a name the way terms are written: ``load_json`` as ``load json``."""
    return " ".join(_WORD.findall(name)).lower()


def _terms(text: str) -> Iterator[str]:
    for phrase in _QUOTED.findall(text):
        words = _WORD.findall(phrase.lower())
        if len(words) > 1:
            yield " ".join(words)
    for name in _NAME.findall(without_unspaced(text)):
        words = _WORD.findall(name)
        if len(words) > 1:
            yield spell_name(_LINE_NUMBER.sub("", name))
        for word in words:
            yield word.lower()
            parts = split_identifier(word)
            if len(parts) > 1:
                yield from (part for part in parts if len(part) > 1)
    yield from query_grams(text)


def _names(text: str) -> frozenset[str]:
    """The last components of what is written like code or quoted; of a question of a word or two, everything."""
    names = _NAME.findall(text)
    meant = names if len(names) <= _FEW_WORDS else [name for name in names if _CODE_MARK.search(name)]
    return frozenset(spell_name(re.split(r"[^\w]+", name)[-1]) for name in [*meant, *_QUOTED_NAME.findall(text)])


def _paths(text: str) -> frozenset[str]:
    """What has an ending, or folders before it."""
    return frozenset(spell_name(_LINE_NUMBER.sub("", name)) for name in _NAME.findall(text) if _PATH_MARK.search(name))


def _spelled_out(name: re.Match[str]) -> str:
    token = name[0]
    parts = split_identifier(token)
    return " ".join(parts) if len(parts) > 1 and _CODE_MARK.search(token) else token
