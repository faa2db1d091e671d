"""Laws that hold for every creature and everything that can happen to it (design, sections 1 and 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.apply import apply, static_id
from bridge.engine.catalogue import NUMBER
from bridge.engine.causes import causes
from bridge.engine.changes import Change, EndCondition, EndEffect, Remember, SetCondition
from bridge.engine.conditions import Condition, Creature, Rulebook
from bridge.engine.decide import decide
from bridge.engine.modifiers import Facts, evaluate
from bridge.engine.publish import publish
from bridge.engine.state import Actor, Effect, Habits, HitDice, HitPoints, Mark, Memory, Timer
from bridge.rules import conditions, rulebook

NOW = 1_000_000
RULES = rulebook()
MODES = st.sampled_from(["auto", "auto", "auto", "ask", "remind", "off"])
LEVELS = {c.id: c.levels for c in RULES.conditions.values()}
SYSTEM_STATUSES = ("dead", "stable", "sleeping", "burning")
STATUSES = sorted([*LEVELS, *SYSTEM_STATUSES])
ROLLS = (
    *(f"check.{a}" for a in ("str", "dex", "con", "int", "wis", "cha")),
    *(f"save.{a}" for a in ("str", "dex", "con", "wis")),
    "check.wis.perception", "check.cha.intimidation", "save.con.concentration", "save.wis.vs-frightened", "save.death",
    "attack.melee", "attack.ranged", "initiative",
)  # fmt: skip
TIMES = st.integers(NOW - 40_000, NOW + 8_000)


def synthetic() -> Condition:
    """Return a condition that answers every event with the next of a few changes."""
    everything = Condition(id="everything", name="Everything", summary="It answers everything.", levels=4, own=True)

    def answer(event: e.Event, it: Creature) -> Iterator[Change]:
        notes = it.actor.memory.notes.get("everything")
        count = notes["count"] if isinstance(notes, dict) and isinstance(notes.get("count"), int) else 0
        if count > 20:
            return
        yield Remember(condition="everything", notes={"count": count + 1})
        match count % 5:
            case 0:
                yield SetCondition(condition="everything", level=1 + it.level("everything") % 4)
            case 1:
                yield SetCondition(condition="unconscious", cause="everything")
            case 2:
                yield EndCondition(condition="unconscious", cause="everything")
            case 3:
                yield SetCondition(condition="poisoned", cause="everything")
            case _:
                yield EndCondition(condition="poisoned")

    for kind in get_args(e.AnyEvent):
        everything.on(kind, always=True)(answer)
    return everything


BUSY = Rulebook([*conditions(), synthetic()], general=RULES.general)


@st.composite
def timers(draw):
    kind = draw(st.sampled_from(["seconds", "rounds", "turn-start", "turn-end", "save", "combat", "long-rest"]))
    return Timer(
        kind,
        draw(TIMES),
        amount=draw(st.integers(0, 7200)),
        creature=draw(st.sampled_from([None, "Actor.b"])),
        ability=draw(st.sampled_from([None, "con"])),
        dc=draw(st.integers(0, 30)),
        moment=draw(st.sampled_from([None, "start", "end"])),
        combat=draw(st.sampled_from([None, "c"])),
        round=draw(st.integers(0, 5)),
        turn=draw(st.integers(0, 3)),
    )


@st.composite
def effects(draw):
    status = draw(st.sampled_from(STATUSES))
    implied = RULES.implied.get(status, ()) if draw(st.booleans()) else ()
    mark = None
    if draw(st.booleans()):
        mark = Mark(
            level=draw(st.integers(1, LEVELS.get(status, 1))),
            cause=draw(st.sampled_from([None, None, "intoxicated", "down", "other"])),
            source=draw(st.sampled_from([None, "Actor.b"])),
            forced=draw(st.booleans()),
            timer=draw(timers()) if draw(st.integers(0, 3)) == 3 else None,
        )
    id = draw(st.sampled_from([static_id(status), f"other{status}"]))
    return Effect(id, (status, *implied), disabled=draw(st.sampled_from([False, False, False, True])), mark=mark)


@st.composite
def notes(draw):
    """What Intoxicated may remember, and what hands may have put there instead."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([7, "x", {"drinks": "many"}, {"since": None, "hours": [[1]]}, []]))
    found = {
        "drinks": sorted(draw(st.lists(TIMES, max_size=4))),
        "since": draw(TIMES),
        "saves": draw(st.integers(0, 3)),
    }
    if draw(st.booleans()):
        found["fed"] = draw(TIMES)
    if draw(st.booleans()):
        found["out"] = draw(TIMES)
    return found


