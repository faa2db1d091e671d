"""Pages and names that are almost ours: none gets in, on any path."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest

from bridge.address import Hosts
from bridge.host import Host
from bridge.pairings import Pairings
from bridge.server import Server
from tests.peer import ORIGIN, running
from tests.test_http import BAD_ORIGINS, ask, upgrade

BAD_HOSTS = [
    "evil.example",
    "evil.example:{port}",
    "localhost.evil.example:{port}",
    "localhostevil:{port}",
    "evil.localhost:{port}",
    "localhost.:{port}",
    "127.0.0.1.nip.io:{port}",
    "127.0.0.1.evil.example:{port}",
    "127.0.0.2:{port}",
    "127.1:{port}",
    "2130706433:{port}",
    "0x7f000001:{port}",
    "0177.0.0.1:{port}",
    "0.0.0.0:{port}",
    "[::]:{port}",
    "[::ffff:127.0.0.1]:{port}",
    "localhost",
    "localhost:1",
    "localhost:0{port}x",
    "localhost:{port}:{port}",
    "localhost:{port}@evil.example",
    "evil.example@localhost:{port}",
    "localhost:{port}/",
    "localhost:{port}?",
    "localhost:{port}#",
    "localhost:{port},evil.example",
    "localhost:{port} evil.example",
    "http://localhost:{port}",
    "//localhost:{port}",
    "l\u00f6calhost:{port}",
    "localhost\x00:{port}",
    "*",
    "*:{port}",
    ":{port}",
    "%6cocalhost:{port}",
    "",
]
PATHS = ["/", "/socket", "/healthz", "/readyz", "/module/module.json", "/control"]


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    with Host.open() as host:
        host.pair(world="w", origin=ORIGIN)
        async with running(host) as server:
            yield server


async def accepted_origins(server: Server) -> list[str]:
    """Return the bad origins for which a socket is opened."""
    return [origin for origin in BAD_ORIGINS if (await ask(server, "/socket", *upgrade(origin))).status == 101]


async def accepted_hosts(server: Server, path: str = "/healthz") -> list[str]:
    """Return the bad hosts to which something is said."""
    names = [host.format(port=server.port) for host in BAD_HOSTS]
    # An empty one is sent as no header at all.
    found = [await ask(server, path, host=host) for host in names]
    found_upgrades = [await ask(server, path, *upgrade(), host=host) for host in names]
    return [
        host
        for host, plain, opened in zip(names, found, found_upgrades, strict=True)
        if plain.status not in {0, 400, 403} or opened.status not in {0, 400, 403}
    ]


def test_there_are_enough_of_them() -> None:
    assert len(set(BAD_ORIGINS)) >= 40
    assert len(set(BAD_HOSTS)) >= 30


async def test_no_page_that_is_almost_paired_gets_in(server: Server) -> None:
    assert await accepted_origins(server) == []


@pytest.mark.parametrize("path", PATHS)
async def test_no_name_that_is_almost_ours_is_answered(server: Server, path: str) -> None:
    assert await accepted_hosts(server, path) == []


async def test_a_page_that_is_compared_loosely_gets_in(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pairings, "knows", lambda self, origin: re.match(ORIGIN, origin) is not None)
    assert "http://localhost:30000.evil.example" in await accepted_origins(server)


async def test_a_name_that_is_compared_loosely_is_answered(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hosts, "allow", lambda self, values, local: any("localhost" in value for value in values))
    assert f"localhost.evil.example:{server.port}" in await accepted_hosts(server)
