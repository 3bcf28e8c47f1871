"""What a purge takes: everything that the exclusion it leaves behind will keep out, and the facts drawn from that."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b

import attrs

from imprint.domain.facts import FactId
from imprint.domain.purge import Exclusion, is_excluded, is_key_excluded
from imprint.domain.sources import Source, SourceId, SourceKey

__all__ = ["SelectedSource", "Selection", "VersionedSource", "select"]


@attrs.frozen
class VersionedSource:
    """One version of a source, as a store holds it; its number is never used again in that store."""

    version: SourceId
    source: Source


@attrs.frozen
class SelectedSource:
    """What identifies a version of a source that a purge takes."""

    key: SourceKey
    version: SourceId


@attrs.frozen(kw_only=True)
class Selection:
    """What a purge takes from a store at one moment.

    Attributes:
        exclusion: What the purge leaves behind, with the conversations that the target holds.
        epoch: The store's; another epoch means other versions under the same numbers.
        sources: By key, then version.
        linked: Facts drawn from one of the sources, by id.
        orphans: Facts drawn from a source of the target that is not stored, by id.
    """

    exclusion: Exclusion
    epoch: str = ""
    sources: tuple[SelectedSource, ...] = ()
    linked: tuple[FactId, ...] = ()
    orphans: tuple[FactId, ...] = ()

    @property
    def keys(self) -> tuple[SourceKey, ...]:
        """The keys of the sources, each once."""
        return tuple(dict.fromkeys(selected.key for selected in self.sources))

    @property
    def facts(self) -> tuple[FactId, ...]:
        return self.linked + self.orphans

    @property
    def digest(self) -> str:
        """Names what was reviewed: the target, and every version and fact that it selects."""
        hashed = blake2b(digest_size=16)
        for part in (
            self.exclusion.workspace,
            self.exclusion.target,
            "recursive" if self.exclusion.recursive else "",
            self.epoch,
            *(f"{selected.version} {selected.key}" for selected in self.sources),
            "",
            *map(str, sorted(self.facts)),
        ):
            data = part.encode("utf-8", "surrogatepass")
            hashed.update(len(data).to_bytes(8, "big") + data)
        return hashed.hexdigest()

    def count_newer(self, earlier: "Selection") -> int:
        """How many of the sources' versions an earlier selection of the same target did not have."""
        return len(set(self.sources) - set(earlier.sources))


def select(
    exclusion: Exclusion, sources: Iterable[VersionedSource], facts: Mapping[FactId, str], *, epoch: str = ""
) -> Selection:
    """Select what an exclusion covers.

    Args:
        facts: The key each fact was drawn from.
        epoch: The store's.
    """
    selected = sorted(
        (
            SelectedSource(found.source.key, found.version)
            for found in sources
            if is_excluded(found.source, [exclusion])
        ),
        key=lambda one: (one.key, one.version),
    )
    keys = {one.key for one in selected}
    linked = sorted(id for id, key in facts.items() if key in keys)
    orphans = sorted(id for id, key in facts.items() if key not in keys and is_key_excluded(key, [exclusion]))
    return Selection(
        exclusion=exclusion,
        epoch=epoch,
        sources=tuple(selected),
        linked=tuple(linked),
        orphans=tuple(orphans),
    )
