"""Which vector space this model's vectors live in."""

from hashlib import blake2b
from pathlib import Path
from typing import Final

from imprint.plugins import ModelIdentity

__all__ = ["IDENTITY", "MODEL_FOLDER", "digest_of_model"]

MODEL_FOLDER: Final = Path(__file__).parent / "model"

IDENTITY: Final = ModelIdentity(
    "memvec-256-int8",
    "c8b40409789966483f30c9ffe1a7a48cd7d5f73204abd55922d2a49348beb6e5",
    256,
)
"""The digest is a constant, which a test compares with the files, because hashing 8 MB would lengthen every start."""

_DECISIVE: Final = ("config.json", "model.safetensors", "tokenizer.json")


def digest_of_model(folder: Path) -> str:
    """Hash the files that decide a model's vectors."""
    digest = blake2b(digest_size=32)
    for name in _DECISIVE:
        data = (folder / name).read_bytes()
        digest.update(f"{name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()
