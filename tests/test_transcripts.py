"""What a module of an older version says is understood, and it is answered as it was then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bridge import protocol
from bridge.host import Host
from tests.peer import ORIGIN, Message, greeted, prove, unpack
from tools.protocol.transcripts import FOLDER, Frame

TRANSCRIPTS = {int(path.stem.removeprefix("v")): path for path in FOLDER.glob("v*.jsonl")}
VERSIONS = range(protocol.OLDEST, protocol.NEWEST + 1)


def frames(version: int) -> list[Frame]:
    lines = TRANSCRIPTS[version].read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Frame) for line in lines]


def journal(told: list[Frame]) -> str:
    """The name under which the store of that evening gave out its ids, as in the id of its first card."""
    applies = (message for frame in told for message in messages(frame) if message["type"] == "apply")
    card: str = next(applies)["operations"][0]["card"]["id"]
    return card.partition(".")[0]


def messages(frame: Frame) -> list[Message]:
    return unpack(msgspec.json.encode(frame.said))


def shape(message: Message) -> tuple[Any, ...]:
    """What a module acts upon; words, and what differs from bridge to bridge, aside."""
    match message["type"]:
        case "apply":
            return "apply", message["id"], message["actor"], *(each["op"] for each in message["operations"])
        case "ack":
            return "ack", message["n"]
        case "welcome":
            return "welcome", message["protocol"]
        case kind:
            return (kind,)


def replay(folder: Path, told: list[Frame]) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Say again what the module said; return what the bridge says now, and what it said then."""
    now: list[tuple[Any, ...]] = []
    with Host.open(folder) as host:
        old = journal(told)
        session, nonce = greeted(host)
        for frame in told:
            if frame.by == "bridge":
                continue
            text = msgspec.json.encode(frame.said)
            if frame.said["type"] == "auth":
                world = frame.said["table"]["world"]
                key = host.pair(world=world, origin=ORIGIN)
                fresh, _ = prove(nonce, *key, world)
                proof = {"client": fresh.client, "nonce": fresh.nonce, "mac": fresh.mac}
                text = msgspec.json.encode({**frame.said, **proof})
            else:
                text = text.replace(old.encode(), host.world(world).memory.journal.encode())
            now += map(shape, unpack(host.exchange(session, text)))
    then = [shape(message) for frame in told[1:] if frame.by == "bridge" for message in messages(frame)]
    return now, then


def test_every_version_has_a_transcript() -> None:
    assert sorted(TRANSCRIPTS) == [*VERSIONS]


@pytest.mark.parametrize("version", VERSIONS)
def test_it_speaks_of_that_version_and_of_no_other(version: int) -> None:
    auth = frames(version)[1].said
    assert auth["protocol"] == {"min": version, "max": version}


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_module_is_answered_as_it_was(tmp_path: Path, version: int) -> None:
    now, then = replay(tmp_path, frames(version))
    assert len(then) > 40
    assert now == then


def renamed(message: Any) -> Any:
    """The same with hit points under another name, as if the protocol had changed and kept its number."""
    if isinstance(message, dict):
        return {("hitPoints" if key == "hp" else key): renamed(value) for key, value in message.items()}
    return [renamed(each) for each in message] if isinstance(message, list) else message


def later(message: Any) -> Any:
    """The same with all numbers of messages one higher, as if one had been lost."""
    if isinstance(message, dict):
        return {key: value + 1 if key == "n" else later(value) for key, value in message.items()}
    return [later(each) for each in message] if isinstance(message, list) else message


@pytest.mark.parametrize("change", [renamed, later])
def test_a_protocol_that_changed_would_be_seen(tmp_path: Path, change: Callable[[Any], Any]) -> None:
    """Negative control."""
    told = [Frame(frame.by, change(frame.said)) if frame.by == "module" else frame for frame in frames(1)]
    now, then = replay(tmp_path, told)
    assert now != then
