"""``python -m bridge`` is the command ``bridge``."""

import sys

from bridge.start import main

sys.exit(main())
