"""The bridge as its own process: signals, crashes and a second one on the same folder."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from bridge.control import Health, ask
from bridge.host import Host
from tests.peer import ORIGIN, Peer, picture

PATIENCE = 30.0
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


class Running:
    """A bridge in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, url: str, code: str) -> None:
        self.process = process
        self.url = url
        self.code = code

    async def end(self, number: int) -> int:
        self.process.send_signal(number)
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()

    @contextlib.asynccontextmanager
    async def dial(self) -> AsyncIterator[Peer]:
        url = self.url.replace("http", "ws")
        async with connect(url, origin=ORIGIN, compression=None, proxy=None) as socket:  # type: ignore[arg-type]
            yield Peer(socket)


@contextlib.asynccontextmanager
async def started(folder: Path, *, paired: bool = True) -> AsyncIterator[Running]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("BRIDGE_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bridge", "serve", "--port", "0", "--data-dir", str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ | {"PYTHONUNBUFFERED": "1", "XDG_CONFIG_HOME": str(folder)},
    )
    assert process.stdout is not None
    text = ""
    last = "Help:" if paired else "Pairing code"
    try:
        async with asyncio.timeout(PATIENCE):
            while last not in text:
                line = await process.stdout.readline()
                assert line, text
                text += line.decode()
        found = re.search(r"running at (http://\S+)\.", text)
        code = re.search(r"[A-Z2-9]{4}-[A-Z2-9]{4}", text)
        assert found is not None
        yield Running(process, found[1], code[0] if code else "")
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_with_exit_code_0_and_those_connected_are_told(tmp_path: Path, number: int) -> None:
    with Host.open(tmp_path) as host:
        key = host.pair(world="w", origin=ORIGIN)
    async with started(tmp_path) as bridge, bridge.dial() as peer:
        await peer.open(key)
        began = asyncio.get_running_loop().time()
        assert await bridge.end(number) == 0
        assert asyncio.get_running_loop().time() - began < 5
        assert (await peer.closed())[0] == 1001


async def test_signals_that_come_together_are_one_wish(tmp_path: Path) -> None:
    """As from `make`, which hands on a SIGTERM that the whole group has had."""
    async with started(tmp_path, paired=False) as bridge:
        bridge.process.send_signal(signal.SIGINT)
        assert await bridge.end(signal.SIGTERM) == 0


async def test_killed_at_any_moment_it_goes_on_with_all_that_it_acknowledged(tmp_path: Path) -> None:
    with Host.open(tmp_path) as host:
        key = host.pair(world="w", origin=ORIGIN)
    for round in range(3):
        async with started(tmp_path) as bridge, bridge.dial() as peer:
            await peer.open(key)
            await peer.send(picture(1, *(f"a{number}" for number in range(round + 1))))
            await peer.until("ack")
            assert await bridge.end(signal.SIGKILL) == -signal.SIGKILL
        with Host.open(tmp_path) as host:
            assert len(host.world("w").memory.actors) == round + 1


async def test_while_nobody_is_paired_it_prints_a_code_that_pairs(tmp_path: Path) -> None:
    from bridge import protocol

    async with started(tmp_path, paired=False) as bridge, bridge.dial() as peer:
        await peer.until("challenge")
        versions = protocol.Versions(protocol.OLDEST, protocol.NEWEST)
        await peer.send(protocol.Pair(versions, bridge.code, protocol.Table("w"), "gm"))
        assert (await peer.until("paired"))["key"]


async def test_the_command_line_reaches_it_and_a_second_one_is_refused(tmp_path: Path) -> None:
    async with started(tmp_path, paired=False) as bridge:
        assert (await asyncio.to_thread(ask, tmp_path, Health()))["url"] == bridge.url
        second = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bridge", "serve", "--port", "0", "--data-dir", str(tmp_path)),
            stderr=subprocess.PIPE,
        )
        _, text = await second.communicate()
        assert second.returncode == 75
        assert str(bridge.process.pid) in text.decode()
