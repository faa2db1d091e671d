"""A real server: starts, serves, says that it lives, and stops without losing an answer."""

from __future__ import annotations

import asyncio
import socket
import ssl
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from bridge import auth
from bridge.control import Health, ask
from bridge.errors import CloseCode, ConfigError, RefusedError, UnavailableError
from bridge.host import Host
from bridge.server import Server
from bridge.settings import Settings
from bridge.store.lock import holder
from tests.gated import GatedStore
from tests.peer import ORIGIN, PATIENCE, Peer, dialled, picture, running

CERTIFICATE = Path(__file__).parent / "data" / "untrusted.pem"


def host(**settings: object) -> Host:
    return Host.open(settings=msgspec.convert({n.replace("_", "-"): v for n, v in settings.items()}, Settings))


async def test_a_free_port_is_taken_and_told() -> None:
    with host() as h:
        async with running(h) as server:
            assert server.port > 0
            assert server.url == f"http://127.0.0.1:{server.port}"
            assert server.manifest_url == f"{server.url}/module/module.json"


async def test_a_taken_port_is_a_plain_sentence_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with host(port=port) as h, pytest.raises(UnavailableError, match=f"Port {port} is in use.*--port {port + 1}"):
            await Server(h).start()


async def test_an_address_that_is_not_ours_is_a_plain_sentence() -> None:
    with host(host="203.0.113.1", insecure_lan=True) as h, pytest.raises(UnavailableError, match="cannot listen"):
        await Server(h).start()


async def test_it_does_not_listen_beyond_this_computer_without_a_word() -> None:
    with host(host="192.168.1.5") as h, pytest.raises(RefusedError):
        Server(h)


async def test_a_certificate_that_cannot_be_used_is_a_plain_sentence() -> None:
    with host(tls_cert="/nowhere.pem") as h, pytest.raises(ConfigError, match="nowhere"):
        await Server(h).start()


async def test_the_command_line_finds_it_in_the_lock_file(tmp_path: Path) -> None:
    with Host.open(tmp_path) as h:
        async with running(h) as server:
            assert holder(tmp_path).url == f"ws://127.0.0.1:{server.port}"


async def test_a_message_goes_all_the_way_and_back() -> None:
    with host() as h:
        key = h.pair(world="w", origin=ORIGIN)
        async with running(h) as server, dialled(server) as peer:
            assert (await peer.open(key))["limits"]["message"] == h.settings.message
            await peer.send(picture(1, "a"))
            assert (await peer.until("ack"))["n"] == 1


async def test_it_says_that_it_lives_to_those_who_are_in() -> None:
    with host(ping=0.05) as h:
        key = h.pair(world="w", origin=ORIGIN)
        async with running(h) as server, dialled(server) as peer:
            await peer.open(key)
            assert (await peer.until("status"))["state"] == "ok"


async def test_while_nobody_is_paired_there_is_always_a_code() -> None:
    told: list[auth.Window] = []
    with host(port=0) as h:
        server = Server(h, on_code=told.append)
        await server.start()
        await asyncio.sleep(0)
        assert [window.shown for window in told] == [h.pairings.window.shown if h.pairings.window else ""]
        await server.stop()


async def test_once_somebody_is_paired_no_code_is_made() -> None:
    with host() as h:
        h.pair(world="w", origin=ORIGIN)
        async with running(h):
            await asyncio.sleep(0)
            assert h.pairings.window is None


async def test_there_is_room_for_so_many_connections_and_no_more() -> None:
    with host(connections=2, unproven=2) as h:
        h.pair(world="w", origin=ORIGIN)
        async with running(h) as server, dialled(server) as one, dialled(server) as two:
            await one.until("challenge")
            await two.until("challenge")
            with pytest.raises(InvalidStatus, match="503"):
                async with dialled(server):
                    pass


async def test_strangers_do_not_take_all_the_room() -> None:
    with host(unproven=1) as h:
        key = h.pair(world="w", origin=ORIGIN)
        async with running(h) as server, dialled(server) as peer:
            with pytest.raises(InvalidStatus, match="503"):
                async with dialled(server):
                    pass
            await peer.open(key)
            async with dialled(server) as second:
                await second.until("challenge")


async def test_stopping_answers_what_was_taken_in_then_closes_every_socket() -> None:
    store = GatedStore()
    with Host(store, auth.new_secret(), Settings(port=0)) as h:
        key = h.pair(world="w", origin=ORIGIN)
        server = Server(h)
        await server.start()
        async with dialled(server) as peer, dialled(server) as stranger:
            await peer.open(key)
            store.hold()
            await peer.send(picture(1, "a"))
            await store.begun()
            stopping = asyncio.create_task(server.stop())
            assert (await peer.until("status"))["state"] == "stopping"
            await peer.send(picture(2, "a"))
            store.gate.set()
            assert (await peer.until("ack"))["n"] == 1
            assert await peer.closed() == (CloseCode.STOPPING, "The bridge is stopping.")
            assert (await stranger.closed())[0] == CloseCode.STOPPING
            async with asyncio.timeout(PATIENCE):
                await stopping
        assert [row.key for row in store.load("w") if row.kind == "actor"] == ["Actor.a"]


async def test_a_disk_that_hangs_does_not_keep_it_from_stopping() -> None:
    store = GatedStore()
    with Host(store, auth.new_secret(), Settings(port=0)) as h:
        key = h.pair(world="w", origin=ORIGIN)
        server = Server(h)
        await server.start()
        async with dialled(server) as peer:
            await peer.open(key)
            store.hold()
            await peer.send(picture(1, "a"))
            await store.begun()
            stopping = asyncio.create_task(server.stop())
            assert (await peer.closed())[0] == CloseCode.STOPPING
            store.gate.set()
            await stopping


async def test_fifty_worlds_at_once_are_served_apart() -> None:
    with host(connections=250, unproven=250) as h:
        keys = [h.pair(world=f"w{number}", origin=ORIGIN) for number in range(50)]
        async with running(h) as server:

            async def play(number: int) -> int:
                async with dialled(server) as peer:
                    await peer.open(keys[number], f"w{number}")
                    await peer.send(picture(1, f"a{number}"), picture(2, f"a{number}"))
                    return int((await peer.until("ack"))["n"])

            async with asyncio.timeout(60):
                assert await asyncio.gather(*map(play, range(50))) == [2] * 50
        assert all(list(h.world(f"w{n}").memory.actors) == [f"Actor.a{n}"] for n in range(50))


async def test_with_a_certificate_it_serves_https_wss_and_the_command_line(tmp_path: Path) -> None:
    settings = Settings(port=0, tls_cert=str(CERTIFICATE))
    trusting = ssl.create_default_context(cafile=CERTIFICATE)
    with Host.open(tmp_path, settings) as h:
        key = h.pair(world="w", origin=ORIGIN)
        async with running(h) as server:
            assert server.url == f"https://127.0.0.1:{server.port}"
            url = f"wss://127.0.0.1:{server.port}/"
            async with connect(url, origin=Origin(ORIGIN), ssl=trusting, compression=None, proxy=None) as socket:
                await Peer(socket).open(key)
                result = await asyncio.to_thread(ask, tmp_path, Health())
                assert result["connected"] == ["w"]
