"""Checks of the group ``imprint.extractors``."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType, ModuleType
from typing import Final

import attrs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imprint.plugins import Document, ExtractorInfo, Outline, Section
from imprint.plugins.handles import PluginHandle
from imprint.testing.conformance import Check, ensure, make_checks
from imprint.testing.samples import SAMPLES, Sample
from imprint.testing.subjects import ensure_description_is_light, ensure_description_reads_well, hold

__all__ = ["extractor_checks"]

_EXAMPLES: Final = settings(
    max_examples=100, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
_FOREIGN: Final = "no-such-language"
_FRAGMENTS: Final = sorted(
    {line for sample in SAMPLES for line in sample.text.split("\n")}
    | {
        "",
        "    ",
        "}",
        "{",
        ")",
        '"""',
        "```",
        "---",
        "====",
        "# ",
        "###### deep",
        "- item",
        "日本語",
        "\tx = (",
        "// é",
    }
)
_BINARY: Final = (b"", b"\0\1\2\xff" * 100, b"%PDF-1.7\nno more than a header", b"PK\3\4")
_DEEP: Final = ("(" * 20_000, "[" * 20_000, "{\n" * 5_000, "> " * 5_000 + "x", "    " * 2_000 + "if x:\n", "#" * 5_000)


@attrs.frozen
class _Subject:
    handle: PluginHandle

    @property
    def info(self) -> ExtractorInfo:
        info: ExtractorInfo = self.handle.call("describe_extractor")
        return info

    @property
    def samples(self) -> list[Sample]:
        """Those whose language the extractor names itself."""
        return [sample for sample in SAMPLES if sample.language in self.info.languages]

    def extract(self, text: str, language: str, name: str) -> Outline | None:
        document = Document(name=name, language=language, data=text.encode("utf-8"), text=text)
        outline: Outline | None = self.handle.call("extract", document=document)
        return outline


def extractor_checks(plugin: ModuleType, *, expected_failures: Mapping[str, str] = MappingProxyType({})) -> list[Check]:
    """Make the checks of an extractor; those about known samples only where it names one of their languages.

    Args:
        plugin: The plugin's module.
        expected_failures: Names of checks that this plugin is known to fail, with the reason.

    Raises:
        PluginInvalidError: The module does not fit the group, so there is nothing to check.
        PluginCallError: It cannot say which languages it is for.
    """
    subject = _Subject(hold(plugin, "imprint.extractors"))
    promises: list[Callable[[_Subject], None]] = [
        describes_itself,
        describing_is_light,
        any_text_is_taken,
        binary_documents_are_taken,
        deep_nesting_is_taken,
        text_is_kept,
        sections_lie_inside_the_text,
        sections_are_ordered_and_nested,
        sections_have_symbols,
        same_document_gives_same_outline,
    ]
    if "*" not in subject.info.languages:
        promises.append(foreign_documents_are_left_alone)
    if subject.samples:
        promises += [known_sections_are_found, only_newlines_end_lines]
    return make_checks(promises, subject, expected_failures)


def describes_itself(subject: _Subject) -> None:
    """The plugin has a name of one word, a summary of one line, and says what it is for, in lower case.

    If this fails, look at ``describe_extractor``.
    """
    info = subject.info
    ensure_description_reads_well(info)
    ensure(info.languages or info.suffixes, "it names no language and no suffix")
    for word in info.languages | info.suffixes:
        ensure(word == word.lower().strip() and word, f"{word!r} is not lower case")
    for suffix in info.suffixes:
        ensure(suffix.startswith("."), f"the suffix {suffix!r} has no dot")


def describing_is_light(subject: _Subject) -> None:
    """Listing plugins loads no engine: the standard library, attrs and the plugin's own package are enough.

    If this fails, look at the imports at the top of the plugin's module and move them into ``extract``.
    """
    ensure_description_is_light(subject.handle, "describe_extractor")


