"""Where qwen-code keeps what its sessions leave: beside its configuration, unless a variable moves it."""

from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import Installation
from imprint_client_plugins.installations import moved_folder

__all__ = ["runtime_folder"]


def runtime_folder(installation: Installation) -> CanonicalPath:
    """The folder with transcripts and notes."""
    return moved_folder(installation.home, "QWEN_RUNTIME_DIR") or installation.folder
