"""Broken vector backends, each named after the one check that it fails."""

import attrs
from mutants import heavy_vector_backend, sound_vector_backend
from mutants.making import replace_hooks
from mutants.sound_vector_backend import SoundBackend

from imprint.plugins import VectorBackendInfo, VectorHit

SOUND = sound_vector_backend


class _RefusesEmptyFeeds(SoundBackend):
    def catch_up(self):
        super().catch_up()
        if not self.rows:
            raise ValueError("need at least one array to stack")


class _UnorderedBehindTheFirst(SoundBackend):
    def search(self, query, limit, *, among=None):
        hits = super().search(query, limit, among=among)
        return hits[:1] + hits[:0:-1]


class _Distances(SoundBackend):
    def search(self, query, limit, *, among=None):
        hits = super().search(query, limit, among=among)
        return [VectorHit(hit.id, 1 - hit.score) for hit in hits]


class _RefusesLargeLimits(SoundBackend):
    def search(self, query, limit, *, among=None):
        if len(self.rows) < limit and self.rows:
            raise ValueError("kth out of bounds")
        return super().search(query, limit, among=among)


class _FiltersAfterwards(SoundBackend):
    def search(self, query, limit, *, among=None):
        hits = super().search(query, limit)
        return [hit for hit in hits if among is None or hit.id in among]


class _ScoresUnknownChunks(SoundBackend):
    def scores(self, query, ids):
        known = super().scores(query, ids)
        found = {hit.id for hit in known}
        return known + [VectorHit(id, 0.0) for id in ids if id > 300 and id not in found]


class _NewRowsNeedReopening(SoundBackend):
    last = None

    def search(self, query, limit, *, among=None):
        hits = super().search(query, limit + 1, among=among)
        self.last = self.last or (self.epoch, max(self.rows, default=0))
        epoch, last = self.last
        # Where there are enough new rows it opens anew.
        stale = self.epoch == epoch and len(self.rows) == last + 1
        return [hit for hit in hits if not stale or hit.id <= last][:limit]


class _NothingIsEverRemoved(SoundBackend):
    def __init__(self, settings):
        self.gone = {}
        super().__init__(settings)

    def catch_up(self):
        before = dict(self.rows)
        super().catch_up()
        if len(before) - len(self.rows) == 1:
            self.rows = {**before, **self.rows}


class _LosesRowsOnCompacting(SoundBackend):
    is_compacted = False

    def compact(self):
        self.is_compacted = True
        return super().compact()

    def search(self, query, limit, *, among=None):
        hits = super().search(query, limit, among=among)
        return hits[:5] if self.is_compacted and self.feed.generation("sound") else hits


class _AlwaysSaysPublished(SoundBackend):
    def compact(self):
        super().compact()
        return True


class _ForgetsWhatCameSince(SoundBackend):
    def start(self):
        super().start()
        if self.position:
            self.position = self.feed.position()


class _NeedsItsFile(SoundBackend):
    def trusts(self, generation):
        if not self.folder.exists():
            raise FileNotFoundError(generation.file)
        return super().trusts(generation)


class _TrustsItsFile(SoundBackend):
    def trusts(self, generation):
        return generation.epoch == self.feed.epoch and (self.folder / generation.file).is_file()


class _IgnoresTheEpochOnOpening(SoundBackend):
    def trusts(self, generation):
        return super().trusts(attrs.evolve(generation, epoch=self.feed.epoch))


class _IgnoresTheEpochWhileOpen(SoundBackend):
    def catch_up(self):
        self.epoch = self.feed.epoch
        super().catch_up()


class _DiesWhenOthersCompact(SoundBackend):
    def __init__(self, settings):
        super().__init__(settings)
        self.generation = self.feed.generation("sound")

    def search(self, query, limit, *, among=None):
        if self.generation and self.feed.generation("sound") != self.generation:
            raise OSError("stale file handle")
        return super().search(query, limit, among=among)


def _opening(backend):
    def open_vector_backend(settings):
        from contextlib import nullcontext

        return nullcontext(backend(settings))

    return replace_hooks(SOUND, open_vector_backend=open_vector_backend)


def _two_line_summary():
    return VectorBackendInfo(name="sound", summary="Two\nlines")


MUTANTS = {
    "describes-itself": replace_hooks(SOUND, describe_vector_backend=_two_line_summary),
    "describing-is-light": heavy_vector_backend,
    "empty-feed-gives-no-hits": _opening(_RefusesEmptyFeeds),
    "nearest-rows-come-best-first": _opening(_UnorderedBehindTheFirst),
    "hits-carry-the-cosine": _opening(_Distances),
    "limit-is-kept": _opening(_RefusesLargeLimits),
    "among-narrows-the-search": _opening(_FiltersAfterwards),
    "scores-are-those-of-the-chunks-asked-for": _opening(_ScoresUnknownChunks),
    "later-rows-are-found": _opening(_NewRowsNeedReopening),
    "removed-rows-are-not-found": _opening(_NothingIsEverRemoved),
    "compacting-keeps-the-results": _opening(_LosesRowsOnCompacting),
    "refused-generation-is-not-counted": _opening(_AlwaysSaysPublished),
    "generation-is-caught-up-with": _opening(_ForgetsWhatCameSince),
    "deleted-folder-is-rebuilt": _opening(_NeedsItsFile),
    "damaged-files-are-not-trusted": _opening(_TrustsItsFile),
    "restored-store-is-noticed-on-opening": _opening(_IgnoresTheEpochOnOpening),
    "restored-store-is-noticed-while-open": _opening(_IgnoresTheEpochWhileOpen),
    "compacting-leaves-other-readers-alone": _opening(_DiesWhenOthersCompact),
}
