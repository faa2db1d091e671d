"""The one entry point: chains of consequences, modes, approval, what the cards are told."""

from collections.abc import Iterator

import pytest

from bridge.engine import events as e
from bridge.engine.changes import AskSave, Change, EndCondition, Post, Remember, SetCondition, SetHitPoints
from bridge.engine.conditions import Condition, Creature, Rulebook
from bridge.engine.decide import RulesDidNotSettle, decide
from tests.creatures import (
    BOOK,
    HOUR,
    creature,
    drinks,
    drunk,
    effect,
    has,
    level,
    passed_out,
    plain,
    play,
    posted,
    time_passes,
)


def toy(event, *changes, id="toy", **more):
    condition = Condition(id=id, name=id.capitalize(), summary="", levels=3, **more)
    condition.on(event, always=True)(lambda event, it: changes)
    return condition


def test_a_rule_sees_the_creature_as_the_rules_before_it_left_it():
    seen = []
    first = toy(e.Ate, SetCondition(condition="a", level=2), id="a")
    second = Condition(id="b", name="B", summary="")
    second.on(e.Ate, always=True)(lambda event, it: seen.append(it.level("a")) or [])
    decide(Rulebook([second, first]), creature(), [e.Ate()], 0)
    assert seen == [2]


def test_consequences_are_answered_in_turn():
    """Level 6 → Unconscious → Prone, in one decision."""
    decision = play(drunk(5), *drinks(0, 1), settings={"intoxicated.level-6": "at-once"})
    assert {"unconscious", "incapacitated", "prone"} <= {event.condition for event in decision.changed}


def test_what_moved_is_told_from_first_to_last_level():
    """CRD-1: "Several at once on one creature: one card"."""
    (change,) = [x for x in play(creature(), e.Drank(count=8)).changed if x.condition == "intoxicated"]
    assert (change.was, change.level, change.by) == (0, 4, e.RULE)


def test_what_comes_and_goes_again_is_not_told():
    back = Condition(id="back", name="Back", summary="")

    @back.on(e.ConditionChanged, always=True)
    def off(event, it):
        return [EndCondition(condition="back")] if event.level else []

    book = Rulebook([back, toy(e.Ate, SetCondition(condition="back"))])
    assert decide(book, creature(), [e.Ate()], 0).changed == ()


def test_every_line_names_its_condition_and_its_event():
    decision = play(creature(), *drinks(0, 1))
    assert {line.condition for line in decision.lines} == {"intoxicated"}
    assert {type(line.event) for line in decision.lines} <= {e.Drank, e.ConditionChanged}


def test_a_jump_is_judged_in_the_order_in_which_things_fall_due():
    """INT-9, TIM-1."""
    seen = []
    clock = Condition(id="clock", name="Clock", summary="")
    clock.due(lambda it, after: next((t for t in (10, 20, 35) if t > after), None))
    clock.on(e.FellDue, always=True)(lambda event, it: seen.append((event.at, it.now)) or [])
    decide(Rulebook([clock]), creature(), [time_passes(30)], 30)
    assert seen == [(10, 10), (20, 20)]


def test_what_falls_due_at_the_very_moment_counts_and_at_the_start_does_not():
    """INT-9: "An hour is [start, start + 3,600 s)"."""
    fed = play(drunk(3), e.Ate(at=0)).after
    assert level(play(fed, time_passes(HOUR)).after) == 2
    assert level(play(fed, time_passes(2 * HOUR, HOUR)).after) == 3


def test_the_turn_that_was_begun_is_stamped():
    """TIM-3: "nothing triggers for a turn that has begun before"."""
    after = play(drunk(6, combat="c"), e.TurnStarted(combat="c", round=4, turn=2)).after
    assert after.memory.turns == {"c": (4, 2)}


# Modes (rules, section 11).


def test_in_mode_remind_a_card_says_what_to_do():
    decision = play(creature(hp=5), e.HitPointsLost(amount=1, value=1), settings={"conditions.bloodied.mode": "remind"})
    assert not has(decision.after, "bloodied")
    (post,) = posted(decision, "proposal")
    assert "Bloodied" in post.say.text
    assert not post.buttons


