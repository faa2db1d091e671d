"""What the bridge remembers, as rows: nothing is lost between ``take`` and a start from the rows."""

import msgspec
import pytest

from bridge.engine import events as e
from bridge.protocol import Combat
from bridge.world.memory import MOST_HISTORY, MOST_SEEN, Chapter, Flight, Memory, Pending
from bridge.world.row import Row
from bridge.world.turns import Fight
from tests.creatures import creature

A = "Actor.a"


def pending(id, *events, actor=A):
    return Pending(id, actor, events or (e.Ate(at=5),), 7)


@pytest.fixture
def memory():
    return Memory("j7")


def reborn(memory, disk=None):
    disk = {} if disk is None else disk
    disk.update({(row.kind, row.key): row for row in memory.take()})
    return Memory("j0", [row for row in disk.values() if row.value is not None])


def test_everything_comes_back_from_the_rows(memory):
    memory.next_id()
    memory.keep_actor(creature())
    memory.keep_fight(Fight(Combat("c", 1, 0, ()), {"k": 1}))
    memory.keep_pending(pending(2))
    memory.keep_pending(pending(1))
    memory.keep_flight(A, Flight(1, creature(hp=3), creature(hp=5)))
    memory.keep_asked("j7.1.0", A)
    memory.keep_chapter(Chapter(1, A, 7, creature(hp=3), creature(hp=5)))
    assert memory.first_time("h1")
    again = reborn(memory)
    for part in ("journal", "basics", "actors", "fights", "flights", "asked", "history", "seen"):
        assert getattr(again, part) == getattr(memory, part), part
    assert [x.id for x in again.pending[A]] == [1, 2]


@pytest.mark.parametrize(
    "event",
    [e.Drank(at=1, count=2), e.TimePassed(at=9, since=3), e.Pressed(button="allow", card="k", data={"refused": 3})],
)
def test_every_event_comes_back_as_it_was(memory, event):
    memory.keep_pending(pending(1, event))
    assert reborn(memory).pending[A][0].events == (event,)


def test_rows_are_taken_once(memory):
    memory.keep_actor(creature())
    assert memory.take()
    assert memory.take() == []


def test_an_entry_with_the_same_id_is_replaced(memory):
    memory.keep_pending(pending(1))
    memory.keep_pending(pending(1, e.Drank()))
    assert [x.events for x in memory.pending[A]] == [(e.Drank(),)]


def test_a_receipt_drops_all_up_to_it(memory):
    for id in (1, 2, 3):
        memory.keep_pending(pending(id))
    disk = {}
    reborn(memory, disk)
    memory.drop_pending(A, 2)
    assert [x.id for x in reborn(memory, disk).pending[A]] == [3]
    memory.drop_pending(A, 3)
    assert A not in memory.pending
    assert A not in reborn(memory, disk).pending


def test_a_creature_that_is_gone_leaves_nothing_pending(memory):
    memory.keep_actor(creature())
    memory.keep_pending(pending(1))
    memory.keep_flight(A, Flight(1, creature(), creature()))
    disk = {}
    reborn(memory, disk)
    memory.drop_actor(A)
    again = reborn(memory, disk)
    assert (again.actors, again.pending, again.flights) == ({}, {}, {})


def test_a_key_is_new_once(memory):
    assert memory.first_time("a")
    assert not memory.first_time("a")
    assert not reborn(memory).first_time("a")


def test_what_is_remembered_is_bounded(memory):
    for number in range(MOST_SEEN + 10):
        memory.first_time(f"h{number}")
        memory.keep_asked(f"r{number}", A)
    for number in range(MOST_HISTORY + 10):
        memory.keep_chapter(Chapter(number, A, 0, creature(), creature()))
    assert len(memory.seen) == len(memory.asked) == MOST_SEEN
    assert len(memory.history) == MOST_HISTORY
    assert not memory.first_time(f"h{MOST_SEEN + 9}")
    assert memory.first_time("h0")


def test_ids_never_repeat(memory):
    first = memory.next_id()
    assert reborn(memory).next_id() == first + 1


def test_a_request_is_answered_once(memory):
    memory.keep_asked("r", A)
    memory.drop_asked("r")
    memory.drop_asked("r")
    assert memory.asked == {}


def test_rows_of_a_newer_bridge_are_left_alone():
    found = Memory("j0", [Row("from-the-future", "x", b"{}"), Row("seen", "h1", msgspec.json.encode(True))])
    assert not found.first_time("h1")
