"""The command line and a running bridge: proof both ways, then commands."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from bridge import auth, control
from bridge.decode import encode
from bridge.errors import CloseCode, RefusedError, UnavailableError
from bridge.host import Host, read_secret
from bridge.server import Server
from tests.peer import ORIGIN, PATIENCE, Peer, dialled, opened, picture, prove, running


@contextlib.asynccontextmanager
async def served(folder: Path) -> AsyncIterator[Server]:
    with Host.open(folder) as host:
        async with running(host) as server:
            yield server


async def ask(server: Server, command: control.Command) -> dict[str, object]:
    key = auth.control_key(server.host.secret)
    return await control.ask_bridge(f"ws://127.0.0.1:{server.port}", key, command)


async def test_the_command_line_finds_the_bridge_by_its_data_folder(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        result = await asyncio.to_thread(control.ask, tmp_path, control.Health())
        assert result["url"] == server.url
        assert result["paired"] == 0


async def test_pairing_opens_a_window_in_the_running_bridge(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        result = await ask(server, control.Pair())
        assert server.host.pairings.attempt(str(result["code"]))


async def test_pairings_are_listed_without_any_key(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        client, key = server.host.pair(world="w", origin=ORIGIN, name="GM")
        result = await ask(server, control.Pairings())
        text = msgspec.json.encode(result).decode()
        assert client in text
        assert key not in text


async def test_revoking_cuts_a_live_socket_within_a_second(tmp_path: Path) -> None:
    async with served(tmp_path) as server, dialled_paired(server) as (peer, client):
        await ask(server, control.Revoke(client))
        async with asyncio.timeout(1):
            assert (await peer.closed())[0] == CloseCode.REVOKED
        with pytest.raises(RefusedError, match="no paired browser"):
            await ask(server, control.Revoke("nobody"))


async def test_a_new_secret_cuts_live_sockets_and_the_command_line_goes_on(tmp_path: Path) -> None:
    async with served(tmp_path) as server, dialled_paired(server) as (peer, _):
        assert await ask(server, control.Rotate()) == {"browsers": 1}
        async with asyncio.timeout(1):
            assert (await peer.closed())[0] == CloseCode.REVOKED
        assert (await ask(server, control.Pair()))["code"]


@contextlib.asynccontextmanager
async def dialled_paired(server: Server) -> AsyncIterator[tuple[Peer, str]]:
    key = server.host.pair(world="w", origin=ORIGIN)
    async with dialled(server) as peer:
        await peer.open(key)
        yield peer, key[0]


async def test_house_rules_are_set_and_read(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        await ask(server, control.House("w", {"rolls.mode": "off"}))
        assert await ask(server, control.House("w")) == {"settings": {"rolls.mode": "off"}}
        with pytest.raises(RefusedError, match="no such setting"):
            await ask(server, control.House("w", {"rolls.mood": 1}))


async def test_a_scratch_world_can_be_played_in_and_leaves_nothing(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        made = await ask(server, control.Scratch("http://scratch.example", {"rolls.mode": "off"}))
        world, key = str(made["world"]), (str(made["client"]), str(made["key"]))
        async with dialled(server, "http://scratch.example") as peer:
            challenge = await peer.until("challenge")
            await peer.send(prove(challenge["nonce"], *key, world, "http://scratch.example")[0])
            await peer.until("welcome")
            await peer.send(picture(1, "a"))
            await peer.until("ack")
            assert world in (await ask(server, control.Health()))["connected"]  # type: ignore[operator]
            await ask(server, control.Forget(world))
            assert (await peer.closed())[0] == CloseCode.DEGRADED
        assert server.host.store.worlds() == []
        assert not server.host.pairings.knows("http://scratch.example")


async def test_stop_stops_it(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        await ask(server, control.Stop())
        async with asyncio.timeout(PATIENCE):
            await server.stopped.wait()


async def test_without_the_key_no_command_is_taken(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        with pytest.raises(UnavailableError):
            await control.ask_bridge(f"ws://127.0.0.1:{server.port}", auth.control_key("00" * 32), control.Stop())
        async with dialled(server, None, "/control") as peer:
            await peer.receive()
            await peer.send(b'{"type":"stop"}')
            assert (await peer.closed())[0] == CloseCode.NOT_PROVEN
        assert not server.stopped.is_set()


async def test_a_program_that_squats_on_the_port_learns_nothing_and_gets_no_command() -> None:
    heard: list[str] = []

    async def squat(socket: ServerConnection) -> None:
        await socket.send(msgspec.json.encode(control.Greeting("ab" * 32)).decode())
        heard.append(str(await socket.recv()))
        await socket.send(msgspec.json.encode(control.Proved("cd" * 32)).decode())
        heard.extend([str(text) async for text in socket])

    key = auth.control_key("11" * 32)
    async with serve(squat, "127.0.0.1", 0) as squatter:
        port = squatter.sockets[0].getsockname()[1]
        with pytest.raises(RefusedError, match="not this data folder's bridge"):
            await control.ask_bridge(f"ws://127.0.0.1:{port}", key, control.Pair())
    assert len(heard) == 1
    assert key not in heard[0]


@pytest.mark.parametrize("text", [b"{", b"[]", b'{"type":"dance"}', b'{"type":"revoke"}', b"[" * 10_000])
async def test_a_command_that_cannot_be_read_is_refused(tmp_path: Path, text: bytes) -> None:
    async with served(tmp_path) as server, dialled(server, None, "/control") as peer:
        key = auth.control_key(server.host.secret)
        theirs = (await peer.receive())[0]["nonce"]
        ours = auth.new_secret()
        await peer.send(control.Prove(ours, auth.proof(key, "command-line", theirs, ours)))
        assert (await peer.receive())[0]["mac"] == auth.proof(key, "bridge", ours, theirs)
        await peer.send(text)
        assert (await peer.receive())[0]["type"] == "refused"


def test_with_no_bridge_running_the_store_is_opened(tmp_path: Path) -> None:
    with Host.open(tmp_path) as host:
        client, _ = host.pair(world="w", origin=ORIGIN)
        session, _ = opened(host)
        host.exchange(session, encode(picture(1, "a")))
    assert control.ask(tmp_path, control.Health())["url"] == ""
    assert [found["id"] for found in control.ask(tmp_path, control.Pairings())["clients"]][:1] == [client]
    control.ask(tmp_path, control.Revoke(client))
    control.ask(tmp_path, control.Forget("w"))
    assert control.ask(tmp_path, control.Pairings()) == {"clients": []}


@pytest.mark.parametrize("command", [control.Pair(), control.Stop()])
def test_what_needs_a_running_bridge_says_so(tmp_path: Path, command: control.Command) -> None:
    Host.open(tmp_path).close()
    with pytest.raises(UnavailableError, match="bridge serve"):
        control.ask(tmp_path, command)


def test_without_a_data_folder_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="no data folder"):
        control.ask(tmp_path / "nowhere", control.Health())
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_is_held_by_a_bridge_that_does_not_listen_yet(tmp_path: Path) -> None:
    with Host.open(tmp_path), pytest.raises(UnavailableError, match="starting or stopping"):
        control.ask(tmp_path, control.Health())


async def test_a_bridge_that_is_gone_is_a_plain_sentence(tmp_path: Path) -> None:
    Host.open(tmp_path).close()
    key = auth.control_key(read_secret(tmp_path))
    with pytest.raises(UnavailableError, match="does not answer"):
        await control.ask_bridge("ws://127.0.0.1:1", key, control.Health())
