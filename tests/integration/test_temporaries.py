"""What is left beside a file by those who were killed while they replaced it."""

import os
import time
from pathlib import Path

import pytest

from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.config_files import ConfigFile
from imprint.adapters.project_files import write_project_file
from imprint.domain.sources import WorkspaceName


@pytest.mark.parametrize("kind", ["config", "project"])
def test_who_replaces_a_file_clears_away_what_others_left_long_ago(tmp_path: Path, kind: str):
    path = tmp_path / "config.toml" if kind == "config" else tmp_path / ".imprint" / "workspace.json"
    path.parent.mkdir(exist_ok=True)
    old, new = (path.with_name(f".{path.name}.{age}.tmp") for age in ("old", "new"))
    strangers = [path.with_name(name) for name in (".other.toml.old.tmp", f"{path.name}.tmp", f".{path.name}.old.bak")]
    hour_ago = time.time() - 3600
    for file in (old, new, *strangers):
        file.touch()
        if file != new:
            os.utime(file, (hour_ago, hour_ago))

    if kind == "config":
        ConfigFile(path).set("search.limit", 3)
    else:
        write_project_file(canonical_path(tmp_path), WorkspaceName("acme"))

    assert set(path.parent.iterdir()) >= {path, new, *strangers}
    assert not old.exists()
