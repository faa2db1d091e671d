"""``/metrics``: what is counted, to whom it is told, and that no name is in it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bridge import protocol
from bridge.auth import new_secret
from bridge.counts import Counts, Times
from bridge.engine.state import Effect, HitPoints
from bridge.errors import DiskFullError
from bridge.host import Host
from bridge.metrics import render
from bridge.server import Server
from bridge.settings import Settings
from tests.gated import GatedStore
from tests.peer import ORIGIN, dialled, eventually, picture, prove, running
from tests.test_http import ask

NAMES = {
    "bridge_auth_failures",
    "bridge_build_info",
    "bridge_command_latency_seconds",
    "bridge_command_redeliveries",
    "bridge_commands",
    "bridge_connections",
    "bridge_journal_commit_seconds",
    "bridge_journal_unacked",
    "bridge_lease_changes",
    "bridge_messages_received",
    "bridge_messages_rejected",
    "bridge_queue_overflow",
    "bridge_resume",
    "bridge_storage_errors",
}


def samples(text: bytes) -> dict[str, float]:
    found = {}
    for family in text_string_to_metric_families(text.decode()):
        for sample in family.samples:
            labels = ",".join(sample.labels.values())
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


async def told(server: Server) -> dict[str, float]:
    got = await ask(server, "/metrics")
    assert got.status == 200
    assert got.headers["content-type"].startswith("text/plain; version=0.0.4")
    return samples(got.body)


def bleeding(n: int, hp: int, receipt: int = 0) -> protocol.Picture:
    effect = Effect("dnd5ebleeding000", ("bleeding",))
    actor = protocol.Actor("Actor.a", name="Vex the Secret", hp=HitPoints(hp, 20), effects=(effect,))
    memory = msgspec.structs.replace(actor.memory, receipt=receipt, world="w" if receipt else "")
    pages = {"clock": 0, "page": 1, "pages": 1} if n == 1 else {}
    return protocol.Picture(n, (msgspec.structs.replace(actor, memory=memory),), **pages)


def test_every_metric_has_its_name_its_help_and_its_prefix() -> None:
    families = list(text_string_to_metric_families(render(Counts(), {"open": 0}, 0).decode()))
    ours = {family.name for family in families if not family.name.startswith("process_")}
    assert ours == NAMES
    assert all(family.documentation for family in families)


def test_times_are_counted_in_buckets_that_add_up() -> None:
    times = Times((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 2.0):
        times.add(seconds)
    counts = Counts()
    counts.commit = times
    found = samples(render(counts, {}, 0))
    name = "bridge_journal_commit_seconds"
    assert [found[f"{name}_bucket{{{bound}}}"] for bound in ("0.1", "1.0", "+Inf")] == [2, 3, 4]
    assert found[f"{name}_count"] == 4
    assert found[f"{name}_sum"] == pytest.approx(2.65)


async def test_an_answer_is_counted_from_being_sent_to_being_seen() -> None:
    with Host.open() as host:
        key = host.pair(world="w", origin=ORIGIN)
        async with running(host) as server, dialled(server) as peer:
            await peer.open(key)
            await peer.send(bleeding(1, 5))
            first = await told(server)
            await peer.send(bleeding(2, 12))
            apply = await peer.until("apply")
            await peer.until("ack")
            during = await told(server)
            await peer.send(bleeding(3, 5, apply["receipt"] if "receipt" in apply else apply["id"]))
            await peer.until("ack")
            after = await told(server)
            await peer.send(b'{"type":"dance","n":4}')
            await peer.until("error")
            wrong = await told(server)
    assert first["bridge_connections{open}"] == 1
    assert first["bridge_resume_total{snapshot}"] == 1
    assert during["bridge_commands_total{sent}"] >= 1
    assert after["bridge_commands_total{done}"] >= 1
    assert after["bridge_command_latency_seconds_count"] >= 1
    assert after["bridge_messages_received_total{picture}"] == 3
    assert after["bridge_journal_commit_seconds_count"] >= 3
    assert after["bridge_journal_unacked"] == 0
    assert wrong["bridge_messages_rejected_total{unknown-type}"] == 1


async def test_no_name_of_a_world_a_person_or_a_creature_is_told() -> None:
    with Host.open() as host:
        key = host.pair(world="secret-world", origin=ORIGIN, user="secret-user", name="Secret")
        async with running(host) as server, dialled(server) as peer:
            await peer.open(key, "secret-world")
            await peer.send(bleeding(1, 5))
            await peer.until("ack")
            body = (await ask(server, "/metrics")).body.decode().lower()
    assert "secret" not in body
    assert "vex" not in body
    assert host.secret not in body


async def test_a_wrong_proof_and_a_wrong_code_are_counted() -> None:
    with Host.open() as host:
        client, _ = host.pair(world="w", origin=ORIGIN)
        host.pairings.open_window()
        async with running(host) as server:
            async with dialled(server) as peer:
                nonce = (await peer.until("challenge"))["nonce"]
                await peer.send(prove(nonce, client, new_secret())[0])
                await peer.until("error")
            async with dialled(server) as peer:
                await peer.until("challenge")
                versions = protocol.Versions(protocol.OLDEST, protocol.NEWEST)
                await peer.send(protocol.Pair(versions, "WRONG", protocol.Table("w"), "gm"))
                await peer.until("error")
            found = await told(server)
    assert found["bridge_auth_failures_total{key}"] == 1
    assert found["bridge_auth_failures_total{code}"] == 1


async def test_a_disk_that_is_full_and_a_browser_that_comes_twice_are_counted() -> None:
    store = GatedStore()
    with Host(store, new_secret(), Settings(port=0)) as host:
        key = host.pair(world="w", origin=ORIGIN)
        async with running(host) as server, dialled(server) as peer:
            await peer.open(key)
            async with dialled(server) as second:
                await second.open(key)
                assert (await told(server))["bridge_lease_changes_total"] == 1
            assert host.journal is not None
            host.journal.error = DiskFullError("full")
            server._failed("The disk is full.")
            host.recover()
            found = await told(server)
    assert found["bridge_storage_errors_total{full}"] == 1


async def test_a_reader_that_waits_for_the_disk_is_counted() -> None:
    store = GatedStore()
    with Host(store, new_secret(), Settings(port=0, queue=2)) as host:
        key = host.pair(world="w", origin=ORIGIN)
        async with running(host) as server:
            async with dialled(server) as peer:
                await peer.open(key)
                store.hold()
                for n in (1, 2):
                    await peer.send(picture(n, "a"))
                    await eventually(lambda n=n: server.host.world("w")._n == n)  # type: ignore[misc]
                await store.begun()
                found = {}
                while not found.get("bridge_journal_unacked"):
                    found = await told(server)
                store.gate.set()
                await peer.until("ack")
            while not server.host.counts.overflows:  # noqa: ASYNC110  there is no event for what only a test wants to know
                await asyncio.sleep(0.001)
            assert (await told(server))["bridge_queue_overflow_total"] == 1


@pytest.mark.parametrize(("setting", "here", "elsewhere"), [("off", 403, 403), ("local", 200, 403), ("all", 200, 200)])
async def test_it_is_told_to_whom_the_setting_says(setting: str, here: int, elsewhere: int) -> None:
    with Host.open(settings=Settings(metrics=setting)) as host:  # type: ignore[arg-type]
        async with running(host) as server:
            assert (await ask(server, "/metrics")).status == here
            assert (await ask(server, "/metrics", ("X-Forwarded-For", "198.51.100.7"))).status == elsewhere
            assert (await ask(server, "/metrics", ("Forwarded", "for=198.51.100.7"))).status == elsewhere
            assert (await ask(server, "/metrics", host="evil.example")).status == 403


def test_the_library_is_not_loaded_before_somebody_asks(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = "import sys, bridge.server, bridge.process, bridge.http; print('prometheus_client' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout == "False\n"
