"""The Autobahn test suite against the arguments with which the bridge serves, with a list of what differs and why."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import Server as Listener
from websockets.asyncio.server import ServerConnection, serve

from bridge import server as server_module
from bridge.errors import Close
from bridge.host import Host
from bridge.settings import Settings
from bridge.socket import Socket
from tests.peer import running
from tests.reliability.counts import LONG

KOSOKU = shutil.which("kosoku", path=str(Path(sys.executable).parent)) or shutil.which("kosoku")
pytestmark = [
    pytest.mark.skipif(KOSOKU is None, reason="kosoku is not installed"),
    pytest.mark.timeout(7200),
]

LEFT_OUT = ("1.2.*", "9.*", "12.*", "13.*")
"""1.2: binary messages, which we never take.  9: messages of up to 16 MiB, above our limit.  12, 13: compression, which we never agree to."""
FINE = {"OK", "NON-STRICT", "INFORMATIONAL", "UNIMPLEMENTED"}
DEVIATIONS = {
    "7.1.5": "a message that a close frame cuts in two: the library closes at once, and documents that it does",
}


@pytest.fixture
async def echo(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """Serve an echo with exactly the arguments of the bridge, minus who is let in; return its port."""
    arguments: dict[str, Any] = {}

    async def note(handler: object, *where: object, **given: Any) -> Listener:
        arguments.update(given)
        return await serve(handler, *where, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(server_module, "serve", note)
    with Host.open(settings=Settings()) as host:
        async with running(host):
            pass
    for name in ("process_request", "start_serving", "logger"):
        del arguments[name]
    assert arguments["compression"] is None
    assert arguments["max_size"] == server_module.HARD * Settings().message

    async def repeat(socket: ServerConnection) -> None:
        assert isinstance(socket, Socket)
        closing: list[asyncio.Task[None]] = []

        def listen(texts: list[str]) -> None:
            for text in texts:
                socket.say(text.encode())

        def end(how: Close) -> None:
            closing.append(asyncio.create_task(socket.close(how.code, how.reason)))

        socket.listen(listen, end)
        await socket.wait_closed()

    async with serve(repeat, "127.0.0.1", 0, **arguments) as listener:
        yield listener.sockets[0].getsockname()[1]


async def verdicts(port: int, folder: Path, *cases: str) -> dict[str, str]:
    """Run the suite; return what it says of each case."""
    words = [word for case in LEFT_OUT for word in ("-x", case)]
    words += [word for case in cases for word in ("-i", case)]
    process = await asyncio.create_subprocess_exec(
        *(str(KOSOKU), "-m", "fuzzingclient", "-p", "4", "-o", str(folder), *words, f"127.0.0.1:{port}"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return _read(folder, said.decode())


def _read(folder: Path, said: str) -> dict[str, str]:
    indexes = list(folder.rglob("index.json"))
    assert indexes, said
    (found,) = json.loads(indexes[0].read_text()).values()
    return {case: verdict["behavior"] for case, verdict in found.items()}


async def test_only_what_is_listed_differs(echo: int, tmp_path: Path) -> None:
    found = await verdicts(echo, tmp_path)
    assert len(found) > 230
    assert {case: verdict for case, verdict in found.items() if verdict not in FINE and case not in DEVIATIONS} == {}
    if LONG:
        # What is listed still differs: an entry that is not needed any more is taken off the list.
        assert {case for case in DEVIATIONS if found[case] not in FINE} == set(DEVIATIONS)


async def test_a_server_that_repeats_nothing_is_found_out(tmp_path: Path) -> None:
    async def mute(socket: ServerConnection) -> None:
        async for _ in socket:
            pass

    async with serve(mute, "127.0.0.1", 0) as listener:
        found = await verdicts(listener.sockets[0].getsockname()[1], tmp_path, "1.1.2")
    assert found["1.1.2"] not in FINE
