"""Who pretends to be the bridge, or to be a browser, learns and gains nothing; and the key lies nowhere."""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from bridge import auth, control, protocol
from bridge.decode import encode
from bridge.host import SECRET, Host, read_secret
from bridge.store import backup
from bridge.store.lock import holder
from tests.peer import ORIGIN, PATIENCE, VERSIONS, Peer, dialled, eventually, picture, prove, running, unpack
from tests.reliability.process import ROOT

WORLD = protocol.Table("w")


async def _as_module(url: str, key: tuple[str, str]) -> list[str]:
    """Do what a module does, and stop when the other side cannot prove the key; return what it has sent."""
    sent: list[str] = []
    async with connect(url, origin=ORIGIN, compression=None, proxy=None) as socket:  # type: ignore[arg-type]
        (challenge,) = unpack(await socket.recv())
        message, ours = prove(challenge["nonce"], *key)
        sent.append(encode(message).decode())
        await socket.send(sent[-1])
        said = unpack(await socket.recv())[0]
        wanted = auth.server_proof(key[1], ours, challenge["nonce"], "w")
        assert not auth.equal(str(said.get("mac", "")), wanted)
    return sent


async def test_a_squatter_on_the_port_learns_nothing_that_opens_the_bridge() -> None:
    with Host.open() as host:
        key = host.pair(world="w", origin=ORIGIN)
        heard: list[str] = []
        async with running(host) as server:
            # The squatter stands between: it passes on the real challenge, and later what it has heard.
            async with dialled(server) as real:
                challenge = await real.until("challenge")

                async def squat(socket: ServerConnection) -> None:
                    await socket.send(msgspec.json.encode(challenge).decode())
                    heard.append(str(await socket.recv()))
                    await socket.send('{"type":"welcome","protocol":1,"mac":"00","session":"x","limits":{}}')

                async with serve(squat, "127.0.0.1", 0) as fake:
                    port = fake.sockets[0].getsockname()[1]
                    sent = await _as_module(f"ws://127.0.0.1:{port}", key)
            assert heard == sent
            assert key[1] not in "".join(heard)
            assert hashlib.sha256(key[1].encode()).hexdigest() not in "".join(heard)
            # Told to the real bridge in another conversation, it is worth nothing.
            async with dialled(server) as peer:
                await peer.until("challenge")
                await peer.socket.send(heard[0], text=True)
                assert (await peer.until("error"))["code"] == "not-paired"
                assert (await peer.closed())[0] == 4003


async def _play(replay: Peer, record: list[bytes]) -> None:
    """Send a record, then listen until the other side closes."""
    for text in record:
        await replay.socket.send(text, text=True)
    while True:
        assert not {message["type"] for message in await replay.receive()} & {"welcome", "ack", "apply"}


async def test_a_recorded_conversation_is_refused() -> None:
    with Host.open() as host:
        key = host.pair(world="w", origin=ORIGIN)
        async with running(host) as server:
            async with dialled(server) as peer:
                challenge = await peer.until("challenge")
                record = [encode(prove(challenge["nonce"], *key)[0]), encode(picture(1, "a"))]
                for text in record:
                    await peer.socket.send(text, text=True)
                await peer.until("ack")
            async with dialled(server) as replay:
                with pytest.raises(ConnectionClosed):
                    await _play(replay, record)
                assert replay.socket.close_code == 4003


async def test_with_a_nonce_that_repeats_the_record_would_be_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    with Host.open() as host:
        key = host.pair(world="w", origin=ORIGIN)
        monkeypatch.setattr("bridge.session.auth.new_secret", lambda: "ab" * 32)
        record = encode(prove("ab" * 32, *key)[0])
        async with running(host) as server:
            for _ in range(2):
                async with dialled(server) as peer:
                    await peer.socket.send(record, text=True)
                    assert (await peer.until("welcome"))["mac"]


def findings(folder: Path, said: bytes, secrets: list[str]) -> list[str]:
    """Return where a secret lies, as text or as bytes, other than in the one file that is made for it."""
    places = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != SECRET}
    return [
        name
        for name, data in {**places, "what it said": said}.items()
        for secret in secrets
        if secret.encode() in data or secret.upper().encode() in data or bytes.fromhex(secret) in data
    ]


# https://github.com/ThreeHats/foundryvtt-rest-api-relay/issues/2
async def test_the_key_lies_in_no_log_database_copy_or_url(tmp_path: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("BRIDGE_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bridge", "serve", "--port", "0", "--data-dir", str(tmp_path), "--log-level", "debug"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**environ, "XDG_CONFIG_HOME": str(tmp_path)},
        cwd=ROOT,
    )
    try:
        await eventually(lambda: holder(tmp_path).pid == process.pid and holder(tmp_path).url != "")
        url = holder(tmp_path).url
        code = (await asyncio.to_thread(control.ask, tmp_path, control.Pair()))["code"]
        async with connect(url, origin=ORIGIN, compression=None, proxy=None) as socket:  # type: ignore[arg-type]
            peer = Peer(socket)
            challenge = await peer.until("challenge")
            await peer.send(protocol.Pair(VERSIONS, code, WORLD, "gm", "Gamemaster"))
            paired = await peer.until("paired")
            key = (paired["client"], paired["key"])
            await peer.send(prove(challenge["nonce"], *key)[0])
            await peer.until("welcome")
            await peer.send(picture(1, "a"))
            await peer.until("ack")
            # What goes wrong is logged with what was around it.
            await peer.socket.send(b"\xff", text=True)
            await peer.closed()
        async with connect(url, origin=ORIGIN, compression=None, proxy=None) as socket:  # type: ignore[arg-type]
            peer = Peer(socket)
            challenge = await peer.until("challenge")
            await peer.send(prove(challenge["nonce"], key[0], "00" * 32)[0])
            await peer.closed()
        await asyncio.to_thread(control.ask, tmp_path, control.Backup())
        await asyncio.to_thread(control.ask, tmp_path, control.Revoke(key[0]))
    finally:
        process.terminate()
        async with asyncio.timeout(3 * PATIENCE):
            said, _ = await process.communicate()
    secrets = [key[1], read_secret(tmp_path), auth.control_key(read_secret(tmp_path))]
    assert backup.usual(tmp_path)
    assert b"proof refused" in said
    assert findings(tmp_path, said, secrets) == []
    # Were it there, it would be found.
    (tmp_path / "leak.log").write_text(f"key={key[1]}")
    assert findings(tmp_path, bytes.fromhex(secrets[1]), secrets) == ["leak.log", "what it said"]
