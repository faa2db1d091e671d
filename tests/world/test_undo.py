"""Undo: UND-1 to UND-5."""

import pytest
from msgspec import structs

from bridge import protocol as p
from bridge.engine.state import Effect, Timer
from bridge.engine.timers import due
from bridge.world.memory import MOST_AREAS
from tests.creatures import creature, drunk, effect, has, level, plain
from tests.desk import GM, PLAYER, Desk


def drinker():
    desk = Desk(creature())
    for _ in range(2):
        desk.happen(p.Drank, count=2)
    return desk


def test_the_last_decision_is_taken_back_whole():
    """UND-1."""
    desk = drinker()
    before = desk.actor()
    desk.happen(p.Drank, count=2)
    assert level(desk.actor()) == 3
    desk.undo()
    assert level(desk.actor()) == 2
    assert desk.actor().memory.notes == before.memory.notes


def test_an_undo_can_be_undone():
    """UND-5."""
    desk = drinker()
    desk.undo()
    desk.undo()
    assert level(desk.actor()) == 2


def test_only_a_gm_can_undo():
    desk = drinker()
    desk.undo(by=PLAYER)
    assert (level(desk.actor()), desk.codes()) == (2, ["not-allowed"])


def test_where_the_world_shows_something_else_it_is_refused():
    """UND-2: "otherwise it is refused and names the later change"."""
    desk = drinker()
    desk.write(effects=(effect("intoxicated", 5),))
    last = max(
        id
        for id, chapter in desk.world.memory.history.items()
        if any(x.condition == "intoxicated" for x in chapter.changed) and level(chapter.after) == 2
    )
    desk.undo(last)
    assert level(desk.actor()) == 5
    assert desk.codes() == ["conflict"]
    assert "changed since" in desk.errors[-1].message


@pytest.mark.parametrize("decision", [None, 9999])
def test_nothing_to_undo_is_an_error(decision):
    desk = Desk(creature())
    desk.undo(decision)
    assert desk.codes() == ["conflict"]


def test_what_was_undone_is_not_derived_again_until_hit_points_change():
    """UND-3."""
    desk = Desk(creature(hp=20))
    desk.hp(5)
    assert has(desk.actor(), "bloodied")
    desk.undo()
    assert not has(desk.actor(), "bloodied")
    desk.start()
    assert not has(desk.actor(), "bloodied")
    desk.hp(4)
    assert has(desk.actor(), "bloodied")


def test_a_refusal_undone_gives_the_hit_points_back():
    """UND-1."""
    desk = Desk(creature(effect("bleeding"), hp=15))
    desk.hp(18, "spell")
    assert desk.actor().hp.value == 15
    desk.undo()
    assert desk.actor().hp.value == 18
    assert len(desk.cards("refusal")) == 1


def test_a_time_jump_is_one_group_for_all_creatures():
    """UND-1: "A time jump … is one group"."""
    two = [structs.replace(drunk(3, since=1_000_000, notes={"fed": 1_000_000}), id=f"Actor.{x}") for x in "ab"]
    desk = Desk(*two)
    desk.time(3600)
    assert [level(desk.actor(f"Actor.{x}")) for x in "ab"] == [2, 2]
    desk.undo()
    assert [level(desk.actor(f"Actor.{x}")) for x in "ab"] == [3, 3]
    assert desk.foundry.clock == 1_003_600


@pytest.mark.parametrize(("back", "ends"), [(0, None), (3600, 1_003_600)])
def test_an_ending_that_is_undone_has_no_end_unless_it_still_lies_ahead(back, ends):
    """UND-4."""
    desk = Desk(creature(effect("poisoned", timer=Timer("seconds", 1_000_000, 3600))))
    desk.time(3600)
    assert not has(desk.actor(), "poisoned")
    if back:
        desk.time(-back)
    desk.undo()
    assert has(desk.actor(), "poisoned")
    (found,) = desk.actor().effects
    assert (found.mark.timer and due(found.mark.timer)) == ends


def test_an_undo_that_is_repeated_is_done_once():
    desk = drinker()
    message = p.Undo(0, "same", GM)
    for _ in range(2):
        desk.foundry._put(message)
        desk.settle()
    assert level(desk.actor()) == 1


def test_what_followed_from_damage_that_a_rule_dealt_goes_with_it():
    """UND-1: "whole": the wound and the Bloodied that it brought are one group."""
    desk = Desk(creature(effect("ignited"), hp=11))
    desk.combat(1, 0, "b", "a")
    desk.combat(1, 1, "b", "a")
    (request,) = desk.foundry.rolling
    desk.foundry.dice(request, 4)
    desk.settle()
    assert desk.actor().hp.value == 7
    assert has(desk.actor(), "bloodied")
    desk.undo()
    assert desk.actor().hp.value == 11
    assert not has(desk.actor(), "bloodied")


GROUP = p.Cause("spell", use="message1", label="Ray of Sickness")


def party(*more, **settings):
    first = creature()
    others = [structs.replace(first, id=f"Actor.{id}", name=id) for id in "bc"]
    return Desk(first, *others, *more, settings=settings or None)


def poisoned_by(desk, *ids, cause=GROUP):
    """One use puts its effect on several, each in a picture of its own."""
    for id in ids:
        desk.write(id, by=None, cause=cause, effects=(*desk.actor(id).effects, plain("poisoned", id=f"ray{id}")))


