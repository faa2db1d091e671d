"""Is the bridge of a data folder well?  Asked over its own port, as containers and services ask every few seconds."""

from __future__ import annotations

import http.client
import ssl
import time
from pathlib import Path
from urllib.parse import urlsplit

from bridge.errors import UnavailableError
from bridge.store.lock import holder

PATIENCE = 4.0
"""Seconds for the bridge to answer."""
PAUSE = 0.1


def wait(folder: Path, seconds: float) -> tuple[bool, str]:
    """Ask until it is well, or the time is up.  Raises as `ask` does."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = ask(folder)
        except UnavailableError:
            if time.monotonic() >= end:
                raise
        else:
            if found[0] or time.monotonic() >= end:
                return found
        time.sleep(PAUSE)


def ask(folder: Path) -> tuple[bool, str]:
    """Return whether it is well, and what it says.

    Raises:
        UnavailableError: It does not run, or does not answer.

    """
    url = holder(folder).url.replace("ws", "http", 1)
    if not url:
        message = f"No bridge runs with the data folder {folder}. Start it with: bridge serve"
        raise UnavailableError(message)
    address = urlsplit(url)
    host, port = address.hostname or "", address.port
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    if address.scheme == "https":
        # It is this computer; whether it answers is all that is asked.
        tls = ssl._create_unverified_context()  # noqa: S323, SLF001
        connection = http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=tls)
    try:
        connection.request("GET", "/healthz")
        response = connection.getresponse()
        return response.status == http.HTTPStatus.OK, response.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        message = f"The bridge at {url} does not answer: {error}."
        raise UnavailableError(message) from error
    finally:
        connection.close()
