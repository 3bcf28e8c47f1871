"""Bundles as archives."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from imprint.adapters.archives import ArchiveReader, new_archive, open_archive
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.new_files import new_file, require_absent, require_room
from imprint.domain.archives import LONGEST_LINE
from imprint.domain.bundle_records import render_fact, vector_size
from imprint.domain.bundle_streams import (
    Counter,
    parse_fact_lines,
    parse_source_lines,
    parse_vector_records,
    render_source_lines,
    render_vector_records,
)
from imprint.domain.bundles import (
    BUNDLE_FORMAT,
    FACTS_MEMBER,
    SOURCES_MEMBER,
    BundledModel,
    BundleManifest,
    parse_bundle_manifest,
    render_bundle_manifest,
    vectors_member,
)
from imprint.domain.sources import WorkspaceName
from imprint.domain.versions import FactVersion, SourceVersion
from imprint.errors import ArchiveTooNewError, OversizedRecordError
from imprint.protocols.archives import BundleContent
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.progress import Progress
from imprint.protocols.versions import StoreSnapshot

__all__ = ["ZippedBundles"]

_STEP = 500


@attrs.frozen
class ZippedBundles:
    """Meets `imprint.protocols.archives.BundleFiles`.

    Attributes:
        folder: Where what a bundle holds would go.
        program: Version of this program.
    """

    folder: DataFolder
    program: str

    def require_absent(self, path: Path) -> None:
        require_absent(path)

    def write(
        self, path: Path, snapshot: StoreSnapshot, progress: Progress, *, workspace: WorkspaceName, created_at: str
    ) -> BundleManifest:
        counter = Counter()
        progress.start("export", None)
        with new_file(path) as file, new_archive(file) as archive:
            lines = render_source_lines(snapshot.sources(), counter)
            members = [archive.add(SOURCES_MEMBER, _told(_limited(path, lines), progress))]
            facts = _counted(map(render_fact, snapshot.facts()), counter)
            members.append(archive.add(FACTS_MEMBER, _limited(path, facts)))
            models = []
            for place, model in enumerate(snapshot.models()):
                rows = render_vector_records(snapshot.vectors(model))
                member = archive.add(vectors_member(place), _told(rows, progress))
                members.append(member)
                models.append(
                    BundledModel(
                        name=model.name,
                        digest=model.digest,
                        width=model.width,
                        vectors=member.size // vector_size(model.width),
                    )
                )
            manifest = BundleManifest(
                program=self.program,
                schema=snapshot.schema,
                workspace=workspace,
                created_at=created_at,
                sources=counter.sources,
                chunks=counter.chunks,
                facts=counter.facts,
                models=tuple(models),
                members=tuple(members),
            )
            archive.finish(render_bundle_manifest(manifest))
        return manifest

    @contextmanager
    def open(self, path: Path, progress: Progress) -> Iterator[BundleContent]:
        with open_archive(path, "bundle") as archive:
            with archive.translated():
                manifest = parse_bundle_manifest(archive.manifest())
            if manifest.format > BUNDLE_FORMAT:
                raise ArchiveTooNewError(str(path), "bundle", manifest.format, BUNDLE_FORMAT)
            archive.require_members(manifest.members)
            require_room(self.folder.nearest, sum(member.size for member in manifest.members), of=path)
            content = _Content(archive, manifest)
            progress.start("verify", manifest.members[0].size)
            content.verify(progress)
            yield content


@attrs.frozen
class _Content:
    """Meets `imprint.protocols.archives.BundleContent`."""

    _archive: ArchiveReader
    manifest: BundleManifest

    def sources(self) -> Iterator[SourceVersion]:
        with self._archive.translated():
            yield from parse_source_lines(self._archive.lines(self.manifest.members[0]), self.manifest)

    def facts(self) -> Iterator[FactVersion]:
        with self._archive.translated():
            yield from parse_fact_lines(self._archive.lines(self.manifest.members[1]), self.manifest)

    def vectors(self, model: ModelIdentity) -> Iterator[tuple[int, bytes]]:
        for place, bundled in enumerate(self.manifest.models):
            if (bundled.name, bundled.digest, bundled.width) == (model.name, model.digest, model.width):
                yield from self._vectors(place)

    def verify(self, progress: Progress) -> None:
        """Read everything once."""
        for version in self.sources():
            progress.advance(1, sum(len(chunk.text) for chunk in version.chunks), version.source.key)
        for _ in self.facts():
            pass
        for place in range(len(self.manifest.models)):
            for _ in self._vectors(place):
                pass

    def _vectors(self, place: int) -> Iterator[tuple[int, bytes]]:
        bundled = self.manifest.models[place]
        member = self.manifest.members[2 + place]
        with self._archive.translated():
            records = self._archive.blocks(member, vector_size(bundled.width))
            yield from parse_vector_records(records, bundled, self.manifest)


def _limited(path: Path, lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines that can be read again."""
    for line in lines:
        if len(line) > LONGEST_LINE:
            raise OversizedRecordError(str(path), len(line), LONGEST_LINE)
        yield line


def _counted(lines: Iterable[bytes], counter: Counter) -> Iterator[bytes]:
    for line in lines:
        counter.facts += 1
        yield line


def _told(blocks: Iterable[bytes], progress: Progress) -> Iterator[bytes]:
    """Tell every so often how far we are."""
    size = 0
    for count, block in enumerate(blocks, start=1):
        size += len(block)
        if count % _STEP == 0:
            progress.advance(_STEP, size, "")
            size = 0
        yield block
