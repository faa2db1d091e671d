"""Every store holds this contract; ``TestSqlite`` adds what only a file can show."""

from __future__ import annotations

import sqlite3
import stat
from abc import ABC, abstractmethod
from pathlib import Path

import pytest

from bridge.errors import BridgeError, ConfigError, LockedError, StoreError
from bridge.store.base import Client, Store
from bridge.store.lock import LOCK, FolderLock, holder
from bridge.store.sqlite import LARGE, MIGRATIONS, WORTH, SqliteStore
from bridge.world.row import Row


def client(id: str = "c1", world: str = "w", **fields: object) -> Client:
    return Client(id, world, "http://a", "user", created=1, **fields)  # type: ignore[arg-type]


class StoreContract(ABC):
    """What a store must do.  A backend's test inherits this and gives ``open``: the same store each time."""

    @abstractmethod
    def open(self, tmp_path: Path) -> Store: ...

    @pytest.fixture
    def store(self, tmp_path: Path):
        store = self.open(tmp_path)
        yield store
        store.close()

    def test_an_empty_store_holds_nothing(self, store: Store) -> None:
        assert store.worlds() == []
        assert store.load("w") == []
        assert store.clients() == []
        assert store.meta("x") is None

    def test_rows_come_back_in_the_order_in_which_they_were_first_written(self, store: Store) -> None:
        store.append_many([("w", Row("b", "2", b"1")), ("w", Row("a", "10", b"2")), ("v", Row("a", "9", b"3"))])
        store.append_many([("w", Row("b", "2", b"4"))])
        assert store.load("w") == [Row("b", "2", b"4"), Row("a", "10", b"2")]
        assert store.load("v") == [Row("a", "9", b"3")]
        assert store.worlds() == ["w", "v"]

    def test_a_row_without_a_value_deletes(self, store: Store) -> None:
        store.append_many([("w", Row("a", "1", b"x")), ("w", Row("a", "2", b""))])
        store.append_many([("w", Row("a", "1", None)), ("w", Row("a", "never", None))])
        assert store.load("w") == [Row("a", "2", b"")]
        store.append_many([("w", Row("a", "2", None))])
        assert store.worlds() == []

    def test_within_one_batch_the_last_write_counts(self, store: Store) -> None:
        store.append_many([("w", Row("a", "1", b"x")), ("w", Row("a", "1", None)), ("w", Row("a", "1", b"y"))])
        assert store.load("w") == [Row("a", "1", b"y")]

    @pytest.mark.parametrize("text", ["", "'; DROP TABLE rows; --", "\u00fc\U0001f600", "a\x00b", "x" * 5000])
    def test_any_text_is_a_name_and_any_bytes_are_a_value(self, store: Store, text: str) -> None:
        row = Row(text, text, bytes(range(256)))
        store.append_many([(text, row)])
        assert store.load(text) == [row]

    def test_a_batch_is_written_whole_or_not_at_all(self, store: Store) -> None:
        broken = Row("a", "2", "not bytes")  # type: ignore[arg-type]
        with pytest.raises(BridgeError):
            store.append_many([("w", Row("a", "1", b"x")), ("w", broken)])
        store.reopen()
        assert store.load("w") == []
        store.append_many([("w", Row("a", "1", b"x"))])
        assert store.load("w") == [Row("a", "1", b"x")]

    def test_clients_are_kept_and_replaced_by_id(self, store: Store) -> None:
        store.append_many([client("c1"), client("c2"), ("w", Row("a", "1", b"x"))])
        store.append_many([client("c1", revoked=5)])
        assert {found.id: found.revoked for found in store.clients()} == {"c1": 5, "c2": 0}

    def test_a_forgotten_world_is_gone_with_its_clients_and_no_other(self, store: Store) -> None:
        store.append_many([("w", Row("a", "1", b"x")), ("v", Row("a", "1", b"y")), client("c1"), client("c2", "v")])
        store.forget("w")
        store.forget("never")
        assert store.worlds() == ["v"]
        assert [found.id for found in store.clients()] == ["c2"]
        store.append_many([("w", Row("a", "1", b"z"))])
        assert store.load("w") == [Row("a", "1", b"z")]

    def test_named_values_are_kept_replaced_and_deleted(self, store: Store) -> None:
        store.set_meta("x", b"1")
        store.set_meta("x", b"2")
        assert store.meta("x") == b"2"
        store.set_meta("x", None)
        assert store.meta("x") is None

    def test_what_is_committed_is_there_after_opening_again(self, store: Store, tmp_path: Path) -> None:
        store.append_many([("w", Row("a", "1", b"x")), client()])
        store.set_meta("x", b"1")
        store.close()
        again = self.open(tmp_path)
        assert again.load("w") == [Row("a", "1", b"x")]
        assert again.clients() == [client()]
        assert again.meta("x") == b"1"
        again.close()

    def test_house_keeping_changes_nothing(self, store: Store) -> None:
        store.append_many([("w", Row("a", "1", b"x"))])
        store.tidy()
        store.reopen()
        assert store.load("w") == [Row("a", "1", b"x")]

    def test_closing_twice_does_nothing(self, store: Store) -> None:
        store.close()
        store.close()


