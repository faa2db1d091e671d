"""A damaged database: found at the start, set aside whole, and the GM told once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.decode import encode
from bridge.errors import ConfigError, DamagedError
from bridge.host import Host
from bridge.settings import Settings
from bridge.store import backup
from bridge.store.opening import DATABASE, open_store
from bridge.store.sqlite import SqliteStore
from bridge.world.row import Row
from tests.peer import ORIGIN, opened, picture

REFUSE = Settings(on_corrupt="refuse")
JOURNAL = Row("journal", "", b'"old"')


def fill(folder: Path, *, copy: bool) -> None:
    with Host.open(folder) as host:
        key = host.pair(world="w", origin=ORIGIN)
        host.commit([("w", JOURNAL)])
        session, _ = opened(host, key=key)
        host.exchange(session, encode(picture(1, "a")))
        host.commit([("w", Row("k", str(number), b"x" * 1000)) for number in range(200)])
        if copy:
            host.store.backup(backup.new_name(folder))


def damage(folder: Path) -> bytes:
    """Overwrite pages in the middle; return what the file is now."""
    data = bytearray((folder / DATABASE).read_bytes())
    data[16_384:-8192] = b"\xff" * (len(data) - 16_384 - 8192)
    (folder / DATABASE).write_bytes(data)
    return bytes(data)


def test_the_newest_good_copy_takes_its_place_and_nothing_is_deleted(tmp_path: Path) -> None:
    fill(tmp_path, copy=True)
    worse = backup.new_name(tmp_path)
    worse.write_bytes(b"a copy that was damaged too" * 100)
    found = damage(tmp_path)
    store, sentence = open_store(tmp_path)
    assert "corrupt-1" in sentence
    assert "bridge-" in sentence
    assert (tmp_path / f"{DATABASE}.corrupt-1").read_bytes() == found
    assert worse.exists()
    rows = {(row.kind, row.key): row.value for row in store.load("w")}
    assert rows["k", "199"] == b"x" * 1000
    # Ids that were given out after the copy was made are not given out again.
    assert rows["journal", ""] not in (None, JOURNAL.value)
    assert len(store.clients()) == 1
    store.close()


def test_without_a_copy_it_begins_anew(tmp_path: Path) -> None:
    fill(tmp_path, copy=False)
    found = damage(tmp_path)
    store, sentence = open_store(tmp_path)
    assert "paired again" in sentence
    assert store.worlds() == []
    assert (tmp_path / f"{DATABASE}.corrupt-1").read_bytes() == found
    store.close()


def test_what_is_no_database_at_all_is_set_aside_too(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database at all" * 1000)
    open_store(tmp_path).store.close()
    assert (tmp_path / f"{DATABASE}.corrupt-1").exists()


def test_told_to_refuse_it_touches_nothing(tmp_path: Path) -> None:
    fill(tmp_path, copy=True)
    found = damage(tmp_path)
    with pytest.raises(DamagedError):
        Host.open(tmp_path, REFUSE)
    assert (tmp_path / DATABASE).read_bytes() == found
    assert not list(tmp_path.glob("*.corrupt-*"))


def test_a_database_of_a_newer_bridge_is_not_a_damaged_one(tmp_path: Path) -> None:
    fill(tmp_path, copy=True)
    store = SqliteStore(tmp_path / DATABASE)
    store._db.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(ConfigError):
        Host.open(tmp_path)
    assert not list(tmp_path.glob("*.corrupt-*"))


def test_unchecked_the_damage_would_go_unseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, copy=True)
    damage(tmp_path)
    monkeypatch.setattr(SqliteStore, "_open", lambda self, check, opened=SqliteStore._open: opened(self, check=False))
    store, sentence = open_store(tmp_path)
    store.close()
    assert sentence == ""


def test_every_gm_is_told_once_however_often_the_bridge_starts(tmp_path: Path) -> None:
    fill(tmp_path, copy=True)
    damage(tmp_path)
    told = []
    for _ in range(3):
        with Host.open(tmp_path) as host:
            (client,) = host.pairings.all()
            _, said = opened(host, key=(client.id, host.pairings.key(client.id)))
            told.append([message["message"] for message in said if message["type"] == "status"])
    assert ["damaged" in sentence for sentence in told[0]] == [True]
    assert told[1:] == [[], []]
