"""Any model2vec model as an embedder: a folder, or a model's name on the Hugging Face hub."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from imprint.errors import ModelUnavailableError
from imprint.plugins import Embedder, EmbedderInfo, EmbedderSettings, ModelIdentity, hookimpl

if TYPE_CHECKING:
    from model2vec import StaticModel

    from imprint.protocols.embedders import Matrix, Vector

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_MODEL_FILES = ["*.safetensors", "*.json", "README.md"]
_DECISIVE_FILES = ("*.safetensors", "tokenizer.json", "*config*.json")


@hookimpl
def describe_embedder() -> EmbedderInfo:
    """Say what this embedder is."""
    return EmbedderInfo(name="model2vec", summary="Any model2vec model: a folder, or a name on the Hugging Face hub")


@hookimpl
def open_embedder(settings: EmbedderSettings) -> AbstractContextManager[Embedder]:
    """Load the model; only a name that is no folder and not in the hub's cache goes to the network."""
    name = settings.model
    folder = _find_folder(name)
    from model2vec import StaticModel

    try:
        model = StaticModel.from_pretrained(folder)
    except (OSError, ValueError, KeyError) as error:
        raise ModelUnavailableError(
            name,
            f"{folder} holds no model that model2vec can read ({error})",
            remedy="name the folder of another model",
        ) from error
    identity = ModelIdentity(_short_name(name), _digest(folder), model.dim)
    return nullcontext(Model2vecEmbedder(model, identity))


@attrs.frozen
class Model2vecEmbedder:
    """A loaded `StaticModel`. Texts are cut at the model's own limit, mostly 512 tokens."""

    _model: "StaticModel"
    identity: ModelIdentity

    def embed_documents(self, texts: Sequence[str]) -> "Matrix":
        import numpy

        if not texts:
            return numpy.zeros((0, self.identity.width), dtype=numpy.float32)
        encoded = self._model.encode(texts, normalize=True, use_multiprocessing=False)
        rows: Matrix = encoded.astype(numpy.float32, copy=False)
        return rows

    def embed_query(self, text: str) -> "Vector":
        row: Vector = self.embed_documents([text])[0]
        return row


def _find_folder(name: str) -> Path:
    if not name:
        raise ModelUnavailableError(
            name, "none is named", remedy="name a model's folder, or a model such as 'minishlab/potion-base-8M'"
        )
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    if not _HUB_NAME.fullmatch(name) or name.startswith("."):
        raise ModelUnavailableError(
            name, "there is no such folder", remedy="name a folder that exists, or a model on the hub as OWNER/NAME"
        )
    return _fetch(name)


def _fetch(name: str) -> Path:
    """Find the model in the hub's cache on this machine, else download it into there."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, allow_patterns=_MODEL_FILES, local_files_only=True))
    except LocalEntryNotFoundError:
        pass
    try:
        return Path(snapshot_download(name, allow_patterns=_MODEL_FILES))
    except (OSError, ValueError) as error:
        raise ModelUnavailableError(
            name,
            f"it is not on this machine and cannot be fetched ({str(error).splitlines()[0]})",
            remedy="check the name and go online once, or name a folder that holds the model",
        ) from error


def _digest(folder: Path) -> str:
    """Hash the files that decide the model's vectors."""
    digest = blake2b(digest_size=32)
    for path in sorted({path for pattern in _DECISIVE_FILES for path in folder.rglob(pattern)}):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()


def _short_name(name: str) -> str:
    """What people call the model: a hub's name as it is, of a folder the last part, which outlives a move."""
    folder = Path(name).expanduser()
    return folder.resolve().name if folder.is_dir() else name
