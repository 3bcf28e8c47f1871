"""What is never indexed, as tables: by name at scan time, by content once the first bytes are read."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum

import attrs

__all__ = [
    "FOLDER_MARKERS",
    "HEAD_BYTES",
    "SkipReason",
    "SkipRule",
    "is_binary",
    "skip_by_head",
    "skip_by_name",
    "skip_folder",
    "skip_rules",
]

HEAD_BYTES = 65_536
"""So much of a file's beginning decides whether its content is skipped."""


class SkipReason(StrEnum):
    """Why a file or folder is passed over; the words that reports show."""

    IGNORED = "ignored"
    LINK = "link"
    VERSION_CONTROL = "version control"
    DEPENDENCIES = "dependencies"
    CACHE = "cache"
    TOOL_STATE = "tool state"
    SECRET = "secret"
    LOCK_FILE = "lock file"
    BINARY = "binary"
    GENERATED = "generated"
    MINIFIED = "minified"
    EMPTY = "empty"
    TOO_LARGE = "too large"
    SPECIAL = "not a regular file"
    WORKTREE = "linked git worktree"
    UNREADABLE = "unreadable"
    NAME = "name is not UTF-8"

    @property
    def is_told(self) -> bool:
        """Whether a report counts it as refused: the user may have expected to find it."""
        return self in (SkipReason.SECRET, SkipReason.TOO_LARGE)


@attrs.frozen
class SkipRule:
    """One row of the table: a shell pattern over names, in lower case."""

    reason: SkipReason
    pattern: str


FOLDER_MARKERS: Mapping[str, SkipReason] = {
    "pyvenv.cfg": SkipReason.DEPENDENCIES,
    "CACHEDIR.TAG": SkipReason.CACHE,
}
"""A folder that holds such a file is skipped whole."""

_FOLDERS: Mapping[SkipReason, str] = {
    SkipReason.VERSION_CONTROL: ".git .hg .svn .jj .bzr .sl CVS",
    SkipReason.DEPENDENCIES: "node_modules bower_components jspm_packages .yarn .pnpm-store .venv .eggs",
    SkipReason.CACHE: "__pycache__ .mypy_cache .pytest_cache .ruff_cache .hypothesis .tox .nox .cache .gradle "
    ".terraform .next .nuxt .svelte-kit .parcel-cache .turbo .angular .ipynb_checkpoints .sass-cache .dart_tool",
    SkipReason.TOOL_STATE: ".idea .vs .imprint",
    SkipReason.SECRET: ".ssh .gnupg .aws .azure .kube .docker .password-store",
}

_NAMES: Mapping[SkipReason, str] = {
    SkipReason.VERSION_CONTROL: ".git",
    SkipReason.LOCK_FILE: "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock "
    "poetry.lock pipfile.lock uv.lock pdm.lock pixi.lock conda-lock.yml cargo.lock composer.lock gemfile.lock go.sum "
    "go.work.sum flake.lock mix.lock pubspec.lock podfile.lock packages.lock.json package.resolved gradle.lockfile "
    "conan.lock .terraform.lock.hcl",
    SkipReason.SECRET: "id_rsa id_dsa id_ecdsa id_ecdsa_sk id_ed25519 id_ed25519_sk .netrc _netrc .pgpass .npmrc "
    ".pypirc .htpasswd .git-credentials .dockercfg .vault-token .my.cnf .s3cfg .boto .envrc credentials.json "
    "secrets.json secrets.yml secrets.yaml secrets.toml",
    SkipReason.CACHE: ".ds_store thumbs.db desktop.ini .coverage .eslintcache",
}

_SUFFIXES: Mapping[SkipReason, str] = {
    SkipReason.SECRET: "env pem key p12 pfx jks keystore kdbx ppk gpg tfstate tfvars",
    SkipReason.GENERATED: "map tsbuildinfo",
    SkipReason.BINARY: "png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai eps xcf sketch fig blend "
    "mp3 wav flac ogg oga opus m4a aac mid mp4 m4v mov avi mkv webm wmv flv "
    "ttf otf woff woff2 eot "
    "zip tar gz tgz bz2 tbz2 xz txz zst lz4 br 7z rar jar war ear whl egg gem nupkg deb rpm apk ipa dmg iso img "
    "cab msi exe dll so dylib a lib o obj ko pyc pyo pyd class beam wasm elc rlib rmeta node hex uf2 elf "
    "pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi pages numbers "
    "db sqlite sqlite3 mdb dbf parquet feather arrow orc avro h5 hdf5 npy npz mat rds rdata pickle joblib "
    "pt pth ckpt onnx tflite safetensors gguf bin dat pb mo der crt cer pack idx glb fbx stl 3ds swf tfrecord",
}

