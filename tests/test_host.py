from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import structs

from bridge import auth
from bridge.decode import encode
from bridge.engine.state import HitPoints
from bridge.errors import CloseCode, ConfigError, LockedError, StoreError
from bridge.host import DATABASE, SECRET, Host, read_secret
from bridge.protocol import Picture
from bridge.store.base import Write
from bridge.store.sqlite import SqliteStore
from tests.peer import ORIGIN, opened, picture, unpack


def test_a_bridge_that_is_killed_and_started_again_knows_all_that_was_committed(tmp_path: Path) -> None:
    with Host.open(tmp_path) as host:
        key = host.pair(world="w", origin=ORIGIN)
        session, _ = opened(host, key=key)
        host.exchange(session, encode(picture(1, "a")))
    with Host.open(tmp_path) as host:
        _, said = opened(host, key=key)
        assert said[0]["type"] == "welcome"
        assert said[0]["known"]
        assert "Actor.a" in host.world("w").memory.actors


def test_what_was_not_committed_was_never_there(tmp_path: Path) -> None:
    with Host.open(tmp_path) as host:
        key = host.pair(world="w", origin=ORIGIN)
        session, _ = opened(host, key=key)
        output = session.receive(encode(picture(1, "a")))
        assert output.writes
    with Host.open(tmp_path) as host:
        _, said = opened(host, key=key)
        assert "known" not in said[0]


def test_without_a_folder_all_is_forgotten() -> None:
    with Host.open() as host:
        opened(host)
    with Host.open() as host:
        assert host.pairings.all() == []


def test_two_bridges_never_share_a_folder(tmp_path: Path) -> None:
    with Host.open(tmp_path), pytest.raises(LockedError):
        Host.open(tmp_path)
    Host.open(tmp_path).close()


def test_a_folder_whose_database_cannot_be_used_is_let_go(tmp_path: Path) -> None:
    (tmp_path / DATABASE).mkdir()
    with pytest.raises(StoreError):
        Host.open(tmp_path)
    (tmp_path / DATABASE).rmdir()
    Host.open(tmp_path).close()


def test_the_secret_is_made_once_and_is_the_owners_only(tmp_path: Path) -> None:
    Host.open(tmp_path).close()
    secret = read_secret(tmp_path)
    assert stat.S_IMODE((tmp_path / SECRET).stat().st_mode) == 0o600
    Host.open(tmp_path).close()
    assert read_secret(tmp_path) == secret
    assert len(secret) == 64


def test_a_secret_that_is_missing_or_damaged_is_our_own_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        read_secret(tmp_path)
    (tmp_path / SECRET).write_text("short")
    with pytest.raises(ConfigError, match="damaged"):
        Host.open(tmp_path)
    (tmp_path / SECRET).write_bytes(b"\xff")
    with pytest.raises(StoreError):
        read_secret(tmp_path)


def test_no_key_is_in_the_database(tmp_path: Path) -> None:
    with Host.open(tmp_path) as host:
        _, key = host.pair(world="w", origin=ORIGIN)
    for file in tmp_path.glob("bridge.db*"):
        data = file.read_bytes()
        assert key.encode() not in data
        assert bytes.fromhex(key) not in data


def test_revoking_cuts_the_browser_off_at_once_and_for_ever(tmp_path: Path) -> None:
    with Host.open(tmp_path) as host:
        key = host.pair(world="w", origin=ORIGIN)
        session, _ = opened(host, key=key)
        assert host.revoke(key[0])
        assert session.closed is not None
        assert session.closed.code == CloseCode.REVOKED
        assert not host.revoke("never")
    with Host.open(tmp_path) as host:
        session, said = opened(host, key=key)
        assert [message["code"] for message in said] == ["not-paired"]


def test_a_new_secret_cuts_every_browser_off_and_their_keys_open_nothing(tmp_path: Path) -> None:
    with Host.open(tmp_path) as host:
        keys = [host.pair(world=world, origin=ORIGIN) for world in ("w", "v")]
        sessions = [opened(host, world, key)[0] for world, key in zip(("w", "v"), keys, strict=True)]
        assert host.rotate() == 2
        assert [session.closed and session.closed.code for session in sessions] == [CloseCode.REVOKED] * 2
        assert host.pairings.key(keys[0][0]) != keys[0][1]
        assert host.rotate() == 0
        fresh = host.pair(world="w", origin=ORIGIN)
        assert opened(host, key=fresh)[0].is_open
    with Host.open(tmp_path) as host:
        assert [message["code"] for message in opened(host, key=keys[0])[1]] == ["not-paired"]
        assert opened(host, key=fresh)[0].is_open


