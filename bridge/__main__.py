"""``python -m bridge`` is the command ``bridge``."""

import sys

from bridge.cli.start import main

sys.exit(main())
