"""Look into the built wheels: what must be inside is, nothing else is, and the model's stays small."""

import sys
import zipfile
from pathlib import Path

MUST_HOLD = {
    "imprint_core": ["imprint/py.typed", "imprint/errors/__init__.py", "licenses/LICENSE"],
    "imprint_cli": ["imprint_cli/py.typed", "entry_points.txt", "licenses/LICENSE"],
    "imprint_client_plugins": ["imprint_client_plugins/py.typed", "licenses/LICENSE"],
    "imprint_mcp": ["imprint_mcp/py.typed", "imprint_mcp/snapshot.json", "entry_points.txt", "licenses/LICENSE"],
    "imprint_memvec": ["imprint_memvec/model/model.safetensors", "licenses/LICENSE", "licenses/NOTICE"],
}
LARGEST_MB = {"imprint_memvec": 12.0}


def problems(wheel: Path) -> list[str]:
    """What is wrong with a wheel, one sentence each."""
    package = wheel.name.split("-")[0]
    if package not in MUST_HOLD:
        return [f"nobody says what {wheel.name} must hold"]
    names = zipfile.ZipFile(wheel).namelist()
    found = [
        f"{wheel.name} lacks {wanted}"
        for wanted in MUST_HOLD[package]
        if not any(name.endswith(wanted) for name in names)
    ]
    found += [f"{wheel.name} holds {name}" for name in names if "__pycache__" in name or name.startswith("tests/")]
    size = wheel.stat().st_size / 1e6
    if size > LARGEST_MB.get(package, 1.0):
        found.append(f"{wheel.name} is {size:.1f} MB")
    return found


def main(folder: Path) -> int:
    """1 when any wheel has a problem."""
    wheels = sorted(folder.glob("*.whl"))
    found = [problem for wheel in wheels for problem in problems(wheel)] or ([] if wheels else ["no wheel was built"])
    sys.stdout.write("\n".join(found or [f"{len(wheels)} wheels hold what they should"]) + "\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
