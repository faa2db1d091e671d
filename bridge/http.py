"""The few plain HTTP answers, and who may open a WebSocket.  Every path is guarded by the Host header."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from email.utils import formatdate
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

import bridge
from bridge.address import Hosts, is_loopback, is_origin
from bridge.module_files import MANIFEST_PATH, ZIP_PATH, ModuleFiles

if TYPE_CHECKING:
    from bridge.host import Host

SOCKETS = frozenset({"/", "/socket"})
"""Where the module connects to."""
CONTROL = "/control"
"""Where the command line connects to."""
METRICS = "/metrics"
JSON = "application/json"

_STYLE = "body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}code{user-select:all}"
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Cache-Control": "no-store",
    "Connection": "close",
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Peer(NamedTuple):
    """Both ends of a connection, as addresses."""

    local: str
    remote: str
    forwarded: bool = False
    """A proxy has passed the request on."""

    @property
    def here(self) -> bool:
        """It is a program of this computer."""
        return not self.forwarded and (is_loopback(self.remote) or self.remote == self.local)


class Crowd(NamedTuple):
    """How many connections there are: all, and those of this address that have proved no key."""

    all: int
    strangers: int


class Site:
    """Answers requests.

    ``ready()`` tells whether the bridge can save; ``crowd(address)`` counts connections, ``states()`` all by state.
    """

    def __init__(
        self,
        host: Host,
        hosts: Hosts,
        files: ModuleFiles,
        ready: Callable[[], bool],
        crowd: Callable[[str], Crowd],
        states: Callable[[], dict[str, int]],
    ) -> None:
        self._host = host
        self._hosts = hosts
        self._files = files
        self._ready = ready
        self._crowd = crowd
        self._states = states
        self._pages: dict[str, Callable[[], Response]] = {
            "/": self._index,
            "/healthz": self._health,
            "/readyz": self._health,
            METRICS: self._metrics,
            MANIFEST_PATH: lambda: answer(HTTPStatus.OK, files.manifest, JSON),
            ZIP_PATH: lambda: answer(HTTPStatus.OK, files.zip, "application/zip"),
        }

    def respond(self, request: Request, peer: Peer) -> Response | None:
        """Answer a request; none: go on with the WebSocket handshake."""
        headers = request.headers
        if not self._hosts.allow(headers.get_all("Host"), peer.local):
            return sentence(HTTPStatus.FORBIDDEN, "This is not a name of this bridge (see the setting allowed-hosts).")
        path = request.path.partition("?")[0]
        origins = headers.get_all("Origin")
        if any(value.lower() == "websocket" for value in headers.get_all("Upgrade")):
            return self._socket(path, origins, peer)
        return self._page(request.method, path, origins, peer)

    def _socket(self, path: str, origins: list[str], peer: Peer) -> Response | None:
        if path == CONTROL:
            # A browser always sends an Origin; the command line never does.
            if origins or not peer.here:
                return sentence(HTTPStatus.FORBIDDEN, "Only the command line of this computer may come in here.")
            return self._room(peer)
        if path not in SOCKETS:
            return sentence(HTTPStatus.NOT_FOUND, "There is nothing here.")
        if len(origins) != 1 or not self._welcome(origins[0]):
            return sentence(
                HTTPStatus.FORBIDDEN,
                "This page is not paired with the bridge. Run `bridge pair` where the bridge runs, and pair it.",
            )
        return self._room(peer)

    def _welcome(self, origin: str) -> bool:
        pairings = self._host.pairings
        return pairings.knows(origin) or (pairings.is_open() and is_origin(origin))

    def _room(self, peer: Peer) -> Response | None:
        limits, crowd = self._host.settings, self._crowd(peer.remote)
        if crowd.all < limits.connections and crowd.strangers < limits.unproven:
            return None
        return sentence(HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections are open. Try again in a moment.")

    def _page(self, method: str, path: str, origins: list[str], peer: Peer) -> Response:
        page = self._pages.get(path)
        if page is None:
            return sentence(HTTPStatus.NOT_FOUND, "There is nothing here.")
        if method not in {"GET", "HEAD"}:
            refused = sentence(HTTPStatus.METHOD_NOT_ALLOWED, "This can only be read.")
            refused.headers["Allow"] = "GET, HEAD"
            return refused
        if path == METRICS and not self._may_count(peer):
            return sentence(HTTPStatus.FORBIDDEN, "This is not for you (see the setting metrics).")
        known = len(origins) == 1 and self._host.pairings.knows(origins[0])
        if origins and not known and path != "/healthz":
            return sentence(HTTPStatus.FORBIDDEN, "This page is not paired with the bridge.")
        response = page()
        if known:
            response.headers["Access-Control-Allow-Origin"] = origins[0]
        response.headers["Vary"] = "Origin"
        if method == "HEAD":
            response.body = b""
        return response

    def _health(self) -> Response:
        if self._ready():
            return answer(HTTPStatus.OK, b'{"status":"ok"}', JSON)
        return answer(HTTPStatus.SERVICE_UNAVAILABLE, b'{"status":"degraded"}', JSON)

    def _may_count(self, peer: Peer) -> bool:
        allowed = self._host.settings.metrics
        return allowed == "all" or (allowed == "local" and peer.here)

    def _metrics(self) -> Response:
        from bridge import metrics

        journal = self._host.journal
        waiting = journal.waiting if journal is not None else 0
        return answer(HTTPStatus.OK, metrics.render(self._host.counts, self._states(), waiting), metrics.KIND)

    def _index(self) -> Response:
        from html import escape

        paired = (
            "A browser is paired with it."
            if self._host.pairings.exist()
            else "No browser is paired with it yet: its terminal shows the code."
        )
        text = (
            "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>Condition Bridge</title><style>{_STYLE}</style>"
            f"<h1>Condition Bridge {escape(bridge.__version__)}</h1>"
            "<p>This bridge decides house-rule conditions for a Foundry VTT table. "
            f"{escape(paired)}</p><p>In Foundry, install the module from this manifest address:</p>"
            f"<p><code>{escape(self._files.manifest_url)}</code></p>"
        )
        return answer(HTTPStatus.OK, text.encode(), "text/html; charset=utf-8")


def answer(status: HTTPStatus, body: bytes, kind: str) -> Response:
    """Return an HTTP answer with the headers that every one carries."""
    headers = Headers(_HEADERS)
    headers["Date"] = formatdate(usegmt=True)
    headers["Content-Length"] = str(len(body))
    headers["Content-Type"] = kind
    return Response(status.value, status.phrase, headers, body)


def sentence(status: HTTPStatus, text: str) -> Response:
    """Return a short answer in plain words."""
    return answer(status, text.encode() + b"\n", "text/plain; charset=utf-8")
