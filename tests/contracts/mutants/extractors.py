"""Broken extractors, each named after the one check that it fails."""

from itertools import count

import attrs
from mutants import heavy_extractor, sound_extractor
from mutants.making import replace_hooks

from imprint.plugins import Outline, Section

SOUND = sound_extractor

_calls = count()


def _two_line_summary():
    return attrs.evolve(SOUND.describe_extractor(), summary="Two\nlines")


def _stumbles_over_nul(document):
    if "\0" in (document.text or ""):
        raise ValueError("embedded null character")
    return SOUND.extract(document)


def _decodes_binaries(document):
    if document.text is None:
        return Outline(text=document.data.decode("utf-8"))
    return SOUND.extract(document)


def _recurses(document):
    def descend(depth):
        return depth and descend(depth - 1)

    descend((document.text or "").count("("))
    return SOUND.extract(document)


def _mutant(change):
    """A mutant that changes the outline."""

    def extract(document):
        outline = SOUND.extract(document)
        return outline and change(outline)

    return replace_hooks(SOUND, extract=extract)


def _shouts(outline):
    return attrs.evolve(outline, text=outline.text.upper())


def _runs_past_the_end(outline):
    last = outline.text.count("\n") + 1
    return attrs.evolve(
        outline, sections=(*outline.sections, Section(symbol="x", start_line=last + 1, end_line=last + 1))
    )


def _repeats_the_first(outline):
    return attrs.evolve(outline, sections=outline.sections + outline.sections[:1])


def _nameless_end(outline):
    last = outline.text.count("\n") + 1
    return attrs.evolve(outline, sections=(*outline.sections, Section(symbol=" ", start_line=last, end_line=last)))


def _counts_its_calls(outline):
    return attrs.evolve(outline, title=f"call {next(_calls)}")


def _sees_nothing(outline):
    return attrs.evolve(outline, sections=())


def _takes_everything(document):
    return SOUND.extract(document) or (Outline(text=document.text) if document.text else None)


def _splits_everywhere(document):
    outline = SOUND.extract(document)
    if outline is None:
        return None
    lines = outline.text.count("\n") + 1
    found = [section for section in SOUND.find_sections(outline.text.splitlines()) if section.end_line <= lines]
    return attrs.evolve(outline, sections=tuple(found))


MUTANTS = {
    "describes-itself": replace_hooks(SOUND, describe_extractor=_two_line_summary),
    "describing-is-light": heavy_extractor,
    "any-text-is-taken": replace_hooks(SOUND, extract=_stumbles_over_nul),
    "binary-documents-are-taken": replace_hooks(SOUND, extract=_decodes_binaries),
    "deep-nesting-is-taken": replace_hooks(SOUND, extract=_recurses),
    "text-is-kept": _mutant(_shouts),
    "sections-lie-inside-the-text": _mutant(_runs_past_the_end),
    "sections-are-ordered-and-nested": _mutant(_repeats_the_first),
    "sections-have-symbols": _mutant(_nameless_end),
    "same-document-gives-same-outline": _mutant(_counts_its_calls),
    "foreign-documents-are-left-alone": replace_hooks(SOUND, extract=_takes_everything),
    "known-sections-are-found": _mutant(_sees_nothing),
    "only-newlines-end-lines": replace_hooks(SOUND, extract=_splits_everywhere),
}
