"""Which Chromium the tests and the bench drive."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")


def executable() -> str | None:
    """The one that is named, else the machine's own; none: Playwright's."""
    return os.environ.get("CONDITION_BRIDGE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
