"""`python -m imprint_cli` is `imprint`."""

import sys

from imprint_cli.entry import main

sys.exit(main())
