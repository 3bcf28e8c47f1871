"""The steps of one run: scan and compare, write what is new, drop what is gone."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import cast

import attrs

from imprint.domain.paths import contains
from imprint.domain.purge import Exclusion, is_key_excluded
from imprint.domain.skips import SkipReason
from imprint.domain.sources import CanonicalPath, SourceKey
from imprint.errors import FileTooLargeError, MissingPathError, RemovalsHeldBackError, UnreadableFileError
from imprint.failpoints import reach
from imprint.protocols.files import FileTree, FoundFile, FoundFolder, SkippedEntry
from imprint.protocols.progress import Progress
from imprint.protocols.stores import FileState, Replacement, WorkspaceStore
from imprint.services.file_preparation import Preparation, PreparationRequest, Prepared, PreparedSource, SameContent
from imprint.services.indexing_plans import IndexingPlan, deepest_root, outermost_root, outermost_targets
from imprint.services.indexing_reports import Outcome, RunTally

__all__ = ["IndexingRun"]

_BATCH_ROWS = 200
_SCAN_STEP = 500
_BELIEVED_SHARE = 0.3
_OUTCOMES = {
    Replacement.ADDED: Outcome.ADDED,
    Replacement.CHANGED: Outcome.CHANGED,
    Replacement.EXCLUDED: Outcome.EXCLUDED,
}


@attrs.define
class _Area:
    """A target that no other holds, and what the store knows at or below it.

    Attributes:
        known: Number of sources before the run.
        found: Number of files the scan found.
        unreadable: Places below which nothing is known to be gone.
    """

    path: CanonicalPath
    known: int = 0
    found: int = 0
    is_missing: bool = False
    unreadable: list[CanonicalPath] = attrs.field(factory=list)


@attrs.define(kw_only=True)
class IndexingRun:
    """One run; used once.

    Attributes:
        store: `None` in a dry run over a workspace that has none yet.
    """

    plan: IndexingPlan
    store: WorkspaceStore | None
    files: FileTree
    preparation: Preparation
    exclusions: Sequence[Exclusion]
    tally: RunTally
    progress: Progress
    _unseen: dict[str, FileState] = attrs.field(init=False, factory=dict)
    _batch: list[PreparedSource] = attrs.field(init=False, factory=list)
    _batch_rows: int = attrs.field(init=False, default=0)
    _touched: dict[SourceKey, FileState] = attrs.field(init=False, factory=dict)

    def index(self) -> None:
        """Bring the store in line with the files."""
        areas = [_Area(target) for target in outermost_targets(self.plan.targets)]
        fresh = self._compare(areas)
        if self.plan.dry_run:
            for _, known in fresh:
                self.tally.count(Outcome.CHANGED if known else Outcome.ADDED)
        else:
            self._write(fresh)
        for area in areas:
            self._drop_gone(area)

    def _compare(self, areas: Sequence[_Area]) -> list[tuple[FoundFile, FileState | None]]:
        """The files to be read, with the states they were last indexed in."""
        self.progress.start("scan", None)
        fresh: list[tuple[FoundFile, FileState | None]] = []
        seen: set[str] = set()
        unchanged = count = 0
        unseen: dict[str, FileState] = {}
        for area in areas:
            if self.store is not None:
                states = self.store.file_states(area.path)
                area.known = len(states)
                unseen |= cast("dict[str, FileState]", states)
            for found in self._scan(area):
                path, size, mtime_ns = found
                if path in seen:
                    continue
                seen.add(path)
                known = unseen.pop(path, None)
                if known is not None and known.mtime_ns == mtime_ns and known.size == size:
                    unchanged += 1
                else:
                    fresh.append((found, known))
                count += 1
                if count % _SCAN_STEP == 0:
                    self.progress.advance(_SCAN_STEP, 0, path)
            area.found = count
            count = 0
        self._unseen = unseen
        self.tally.count(Outcome.UNCHANGED, unchanged)
        return fresh

    def _scan(self, area: _Area) -> Iterator[FoundFile]:
        """What is found in an area and may be read; the rest is tallied."""
        limit = self.preparation.max_file_bytes
        for entry in self._entries(area):
            if isinstance(entry, SkippedEntry):
                if entry.is_failure:
                    area.unreadable.append(type(area.path)(entry.path))
                    self.tally.fail(entry.path, UnreadableFileError(entry.path, entry.detail or entry.reason.value))
                else:
                    self.tally.skip(entry.path, entry.reason)
            elif self.exclusions and is_key_excluded(entry.path, self.exclusions):
                self.tally.count(Outcome.EXCLUDED)
            elif entry.size > limit:
                self.tally.skip(entry.path, SkipReason.TOO_LARGE)
            else:
                yield entry

    def _entries(self, area: _Area) -> Iterator[FoundFile | SkippedEntry]:
        """An area's own entries, then those of roots inside it, which count even where a rule covers them."""
        try:
            looked = self.files.look(area.path, root=deepest_root(area.path, self.plan.roots))
        except MissingPathError as error:
            area.is_missing = True
            if not area.known:
                self.tally.fail(str(area.path), error)
            return
        if not isinstance(looked, FoundFolder):
            yield looked
            return
        yield from self.files.scan(area.path)
        for root in self.plan.roots:
            if root != area.path and contains(area.path, root):
                yield from self.files.scan(root)

    def _write(self, fresh: Sequence[tuple[FoundFile, FileState | None]]) -> None:
        if not fresh:
            return
        self.progress.start("index", sum(found.size for found, _ in fresh))
        requests = [self._request(found, known) for found, known in fresh]
        try:
            with closing(self.preparation.prepare_all(requests)) as results:
                for request, prepared in zip(requests, results, strict=True):
                    self._take(request, prepared)
                    self.progress.advance(1, request.found.size, request.found.path)
        finally:
            # Ctrl-C comes here too: what was prepared is a moment's work, and worth keeping.
            self._flush()

    def _request(self, found: FoundFile, known: FileState | None) -> PreparationRequest:
        path = type(self.plan.targets[0])(found.path)
        root = outermost_root(path, self.plan.roots)
        return PreparationRequest(found=found, path=path, known=known, root=root, project=self.plan.project)

    def _take(self, request: PreparationRequest, prepared: Prepared) -> None:
        path, known = request.found.path, request.known
        if isinstance(prepared, PreparedSource):
            rows = max(len(prepared.chunks), 1)
            if self._batch_rows + rows > _BATCH_ROWS:
                self._flush()  # before, so that most transactions are full: there is a pause after each
            self._batch.append(prepared)
            self._batch_rows += rows
        elif isinstance(prepared, SameContent):
            self.tally.count(Outcome.UNCHANGED)
            self._touched[SourceKey(path)] = prepared.state
        elif isinstance(prepared, SkipReason):
            self.tally.skip(path, prepared)
            if known is not None:
                self._unseen[path] = known
        elif isinstance(prepared, FileTooLargeError):
            self.tally.skip(path, SkipReason.TOO_LARGE)
        else:
            self.tally.fail(path, prepared)
        if max(self._batch_rows, len(self._touched)) >= _BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        assert self.store is not None, "a dry run writes nothing"
        reach("indexing.prepared")
        batch, self._batch, self._batch_rows = self._batch, [], 0
        touched, self._touched = self._touched, {}
        if batch:
            replacements = self.store.replace_sources([(prepared.source, prepared.chunks) for prepared in batch])
            for prepared, replacement in zip(batch, replacements, strict=True):
                self.tally.count(_OUTCOMES[replacement])
                if replacement is not Replacement.EXCLUDED:
                    self.tally.chunks += len(prepared.chunks)
                    self.tally.redactions += prepared.redactions
        if touched:
            self.store.touch_sources(touched)

    def _drop_gone(self, area: _Area) -> None:
        gone = [SourceKey(key) for key in self._unseen if self._is_gone(key, area)]
        if not gone:
            return
        reason = self._find_doubt(area, gone)
        if reason and not self.plan.accept_removals:
            self.tally.fail(
                str(area.path),
                RemovalsHeldBackError(path=str(area.path), reason=reason, gone=len(gone), known=area.known),
            )
        elif self.plan.dry_run or self.store is None:
            self.tally.count(Outcome.REMOVED, len(gone))
        else:
            self.tally.count(Outcome.REMOVED, self.store.remove_sources(gone))

    def _is_gone(self, key: str, area: _Area) -> bool:
        path = type(area.path)(key)
        return contains(area.path, path) and not any(contains(place, path) for place in area.unreadable)

    def _find_doubt(self, area: _Area, gone: Sequence[SourceKey]) -> str:
        """Why a removal is not believed; empty where it is. A single file that was asked for is believed."""
        if gone == [str(area.path)]:
            return ""
        if area.is_missing:
            return "missing"
        if not area.found:
            return "empty"
        return "many" if len(gone) > _BELIEVED_SHARE * area.known else ""
