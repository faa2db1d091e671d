"""The process under measurement: the raw echo of the library, or the bridge.  Prints one JSON line, then serves.

python bench/serve.py echo
python bench/serve.py bridge WORLDS DURABILITY FLUSH_SECONDS FOLDER
python bench/serve.py guarded WORLDS DURABILITY FLUSH_SECONDS FOLDER    with the limits of every bridge

At each SIGUSR1 it prints how late its loop has been since the last one.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import time
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

ORIGIN = "http://localhost:30000"
LOOK = 0.005
"""Seconds between two looks at how late the loop is."""


async def watch() -> None:
    """Serve for ever, and tell the loop's 99th percentile of being late, in milliseconds, whenever asked to."""
    late = [0.0]

    def tell() -> None:
        late.sort()
        print(json.dumps({"lag": late[int(len(late) * 0.99)] * 1e3}), flush=True)
        late[:] = [0.0]

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, tell)
    while True:
        due = loop.time() + LOOK
        await asyncio.sleep(LOOK)
        late.append(loop.time() - due)


async def echo(socket: ServerConnection) -> None:
    """Send back what comes: bytes in, bytes out, uncompressed."""
    try:
        while True:
            await socket.send(await socket.recv(decode=False), text=True)
    except ConnectionClosed:
        pass


async def serve_echo() -> None:
    """Serve the echo for ever."""
    async with serve(echo, "127.0.0.1", 0, compression=None, max_size=1024 * 1024, server_header=None) as server:
        print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
        gc.collect()
        gc.freeze()
        await watch()


async def serve_bridge(worlds: int, durability: str, flush: float, folder: Path, *, guarded: bool) -> None:
    """Serve the bridge for ever, with one browser paired for each world."""
    from bridge.host import Host
    from bridge.log import configure
    from bridge.process import warm_up
    from bridge.server import Server
    from bridge.settings import Settings
    from bridge.store.sqlite import SqliteStore

    bounds = {} if guarded else {"connections": 10_000, "unproven": 10_000, "rate": 100_000, "burst": 100_000}
    settings = Settings(port=0, durability=durability, log_level="error", **bounds)  # type: ignore[arg-type]
    configure(settings)
    if durability == "full":
        _flush_slowly(SqliteStore, flush)
    with Host.open(folder, settings) as host:
        keys = [host.pair(world=f"w{number}", origin=ORIGIN) for number in range(worlds)]
        server = Server(host)
        await server.start()
        warm_up()
        print(json.dumps({"port": server.port, "keys": keys}), flush=True)
        await watch()


def _flush_slowly(store: type, seconds: float) -> None:
    """On a disk in memory a flush takes no time: let it take as long as a good drive's."""
    real = store.append_many  # type: ignore[attr-defined]

    def append_many(self: object, writes: list[object]) -> None:
        real(self, writes)
        time.sleep(seconds)

    store.append_many = append_many  # type: ignore[attr-defined]


def main(arguments: list[str]) -> None:
    """Serve what the first argument names."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {0})
    if arguments[0] == "echo":
        asyncio.run(serve_echo())
    else:
        kind, worlds, durability, flush, folder = arguments
        serving = serve_bridge(int(worlds), durability, float(flush), Path(folder), guarded=kind == "guarded")
        asyncio.run(serving)


if __name__ == "__main__":
    main(sys.argv[1:])
