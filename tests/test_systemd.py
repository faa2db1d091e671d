"""What systemd is told, over a real socket."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.systemd import Notifier

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="systemd is of Linux")


@pytest.fixture
def heard() -> Iterator[socket.socket]:
    # Not pytest's own folder: the name of such a socket has to be short.
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(Path(folder) / "notify"))
        ear.settimeout(10)
        yield ear


def test_it_is_told_in_one_message(heard: socket.socket) -> None:
    Notifier({"NOTIFY_SOCKET": heard.getsockname()}).say("READY=1", "STATUS=Running.")
    assert heard.recv(1000) == b"READY=1\nSTATUS=Running."


async def test_while_it_is_watched_the_loop_says_that_it_lives(heard: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": heard.getsockname(), "WATCHDOG_USEC": "20000"})
    living = asyncio.create_task(notifier.live())
    for _ in range(3):
        assert await asyncio.to_thread(heard.recv, 1000) == b"WATCHDOG=1"
    living.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await living


async def test_elsewhere_nothing_is_said_and_nobody_waits() -> None:
    for environ in ({}, {"NOTIFY_SOCKET": "/nowhere/at/all", "WATCHDOG_USEC": ""}):
        notifier = Notifier(environ)
        notifier.say("READY=1")
        await notifier.live()
