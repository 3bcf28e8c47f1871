"""A word of the question that occurs nowhere is taken for the one it differs from by a letter, if there is one."""

from collections.abc import Mapping, Sequence

from imprint.domain.misspellings import choose_correction, find_proper_names, may_be_misspelled
from imprint.domain.queries import ParsedQuery
from imprint.protocols.text_indexes import TextIndex

__all__ = ["find_corrections"]


def find_corrections(
    text: str, stores: Sequence[TextIndex], question: ParsedQuery, frequencies: Sequence[Mapping[str, int]]
) -> dict[str, str]:
    """What is meant, by the words of a question that are misspelled.

    Args:
        text: The question as it was asked.
        frequencies: Of the question's terms, in each of the stores.
    """
    names = find_proper_names(text)
    unknown = [
        term
        for term in question.terms
        if may_be_misspelled(term) and term not in names and not any(counts[term] for counts in frequencies)
    ]
    corrections = {
        word: choose_correction(word, [like for store in stores for like in store.words_like(word)]) for word in unknown
    }
    return {word: meant for word, meant in corrections.items() if meant}
