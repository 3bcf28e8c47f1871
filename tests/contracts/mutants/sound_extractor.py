"""An extractor that keeps every promise; mutants change one thing in it."""

import re

from imprint.plugins import ExtractorInfo, Outline, Section, hookimpl

_HEADING = re.compile(r"^#{1,6} +(\S.*)$")


@hookimpl
def describe_extractor():
    return ExtractorInfo(name="sound", summary="Keeps every promise", languages=frozenset({"markdown"}))


@hookimpl
def extract(document):
    if document.language != "markdown" or document.text is None:
        return None
    return Outline(text=document.text, sections=tuple(find_sections(document.text.split("\n"))), is_prose=True)


def find_sections(lines):
    headings = [(number, match[1]) for number, line in enumerate(lines, 1) if (match := _HEADING.match(line))]
    ends = [number - 1 for number, _ in headings[1:]] + [len(lines)]
    for (start, title), end in zip(headings, ends, strict=False):
        yield Section(symbol=title, start_line=start, end_line=end)
