from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from bridge.errors import StoreError
from bridge.store import backup, sqlite
from bridge.store.base import Client
from bridge.store.sqlite import SqliteStore
from bridge.world.row import Row

SCHEMAS = Path(__file__).parent / "data" / "schemas"
ROW = Row("a", "1", b"x")


def released(schema: Path, file: Path) -> None:
    """Make a database as a released bridge left it."""
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.executescript(schema.read_text())


def version_of(file: Path) -> int:
    with contextlib.closing(sqlite3.connect(file)) as db:
        found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


@pytest.fixture
def database(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path / "bridge.db")
    store.append_many([("w", ROW)])
    store.close()
    return tmp_path / "bridge.db"


def test_a_copy_is_whole_and_the_owners_only_and_made_while_the_store_is_used(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "bridge.db")
    store.append_many([("w", ROW)])
    file = backup.new_name(tmp_path)
    store.backup(file)
    store.append_many([("w", Row("a", "2", b"later"))])
    store.close()
    assert backup.problem(file) == ""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    copy = SqliteStore(file)
    assert copy.load("w") == [ROW]
    copy.close()
    assert not list(file.parent.glob("*.new"))


def test_a_copy_that_did_not_come_out_well_never_gets_its_name(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(database)
    file = backup.new_name(tmp_path)
    monkeypatch.setattr(backup, "problem", lambda file: "a page is missing")
    with pytest.raises(StoreError, match="a page is missing"):
        store.backup(file)
    store.close()
    assert not list(file.parent.iterdir())


def test_what_is_no_copy_is_told(tmp_path: Path, database: Path) -> None:
    assert "no such file" in backup.problem(tmp_path / "nowhere.db")
    (tmp_path / "text.db").write_bytes(b"no database at all" * 1000)
    assert "not a database" in backup.problem(tmp_path / "text.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE t (x)")
    assert "not a database of a bridge" in backup.problem(tmp_path / "other.db")
    half = database.read_bytes()
    (tmp_path / "half.db").write_bytes(half[: len(half) // 2])
    assert backup.problem(tmp_path / "half.db")
    assert not backup.problem(database)


def test_two_copies_of_one_second_have_names_of_their_own_and_the_oldest_go(tmp_path: Path) -> None:
    files = []
    for number in range(4):
        files.append(backup.new_name(tmp_path))
        files[-1].touch()
        os.utime(files[-1], (number, number))
    assert len(set(files)) == 4
    special = backup.new_name(tmp_path, backup.BEFORE_RESTORE)
    special.touch()
    backup.thin_out(tmp_path, 2)
    assert backup.usual(tmp_path) == [files[3], files[2]]
    assert special.exists()


def test_nothing_that_is_set_aside_is_ever_overwritten(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        (tmp_path / "bridge.db").write_text(f"broken {number}")
        (tmp_path / "bridge.db-wal").write_text(f"log {number}")
        assert backup.set_aside(tmp_path / "bridge.db").name == f"bridge.db.corrupt-{number}"
    assert (tmp_path / "bridge.db.corrupt-2").read_text() == "broken 2"
    assert (tmp_path / "bridge.db.corrupt-2-wal").read_text() == "log 2"
    assert not (tmp_path / "bridge.db").exists()


def _with_a_log_of_another_time(folder: Path) -> tuple[Path, Path]:
    """Return a copy, and a database of a later time whose log was never brought back into it."""
    store = SqliteStore(folder / "bridge.db")
    store.append_many([("w", ROW)])
    file = backup.new_name(folder)
    store.backup(file)
    for number in range(50):
        store.append_many([("w", Row("later", str(number), b"x" * 1000))])
    crashed = folder / "crashed"
    crashed.mkdir()
    for end in ("", "-wal"):
        shutil.copy(folder / f"bridge.db{end}", crashed / f"bridge.db{end}")
    store.close()
    return file, crashed / "bridge.db"


def test_a_log_that_is_left_behind_is_not_played_into_the_copy(tmp_path: Path) -> None:
    file, database = _with_a_log_of_another_time(tmp_path)
    backup.put_back(file, database)
    store = SqliteStore(database)
    assert store.load("w") == [ROW]
    store.close()


def test_played_into_the_copy_it_would_be_something_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, database = _with_a_log_of_another_time(tmp_path)
    monkeypatch.setattr(backup, "COMPANIONS", ("",))
    backup.put_back(file, database)
    try:
        store = SqliteStore(database)
    except StoreError:
        return
    assert store.load("w") != [ROW]
    store.close()


@pytest.mark.parametrize("schema", sorted(SCHEMAS.glob("*.sql")), ids=lambda path: path.stem)
def test_a_database_of_every_released_schema_is_opened_with_all_that_is_in_it(schema: Path, tmp_path: Path) -> None:
    released(schema, tmp_path / "bridge.db")
    store = SqliteStore(tmp_path / "bridge.db")
    assert [row.kind for row in store.load("w")] == ["journal", "basics"]
    assert store.load("v") == [Row("seen", "h1", b"true")]
    assert [client.id for client in store.clients()] == ["c1", "c2"]
    assert isinstance(store.clients()[1], Client)
    assert store.meta("rulebook:w") == b"[settings]\n"
    store.close()
    assert version_of(tmp_path / "bridge.db") == len(sqlite.MIGRATIONS)


def test_the_newest_schema_is_among_the_released_ones() -> None:
    assert (SCHEMAS / f"v{len(sqlite.MIGRATIONS)}.sql").exists()


def test_before_a_migration_a_copy_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released(SCHEMAS / "v1.sql", tmp_path / "bridge.db")
    monkeypatch.setattr(sqlite, "MIGRATIONS", (*sqlite.MIGRATIONS[:1], "CREATE TABLE more (x INT) STRICT"))
    SqliteStore(tmp_path / "bridge.db").close()
    assert version_of(tmp_path / "bridge.db") == 2
    (copy,) = (tmp_path / backup.FOLDER).glob("before-schema-2-*.db")
    assert version_of(copy) == 1
    assert backup.problem(copy) == ""
    # It is made once.
    SqliteStore(tmp_path / "bridge.db").close()
    assert len(list((tmp_path / backup.FOLDER).iterdir())) == 1


def test_a_migration_that_fails_half_way_leaves_the_old_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released(SCHEMAS / "v1.sql", tmp_path / "bridge.db")
    monkeypatch.setattr(
        sqlite, "MIGRATIONS", (*sqlite.MIGRATIONS[:1], "CREATE TABLE more (x INT); CREATE TABLE more (x INT)")
    )
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "bridge.db")
    monkeypatch.undo()
    assert version_of(tmp_path / "bridge.db") == 1
    store = SqliteStore(tmp_path / "bridge.db")
    assert store.worlds() == ["w", "v"]
    store.close()


def test_a_new_database_needs_no_copy(database: Path, tmp_path: Path) -> None:
    assert version_of(database) == len(sqlite.MIGRATIONS)
    assert not (tmp_path / backup.FOLDER).exists()