def groups(desk):
    return [card.group for card in desk.cards("conditions")]


def decided(desk):
    """Which group each creature's last decision belongs to, in the order of groups; the greeting is none."""
    found = {c.actor: c.group for c in desk.world.memory.history.values() if c.changed}
    order = sorted(set(found.values()))
    return {actor: order.index(group) + 1 for actor, group in found.items()}


def test_one_word_to_several_is_one_card_with_a_row_each():
    """CRD-1: "Area effects on several creatures: one card with a row each"."""
    desk = party()
    desk.happen(p.Given, "Actor.a", GM, condition="poisoned", others=("Actor.b", "Actor.c"))
    first, *others = desk.cards("conditions")
    assert len(others) == 2
    assert groups(desk) == [first.group] * 3
    assert first.group != first.id
    # Its Undo takes all of them back, from whichever row.
    desk.press("undo", others[0].id)
    assert not any(has(desk.actor(f"Actor.{id}"), "poisoned") for id in "abc")
    assert all("undo" in desk.foundry.used[card.id] for card in (first, *others))
    desk.undo()
    assert all(has(desk.actor(f"Actor.{id}"), "poisoned") for id in "abc")


def test_one_word_to_one_stands_alone():
    desk = party()
    desk.happen(p.Given, condition="poisoned")
    (card,) = desk.cards("conditions")
    assert card.group == card.id


def test_a_row_never_goes_to_more_than_its_own_card_would():
    """CRD-3: the hidden one is told of to the GM alone, on a card of his."""
    hidden = structs.replace(creature(), id="Actor.h", name="Spy", hidden=True)
    desk = party(hidden)
    desk.happen(p.Given, "Actor.a", GM, condition="poisoned", others=("Actor.h", "Actor.b"))
    assert [card.audience for card in desk.cards("conditions")] == ["all", "gm", "all"]
    one, spy, other = groups(desk)
    assert one == other != spy


def test_cards_for_owners_stay_apart():
    """CRD-3: each has other readers."""
    desk = party(**{"cards.gain": "owner"})
    desk.happen(p.Given, "Actor.a", GM, condition="poisoned", others=("Actor.b",))
    assert groups(desk) == [card.id for card in desk.cards("conditions")]
    assert len(groups(desk)) == 2


def test_what_must_be_answered_stands_alone():
    """CRD-4: a fire has buttons of its own for each who burns."""
    desk = party()
    desk.happen(p.Given, "Actor.a", GM, condition="ignited", others=("Actor.b",))
    cards = desk.cards("conditions")
    assert [card.group for card in cards] == [card.id for card in cards]
    assert len(cards) == 2


def test_the_effects_of_one_use_are_one_group():
    """UND-1: "an area is one group", however many pictures show it."""
    desk = party()
    poisoned_by(desk, "Actor.a", "Actor.b")
    desk.start()
    poisoned_by(desk, "Actor.c")
    assert len(set(groups(desk))) == 1
    assert len(groups(desk)) == 3
    assert decided(desk) == {"Actor.a": 1, "Actor.b": 1, "Actor.c": 1}
    desk.write("Actor.b", effects=())
    poisoned_by(desk, "Actor.b", cause=structs.replace(GROUP, use="message2"))
    assert len(set(groups(desk))) == 3


def test_what_one_use_has_done_is_undone_at_once():
    """UND-1: what followed from the effects, the concentration of two and the fall of three."""
    desk = party()
    for id in "ab":
        spell = Effect("spell", ("concentrating",))
        desk.write(f"Actor.{id}", concentrating=True, effects=(spell,))
    poisoned = [f"Actor.{id}" for id in "abc"]
    for id in poisoned:
        effects = (*desk.actor(id).effects, plain("unconscious", id=f"ray{id}"))
        desk.write(id, by=None, cause=GROUP, effects=effects)
    assert all(has(desk.actor(id), "prone") for id in poisoned)
    desk.undo()
    assert not any(has(desk.actor(id), "prone") for id in poisoned)
    # The same use from now on is another group: nothing is added to what was undone.
    undone = desk.cards("conditions")[-1].group
    desk.write("Actor.c", effects=())
    desk.write("Actor.c", by=None, cause=GROUP, effects=(plain("stunned", id="again"),))
    assert groups(desk)[-1] != undone


def test_a_use_that_comes_back_a_minute_later_is_another_area():
    desk = party()
    poisoned_by(desk, "Actor.a")
    desk.time(60)
    poisoned_by(desk, "Actor.b")
    assert len(set(groups(desk))) == 2


def test_damage_of_one_use_is_no_group():
    """BLO-2: whose hit points fall by one fire is Bloodied each for himself."""
    desk = party()
    for id in "ab":
        desk.hp(5, "spell", f"Actor.{id}", use="message1")
    assert len(set(decided(desk).values())) == 2


def test_only_so_many_uses_are_remembered():
    desk = party()
    for number in range(MOST_AREAS + 5):
        use = structs.replace(GROUP, use=f"message{number}")
        desk.write(by=None, cause=use, effects=(plain("poisoned", id=f"ray{number}"),))
    assert len(desk.world.memory.areas) == MOST_AREAS
    desk.start()
    assert list(desk.world.memory.areas)[-1] == f"message{MOST_AREAS + 4}"
