"""`python -m imprint_mcp`."""

import sys

from imprint_mcp.entry import main

if __name__ == "__main__":
    sys.exit(main())
