"""The bridge as a process: from start to a clean end on SIGTERM, SIGINT or ``bridge stop``."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

from bridge.address import check_safe
from bridge.auth import Window
from bridge.host import Host
from bridge.log import configure

if TYPE_CHECKING:
    from bridge.server import Server
    from bridge.settings import Settings

SIGNALS = (signal.SIGINT, signal.SIGTERM)
ONE_WISH = 1.0
"""Seconds in which signals to stop are one."""
GENERATIONS = (10_000, 50, 100)
"""Thresholds of the garbage collector: a picture of a world is many objects and no garbage."""


def run(settings: Settings, started: Callable[[Server], None], on_code: Callable[[Window], None]) -> None:
    """Serve until told to stop.  ``started`` is called when it listens, ``on_code`` for each code of a first pairing.

    Raises:
        SetupError: It cannot start; the sentence says what to do.

    """
    configure(settings)
    check_safe(settings)
    with Host.open(settings.folder, settings) as host, asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(host, started, on_code))


async def _serve(host: Host, started: Callable[[Server], None], on_code: Callable[[Window], None]) -> None:
    from bridge.server import Server
    from bridge.systemd import Notifier

    server, notifier = Server(host, on_code=on_code), Notifier()
    _listen_to_signals(server)
    await server.start()
    started(server)
    warm_up()
    notifier.say("READY=1", f"STATUS=Running at {server.url}")
    living = asyncio.create_task(notifier.live())
    try:
        await server.stopped.wait()
    finally:
        notifier.say("STOPPING=1")
        living.cancel()
        await server.stop()
    if server.failure is not None:
        raise server.failure


def warm_up() -> None:
    """Load what the first conversation needs: it listens already, and nobody is there yet."""
    import gc

    from bridge import connection, session  # noqa: F401  loaded when they are needed, and that is soon
    from bridge.rulebook import book
    from bridge.world import World

    World("", book.parse(""))
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GENERATIONS)


def _listen_to_signals(server: Server) -> None:
    loop = asyncio.get_running_loop()
    asked: list[float] = []

    def stop() -> None:
        asked.append(loop.time())
        server.stopped.set()
        # `make` hands on a SIGTERM that the whole group has had: that is one wish.
        if asked[-1] - asked[0] > ONE_WISH:
            # Asked twice: at once.  What is acknowledged is on disk, so nothing is lost.
            os._exit(1)

    for number in SIGNALS:
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:  # Windows: there its signals come in between two turns of the loop
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's factory where the extra ``speed`` is installed."""
    try:
        import uvloop  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