def test_a_host_without_a_folder_rotates_as_well() -> None:
    with Host.open() as host:
        key = host.pair(world="w", origin=ORIGIN)
        assert host.rotate() == 1
        assert opened(host, key=key)[1][0]["code"] == "not-paired"


def test_revoking_one_browser_leaves_the_other_speaker_alone() -> None:
    with Host.open() as host:
        one = host.pair(world="w", origin=ORIGIN)
        other = host.pair(world="w", origin=ORIGIN)
        session, _ = opened(host, key=one)
        host.revoke(other[0])
        assert session.is_open


def test_new_settings_are_in_force_at_once_for_an_open_session() -> None:
    with Host.open() as host:
        key = host.pair(world="w", origin=ORIGIN)
        session, said = opened(host, key=key)
        before = said[1]
        host.world_settings["w"] = {"rolls.mode": "off"}
        assert session.is_open
        said = unpack(host.exchange(session, encode(picture(1, "a"))))
        assert said[0]["type"] == "catalogue"
        assert said[0]["rolls"] == "off" != before.get("rolls", "suggest")
        _, said = opened(host, key=key)
        assert said[1]["rolls"] == "off"


def test_settings_may_be_made_before_the_world_was_ever_seen() -> None:
    with Host.open() as host:
        host.world_settings["w"] = {"rolls.mode": "off"}
        _, said = opened(host)
        assert said[1]["rolls"] == "off"


def test_a_forgotten_world_is_gone_with_its_pairing_and_its_settings() -> None:
    with Host.open() as host:
        host.world_settings["w"] = {"rolls.mode": "off"}
        session, _ = opened(host)
        host.exchange(session, encode(picture(1, "a")))
        host.forget("w")
        assert session.closed is not None
        assert host.store.worlds() == []
        assert host.pairings.all() == []
        assert host.world_settings["w"] == {}


class Full(SqliteStore):
    """A real store on a disk that is full when the test says so."""

    full = False

    def append_many(self, writes: Sequence[Write]) -> None:
        if self.full:
            message = "The disk is full."
            raise StoreError(message)
        super().append_many(writes)


def test_after_a_failed_commit_everybody_is_sent_away_and_comes_back_to_what_is_on_disk() -> None:
    host = Host(Full(), auth.new_secret(), Host.open().settings)
    key = host.pair(world="w", origin=ORIGIN)
    session, _ = opened(host, key=key)
    host.exchange(session, encode(picture(1, "a")))
    session.receive(encode(picture(2, "a", "b")))
    host.fail("The disk is full.")
    assert session.closed is not None
    assert session.closed.code == CloseCode.DEGRADED
    refused, _ = opened(host, key=key)
    assert refused.closed is not None
    assert refused.closed == (CloseCode.DEGRADED, "The disk is full.")
    host.recover()
    again, said = opened(host, key=key)
    assert said[0]["known"]
    assert list(host.world("w").memory.actors) == ["Actor.a"]
    assert again.is_open
    host.close()


def test_an_error_of_the_store_in_the_middle_of_an_exchange_is_the_callers() -> None:
    store = Full()
    host = Host(store, auth.new_secret(), Host.open().settings)
    session, _ = opened(host)
    store.full = True
    with pytest.raises(StoreError):
        host.exchange(session, encode(picture(1, "a")))
    host.close()


def test_two_worlds_do_not_know_of_each_other() -> None:
    with Host.open() as host:
        one, _ = opened(host, "one")
        two, _ = opened(host, "two")
        host.exchange(one, encode(picture(1, "a")))
        (ack,) = [m for m in unpack(host.exchange(two, encode(picture(1, "b")))) if m["type"] == "ack"]
        assert ack["n"] == 1
        assert list(host.world("one").memory.actors) == ["Actor.a"]
        assert list(host.world("two").memory.actors) == ["Actor.b"]


# https://github.com/luvolondon/fvtt-module-jitsiwebrtc/issues/66
def test_worlds_with_the_same_creatures_are_kept_apart() -> None:
    """A copy has the ids of its original: what happens in one happens in one."""
    with Host.open() as host:
        one, _ = opened(host, "one")
        copy, _ = opened(host, "copy")
        for session in (one, copy):
            host.exchange(session, encode(picture(1, "a")))
        hurt = structs.replace(picture(2, "a").actors[0], hp=HitPoints(5, 20))
        host.exchange(one, encode(Picture(2, (hurt,), clock=36_000)))
        assert (host.world("one").now, host.world("copy").now) == (36_000, 0)
        assert host.world("one").memory.actors["Actor.a"].hp == hurt.hp
        assert host.world("copy").memory.actors["Actor.a"].hp is None
