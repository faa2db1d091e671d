from __future__ import annotations

import itertools

from bridge.pairings import Pairings
from bridge.store.sqlite import SqliteStore

SECRET = "ab" * 32


class Clock:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def pairings(store: SqliteStore | None = None, clock: Clock | None = None) -> Pairings:
    clock = clock or Clock()
    return Pairings(store or SqliteStore(), SECRET, seconds=600, now=clock, clock=clock)


def test_at_first_nobody_is_paired_and_no_window_is_open() -> None:
    found = pairings()
    assert not found.exist()
    assert not found.is_open()
    assert not found.attempt("AAAA-AAAA")
    assert found.tries_left() == 0


def test_a_client_makes_its_origin_known_until_it_is_revoked() -> None:
    found = pairings()
    client = found.add("w", "http://a", "gm", "GM", "World")
    assert found.knows("http://a")
    assert not found.knows("http://a.evil")
    assert not found.knows("HTTP://A")
    assert found.get(client.id) == client
    revoked = found.revoke(client.id)
    assert revoked is not None
    assert revoked.revoked == 100
    assert found.get(client.id) is None
    assert not found.knows("http://a")
    assert not found.exist()
    assert found.all() == [revoked]
    assert found.revoke("never") is None


def test_an_origin_stays_known_while_another_client_comes_from_it() -> None:
    found = pairings()
    one, _ = found.add("w", "http://a", "one"), found.add("w", "http://a", "two")
    found.revoke(one.id)
    assert found.knows("http://a")


def test_what_is_in_the_store_counts_after_reloading() -> None:
    store = SqliteStore()
    found = pairings(store)
    client = found.add("w", "http://a", "gm")
    found.reload()
    assert not found.exist()
    store.append_many([client])
    found.reload()
    assert found.get(client.id) == client


def test_a_window_closes_by_itself() -> None:
    clock = Clock()
    found = pairings(clock=clock)
    found.open_window()
    assert found.is_open()
    clock.time += 600
    assert not found.is_open()


def test_opening_a_window_closes_the_one_before() -> None:
    found = pairings()
    first = found.open_window()
    second = found.open_window()
    assert not found.attempt(first.code)
    assert found.tries_left() == 4
    assert found.attempt(second.code)


def test_being_seen_keeps_who_and_when() -> None:
    clock = Clock()
    found = pairings(clock=clock)
    client = found.add("w", "http://a", "gm")
    clock.time = 200.0
    seen = found.seen(client, "other", "Other", "World")
    assert (seen.seen, seen.created, seen.name) == (200, 100, "Other")
    assert found.get(client.id) == seen


def test_every_client_has_a_key_of_its_own() -> None:
    found = pairings()
    keys = {found.key(found.add("w", "http://a", "gm").id) for _ in range(10)}
    assert all(len(key) == 64 for key in keys)
    assert all(one != other for one, other in itertools.pairwise(sorted(keys)))