def test_in_mode_remind_what_is_only_remembered_is_remembered_all_the_same():
    decision = play(creature(), *drinks(0), settings={"conditions.intoxicated.mode": "remind"})
    assert decision.after.memory.notes["intoxicated"]["drinks"] == [0]


def test_in_mode_ask_the_gm_approves_and_then_it_happens():
    settings = {"conditions.bloodied.mode": "ask"}
    asked = play(creature(hp=5), e.HitPointsLost(amount=1, value=1), settings=settings)
    (post,) = posted(asked, "proposal")
    assert [(b.id, b.who) for b in post.buttons] == [("approve", "gm"), ("refuse", "gm")]
    assert not has(asked.after, "bloodied")
    approved = play(asked.after, e.Pressed(button="approve", card="k", data=post.data), settings=settings)
    assert has(approved.after, "bloodied")


def test_approval_acts_on_the_creature_as_it_is_then():
    settings = {"conditions.bloodied.mode": "ask"}
    (post,) = posted(play(creature(hp=5), e.HitPointsLost(amount=1, value=1), settings=settings), "proposal")
    healed = play(creature(hp=15), e.Pressed(button="approve", card="k", data=post.data), settings=settings)
    assert not has(healed.after, "bloodied")


def test_what_follows_from_what_was_approved_is_not_asked_about_again():
    """INT-12, INT-13: the dice of the night are approved, the levels that they take and the waking with them."""
    settings = {"conditions.intoxicated.mode": "ask"}
    sleeper = passed_out(notes={"base": 6})
    woken = play(sleeper, e.DiceRolled(request="r", reason="intoxicated.rest", total=4), settings=settings)
    assert not posted(woken, "proposal")
    assert not has(woken.after, "unconscious")
    asked = play(drunk(5), *drinks(0, 0), settings=settings)
    (post,) = posted(asked, "proposal")
    approved = play(asked.after, e.Pressed(button="approve", card="k", data=post.data), settings=settings)
    assert [change.dc for change in approved.outputs if isinstance(change, AskSave)] == [10]


@pytest.mark.parametrize("data", [{"condition": "nonsense"}, {}])
def test_an_approval_of_nothing_known_does_nothing(data):
    actor = creature(hp=5)
    assert play(actor, e.Pressed(button="approve", card="k", data=data)).after == actor


@pytest.mark.parametrize("mode", ["remind", "ask"])
def test_refusals_are_posted_in_every_mode_but_off(mode):
    """BLD-7."""
    decision = play(
        creature(effect("bleeding")), e.HealingRefused(amount=3), settings={"conditions.bleeding.mode": mode}
    )
    assert posted(decision, "refused")


def test_a_rule_gives_no_condition_to_the_immune():
    """CMB-4: nor by a rule."""
    actor = creature(hp=5, condition_immunities=("bloodied",))
    assert not has(play(actor, e.HitPointsLost(amount=1, value=1)).after, "bloodied")


def test_nothing_happens_when_nothing_answers():
    decision = decide(BOOK, creature(plain("prone")), [e.Used(what="action")], 0)
    assert decision.lines == decision.changed == ()
    assert decision.after == decision.before


def test_outputs_are_in_the_order_of_the_rules():
    book = Rulebook([toy(e.Ate, Remember(condition="toy", notes={}), SetHitPoints(value=3), Post(kind="notice"))])
    assert [type(x) for x in decide(book, creature(), [e.Ate()], 0).outputs] == [Remember, SetHitPoints, Post]


def test_rules_that_feed_each_other_are_stopped():
    """Every chain of consequences ends, or is refused: it never hangs."""
    endless = Condition(id="endless", name="Endless", summary="", levels=2)

    @endless.on(e.ConditionChanged, always=True)
    def again(event: e.ConditionChanged, it: Creature) -> Iterator[Change]:
        if event.condition == "endless":
            yield SetCondition(condition="endless", level=3 - it.level("endless"))

    with pytest.raises(RulesDidNotSettle):
        decide(
            Rulebook([endless]),
            creature(effect("endless")),
            [e.ConditionChanged(condition="endless", was=0, level=1)],
            0,
        )
