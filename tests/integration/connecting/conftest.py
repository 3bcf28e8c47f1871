"""Makes the modules beside this one importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
