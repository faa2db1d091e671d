"""Hands: a player's own hand (CMB-10)."""

import pytest
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.changes import Post, Tell, Use
from bridge.engine.state import Mark, Timer
from tests.creatures import creature, effect, has, kinds, level, play

POISON = effect("poisoned")


def put_on(by=e.PLAYER):
    return e.ConditionChanged(condition="poisoned", was=0, level=1, by=by, came=(POISON.id,))


def taken_off(by=e.PLAYER):
    return e.ConditionChanged(condition="poisoned", was=1, level=0, by=by, gone=(POISON,))


@pytest.mark.parametrize(("how", "stays"), [("accept", True), ("ask", False), ("put-back", False)])
def test_cmb_10_what_a_player_puts_on_is_accepted_asked_or_put_back(how, stays):
    decision = play(creature(POISON), put_on(), settings={"players.own-hand": how})
    assert has(decision.after, "poisoned") is stays


@pytest.mark.parametrize(("how", "back"), [("accept", False), ("ask", True), ("put-back", True)])
def test_cmb_10_what_a_player_takes_off(how, back):
    decision = play(creature(), taken_off(), settings={"players.own-hand": how})
    assert has(decision.after, "poisoned") is back


@pytest.mark.parametrize(("what", "before", "key"), [(put_on, (POISON,), "on"), (taken_off, (), "off")])
def test_cmb_10_the_gm_is_told_of_what_is_put_back(what, before, key):
    decision = play(creature(*before), what(), settings={"players.own-hand": "put-back"})
    (post,) = [change for change in decision.outputs if isinstance(change, Post)]
    assert (post.say.key, post.audience, post.buttons) == (f"own-hand-back-{key}", "gm", ())


def test_cmb_10_asked_and_approved_it_is_as_the_player_wanted():
    settings = {"players.own-hand": "ask"}
    asked = play(creature(), taken_off(), settings=settings)
    post = next(change for change in asked.outputs if isinstance(change, Post))
    assert [button.id for button in post.buttons] == ["approve", "refuse"]
    press = e.Pressed(button="approve", card="c", data=post.data)
    assert not has(play(asked.after, press, settings=settings).after, "poisoned")
    wish = play(creature(POISON), put_on(), settings=settings)
    post = next(change for change in wish.outputs if isinstance(change, Post))
    press = e.Pressed(button="approve", card="c", data=post.data)
    assert has(play(wish.after, press, settings=settings).after, "poisoned")


def test_cmb_3_what_is_put_back_leaves_nothing_behind():
    asleep = effect("unconscious", 1, "incapacitated")
    fell = e.ConditionChanged(condition="unconscious", was=0, level=1, by=e.PLAYER, came=(asleep.id,))
    decision = play(creature(asleep), fell, settings={"players.own-hand": "put-back"})
    assert decision.after.effects == ()
    assert has(play(creature(asleep), fell).after, "prone")


@pytest.mark.parametrize(("hp", "stays"), [(10, True), (11, False)])
def test_blo_5_what_derives_from_the_creature_is_nobodys_hand(hp, stays):
    """The system writes its Bloodied in the name of whoever moved the hit points."""
    blood = effect("bloodied")
    came = e.ConditionChanged(condition="bloodied", was=0, level=1, by=e.PLAYER, came=(blood.id,))
    decision = play(creature(blood, hp=hp), came, settings={"players.own-hand": "put-back"})
    assert has(decision.after, "bloodied") is stays


def test_cmb_10_a_gms_hand_is_never_put_back():
    decision = play(creature(), taken_off(e.GM), settings={"players.own-hand": "put-back"})
    assert not has(decision.after, "poisoned")


def test_cmb_10_with_gain_cards_off_the_gm_is_told_all_the_same():
    decision = play(creature(), taken_off(), settings={"cards.gain": "off"})
    assert [change.audience for change in decision.outputs if isinstance(change, Post)] == ["gm"]
    assert kinds(play(creature(), taken_off())) == []


def test_cmb_10_what_another_condition_implies_is_left_to_that_one():
    stunned = effect("stunned")
    implied = e.ConditionChanged(condition="incapacitated", was=0, level=1, by=e.PLAYER, implied=True)
    decision = play(creature(stunned), implied, settings={"players.own-hand": "put-back"})
    assert decision.lines == ()


def test_cmb_10_a_level_that_a_player_moves_is_put_back_and_asked_for_as_it_was_meant():
    settings = {"players.own-hand": "ask"}
    three, two = effect("intoxicated", 3), effect("intoxicated", 2)
    moved = e.ConditionChanged(condition="intoxicated", was=3, level=2, by=e.PLAYER, gone=(three,), came=(two.id,))
    asked = play(creature(two), moved, settings=settings)
    assert level(asked.after) == 3
    (post,) = [change for change in asked.outputs if isinstance(change, Post) and change.say]
    assert post.say.key == "own-hand-asks-on"
    approved = play(asked.after, e.Pressed(button="approve", card="c", data=post.data), settings=settings)
    assert level(approved.after) == 2


