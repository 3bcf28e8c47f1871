"""Makes the plugins under `mutants/` importable by name, here and in the interpreters that the checks start."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
