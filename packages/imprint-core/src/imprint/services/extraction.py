"""Extraction: each document is outlined by the extractor that knows it best."""

from collections.abc import Iterable

from imprint.domain.outlines import Document, Outline
from imprint.errors import ImprintError
from imprint.plugins.handles import PluginHandle
from imprint.plugins.values import ExtractorInfo

__all__ = ["Extractors"]

_ANY_LANGUAGE = "*"


class Extractors:
    """The extractors of this environment, asked in the order of their priority."""

    def __init__(self, handles: Iterable[PluginHandle]) -> None:
        """Ask each extractor once what it is for; one that fails is left out and listed by `failures`."""
        self._failures: dict[str, ImprintError] = {}
        self._asked: dict[tuple[str, str], tuple[PluginHandle, ...]] = {}
        described: list[tuple[ExtractorInfo, PluginHandle]] = []
        for handle in handles:
            try:
                described.append((handle.call("describe_extractor"), handle))
            except ImprintError as error:
                self._note(handle, error)
        self._described = sorted(described, key=lambda pair: -pair[0].priority)

    def outline(self, document: Document) -> Outline:
        """The first outline that an extractor gives; the bare text where none does.

        An extractor that raises is passed over for this document.
        """
        for handle in self._candidates(document):
            try:
                outline: Outline | None = handle.call("extract", document=document)
            except ImprintError as error:
                self._note(handle, error)
                continue
            if outline is not None:
                return outline
        return Outline(text=document.text or "")

    def failures(self) -> tuple[ImprintError, ...]:
        """The first error of each extractor that failed."""
        return tuple(self._failures.values())

    def _candidates(self, document: Document) -> tuple[PluginHandle, ...]:
        _, dot, suffix = document.name.lower().rpartition(".")
        key = (document.language, dot + suffix)
        if key not in self._asked:
            self._asked[key] = tuple(handle for info, handle in self._described if _asks_for(info, *key))
        return self._asked[key]

    def _note(self, handle: PluginHandle, error: ImprintError) -> None:
        self._failures.setdefault(handle.reference.name, error)


def _asks_for(info: ExtractorInfo, language: str, suffix: str) -> bool:
    return not info.languages.isdisjoint((language, _ANY_LANGUAGE)) or suffix in info.suffixes
