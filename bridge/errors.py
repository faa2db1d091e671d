"""Whose fault is it?  Every error that we raise, and every code that we close a socket with.

::

    BridgeError
    ├── PeerError            what came over the socket is wrong: answered with ``error``, the socket may stay open
    └── SetupError           the person who runs the bridge must do something: printed, one exit code each
        ├── UsageError       64  the command line is wrong
        ├── UnavailableError 69  it needs a running bridge (or a free port) and there is none
        ├── StoreError       74  the disk failed
        │   ├── DamagedError     the database is damaged, or is none
        │   └── DiskFullError    nothing fits on the disk any more
        ├── LockedError      75  another bridge uses the data folder
        ├── RefusedError     77  it would be unsafe
        └── ConfigError      78  a setting is wrong, or the database is of a newer bridge
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class BridgeError(Exception):
    """Base class of all that the bridge raises on purpose.  Its text is a plain sentence."""


class PeerError(BridgeError):
    """What the other side sent is not accepted.  ``code`` is one of ``protocol.ERROR_CODES``."""

    def __init__(self, code: str, message: str, about: int | None = None, id: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.about = about
        self.id = id


class SetupError(BridgeError):
    """The person who runs the bridge must do something; the sentence says what."""

    exit_code = 1


class UsageError(SetupError):
    """The command line is wrong."""

    exit_code = 64


class UnavailableError(SetupError):
    """A running bridge is needed and there is none, or its port is taken."""

    exit_code = 69


class StoreError(SetupError):
    """The disk failed."""

    exit_code = 74


class DamagedError(StoreError):
    """The database is damaged, or is no database."""


class DiskFullError(StoreError):
    """Nothing fits on the disk any more."""


class LockedError(SetupError):
    """Another bridge uses the data folder."""

    exit_code = 75


class RefusedError(SetupError):
    """It would be unsafe, or is not allowed."""

    exit_code = 77


class ConfigError(SetupError):
    """A setting is wrong, or the database is of a newer bridge."""

    exit_code = 78


class CloseCode(enum.IntEnum):
    """Why the bridge closes a socket; the module's answer to each is in ``docs/protocol.md``."""

    STOPPING = 1001
    BINARY = 1003
    BAD_TEXT = 1007
    TOO_BIG = 1009
    INTERNAL = 1011
    MALFORMED = 4002
    REVOKED = 4003
    TAKEN = 4004
    NOT_PROVEN = 4007
    FLOOD = 4008
    TOO_SLOW = 4009
    VERSION = 4010
    SUPERSEDED = 4011
    OTHER_WORLD = 4012
    DEGRADED = 4013


REASONS = {
    CloseCode.STOPPING: "The bridge is stopping.",
    CloseCode.BINARY: "The bridge takes text frames only.",
    CloseCode.BAD_TEXT: "The text was not UTF-8.",
    CloseCode.TOO_BIG: "The message was too big.",
    CloseCode.INTERNAL: "The bridge met an error of its own; its log says which.",
    CloseCode.MALFORMED: "Too many messages could not be read.",
    CloseCode.REVOKED: "This browser is not paired with this bridge. Pair it again.",
    CloseCode.TAKEN: "Another GM's browser already speaks for this world.",
    CloseCode.NOT_PROVEN: "The browser did not prove in time who it is.",
    CloseCode.FLOOD: "Too many tries. Wait a little.",
    CloseCode.TOO_SLOW: "The browser reads too slowly; connect again to go on.",
    CloseCode.VERSION: "Bridge and module do not understand each other. Update the older one.",
    CloseCode.SUPERSEDED: "The same browser connected again, from another tab perhaps.",
    CloseCode.OTHER_WORLD: "This key belongs to another world.",
    CloseCode.DEGRADED: "The bridge cannot save just now. It tries again by itself.",
}
"""The plain sentence that goes with each code."""

LONGEST_REASON = 123
"""Bytes that fit in a close frame (RFC 6455, section 5.5)."""


class Close(NamedTuple):
    """How a socket is to be closed."""

    code: int
    reason: str


def close(code: CloseCode, reason: str = "") -> Close:
    """Return a close with its sentence (the usual one when ``reason`` is empty), cut to what a frame can carry."""
    text = (reason or REASONS[code]).encode()[:LONGEST_REASON]
    return Close(int(code), text.decode(errors="ignore"))
