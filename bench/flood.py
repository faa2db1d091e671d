"""A flood of strangers against a bridge: peers that stall, and connections one after another.

python bench/flood.py PORT SECONDS    prints how many connections it opened
"""

from __future__ import annotations

import asyncio
import contextlib
import sys

STALLED = 50
HANDS = 8
"""So many open connections at the same time, each as fast as it can."""


async def stall(port: int) -> asyncio.StreamWriter:
    """Say half a request, and nothing more."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://")
    return writer


async def knock(port: int, until: float) -> int:
    """Open connections until a time; return how many."""
    done = 0
    lines = [f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}", "Origin: http://localhost:30000", "Upgrade: websocket"]
    lines += ["Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13"]
    request = "\r\n".join([*lines, "", ""]).encode()
    while asyncio.get_running_loop().time() < until:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request)
            await reader.read(100)
            writer.transport.abort()
            done += 1
    return done


async def main(port: int, seconds: float) -> None:
    """Flood it."""
    stalled = [await stall(port) for _ in range(STALLED)]
    until = asyncio.get_running_loop().time() + seconds
    print(sum(await asyncio.gather(*(knock(port, until) for _ in range(HANDS)))), flush=True)
    for writer in stalled:
        writer.transport.abort()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
