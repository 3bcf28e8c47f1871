"""Which extractor outlines a document, and what happens when one fails."""

from collections.abc import Callable
from types import ModuleType

from imprint.default_plugins import code_extractor, plain_extractor, prose_extractor
from imprint.errors import PluginCallError
from imprint.plugins import Document, ExtractorInfo, Outline, Section, hookimpl
from imprint.plugins.handles import PluginHandle, hold_to_specs
from imprint.plugins.references import PluginReference
from imprint.services.extraction import Extractors

SHIPPED = (plain_extractor, prose_extractor, code_extractor)


def handle(module: ModuleType, name: str) -> PluginHandle:
    reference = PluginReference(
        group="imprint.extractors", name=name, module=module.__name__, distribution="imprint-core"
    )
    return hold_to_specs(module, reference)


def make_plugin(info: ExtractorInfo, extract: Callable[[Document], Outline | None]) -> PluginHandle:
    module = ModuleType(info.name)

    @hookimpl
    def describe_extractor() -> ExtractorInfo:
        return info

    module.describe_extractor = describe_extractor  # type: ignore[attr-defined]
    module.extract = hookimpl(extract)  # type: ignore[attr-defined]
    return handle(module, info.name)


def document(language: str, text: str | None, name: str = "file") -> Document:
    return Document(name=name, language=language, data=(text or "").encode(), text=text)


def named(name: str) -> Callable[[Document], Outline]:
    def extract(document: Document) -> Outline:
        return Outline(text=document.text or "", title=name)

    return extract


def fail(document: Document) -> Outline:
    raise RuntimeError(document.name)


def shipped() -> list[PluginHandle]:
    return [handle(module, module.__name__.rpartition(".")[2]) for module in SHIPPED]


def test_code_prose_and_the_rest_go_to_their_extractors() -> None:
    extractors = Extractors(shipped())

    assert extractors.outline(document("python", "def a():\n    pass")).sections == (
        Section(symbol="a", start_line=1, end_line=2),
    )
    assert extractors.outline(document("markdown", "# A")).is_prose
    assert extractors.outline(document("swift", "func a() {\n}")).sections == (
        Section(symbol="a", start_line=1, end_line=2),
    )
    assert extractors.outline(document("", "x")) == Outline(text="x")


def test_a_notebook_is_found_by_its_suffix_and_a_broken_one_is_plain_text() -> None:
    extractors = Extractors(shipped())

    assert extractors.outline(document("json", '{"cells": []}', "A.IPYNB")).text == ""
    assert extractors.outline(document("json", "{", "A.ipynb")).text == "{"


def test_the_highest_priority_is_asked_first_and_may_pass() -> None:
    low = make_plugin(ExtractorInfo(name="low", summary="x", languages=frozenset({"*"})), named("low"))
    high = make_plugin(
        ExtractorInfo(name="high", summary="x", languages=frozenset({"go"}), priority=5),
        lambda document: named("high")(document) if document.text else None,
    )
    extractors = Extractors([low, high])

    assert [
        extractors.outline(document(language, text)).title for language, text in (("go", "x"), ("go", ""), ("c", "x"))
    ] == [
        "high",
        "low",
        "low",
    ]


def test_an_extractor_that_raises_is_passed_over_and_listed_once() -> None:
    broken = make_plugin(ExtractorInfo(name="broken", summary="x", languages=frozenset({"*"}), priority=9), fail)
    extractors = Extractors([broken, *shipped()])

    outlines = [extractors.outline(document("", text)) for text in ("one", "two")]

    assert outlines == [Outline(text="one"), Outline(text="two")]
    (failure,) = extractors.failures()
    assert isinstance(failure, PluginCallError)
    assert failure.name == "broken"


def test_a_document_nobody_wants_is_its_bare_text() -> None:
    assert Extractors([]).outline(document("", "x")) == Outline(text="x")
    assert Extractors(shipped()).outline(document("", None)) == Outline(text="")