class TestSqlite(StoreContract):
    def open(self, tmp_path: Path) -> Store:
        return SqliteStore(tmp_path / "bridge.db")

    def test_the_file_is_the_owners_only(self, store: Store, tmp_path: Path) -> None:
        store.append_many([("w", Row("a", "1", b"x"))])
        for file in tmp_path.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600

    @pytest.mark.parametrize(("durability", "level"), [("full", 2), ("normal", 1)])
    def test_a_commit_is_flushed_unless_told_otherwise(self, tmp_path: Path, durability: str, level: int) -> None:
        store = SqliteStore(tmp_path / "bridge.db", durability=durability)
        pragmas = {name: store._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")}
        assert pragmas == {"synchronous": level, "journal_mode": "wal"}
        assert store._db.execute("PRAGMA foreign_keys").fetchone()[0] == 1
        assert store._db.execute("PRAGMA trusted_schema").fetchone()[0] == 0
        assert store._db.execute("PRAGMA wal_autocheckpoint").fetchone()[0] == 0
        store.close()

    def test_a_large_wal_is_brought_back_and_its_file_does_not_grow_for_ever(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path / "bridge.db", durability="normal")
        value = b"x" * WORTH
        for _ in range(3 * LARGE // WORTH):
            store.append_many([("w", Row("a", "1", value))])
        assert (tmp_path / "bridge.db-wal").stat().st_size < LARGE + 3 * WORTH
        store.close()

    def test_tidying_brings_a_wal_of_some_size_back(self, store: Store, tmp_path: Path) -> None:
        store.append_many([("w", Row("a", "1", b"x" * 2 * WORTH))])
        before = (tmp_path / "bridge.db").stat().st_size
        store.tidy()
        assert (tmp_path / "bridge.db").stat().st_size > before + WORTH

    def test_a_file_of_a_newer_bridge_is_left_alone(self, tmp_path: Path) -> None:
        SqliteStore(tmp_path / "bridge.db").close()
        with sqlite3.connect(tmp_path / "bridge.db") as db:
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        db.close()
        with pytest.raises(ConfigError, match="newer bridge"):
            SqliteStore(tmp_path / "bridge.db")

    def test_a_damaged_file_is_found_at_the_start(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path / "bridge.db")
        store.append_many([("w", Row("a", str(n), b"x" * 1000)) for n in range(200)])
        store.close()
        data = bytearray((tmp_path / "bridge.db").read_bytes())
        data[8192:-4096] = b"\xff" * (len(data) - 8192 - 4096)
        (tmp_path / "bridge.db").write_bytes(data)
        with pytest.raises(StoreError, match=r"damaged|failed"):
            SqliteStore(tmp_path / "bridge.db")
        (tmp_path / "bridge.db").write_bytes(b"no database at all" * 1000)
        with pytest.raises(StoreError):
            SqliteStore(tmp_path / "bridge.db")

    def test_without_a_path_it_is_in_memory_and_survives_reopening(self) -> None:
        store = SqliteStore()
        store.append_many([("w", Row("a", "1", b"x"))])
        store.reopen()
        store.tidy()
        assert store.load("w") == [Row("a", "1", b"x")]
        store.close()

    def test_a_folder_that_is_not_there_is_our_own_error(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError):
            SqliteStore(tmp_path / "nowhere" / "bridge.db")


def test_only_one_bridge_holds_a_folder_and_the_other_is_told_which(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "data"
    lock = FolderLock(folder)
    lock.describe("ws://127.0.0.1:1")
    assert holder(folder).url == "ws://127.0.0.1:1"
    with pytest.raises(LockedError, match=str(holder(folder).pid)):
        FolderLock(folder)
    assert holder(folder).url == "ws://127.0.0.1:1"
    lock.release()
    lock.release()
    FolderLock(folder).release()
    assert holder(folder).url == ""
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / LOCK).stat().st_mode) == 0o600


def test_a_lock_file_that_cannot_be_read_names_nobody(tmp_path: Path) -> None:
    assert holder(tmp_path).pid == 0
    (tmp_path / LOCK).write_bytes(b"{")
    assert holder(tmp_path).pid == 0


def test_a_folder_that_cannot_be_made_is_our_own_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be used"):
        FolderLock(tmp_path / "file" / "data")
