"""Import every module of a package; run by the `isolated` session with nothing else installed.

A module that needs an optional extra says so by what it imports; of those only the names below are excused.
"""

import importlib
import pkgutil
import sys

OPTIONAL = {
    "imprint.testing": {"hypothesis", "numpy"},
    "imprint.default_plugins": {"numpy"},
}


def main(package: str) -> int:
    """The number of modules that could not be imported."""
    module = importlib.import_module(package)
    failures = []
    for info in pkgutil.walk_packages(module.__path__, package + "."):
        if info.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(info.name)
        except ModuleNotFoundError as error:
            branch = ".".join(info.name.split(".")[:2])
            if error.name and error.name.split(".")[0] in OPTIONAL.get(branch, set()):
                continue
            failures.append(f"{info.name}: {error}")
    sys.stdout.write("\n".join(failures) + "\n" if failures else f"{package}: every module imports\n")
    return len(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