def any_text_is_taken(subject: _Subject) -> None:
    """Whatever the text, the extractor gives an outline or `None`, and does not raise.

    If this fails, look at the text that hypothesis found: empty, of one line, with characters nobody thinks of.
    """

    @_EXAMPLES
    @given(st.sampled_from(_languages(subject.info)), st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
    def is_taken(language: tuple[str, str], text: str) -> None:
        subject.extract(text, *language)

    is_taken()


def binary_documents_are_taken(subject: _Subject) -> None:
    """A document without text gives an outline or `None`, and does not raise.

    If this fails, look at what is done with ``document.text`` when it is `None`.
    """
    for language, name in _languages(subject.info):
        for data in _BINARY:
            document = Document(name=name, language=language, data=data, text=None)
            subject.handle.call("extract", document=document)


def deep_nesting_is_taken(subject: _Subject) -> None:
    """Thousands of open brackets, quotes or indents do not exhaust the stack.

    If this fails, look at functions that call themselves for each level, and walk the tree with a list instead.
    """
    for language, name in _languages(subject.info):
        for text in _DEEP:
            subject.extract(text, language, name)


def text_is_kept(subject: _Subject) -> None:
    """The text of a text document comes back as it was, so that line numbers and quotes hold.

    If this fails, look at what is stripped, joined or normalized before the outline is made.
    """

    def is_kept(text: str, outline: Outline) -> None:
        ensure(outline.text == text, f"{text!r} became {outline.text!r}")

    _try_outlines(subject, is_kept)


def sections_lie_inside_the_text(subject: _Subject) -> None:
    """Every section begins at line 1 or later, ends where it begins or later, and ends within the text.

    If this fails, look at counting: lines are 1-based, and a section's last line is part of it.
    """

    def lie_inside(text: str, outline: Outline) -> None:
        last = text.count("\n") + 1
        for section in outline.sections:
            ensure(
                1 <= section.start_line <= section.end_line <= last, f"{section} in a text of {last} lines: {text!r}"
            )

    _try_outlines(subject, lie_inside)


def sections_are_ordered_and_nested(subject: _Subject) -> None:
    """Sections come in the order of their first line, the outer before the inner, and never overlap in part.

    If this fails, look at how ends are found: an inner section ends before or with the one that holds it.
    """

    def are_nested(text: str, outline: Outline) -> None:
        for before, after in pairwise(outline.sections):
            ordered = (before.start_line, -before.end_line) <= (after.start_line, -after.end_line)
            ensure(ordered, f"{before} comes before {after} in {text!r}")
        open_ends: list[int] = []
        for section in outline.sections:
            while open_ends and open_ends[-1] < section.start_line:
                open_ends.pop()
            ensure(not open_ends or section.end_line <= open_ends[-1], f"{section} overlaps another in {text!r}")
            open_ends.append(section.end_line)

    _try_outlines(subject, are_nested)


def sections_have_symbols(subject: _Subject) -> None:
    """Every section's symbol is a line of its own that is not empty.

    If this fails, look at definitions and headings without a name: they make no section.
    """

    def have_symbols(text: str, outline: Outline) -> None:
        for section in outline.sections:
            ensure(section.symbol.strip() and "\n" not in section.symbol, f"{section} in {text!r}")

    _try_outlines(subject, have_symbols)


def same_document_gives_same_outline(subject: _Subject) -> None:
    """Extracting twice gives equal outlines.

    If this fails, look for state that is kept between documents, and for the order of sets.
    """
    for language, name in _languages(subject.info):
        for sample in SAMPLES:
            first = subject.extract(sample.text, language, name)
            ensure(first == subject.extract(sample.text, language, name), f"{name} gives another outline")


def foreign_documents_are_left_alone(subject: _Subject) -> None:
    """A document of a language and suffix that the extractor did not name gives `None`.

    If this fails, look at the first lines of ``extract``: what is not known is left to the next extractor.
    """
    outline = subject.extract(SAMPLES[0].text, _FOREIGN, f"file.{_FOREIGN}")
    ensure(outline is None, "it takes a language it did not name")


def known_sections_are_found(subject: _Subject) -> None:
    """In a plain document of a language that it names, the extractor finds what everybody sees.

    If this fails, look at whether the grammar is installed, and at which definitions make a section.
    """
    for sample in subject.samples:
        sections = _find_sections(subject, sample, sample.text)
        ensure(sections, f"no section {sample.symbol!r} in {sample.language}")
        _ensure_in_place(sections, sample, sample.text)


def only_newlines_end_lines(subject: _Subject) -> None:
    r"""Form feeds and Unicode line separators do not end a line; ``\n`` does.

    If this fails, look for ``str.splitlines``, which counts all of them: ``text.split("\n")`` does not.
    """
    for sample in subject.samples:
        begin = sample.text[: sample.text.index(sample.mark)].rindex("\n\n") + 1
        text = f"{sample.text[:begin]} \f\u2028\x85\u2029 \n{sample.text[begin:]}"
        _ensure_in_place(_find_sections(subject, sample, text), sample, text)


def _find_sections(subject: _Subject, sample: Sample, text: str) -> list[Section]:
    outline = subject.extract(text, sample.language, sample.name)
    return [section for section in outline.sections if section.symbol.endswith(sample.symbol)] if outline else []


def _ensure_in_place(sections: Sequence[Section], sample: Sample, text: str) -> None:
    line = text[: text.index(sample.mark)].count("\n") + 1
    for section in sections:
        holds = section.start_line <= line <= section.end_line
        ensure(holds, f"{section} does not hold line {line}, where {sample.symbol!r} is in {sample.language}")


def _languages(info: ExtractorInfo) -> list[tuple[str, str]]:
    """Each language and suffix that the extractor asks for, with a file name that goes with it."""
    names = {sample.language: sample.name for sample in SAMPLES} | {"*": "notes.txt"}
    found = [
        ("text" if language == "*" else language, names.get(language, f"file.{language}"))
        for language in sorted(info.languages)
    ]
    return found + [("", f"file{suffix}") for suffix in sorted(info.suffixes)]


def _try_outlines(subject: _Subject, promise: Callable[[str, Outline], None]) -> None:
    """Prove something of the outlines of whole documents and of documents put together from their lines."""
    texts = st.sampled_from([sample.text for sample in SAMPLES]) | st.lists(
        st.sampled_from(_FRAGMENTS), max_size=30
    ).map("\n".join)

    @_EXAMPLES
    @given(st.sampled_from(_languages(subject.info)), texts)
    def holds(language: tuple[str, str], text: str) -> None:
        outline = subject.extract(text, *language)
        if outline is not None:
            promise(text, outline)

    holds()
