"""Tells systemd how the bridge is, where systemd has started it: ready, alive, stopping.  Elsewhere it says nothing."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping


class Notifier:
    """Speaks the protocol of ``sd_notify``."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        environ = os.environ if environ is None else environ
        self._address = environ.get("NOTIFY_SOCKET", "")
        self._watched = int(environ.get("WATCHDOG_USEC", "0") or 0) / 1_000_000

    def say(self, *lines: str) -> None:
        """Say it, if anybody listens."""
        family = getattr(socket, "AF_UNIX", None)
        if not self._address or family is None:
            return
        # An address that begins with @ is of no file.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as to:
                to.sendto("\n".join(lines).encode(), address)
        except OSError:
            # Nobody listens any more.
            return

    async def live(self) -> None:
        """Say from the event loop that it lives, for as long as somebody watches."""
        while self._address and self._watched:
            self.say("WATCHDOG=1")
            await asyncio.sleep(self._watched / 2)
