"""Bundles: what one workspace knows, as lines of JSON that any program can read.

A bundle holds sources with their passages, facts, and the vectors of those passages. It never holds roots or
exclusions: those are what a device has approved and what it keeps out, and both stay with the device.
"""

import attrs

from imprint.domain.archives import (
    Fields,
    MalformedError,
    Member,
    finish,
    parse_head,
    parse_members,
    render_members,
    render_object,
    take_list,
    take_moment,
    take_number,
    take_text,
)

__all__ = [
    "BUNDLE_FORMAT",
    "FACTS_MEMBER",
    "SOURCES_MEMBER",
    "BundleManifest",
    "BundledModel",
    "parse_bundle_manifest",
    "render_bundle_manifest",
    "vectors_member",
]

BUNDLE_FORMAT = 1
SOURCES_MEMBER = "sources.jsonl"
FACTS_MEMBER = "facts.jsonl"

_KIND = "imprint-bundle"
_WIDEST = 65_536
_MOST_MODELS = 16


@attrs.frozen(kw_only=True)
class BundledModel:
    """A model with vectors in a bundle.

    Attributes:
        vectors: Their number, those included that say "this model knows nothing of the passage".
    """

    name: str
    digest: str
    width: int
    vectors: int


@attrs.frozen(kw_only=True)
class BundleManifest:
    """What a bundle says of itself.

    Attributes:
        program: Version of the program that wrote it.
        schema: Version of the store it was read from; says nothing about the bundle's own format.
        workspace: The name it had there.
    """

    program: str
    schema: int
    workspace: str
    created_at: str
    sources: int
    chunks: int
    facts: int
    models: tuple[BundledModel, ...]
    members: tuple[Member, ...]
    format: int = BUNDLE_FORMAT

    @property
    def vectors(self) -> int:
        return sum(model.vectors for model in self.models)


def vectors_member(place: int) -> str:
    """The member with the vectors of the model in this place of the manifest's list."""
    return f"vectors-{place + 1}.f16"


def render_bundle_manifest(manifest: BundleManifest) -> bytes:
    """Write a manifest."""
    return render_object(
        {
            "kind": _KIND,
            "format": manifest.format,
            "program": manifest.program,
            "schema": manifest.schema,
            "workspace": manifest.workspace,
            "created_at": manifest.created_at,
            "sources": manifest.sources,
            "chunks": manifest.chunks,
            "facts": manifest.facts,
            "models": [attrs.asdict(model) for model in manifest.models],
            "members": render_members(manifest.members),
        }
    )


def parse_bundle_manifest(data: bytes) -> BundleManifest:
    """Read a manifest; of a newer format only the number, which the caller is to look at first.

    Raises:
        MalformedError: It is none, or its parts do not fit together.
    """
    fields, format = parse_head(data, _KIND)
    if format > BUNDLE_FORMAT:
        return _unknown(format)
    manifest = BundleManifest(
        format=format,
        program=take_text(fields, "program"),
        schema=take_number(fields, "schema"),
        workspace=take_text(fields, "workspace"),
        created_at=take_moment(fields, "created_at"),
        sources=take_number(fields, "sources"),
        chunks=take_number(fields, "chunks"),
        facts=take_number(fields, "facts"),
        models=tuple(_parse_model(one) for one in take_list(fields, "models")),
        members=parse_members(fields),
    )
    finish(fields)
    _check(manifest)
    return manifest


def _parse_model(fields: Fields) -> BundledModel:
    model = BundledModel(
        name=take_text(fields, "name"),
        digest=take_text(fields, "digest"),
        width=take_number(fields, "width", least=1),
        vectors=take_number(fields, "vectors"),
    )
    finish(fields)
    if model.width > _WIDEST:
        raise MalformedError("a model has too many dimensions")
    return model


def _check(manifest: BundleManifest) -> None:
    if len(manifest.models) > _MOST_MODELS:
        raise MalformedError("it has vectors of too many models")
    expected = [SOURCES_MEMBER, FACTS_MEMBER, *map(vectors_member, range(len(manifest.models)))]
    if [member.name for member in manifest.members] != expected:
        raise MalformedError("its members are not those of a bundle")


def _unknown(format: int) -> BundleManifest:
    return BundleManifest(
        format=format,
        program="",
        schema=0,
        workspace="",
        created_at="",
        sources=0,
        chunks=0,
        facts=0,
        models=(),
        members=(),
    )
