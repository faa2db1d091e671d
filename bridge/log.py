"""Logs: readable on a terminal, one JSON object a line elsewhere; to standard error, or to a file of bounded size.

Secrets are masked by name and by shape, long values are cut, and control characters never reach a line.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, TextIO, cast

import msgspec

from bridge.errors import StoreError
from bridge.logger import structlog
from bridge.settings import MASK, Settings

LONGEST = 256
"""Characters of a value that are kept."""
LARGE = 5 * 1024 * 1024
"""Bytes of a log file at which it is set aside; the one before it is deleted."""

_SECRET_NAMES = frozenset({"key", "mac", "secret", "code", "token", "nonce", "password", "authorization", "cookie"})
_SECRET_SHAPE = re.compile(r"[0-9a-fA-F]{64,}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}

Event = MutableMapping[str, Any]


def configure(settings: Settings, stream: TextIO | None = None) -> None:
    """Set up logging for the whole process.  ``stream``: standard error when left out."""
    style = settings.log_format
    if stream is None and settings.log_file:
        stream, style = cast("TextIO", LogFile(Path(settings.log_file).expanduser())), "json"
    stream = stream or sys.stderr
    console = style == "console" or (style == "auto" and stream.isatty())
    processors: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=not console, key="ts"),
        structlog.processors.format_exc_info,
        mask,
    ]
    if console:
        processors.append(structlog.dev.ConsoleRenderer(colors=stream.isatty(), timestamp_key="ts"))
    else:
        processors.append(_as_json)
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[settings.log_level]),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _Patient(stream))),
        cache_logger_on_first_use=True,
    )


class LogFile(io.TextIOBase):
    """A file that is set aside when it is large.

    Raises:
        StoreError: It cannot be written.

    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = self._open()
        except OSError as error:
            message = f"The log file {path} cannot be written: {error}."
            raise StoreError(message) from error

    def write(self, text: str) -> int:
        """Write a line, in a new file when this one is large."""
        if self._file.tell() > LARGE:
            self._file.close()
            self._path.replace(aside(self._path))
            self._file = self._open()
        return self._file.write(text)

    def flush(self) -> None:
        """Hand what is written to the system."""
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        super().close()
        self._file.close()

    def _open(self) -> TextIO:
        return os.fdopen(os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8")


def aside(path: Path) -> Path:
    """Return where a log file goes when it is large."""
    return path.with_name(f"{path.name}.1")


class _Patient:
    """A stream on which nothing fails: a log on a full disk must not stop the bridge from saying that it is full."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, if possible."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if possible."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()


def mask(_logger: object, _method: str, event: Event) -> Event:
    """Mask what is secret and cut what is long (a structlog processor)."""
    for name, value in event.items():
        event[name] = MASK if name in _SECRET_NAMES else _safe(value, whole=name == "exception")
    return event


def _safe(value: object, *, whole: bool = False) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = _SECRET_SHAPE.sub(MASK, value if isinstance(value, str) else repr(value))
    if whole:
        return _CONTROL.sub("�", text)
    short = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    return "".join(c if c.isprintable() else "�" for c in short)


def _as_json(_logger: object, _method: str, event: Event) -> str:
    return msgspec.json.encode(event).decode()


class Forward(logging.Handler):
    """Hands what a library logs to our own log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Pass one record on, with its traceback."""
        log = structlog.get_logger()
        log.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)


def library_logger(name: str) -> logging.Logger:
    """Return a standard logger whose warnings and errors come out in our log."""
    logger = logging.getLogger(name)
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    if not any(isinstance(handler, Forward) for handler in logger.handlers):
        logger.addHandler(Forward())
    return logger