@st.composite
def actors(draw):
    top = draw(st.integers(0, 60))
    hp = HitPoints(draw(st.integers(0, top)), top, draw(st.integers(0, 5)), draw(st.integers(-5, 5)))
    found = draw(st.lists(effects(), max_size=4, unique_by=lambda effect: effect.id))
    memory = Memory(
        off=draw(st.sampled_from([(), ("bloodied",)])),
        turns=draw(st.sampled_from([{}, {"c": (2, 0)}])),
        notes={"intoxicated": draw(notes())} if draw(st.booleans()) else {},
    )
    return Actor(
        "Actor.a",
        name="Bors",
        type=draw(st.sampled_from(["character", "npc"])),
        hp=draw(st.sampled_from([hp, hp, hp, None])),
        hit_dice={"fighter": HitDice(draw(st.integers(0, 3)), 3)},
        abilities={"con": draw(st.integers(1, 30))},
        immunities=draw(st.sampled_from([(), (), ("poison",)])),
        resistances=draw(st.sampled_from([(), ("poison",)])),
        condition_immunities=tuple(draw(st.lists(st.sampled_from(sorted(LEVELS)), max_size=2))),
        effects=tuple(found),
        concentrating=draw(st.booleans()),
        habits=Habits(tolerance=draw(st.integers(-3, 3)), willing=draw(st.booleans())),
        memory=memory,
        combat=draw(st.sampled_from([None, "c"])),
        round=3,
    )


AMOUNTS = st.integers(1, 30)
HANDS = st.sampled_from([e.GM, e.PLAYER, e.SYSTEM])
THEN = st.integers(NOW - 8000, NOW)
THERE = {"combat": st.just("c")}
WAS = HitPoints(3, 20)


@st.composite
def healings(draw):
    amount = draw(AMOUNTS)
    return e.HitPointsRegained(
        at=NOW,
        amount=amount,
        before=WAS,
        after=structs.replace(WAS, value=3 + amount),
        cause=draw(st.sampled_from(["spell", "hit-die", "death-save", "unknown"])),
        refused=draw(st.integers(0, amount)),
        gap=draw(st.booleans()),
    )


@st.composite
def changes_of_condition(draw):
    status = draw(st.sampled_from(STATUSES))
    was, level = (draw(st.integers(0, LEVELS.get(status, 1))) for _ in range(2))
    return e.ConditionChanged(at=NOW, condition=status, was=was, level=level, by=draw(HANDS))


def happened(kind, /, **fields):
    """Return a strategy for one kind of event."""
    return st.builds(kind, **{"at": st.just(NOW), **fields})


DATA = st.sampled_from([{}, {"refused": 5}, {"refused": "x"}, {"count": 2, "strength": 1, "at": NOW}, {"down": True}])
BUTTONS = st.sampled_from(["allow", "let-it-work", "approve", "extinguish", "doused", "unknown"])
EVENTS = st.one_of(
    healings(),
    changes_of_condition(),
    changes_of_condition(),
    happened(e.Seen, foreign=st.booleans()),
    happened(e.HitPointsLost, amount=AMOUNTS, value=AMOUNTS),
    happened(e.MaximumChanged, was=st.just(20), now=AMOUNTS),
    happened(e.EffectsChanged, condition=st.sampled_from(STATUSES), by=HANDS),
    happened(e.ConcentrationBegan),
    happened(e.TurnStarted, **THERE, round=st.integers(1, 4), turn=st.just(0), passed=st.integers(0, 3)),
    happened(e.TurnEnded, **THERE, round=st.integers(1, 4), turn=st.just(0)),
    happened(e.CombatJoined, **THERE),
    happened(e.CombatLeft, **THERE, ended=st.booleans(), round=st.just(3)),
    happened(e.CombatSetBack, **THERE, round=st.just(1), turn=st.just(0)),
    happened(e.RoundReached, **THERE, round=st.integers(1, 5), turn=st.just(0)),
    happened(
        e.OtherTurn, **THERE, other=st.just("Actor.b"), moment=st.just("turn-start"), round=st.just(2), turn=st.just(1)
    ),
    happened(e.OtherChanged, other=st.just("Actor.b"), condition=st.just("incapacitated"), level=st.just(1)),
    happened(e.OtherApart, other=st.just("Actor.b")),
    happened(e.TimePassed, since=st.sampled_from([NOW - 6, NOW - 3600, NOW - 30_000]), jump=st.just(3600)),
    happened(e.ClockSetBack, at=THEN, since=st.just(NOW)),
    happened(e.Drank, at=THEN, count=st.integers(1, 20), strength=st.integers(1, 3), willing=st.booleans()),
    happened(e.Ate, at=THEN),
    happened(e.RestBegan, kind=st.just("long")),
    happened(e.RestFinished, kind=st.sampled_from(["short", "long"]), length=st.sampled_from([3600, 28_800])),
    happened(e.HealingRefused, amount=AMOUNTS, cause=st.sampled_from(["spell", "death-save"])),
    happened(e.Pressed, card=st.just("k"), button=BUTTONS, data=DATA),
    happened(
        e.Rolled,
        request=st.just("k"),
        reason=st.sampled_from(["intoxicated.blackout", "ends:x"]),
        success=st.booleans(),
    ),
    happened(
        e.DiceRolled, request=st.just("k"), reason=st.sampled_from(["intoxicated.rest", "y"]), total=st.integers(3, 6)
    ),
    happened(e.Used, what=st.just("action")),
)


happenings = st.lists(EVENTS, max_size=4)
books = st.sampled_from([RULES, BUSY])


