"""Where the bridge's modules get their loggers from; ``log.py`` says what becomes of what they log.

structlog loads rich, where that is installed, for tracebacks in colour.  A server wants neither, and it would cost most
of the time that the bridge takes to start, and megabytes: so rich is hidden while structlog is imported.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import cast


@contextlib.contextmanager
def _hidden(name: str) -> Iterator[None]:
    if name in sys.modules:
        yield
        return
    # What stands as None cannot be imported.
    sys.modules[name] = cast("ModuleType", None)
    try:
        yield
    finally:
        del sys.modules[name]


with _hidden("rich"):
    import structlog

__all__ = ["get_logger", "structlog"]

get_logger = structlog.get_logger
