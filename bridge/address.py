"""Addresses: where the bridge listens, how it is reached, and which Host and Origin headers are its own."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from bridge.errors import ConfigError, RefusedError
from bridge.settings import Settings

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
DEFAULT_PORTS = {"http": 80, "https": 443}

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?", re.IGNORECASE | re.ASCII)
_ORIGIN = re.compile(r"https?://[^\s/?#@\\,]{1,240}", re.ASCII)


def is_loopback(host: str) -> bool:
    """Tell whether only this computer can reach what listens on ``host``."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_safe(settings: Settings) -> None:
    """Refuse to listen beyond this computer in the clear, unless told to.

    Raises:
        RefusedError: The sentence says what it would risk, and what to do.

    """
    if is_loopback(settings.host) or settings.tls_cert or settings.insecure_lan:
        return
    message = (
        f"Listening on {settings.host} without TLS lets everyone in that network read along and, with some skill, "
        "change what is sent. Give --tls-cert and --tls-key, put an https proxy before the bridge, "
        "or accept the risk with --insecure-lan."
    )
    raise RefusedError(message)


def bracketed(host: str) -> str:
    """Return a host as it stands in a URL."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def reachable(host: str) -> str:
    """Return a host that a program on this computer can connect to."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, bracketed(host))  # noqa: S104


def base_url(settings: Settings, port: int, scheme: str = "http") -> str:
    """Return how the bridge is reached, without a slash at the end."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    secure = "s" if settings.tls_cert else ""
    return f"{scheme}{secure}://{reachable(settings.host)}:{port}"


def is_origin(text: str) -> bool:
    """Tell whether this may be the origin of a page; ``null`` may not."""
    return _ORIGIN.fullmatch(text) is not None


class Proxies:
    """The proxies that are believed where a request came from.

    Raises:
        ConfigError: One of them is no address and no network.

    """

    def __init__(self, names: Sequence[str]) -> None:
        try:
            self._networks = [ipaddress.ip_network(name, strict=False) for name in names]
        except ValueError as error:
            message = f"The setting trusted-proxies is wrong: {error}."
            raise ConfigError(message) from error

    def client(self, remote: str, forwarded: Sequence[str]) -> str:
        """Return where a request came from.

        ``remote``: the other end of the connection; ``forwarded``: the values of X-Forwarded-For, as they came.
        """
        address = remote
        chain = [part.strip() for value in forwarded for part in value.split(",")]
        while chain and self._trust(address):
            try:
                address = str(ipaddress.ip_address(chain.pop()))
            except ValueError:
                break
        return address

    def _trust(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)


class Hosts:
    """Which Host headers are ours.  A name that somebody else's DNS points at us is not (DNS rebinding)."""

    def __init__(self, settings: Settings, port: int) -> None:
        self._port = port
        self._default = DEFAULT_PORTS["https" if settings.tls_cert else "http"]
        own = set(LOOPBACK)
        if not is_loopback(settings.host) and settings.host not in {"0.0.0.0", "::", ""}:  # noqa: S104
            own.add(bracketed(settings.host).lower())
        self._exact = {(name, port) for name in own}
        self._any_port: set[str] = set()
        for text in settings.allowed_hosts:
            self._allow(text)
        if settings.public_url:
            public = urlsplit(settings.public_url)
            name = bracketed(public.hostname or "")
            self._exact.add((name, public.port or DEFAULT_PORTS.get(public.scheme, self._default)))
            self._public_default = DEFAULT_PORTS.get(public.scheme, self._default)
            self._public = name
        else:
            self._public, self._public_default = "", 0

    def allow(self, values: list[str], local: str) -> bool:
        """Judge all Host headers of one request.  ``local``: the address of ours that it came in at."""
        if len(values) != 1:
            return False
        found = _HOST.fullmatch(values[0])
        if found is None:
            return False
        name = found[1].lower()
        default = self._public_default if name == self._public else self._default
        port = int(found[2]) if found[2] else default
        if name in self._any_port or (name, port) in self._exact:
            return True
        # An address, unlike a name, cannot be pointed at us by somebody else.
        return port == self._port and name == bracketed(local)

    def _allow(self, text: str) -> None:
        found = _HOST.fullmatch(text)
        if found is not None and found[2]:
            self._exact.add((found[1].lower(), int(found[2])))
        elif found is not None:
            self._any_port.add(found[1].lower())
