"""Broken embedders, each named after the one check that it fails."""

from itertools import count

import attrs
import numpy
from mutants import heavy_embedder, phoning_embedder, sound_embedder
from mutants.making import replace_hooks, wrap_resource

from imprint.plugins import EmbedderInfo

SOUND = sound_embedder

_opened = count()


class _Wrapped:
    def __init__(self, embedder):
        self.embedder = embedder

    @property
    def identity(self):
        return self.embedder.identity

    def embed_documents(self, texts):
        return self.embedder.embed_documents(texts)

    def embed_query(self, text):
        return self.embedder.embed_query(text)


class _RandomDigest(_Wrapped):
    def __init__(self, embedder):
        super().__init__(embedder)
        self.digest = f"{next(_opened):032x}"

    @property
    def identity(self):
        return attrs.evolve(self.embedder.identity, digest=self.digest)


class _DoublePrecision(_Wrapped):
    def embed_documents(self, texts):
        return super().embed_documents(texts).astype(numpy.float64)


class _QueryAsMatrix(_Wrapped):
    def embed_query(self, text):
        return super().embed_query(text)[None, :]


class _NotNormalized(_Wrapped):
    def embed_documents(self, texts):
        return super().embed_documents(texts) * 2


class _FlatWhenEmpty(_Wrapped):
    def embed_documents(self, texts):
        return super().embed_documents(texts) if texts else numpy.zeros(0, numpy.float32)


class _NanForUnknownScripts(_Wrapped):
    def embed_documents(self, texts):
        rows = super().embed_documents(texts)
        rows[~rows.any(axis=1)] = numpy.nan
        return rows


class _NothingForLongTexts(_Wrapped):
    def embed_documents(self, texts):
        if any(len(text) > 100_000 for text in texts):
            raise IndexError("index out of range in self")
        return super().embed_documents(texts)


class _Drifting(_Wrapped):
    def __init__(self, embedder):
        super().__init__(embedder)
        self.calls = count(1)

    def embed_documents(self, texts):
        return super().embed_documents(texts) * numpy.float32(1 - 0.001 * next(self.calls))


class _SeededOnOpening(_Wrapped):
    def __init__(self, embedder):
        super().__init__(embedder)
        self.shift = next(_opened)

    def embed_documents(self, texts):
        return numpy.roll(super().embed_documents(texts), self.shift, axis=1)

    def embed_query(self, text):
        return numpy.roll(super().embed_query(text), self.shift)


class _PaddingCounts(_Wrapped):
    def embed_documents(self, texts):
        rows = super().embed_documents(texts)
        if len(texts) > 1:
            longest = max(map(len, texts))
            for row, text in zip(rows, texts, strict=True):
                row[0] += 0.05 * (longest - len(text))
                row /= numpy.linalg.norm(row) or 1
        return rows


class _SortsByLength(_Wrapped):
    def embed_documents(self, texts):
        return super().embed_documents(sorted(texts, key=len))

    def embed_query(self, text):
        return super().embed_query(text)


class _OtherSpaceForQueries(_Wrapped):
    def embed_query(self, text):
        return numpy.roll(super().embed_query(text), 1)


def _opening(wrap):
    return wrap_resource(SOUND, "open_embedder", lambda _, embedder: wrap(embedder))


def _two_line_summary():
    return EmbedderInfo(name="sound", summary="Two\nlines")


MUTANTS = {
    "describes-itself": replace_hooks(SOUND, describe_embedder=_two_line_summary),
    "describing-is-light": heavy_embedder,
    "works-without-a-network": phoning_embedder,
    "identity-is-stable": _opening(_RandomDigest),
    "rows-have-the-declared-shape": _opening(_DoublePrecision),
    "query-is-one-vector": _opening(_QueryAsMatrix),
    "rows-are-of-length-one-or-zero": _opening(_NotNormalized),
    "no-texts-give-no-rows": _opening(_FlatWhenEmpty),
    "strange-texts-give-rows": _opening(_NanForUnknownScripts),
    "long-texts-give-rows": _opening(_NothingForLongTexts),
    "same-text-gives-same-row": _opening(_Drifting),
    "reopening-gives-the-same-rows": _opening(_SeededOnOpening),
    "row-does-not-depend-on-its-batch": _opening(_PaddingCounts),
    "rows-keep-the-order-of-their-texts": _opening(_SortsByLength),
    "query-finds-its-own-text": _opening(_OtherSpaceForQueries),
}
