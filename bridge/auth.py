"""Codes, keys and proofs.  No I/O, no clock of its own.

**Key.**  Each GM's browser has its own key of 32 bytes, written as 64 hex digits.  It is derived from the data folder's
secret and the client's id, so the database and its backups hold no key at all.

**Proof.**  HMAC-SHA256 over both sides' nonces with a word for the role in front: neither a replay, nor a reflection,
nor another program on our port gains anything.

**Code.**  A pairing code is used once, within ten minutes, with five wrong tries.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from msgspec import Struct

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No 0 and O, no 1, I and L."""
CODE_LENGTH = 8
TRIES = 5
DELAYS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds that the first, second, ... failure of an origin is answered late."""

_NONCE = re.compile(r"[0-9a-f]{32,128}")


def new_secret() -> str:
    """Return 32 random bytes as 64 hex digits: a nonce, or the secret of a data folder."""
    return secrets.token_hex(32)


def new_id() -> str:
    """Return a fresh id of 16 letters and digits."""
    return secrets.token_hex(8)


def is_nonce(text: str) -> bool:
    """Tell whether a peer's nonce is fit to go into a proof: 32 to 128 hex digits, so no separator can hide in it."""
    return _NONCE.fullmatch(text) is not None


def client_key(secret: str, client: str) -> str:
    """Return the key of a client."""
    return _mac(secret, f"key|{client}")


def control_key(secret: str) -> str:
    """Return the key of the command line."""
    return _mac(secret, "control")


def client_proof(key: str, bridge_nonce: str, module_nonce: str, world: str, origin: str) -> str:
    """Return what ``auth.mac`` must be."""
    return _mac(key, f"client|{bridge_nonce}|{module_nonce}|{world}|{origin}")


def server_proof(key: str, module_nonce: str, bridge_nonce: str, world: str) -> str:
    """Return what ``welcome.mac`` must be."""
    return _mac(key, f"server|{module_nonce}|{bridge_nonce}|{world}")


def proof(key: str, role: str, first_nonce: str, second_nonce: str) -> str:
    """Return a proof of the command line's key."""
    return _mac(key, f"{role}|{first_nonce}|{second_nonce}")


def equal(one: str, other: str) -> bool:
    """Compare in constant time; text that is not ASCII equals nothing."""
    return hmac.compare_digest(one.encode(), other.encode())


def _mac(key: str, text: str) -> str:
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest()


class Window(Struct):
    """A pairing window.  ``until`` and every ``now`` are seconds of one monotonic clock."""

    code: str
    until: float
    tries: int = TRIES

    @classmethod
    def open(cls, now: float, seconds: float) -> Window:
        """Open a window with a fresh code."""
        return cls("".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH)), now + seconds)

    @property
    def shown(self) -> str:
        """The code as people read it: ``XXXX-XXXX``."""
        half = CODE_LENGTH // 2
        return f"{self.code[:half]}-{self.code[half:]}"

    def is_open(self, now: float) -> bool:
        """Tell whether a code may still be tried."""
        return self.tries > 0 and now < self.until

    def attempt(self, typed: str, now: float) -> bool:
        """Try a code, as typed.  Right: the window is closed.  Wrong: one try less."""
        if not self.is_open(now):
            return False
        if equal(_plain(typed), self.code):
            self.tries = 0
            return True
        self.tries -= 1
        return False


def _plain(typed: str) -> str:
    return "".join(c for c in typed.upper() if c.isalnum())


class Failures:
    """Counts failures per origin, so that each is answered later than the one before."""

    LARGEST = 256
    """Origins that are remembered at most."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def failed(self, origin: str) -> float:
        """Count one failure and return the seconds after which it is to be answered."""
        count = self._counts.pop(origin, 0) + 1
        self._counts[origin] = count
        if len(self._counts) > self.LARGEST:
            del self._counts[next(iter(self._counts))]
        return DELAYS[min(count, len(DELAYS)) - 1]

    def succeeded(self, origin: str) -> None:
        """Forget the failures of an origin."""
        self._counts.pop(origin, None)
