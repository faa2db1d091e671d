"""From a decision to operations: each with what it expects to find, and nothing for what is there already."""

import pytest
from msgspec import structs

from bridge import protocol as p
from bridge.engine import events as e
from bridge.engine.decide import Decision
from bridge.engine.state import Effect, HitDice, Mark
from bridge.world.plan import effects, plan, same
from tests.creatures import BOOK, creature, drinks, drunk, effect, passed_out, plain, play


def ops(decision, shown=None, events=(), silent=False):
    return plan(BOOK, shown or decision.before, decision, events, 7, "j0", 0, silent=silent)


def to(before, after):
    return ops(Decision(before, after, ()))


def test_nothing_is_done_where_nothing_differs():
    actor = creature(effect("prone"))
    assert to(actor, actor) == ()


def test_a_new_effect_is_made_with_our_stamp():
    """Design, law 4: "each stamps the event's id on the document that it writes"."""
    (op,) = to(creature(), creature(effect("prone")))
    assert (op.effect, op.condition, op.there, op.was, op.mark.stamp) == ("dnd5eprone000000", "prone", False, None, 7)


def test_a_change_says_what_it_expects_to_find():
    before, after = effect("intoxicated", 2, stamp=3), effect("intoxicated", 3, stamp=3)
    (op,) = to(creature(before), creature(after))
    assert (op.there, op.was, op.mark.level) == (True, before.mark, 3)


def test_an_end_says_what_it_ends():
    (op,) = to(creature(plain("prone")), creature())
    assert (op.there, op.was, op.mark) == (True, None, None)


def test_statuses_of_the_system_are_switched():
    (on,) = to(creature(), creature(plain("stable")))
    assert on == p.SetStatus("stable", on=True)
    (off,) = to(creature(plain("stable")), creature())
    assert off == p.SetStatus("stable", on=False)


def test_hit_points_and_hit_dice_are_compared_before_they_are_set():
    before = creature(hp=5, hit_dice={"a": HitDice(1, 3), "b": HitDice(2, 2)})
    after = creature(hp=9, hit_dice={"a": HitDice(3, 3), "b": HitDice(2, 2)})
    dice, hp = to(before, after)
    assert dice == p.SetHitDice({"a": 1}, {"a": 3})
    assert hp == p.SetHitPoints(5, 9)


def test_concentration_is_ended():
    assert to(creature(concentrating=True), creature()) == (p.EndConcentration(),)


def test_a_correction_is_quiet_and_an_allowance_is_not():
    """BLD-10."""
    bleeding = creature(effect("bleeding"), hp=12)
    event = e.HitPointsRegained(
        amount=7, before=structs.replace(bleeding.hp, value=5), after=bleeding.hp, refused=7, cause="spell"
    )
    put_back = ops(play(bleeding, event))
    assert p.SetHitPoints(12, 5, quiet=True) in put_back
    allowed = ops(play(creature(hp=5), e.Pressed(button="allow", card="k", data={"refused": 7})))
    assert next(op for op in allowed if isinstance(op, p.SetHitPoints)).quiet is False
    assert p.UpdateCard in [type(op) for op in allowed]


def test_cards_and_requests_have_ids_that_derive_from_the_event():
    """Design, section 3: "a card's id derives from the event's"."""
    decision = play(drunk(5), *drinks(0, 1))
    first, again = ops(decision), ops(decision)
    assert first == again
    ids = [op.card.id for op in first if isinstance(op, p.PostCard | p.AskRoll)]
    assert len(ids) == len(set(ids)) == 2
    assert all(id.startswith("j0.7") for id in ids)


def test_a_roll_that_came_in_is_shown_on_its_card():
    event = e.Rolled(request="r", reason="intoxicated.blackout", total=4, success=False, dc=10)
    found = ops(play(drunk(6), event), events=(event,))
    (update,) = [op for op in found if isinstance(op, p.UpdateCard)]
    assert (update.card, update.stamp) == ("r", 7)
    assert "Failure" in update.outcome.text


def test_what_was_missed_is_a_card_of_its_own():
    """CMB-11."""
    event = e.Missed(lines=(("prone", "x"),))
    (post,) = ops(Decision(creature(), creature(), ()), events=(event,))
    assert post.card.kind == "summary"


def test_what_is_implied_is_part_of_its_parents_effect():
    """CMB-2."""
    (op,) = effects(BOOK, creature(), creature(effect("unconscious", 1, "incapacitated")), 7)
    assert (op.condition, op.statuses) == ("unconscious", ("unconscious", "incapacitated"))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"name": "x"}, True),
        ({"mark": Mark(level=3, stamp=9)}, True),
        ({"mark": Mark(level=4)}, False),
        ({"disabled": True}, False),
        ({"mark": None}, False),
    ],
)
def test_names_and_stamps_are_foundrys_all_else_is_ours(change, expected):
    one = Effect("a", ("intoxicated",), mark=Mark(level=3))
    assert same(one, structs.replace(one, **change)) is expected
    assert same(None, None)
    assert not same(one, None)


def test_waking_ends_one_effect_and_leaves_prone():
    """INT-12, CMB-3."""
    found = ops(play(passed_out(6), e.TimePassed(at=3600, since=0)))
    ends = [op.condition for op in found if isinstance(op, p.SetCondition) and op.mark is None]
    assert ends == ["unconscious"]