_ENDINGS: Mapping[SkipReason, str] = {
    SkipReason.MINIFIED: ".min.js .min.mjs .min.css .bundle.js .chunk.js .chunk.css",
    SkipReason.GENERATED: ".pb.go .pb.cc .pb.h _pb2.py _pb2.pyi _pb2_grpc.py .g.dart .freezed.dart .designer.cs .g.cs",
}

_SECRET_BEGINNING = ".env"

_FOLDER_REASONS = {name: reason for reason, names in _FOLDERS.items() for name in names.split()}
_NAME_REASONS = {name: reason for reason, names in _NAMES.items() for name in names.split()}
_SUFFIX_REASONS = {f".{suffix}": reason for reason, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_ENDING_REASONS = {ending: reason for reason, endings in _ENDINGS.items() for ending in endings.split()}
_ALL_ENDINGS = tuple(_ENDING_REASONS)

_PRIVATE_KEY = re.compile(rb"\s*(?:-----BEGIN [A-Z0-9 ]*PRIVATE KEY|PuTTY-User-Key-File-)")
_COMMENT = rb"^[ \t]*(?:#|//|/?\*|--|;|<!--|\"\"\"|%|@?rem\b)[^\n]{0,200}?"
_GENERATED = re.compile(
    _COMMENT
    + rb"(?:(?<![\w`'\"])@generated\b|<auto-?generated|code generated [^\n]{0,200}do not edit"
    + rb"|auto(?:matically)?[- ]?generated[^\n]{0,200}do not (?:edit|modify))",
    re.IGNORECASE | re.MULTILINE,
)
_MARKER_BYTES = 2_000
_MINIFIED_BYTES = 2_000
_MINIFIED_LINE = 1_000
_UNICODE_MARKS = (b"\xff\xfe", b"\xfe\xff")


def skip_folder(name: str) -> SkipReason | None:
    """Why a folder of this name is never entered."""
    return _FOLDER_REASONS.get(name)


def skip_by_name(name: str, readable: tuple[str, ...] = ()) -> SkipReason | None:
    """Why a file of this name is never read.

    Args:
        readable: Suffixes of binary files that an extractor reads.
    """
    lowered = name.lower()
    if reason := _NAME_REASONS.get(lowered) or _SUFFIX_REASONS.get(lowered[lowered.rfind(".") :]):
        return None if reason is SkipReason.BINARY and lowered.endswith(readable) else reason
    if lowered.startswith(_SECRET_BEGINNING):
        return SkipReason.SECRET
    if lowered.endswith(_ALL_ENDINGS):
        return next(reason for ending, reason in _ENDING_REASONS.items() if lowered.endswith(ending))
    return None


def skip_by_head(head: bytes, *, is_prose: bool = False) -> SkipReason | None:
    """Why a file that begins like this is not indexed.

    Args:
        head: The first `HEAD_BYTES` of it.
        is_prose: Long lines are the author's, not a tool's.
    """
    if is_binary(head):
        return SkipReason.BINARY
    if _PRIVATE_KEY.match(head):
        return SkipReason.SECRET
    if _GENERATED.search(head, 0, _MARKER_BYTES):
        return SkipReason.GENERATED
    if not is_prose and len(head) > _MINIFIED_BYTES and len(head) > _MINIFIED_LINE * (head.count(b"\n") + 1):
        return SkipReason.MINIFIED
    return None


def is_binary(data: bytes) -> bool:
    """Whether bytes hold something other than text."""
    return b"\0" in data and not data.startswith(_UNICODE_MARKS)


def skip_rules() -> Iterator[SkipRule]:
    """Every rule by name, for documentation; folders end with a slash."""
    for reason, names in _FOLDERS.items():
        yield from (SkipRule(reason, f"{name}/") for name in names.split())
    for reason, names in _NAMES.items():
        yield from (SkipRule(reason, name) for name in names.split())
    yield SkipRule(SkipReason.SECRET, f"{_SECRET_BEGINNING}*")
    for reason, suffixes in _SUFFIXES.items():
        yield from (SkipRule(reason, f"*.{suffix}") for suffix in suffixes.split())
    for reason, endings in _ENDINGS.items():
        yield from (SkipRule(reason, f"*{ending}") for ending in endings.split())