@pytest.mark.parametrize("to", [2, 0])
def test_cmb_10_what_is_put_back_restarts_no_clock(to):
    """INT-16 is the GM's."""
    notes = {"since": 5, "drinks": [5]}
    three = effect("intoxicated", 3)
    left = (effect("intoxicated", to),) if to else ()
    moved = e.ConditionChanged(
        at=900, condition="intoxicated", was=3, level=to, by=e.PLAYER, gone=(three,), came=tuple(x.id for x in left)
    )
    decision = play(creature(*left, notes=notes), moved, settings={"players.own-hand": "put-back"})
    assert level(decision.after) == 3
    assert decision.after.memory.notes["intoxicated"] == notes


def test_cmb_10_of_two_effects_only_the_one_that_was_taken_off_ends():
    settings = {"players.own-hand": "ask"}
    other = effect("poisoned", id="another0000000")
    gone = e.EffectsChanged(condition="poisoned", by=e.PLAYER, gone=(POISON,))
    asked = play(creature(other), gone, settings=settings)
    assert len(asked.after.effects) == 2
    (post,) = [change for change in asked.outputs if isinstance(change, Post)]
    assert post.say.key == "own-hand-asks-off"
    approved = play(asked.after, e.Pressed(button="approve", card="c", data=post.data), settings=settings)
    assert approved.after.effects == (other,)


@pytest.mark.parametrize("by", [e.GM, e.PLAYER])
def test_whoever_approves_is_not_asked_again(by):
    """Rules, section 11: "ask (the GM approves)"."""
    settings = {"conditions.bleeding.mode": "ask"}
    press = e.Pressed(button="allow", card="c", data={"refused": 4}, by=by)
    decision = play(creature(effect("bleeding"), hp=5), press, settings=settings)
    assert decision.after.hp.value == (9 if by == e.GM else 5)


def test_the_gm_may_say_no_and_the_question_is_answered():
    decision = play(creature(), e.Pressed(button="refuse", card="c"))
    assert [(u.card, u.button) for u in decision.outputs if isinstance(u, Use)] == [("c", "approve")]
    assert play(creature(), e.Pressed(button="water", card="c")).lines == ()


def test_cmb_8_what_the_gm_gives_is_given_and_what_the_gm_takes_is_taken():
    timer = Timer("seconds", 0, 60)
    given = e.Given(condition="frightened", level=1, source="Actor.b", timer=timer)
    (made,) = play(creature(), given).after.effects
    assert made.mark == Mark(source="Actor.b", timer=timer)
    assert play(creature(made), e.Given(condition="frightened", level=0)).after.effects == ()
    assert level(play(creature(), e.Given(condition="intoxicated", level=4)).after) == 4
    assert play(creature(), e.Given(condition="tired", level=1)).lines == ()


@pytest.mark.parametrize("effects", [(), (effect("petrified", 1, "incapacitated"),)])
def test_cmb_4_the_immune_are_given_nothing_unless_it_is_forced(effects):
    immunities = () if effects else ("poisoned",)
    actor = creature(*effects, condition_immunities=immunities)
    refused = play(actor, e.Given(condition="poisoned", level=1))
    assert refused.after == actor
    assert [change.code for change in refused.outputs if isinstance(change, Tell)] == ["immune"]
    forced = play(actor, e.Given(condition="poisoned", level=1, forced=True))
    assert has(forced.after, "poisoned")


@pytest.mark.parametrize(
    ("found", "stays"),
    [
        (effect("poisoned"), False),
        (effect("poisoned", 1, "blinded"), False),
        (effect("blinded", 1, "poisoned"), True),
        (effect("unconscious", 1, "poisoned"), True),
        (effect("poisoned", forced=True), True),
        (effect("poisoned", disabled=True), True),
        (structs.replace(effect("poisoned"), fixed=True), True),
        (effect("tired"), True),
    ],
)
def test_cmb_4_what_the_immune_have_gained_is_taken_off_and_told(found, stays):
    actor = creature(found, condition_immunities=("poisoned", "tired", "incapacitated"))
    for event in (
        e.Seen(),
        e.EffectsChanged(condition="poisoned"),
        e.ConditionChanged(condition="prone", was=0, level=1),
    ):
        decision = play(actor, event)
        assert bool(decision.after.effects) is stays
        assert [change.code for change in decision.outputs if isinstance(change, Tell)] == ([] if stays else ["immune"])
