"""Real requests to a real server: what is answered, and to whom."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import AsyncIterator
from io import BytesIO
from typing import NamedTuple

import msgspec
import pytest

from bridge.host import Host
from bridge.server import Server
from bridge.settings import Settings
from tests.peer import ORIGIN, PATIENCE, running

PATHS = ["/", "/healthz", "/readyz", "/module/module.json", "/module/condition-bridge.zip"]
UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Version": "13",
}
BAD_ORIGINS = [
    "null",
    "",
    "http://evil.example",
    "http://localhost:30000.evil.example",
    "http://localhost:30000evil.example",
    "http://localhost:300000",
    "http://localhost:3000",
    "http://localhost:30001",
    "http://localhost",
    "https://localhost:30000",
    "http://LOCALHOST:30000",
    "HTTP://localhost:30000",
    "http://localhost:30000/",
    "http://localhost:30000/path",
    "http://localhost:30000?",
    "http://localhost:30000#",
    "http://localhost.:30000",
    "http://evil.localhost:30000",
    "http://localhost:30000@evil.example",
    "http://evil.example/http://localhost:30000",
    "http://evil.example?http://localhost:30000",
    "http://127.0.0.1:30000",
    "http://[::1]:30000",
    "http://0.0.0.0:30000",
    "ws://localhost:30000",
    "//localhost:30000",
    "localhost:30000",
    "localhost",
    "*",
    "http://*",
    "http://localhost:*",
    "file://",
    "about:blank",
    "data:text/html,x",
    "chrome-extension://localhost:30000",
    "http://localhost:30000, http://evil.example",
    "http://localhost:30000 http://evil.example",
    "http://l\u00f6calhost:30000",
    "http://localhost%3A30000",
    "http://localhost:30000%00",
    "http://localhost:30000\x0b",
]


class Got(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


async def ask(
    server: Server, path: str = "/healthz", *extra: tuple[str, str], method: str = "GET", host: str | None = None
) -> Got:
    """Send one request as it is; status 0: closed without an answer."""
    lines = [f"{method} {path} HTTP/1.1"]
    if host != "":
        lines.append(f"Host: {host or f'127.0.0.1:{server.port}'}")
    lines += [f"{name}: {value}" for name, value in extra]
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        head = b""
        while not head.endswith(b"\r\n\r\n") and (line := await reader.readline()):
            head += line
        first, *rest = head.decode("latin-1").split("\r\n")
        headers = {n.lower(): v for n, _, v in (line.partition(": ") for line in rest if line)}
        status = int(first.split(" ")[1]) if first else 0
        body = b"" if status == 101 else await reader.read()
        writer.close()
        await writer.wait_closed()
    return Got(status, headers, body)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    with Host.open() as host:
        host.pair(world="w", origin=ORIGIN)
        async with running(host) as server:
            yield server


def upgrade(origin: str | None = ORIGIN) -> list[tuple[str, str]]:
    return [*UPGRADE.items(), *([("Origin", origin)] if origin is not None else [])]


async def test_it_is_healthy_and_ready(server: Server) -> None:
    for path in ("/healthz", "/readyz"):
        got = await ask(server, path)
        assert (got.status, got.body) == (200, b'{"status":"ok"}')


async def test_it_is_neither_when_it_cannot_save(server: Server) -> None:
    server.host.trouble = "The disk is full."
    got = await ask(server)
    assert (got.status, got.body) == (503, b'{"status":"degraded"}')


@pytest.mark.parametrize("path", PATHS)
async def test_every_answer_is_guarded_against_sniffing_caching_and_framing(server: Server, path: str) -> None:
    got = await ask(server, path)
    assert got.status == 200
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["cache-control"] == "no-store"
    assert got.headers["content-security-policy"].startswith("default-src 'none'")
    assert "server" not in got.headers
    assert int(got.headers["content-length"]) == len(got.body)


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil", "[::]", "127.0.0.1.nip.io", "", "localhost:1"])
@pytest.mark.parametrize("path", [*PATHS, "/nothing", "/control", "/socket"])
async def test_a_foreign_host_is_refused_on_every_path(server: Server, path: str, host: str) -> None:
    assert (await ask(server, path, host=host)).status == 403
    assert (await ask(server, path, *upgrade(), host=host)).status == 403


async def test_a_doubled_host_is_refused(server: Server) -> None:
    assert (await ask(server, "/", ("Host", f"127.0.0.1:{server.port}"))).status == 403


async def test_no_address_is_built_from_the_host_header(server: Server) -> None:
    got = await ask(server, "/module/module.json", host=f"localhost:{server.port}")
    assert got.status == 200
    assert f"http://127.0.0.1:{server.port}/module/".encode() in got.body
    assert b"localhost" not in got.body


@pytest.mark.parametrize("path", ["/", "/socket"])
async def test_a_paired_page_may_open_a_socket(server: Server, path: str) -> None:
    assert (await ask(server, path, *upgrade())).status == 101


# https://github.com/hypothesi/mcp-server-tauri/issues/36
# https://github.com/endolith/open-interpreter/pull/97
# https://github.com/microsoft/vscode/issues/127732
@pytest.mark.parametrize("origin", [None, *BAD_ORIGINS])
async def test_no_other_page_may(server: Server, origin: str | None) -> None:
    assert (await ask(server, "/socket", *upgrade(origin))).status in {403, 0}


async def test_a_second_origin_header_does_not_help(server: Server) -> None:
    assert (await ask(server, "/socket", *upgrade(), ("Origin", "http://evil.example"))).status == 403
    assert (await ask(server, "/socket", ("Origin", "http://evil.example"), *upgrade())).status == 403


async def test_while_a_pairing_window_is_open_a_new_page_may_open_a_socket(server: Server) -> None:
    assert (await ask(server, "/socket", *upgrade("http://new.example"))).status == 403
    server.host.pairings.open_window()
    assert (await ask(server, "/socket", *upgrade("http://new.example"))).status == 101
    assert (await ask(server, "/socket", *upgrade("null"))).status == 403
    assert (await ask(server, "/socket", *upgrade(None))).status == 403


async def test_a_revoked_page_is_a_stranger(server: Server) -> None:
    (client,) = server.host.pairings.all()
    server.host.revoke(client.id)
    assert (await ask(server, "/socket", *upgrade())).status == 403


async def test_no_page_reaches_the_command_lines_door(server: Server) -> None:
    assert (await ask(server, "/control", *upgrade())).status == 403
    assert (await ask(server, "/control", *upgrade(None))).status == 101


async def test_a_paired_page_may_read_how_the_bridge_is_and_no_other_page(server: Server) -> None:
    got = await ask(server, "/healthz", ("Origin", ORIGIN))
    assert got.headers["access-control-allow-origin"] == ORIGIN
    assert got.headers["vary"] == "Origin"
    got = await ask(server, "/healthz", ("Origin", "http://evil.example"))
    assert got.status == 200
    assert "access-control-allow-origin" not in got.headers
    assert (await ask(server, "/module/module.json", ("Origin", "http://evil.example"))).status == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"])
async def test_it_can_only_be_read(server: Server, method: str) -> None:
    got = await ask(server, "/healthz", method=method)
    assert got.status == 405
    assert got.headers["allow"] == "GET, HEAD"


async def test_a_head_request_is_answered_without_a_body(server: Server) -> None:
    got = await ask(server, "/module/module.json", method="HEAD")
    assert got.status == 200
    assert got.body == b""
    assert int(got.headers["content-length"]) > 0


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/module",
        "/module/",
        "/module/../healthz",
        "//healthz",
        "/healthz/",
        "/%68ealthz",
        "/module/..%2f..%2fbridge.key",
        "/../../etc/passwd",
        "/module/module.json/..",
        "/Healthz",
        "http://127.0.0.1/healthz",
        "*",
        "/\\healthz",
    ],
)
async def test_there_is_nothing_else(server: Server, path: str) -> None:
    assert (await ask(server, path)).status == 404
    assert (await ask(server, path, *upgrade())).status == 404


async def test_a_question_behind_the_path_changes_nothing(server: Server) -> None:
    assert (await ask(server, "/healthz?x=/../")).status == 200


async def test_the_zip_arrives_whole_from_where_the_manifest_says(server: Server) -> None:
    got = await ask(server, "/module/condition-bridge.zip")
    assert zipfile.ZipFile(BytesIO(got.body)).testzip() is None
    manifest = msgspec.json.decode((await ask(server, "/module/module.json")).body)
    assert manifest["download"].endswith("/module/condition-bridge.zip")


async def test_the_front_page_says_what_this_is_and_holds_no_secret_and_no_script(server: Server) -> None:
    window = server.host.pairings.open_window()
    got = await ask(server, "/")
    text = got.body.decode()
    assert server.manifest_url in text
    assert "A browser is paired" in text
    assert window.code not in text
    assert window.shown not in text
    assert server.host.secret not in text
    assert "<script" not in text
    (client,) = server.host.pairings.all()
    server.host.revoke(client.id)
    assert "No browser is paired" in (await ask(server, "/")).body.decode()


@pytest.mark.parametrize(
    "text",
    [
        b"\x00\x01\x02\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"GET /" + b"a" * 20_000,
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
    ],
)
async def test_what_is_no_request_is_closed_and_harms_nobody(server: Server, text: bytes) -> None:
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(text)
        await reader.read()
        writer.close()
    assert (await ask(server)).status == 200


async def test_through_a_proxy_nobody_reaches_the_command_lines_door(server: Server) -> None:
    assert (await ask(server, "/control", *upgrade(None), ("X-Forwarded-For", "127.0.0.1"))).status == 403


@pytest.mark.parametrize(("trusted", "second"), [(["127.0.0.1"], 101), ([], 503)])
async def test_strangers_behind_a_named_proxy_are_counted_apart(trusted: list[str], second: int) -> None:
    settings = Settings(unproven=1, trusted_proxies=tuple(trusted))
    with Host.open(settings=settings) as host:
        host.pair(world="w", origin=ORIGIN)
        async with running(host) as server:
            opener = asyncio.open_connection("127.0.0.1", server.port)
            reader, writer = await opener
            lines = [f"Host: 127.0.0.1:{server.port}", "X-Forwarded-For: 198.51.100.1"]
            lines += [f"{name}: {value}" for name, value in upgrade()]
            writer.write("\r\n".join(["GET / HTTP/1.1", *lines, "", ""]).encode())
            assert b" 101 " in await reader.readline()
            assert (await ask(server, "/", *upgrade(), ("X-Forwarded-For", "198.51.100.2"))).status == second
            assert (await ask(server, "/", *upgrade(), ("X-Forwarded-For", "198.51.100.1"))).status == 503
            writer.close()
            await writer.wait_closed()