def settled(book: Rulebook, before: Actor, after: Actor) -> None:
    """Every decision leaves a valid creature."""
    if after.hp is not None and before.hp is not None and after.hp != before.hp:
        assert 0 <= after.hp.value <= max(after.hp.top, before.hp.value)
    ids = [effect.id for effect in after.effects]
    assert len(ids) == len(set(ids))
    known = {effect.id: effect for effect in before.effects}
    for effect in after.effects:
        if effect.id not in known:
            assert effect.statuses
            assert all(status in book.conditions or status in SYSTEM_STATUSES for status in effect.statuses)
        if effect.id not in known or known[effect.id].level != effect.level:
            top = max(book.conditions[s].levels if s in book.conditions else 1 for s in effect.statuses)
            assert 1 <= effect.level <= top
    packed = msgspec.json.encode(after)
    assert msgspec.json.decode(packed, type=Actor) == after


@given(books, actors(), happenings)
def test_any_creature_and_any_events_give_a_valid_creature(book, actor, found):
    settled(book, actor, decide(book, actor, found, NOW).after)


@given(books, actors(), happenings)
def test_same_input_same_decision(book, actor, found):
    assert decide(book, actor, found, NOW) == decide(book, actor, found, NOW)


@given(books, actors(), happenings)
def test_the_echo_of_a_decision_is_no_event(book, actor, found):
    after = decide(book, actor, found, NOW).after
    shown = msgspec.json.decode(msgspec.json.encode(after), type=Actor)
    assert causes(Creature(after, book, NOW), Creature(shown, book, NOW)) == []


@given(actors(), happenings)
def test_what_was_decided_is_at_rest(actor, found):
    """Hearing of its own changes once more, as rules' doing, moves nothing on the creature."""
    after = decide(RULES, actor, found, NOW).after
    heard = causes(Creature(actor, RULES, NOW), Creature(after, RULES, NOW), by=e.RULE)
    heard = [structs.replace(h, refused=0) if isinstance(h, e.HitPointsRegained) else h for h in heard]
    again = decide(RULES, after, heard, NOW).after
    assert again.hp == after.hp
    assert Creature(again, RULES, NOW).conditions == Creature(after, RULES, NOW).conditions


@given(actors(), happenings, st.dictionaries(st.sampled_from(sorted(LEVELS)), MODES, max_size=4))
def test_every_mode_gives_a_valid_creature(actor, found, modes):
    book = RULES.given({f"conditions.{id}.mode": mode for id, mode in modes.items()})
    settled(book, actor, decide(book, actor, found, NOW).after)


@given(actors(), happenings)
def test_with_every_rule_off_nothing_of_a_condition_changes(actor, found):
    """Rules, section 11: ``off`` is off."""
    book = Rulebook(conditions(), {f"conditions.{id}.mode": "off" for id in LEVELS})
    after = decide(book, actor, found, NOW).after
    assert after.hp == actor.hp
    assert dict(after.memory.notes.items()) == actor.memory.notes


@settings(max_examples=settings().max_examples // 2)
@given(actors(), st.sampled_from(ROLLS), actors(), st.sampled_from([None, 5.0, 30.0]))
def test_no_condition_applies_twice_to_one_roll(roller, roll, target, distance):
    """CMB-5: one condition never applies twice to one roll."""
    catalogue = publish(RULES, None)
    given_ = evaluate(catalogue, roller, roll, target, Facts(distance=distance)).given
    pairs = [(given.condition, given.modifier.gives, given.modifier.on_me) for given in given_]
    assert len(pairs) == len(set(pairs))
    numbers = [given.condition for given in given_ if given.modifier.gives == NUMBER]
    assert len(numbers) == len(set(numbers))


@given(actors(), st.sampled_from(sorted(LEVELS)))
def test_ending_one_of_two_effects_leaves_the_condition(actor, status):
    """CMB-1: two effects that carry one status count once; ending one leaves the other."""
    rest = tuple(effect for effect in actor.effects if status not in effect.statuses)
    immune = tuple(s for s in actor.condition_immunities if s != status)
    first, second = (Effect(id, (status,), mark=Mark()) for id in ("first", "second"))
    both = structs.replace(actor, effects=(*rest, first, second), condition_immunities=immune)
    assert Creature(both, RULES, NOW).level(status) == 1
    one = apply(RULES, both, EndEffect(effect="first"))
    assert Creature(one, RULES, NOW).has(status)
    assert [x for x in one.effects if status in x.statuses] == [second]


@settings(max_examples=settings().max_examples // 2)
@given(actors(), actors())
def test_causes_are_silent_exactly_when_nothing_that_matters_changed(before, after):
    a, b = Creature(before, RULES, NOW), Creature(after, RULES, NOW)
    quiet = not causes(a, b)
    same_points = (
        before.hp == after.hp
        or before.hp is None
        or after.hp is None
        or ((before.hp.top, before.hp.value) == (after.hp.top, after.hp.value) and after.hp.temp >= before.hp.temp)
    )
    if quiet:
        assert same_points
        assert a.conditions == b.conditions
    if a.conditions != b.conditions or not same_points:
        assert not quiet
