"""The process under measurement: the raw echo of the library, or the bridge.  Prints one JSON line, then serves.

python bench/serve.py echo
python bench/serve.py bridge WORLDS DURABILITY FLUSH_SECONDS FOLDER
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

ORIGIN = "http://localhost:30000"


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
        await asyncio.Event().wait()


async def serve_bridge(worlds: int, durability: str, flush: float, folder: Path) -> None:
    """Serve the bridge for ever, with one browser paired for each world."""
    from bridge.host import Host
    from bridge.log import configure
    from bridge.process import warm_up
    from bridge.server import Server
    from bridge.settings import Settings
    from bridge.store.sqlite import SqliteStore

    settings = Settings(
        port=0,
        connections=10_000,
        unproven=10_000,
        rate=100_000,
        burst=100_000,
        durability=durability,  # type: ignore[arg-type]
        log_level="warning",
    )
    configure(settings)
    commits: list[float] = []
    if durability == "full":
        _flush_slowly(SqliteStore, flush)
    with Host.open(folder, settings) as host:
        keys = [host.pair(world=f"w{number}", origin=ORIGIN) for number in range(worlds)]
        server = Server(host)
        await server.start()
        warm_up()
        print(json.dumps({"port": server.port, "keys": keys}), flush=True)
        await asyncio.Event().wait()
    del commits


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
        worlds, durability, flush, folder = arguments[1:]
        asyncio.run(serve_bridge(int(worlds), durability, float(flush), Path(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
