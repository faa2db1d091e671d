"""The world, or the bridge's store, is of another time; or the world is there twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from bridge import protocol
from bridge.decode import encode
from bridge.engine.state import Actor, Memory
from bridge.errors import CloseCode
from bridge.host import Host
from bridge.session import Session
from bridge.store import backup
from bridge.store.opening import DATABASE
from bridge.table.documents import Documents
from bridge.table.link import unpack
from bridge.world import past
from tests.peer import ORIGIN, greeted, prove
from tests.reliability.ledger import Ledger
from tests.reliability.seat import Seat


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Host.open(tmp_path / "data") as host:
        yield host


@pytest.fixture
def key(host: Host) -> tuple[str, str]:
    return host.pair(world="w", origin=ORIGIN)


def played(host: Host, key: tuple[str, str]) -> tuple[Ledger, Documents]:
    """Play a while; return the table, and its backup of half-way."""
    ledger = Ledger("w", 1)
    seat = Seat(host, ledger, key)
    seat.play()
    half = ledger.table.documents.copy()
    seat.play()
    assert seat.notes == []
    seat.leave()
    return ledger, half


def again(host: Host, ledger: Ledger, key: tuple[str, str], home: str = "") -> list[str]:
    seat = Seat(host, ledger, key, home)
    seat.leave()
    return seat.notes


def test_a_world_that_goes_on_is_no_news(host: Host, key: tuple[str, str]) -> None:
    ledger, _ = played(host, key)
    assert again(host, ledger, key) == []
    assert ledger.problems() == []


def test_a_restored_world_is_taken_as_it_stands_and_told_once(host: Host, key: tuple[str, str]) -> None:
    ledger, half = played(host, key)
    ledger.table.documents = half.copy()
    assert again(host, ledger, key) == [past.WORLD_RESTORED]
    assert {id: actor.hp for id, actor in ledger.table.documents.actors.items()} == {
        id: actor.hp for id, actor in half.actors.items()
    }
    assert again(host, ledger, key) == []


def _with_an_older_store(tmp_path: Path, *, renewed: bool = True) -> tuple[Host, Ledger, tuple[str, str]]:
    """Play on after a copy of the store was made, then put the copy back, as people do: by hand."""
    with Host.open(tmp_path / "data") as host:
        key = host.pair(world="w", origin=ORIGIN)
        ledger = Ledger("w", 1)
        seat = Seat(host, ledger, key)
        seat.play()
        copy = backup.new_name(tmp_path / "data")
        host.store.backup(copy)
        seat.play(30)
        seat.leave()
    backup.put_back(copy, tmp_path / "data" / DATABASE)
    return Host.open(tmp_path / "data"), ledger, key


def test_a_store_that_is_older_than_the_world_follows_it_and_never_gives_an_id_out_again(tmp_path: Path) -> None:
    host, ledger, key = _with_an_older_store(tmp_path)
    with host:
        seat = Seat(host, ledger, key)
        assert seat.notes == [past.STORE_RESTORED]
        seat.play(30)
        seat.leave()
        # A card with an id that was given out before would not be posted: its refusal would have none.
        assert ledger.problems() == []
        assert again(host, ledger, key) == []


def test_with_the_old_ids_cards_would_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.world.past", lambda *_, **__: None)
    host, ledger, key = _with_an_older_store(tmp_path)
    with host:
        world = host.world("w")
        monkeypatch.setattr(world.memory, "journal", world.memory.journal)
        for id, actor in list(ledger.table.documents.actors.items()):
            # The creatures are new, their cards are the old ones: nothing but the journal's name tells them apart.
            ledger.table.documents.actors[id] = structs.replace(actor, memory=Memory())
        seat = Seat(host, ledger, key)
        seat.play(30)
        assert any("cards" in problem for problem in ledger.problems())


def test_a_store_that_was_lost_begins_anew_and_says_so(host: Host, key: tuple[str, str]) -> None:
    ledger, _ = played(host, key)
    with Host.open() as other:
        new = other.pair(world="w", origin=ORIGIN)
        seat = Seat(other, ledger, new)
        assert seat.notes == [past.STORE_LOST]
        seat.play()
        seat.leave()
        assert ledger.problems() == []
        assert again(other, ledger, new) == []


def test_a_world_that_was_never_here_is_no_news(host: Host, key: tuple[str, str]) -> None:
    ledger = Ledger("w", 2)
    actor = Actor("Actor.x", memory=Memory(receipt=9, world="another"))
    ledger.table.documents.actors[actor.id] = actor
    assert Seat(host, ledger, key).notes == []


def test_of_a_world_and_its_copy_only_one_speaks(host: Host, key: tuple[str, str]) -> None:
    ledger = Ledger("w", 3)
    seat = Seat(host, ledger, key, home="saltmarsh")
    copy, nonce = greeted(host)
    table = structs.replace(ledger.table.about, home="saltmarsh-copy")
    (said,) = unpack(host.exchange(copy, encode(prove(nonce, *key, table=table)[0])) or b"")
    assert isinstance(said, protocol.Error)
    assert said.message == past.COPY.format(name="saltmarsh")
    assert _code(copy) == CloseCode.OTHER_WORLD
    assert seat.session.is_open


def test_without_its_folder_a_copy_would_take_over(
    host: Host, key: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge.session.is_copy", lambda one, other: False)
    seat = Seat(host, Ledger("w", 3), key, home="saltmarsh")
    Seat(host, Ledger("w", 3), key, home="saltmarsh-copy")
    assert not seat.session.is_open


def test_a_world_in_another_folder_is_told_of_once(host: Host, key: tuple[str, str]) -> None:
    ledger = Ledger("w", 4)
    assert again(host, ledger, key, "old") == []
    (note,) = again(host, ledger, key, "new")
    assert "old, now new" in note
    assert again(host, ledger, key, "new") == []


def _code(session: Session) -> int:
    assert session.closed is not None
    return session.closed.code
