"""Intoxicated: INT-1 to INT-18, as the rules say it."""

import pytest

from bridge.engine import events as e
from bridge.engine.changes import LoseAction, RollDice, SetHitDice
from bridge.engine.conditions import Creature
from bridge.engine.modifiers import Facts, evaluate, limits_on, speed_of
from bridge.engine.publish import publish, summary_of
from bridge.engine.state import Habits, HitDice, Memory, Timer
from bridge.rules import rulebook
from bridge.rules.intoxicated import threshold
from tests.creatures import (
    BOOK,
    HOUR,
    asked,
    by_gm,
    catalogue,
    creature,
    drinks,
    drunk,
    effect,
    has,
    house,
    level,
    passed_out,
    plain,
    play,
    posted,
    time_passes,
    told,
)

NIGHT = 8 * HOUR
CON = {-5: 1, -4: 3, -3: 5, -2: 7, -1: 9, 0: 10, 1: 12, 2: 14, 3: 16, 4: 18, 5: 20, 6: 22, 7: 24, 10: 30}


def needed(actor, settings=None):
    return threshold(Creature(actor, house(settings), 0))


def sleeps(actor, length=NIGHT, at=0, **more):
    return play(actor, e.RestFinished(at=at, kind="long", length=length, **more))


def rolled(success, at=0):
    return e.Rolled(at=at, request="r", reason="intoxicated.blackout", total=1, success=success, dc=10)


# Drinks.


@pytest.mark.parametrize(
    ("modifier", "expected"),
    [
        (-5, 2),
        (-4, 2),
        (-3, 2),
        (-2, 2),
        (-1, 2),
        (0, 2),
        (1, 3),
        (2, 3),
        (3, 4),
        (4, 4),
        (5, 5),
        (6, 5),
        (7, 6),
        (10, 7),
    ],
)
def test_the_threshold_follows_constitution(modifier, expected):
    """INT-1."""
    assert needed(creature(abilities={"con": CON[modifier]})) == expected


@pytest.mark.parametrize(("score", "expected"), [(11, 2), (13, 3), (15, 3), (17, 4), (19, 4), (21, 5)])
def test_odd_scores_count_as_the_even_ones_below(score, expected):
    """INT-1."""
    assert needed(creature(abilities={"con": score})) == expected


def test_base_and_minimum_are_settings():
    """INT-1, settings."""
    assert needed(creature(), {"intoxicated.base": 5}) == 5
    assert needed(creature(abilities={"con": 1}), {"intoxicated.minimum": 1}) == 1
    assert needed(creature(abilities={"con": 1}), {"intoxicated.minimum": 4}) == 4


@pytest.mark.parametrize(
    "more",
    [
        {"resistances": ("poison",)},
        {"habits": Habits(save_advantage=("poison",))},
        {"resistances": ("poison",), "habits": Habits(save_advantage=("poison",))},
    ],
)
def test_hardy_creatures_take_twice_as_many_never_four_times(more):
    """INT-2."""
    assert needed(creature(**more)) == 4


def test_other_resistances_double_nothing():
    """INT-2."""
    more = {"resistances": ("fire",), "habits": Habits(save_advantage=("charmed",))}
    assert needed(creature(**more)) == 2


def test_immunity_is_not_resistance():
    """INT-2."""
    assert needed(creature(immunities=("poison",))) == 2


def test_tolerance_is_added_after_doubling():
    """INT-3."""
    assert needed(creature(resistances=("poison",), habits=Habits(tolerance=3))) == 7


def test_however_little_it_holds_one_drink_is_needed():
    """INT-3."""
    assert needed(creature(habits=Habits(tolerance=-9))) == 1


def test_threshold_two_with_drinks_every_ten_minutes():
    """INT-4: "level 1 at minute 10, level 2 at minute 30"."""
    actor, found = creature(), []
    for event in drinks(0, 10, 20, 30):
        actor = play(actor, event).after
        found.append(level(actor))
    assert found == [0, 1, 1, 2]


@pytest.mark.parametrize(("gap", "expected"), [(3599, 1), (3600, 1), (3601, 0)])
def test_drinks_count_together_for_an_hour_both_ends_included(gap, expected):
    """INT-4."""
    assert level(play(creature(), e.Drank(at=0), e.Drank(at=gap)).after) == expected


def test_a_window_slides():
    """INT-4: any one hour, not the hours of the clock."""
    tough = creature(abilities={"con": 12})
    assert level(play(tough, *drinks(0, 50, 70, 100)).after) == 1
    assert level(play(tough, *drinks(0, 61, 122)).after) == 0


def test_drinks_are_used_up():
    """INT-4."""
    assert level(play(creature(), *drinks(0, 1, 2)).after) == 1
    assert level(play(creature(), *drinks(0, 1, 2, 3)).after) == 2


def test_drinks_told_in_the_wrong_order_count_all_the_same():
    """INT-4."""
    assert level(play(creature(), *drinks(30, 0), now=1800).after) == 1


def test_the_window_is_a_setting():
    """INT-4, setting."""
    assert level(play(creature(), *drinks(0, 20), settings={"intoxicated.window": 600}).after) == 0


@pytest.mark.parametrize(
    ("count", "strength", "expected"), [(1, 1, 0), (2, 1, 1), (1, 2, 1), (3, 1, 1), (2, 3, 3), (4, 3, 6), (1000, 1, 6)]
)
def test_one_event_may_carry_several_drinks_or_a_strength(count, strength, expected):
    """INT-5."""
    assert level(play(creature(), e.Drank(count=count, strength=strength)).after) == expected


def test_a_drink_at_the_top_only_restarts_the_sober_hour():
    """INT-5."""
    after = play(drunk(6), e.Drank(at=900)).after
    assert level(after) == 6
    assert after.memory.notes["intoxicated"]["since"] == 900
    assert not after.memory.notes["intoxicated"].get("drinks")


@pytest.mark.parametrize("more", [{"immunities": ("poison",)}, {"condition_immunities": ("poisoned",)}])
def test_for_the_immune_a_drink_does_nothing_and_its_card_offers_to_let_it_work(more):
    """INT-6."""
    decision = play(creature(**more), e.Drank(count=2))
    assert level(decision.after) == 0
    assert not decision.after.memory.notes
    (post,) = posted(decision)
    assert [(button.id, button.who) for button in post.buttons] == [("let-it-work", "owner")]


def test_let_it_work_makes_those_drinks_count():
    """INT-6."""
    immune = creature(immunities=("poison",))
    (post,) = posted(play(immune, e.Drank(count=2)))
    after = play(immune, e.Pressed(button="let-it-work", card="k", data=post.data)).after
    assert level(after) == 1


@pytest.mark.parametrize(("drink", "creature_"), [(True, False), (False, True)])
def test_the_immune_may_choose_to_get_drunk(drink, creature_):
    """INT-6: per drink or per creature."""
    immune = creature(immunities=("poison",), habits=Habits(willing=creature_))
    assert level(play(immune, e.Drank(count=2, willing=drink)).after) == 1


# What a level does.

PENALTIES = {
    "check.wis.insight": 1, "check.wis.perception": 1, "save.str": 2, "save.dex": 2, "save.con.concentration": 2,
    "check.str": 3, "check.dex.stealth": 3, "check.con": 3, "check.int": 3, "check.wis": 3, "initiative": 3,
    "attack.melee": 4, "attack.ranged": 4, "check.cha": 4, "check.cha.persuasion": 4,
}  # fmt: skip
NOTHING = ("save.con", "save.int", "save.wis", "save.cha", "save.death")


@pytest.mark.parametrize("at", range(1, 7))
def test_penalties_begin_at_their_level_and_are_the_level_once(at):
    """INT-7: "All levels up to the current one apply"; "An Insight check at level 3 takes −3, once."."""
    for roll, first in PENALTIES.items():
        gives = evaluate(catalogue(), drunk(at), roll, None, Facts()).gives
        assert gives == ({f"-{at}"} if at >= first else {"normal"}), roll
    for roll in NOTHING:
        assert evaluate(catalogue(), drunk(at), roll, None, Facts()).gives == {"normal"}, roll


@pytest.mark.parametrize(("at", "expected"), [(4, 35), (5, 17), (6, 17)])
def test_speed_is_halved_from_level_five(at, expected):
    """INT-7: "halved (rounded down …)"."""
    assert speed_of(catalogue(), drunk(at, speed=35)) == expected


def test_speed_is_halved_after_exhaustion_took_its_feet():
    """INT-7: "after flat reductions such as Exhaustion's"."""
    assert speed_of(catalogue(), drunk(5, effect("exhaustion", 1), speed=30)) == 12


@pytest.mark.parametrize("at", [4, 5, 6])
def test_concentration_ends_and_cannot_start_from_level_five(at):
    """INT-7."""
    reached = play(
        drunk(at, concentrating=True), e.ConditionChanged(condition="intoxicated", was=at - 1, level=at, by=e.RULE)
    ).after
    begun = play(drunk(at, concentrating=True), e.ConcentrationBegan()).after
    assert reached.concentrating is begun.concentrating is (at < 5)
    assert any(limits.concentration for _, limits in limits_on(catalogue(), drunk(at))) is (at >= 5)


@pytest.mark.parametrize("at", range(1, 7))
def test_drink_makes_brave_and_hard_to_intimidate(at):
    """INT-8."""
    assert evaluate(catalogue(), drunk(at), "save.wis.vs-frightened", None, Facts()).gives == {f"+{at}"}
    assert evaluate(catalogue(), creature(), "check.cha.intimidation", drunk(at), Facts()).difficulty == at
    assert evaluate(catalogue(), creature(), "check.cha.persuasion", drunk(at), Facts()).difficulty == 0


# Sober hours.


@pytest.mark.parametrize(
    ("meal", "to", "expected"),
    [
        (None, 5 * HOUR, 3),
        (0, HOUR - 1, 3),
        (0, HOUR, 2),
        (HOUR - 1, HOUR, 2),
        (HOUR, HOUR, 3),
        (HOUR, 2 * HOUR, 2),
        (1800, 5 * HOUR, 2),
    ],
)
def test_a_full_hour_with_food_takes_a_level(meal, to, expected):
    """INT-9: "An hour is [start, start + 3,600 s): food at the very boundary belongs to the next."."""
    actor = drunk(3)
    if meal is not None:
        actor = play(actor, e.Ate(at=meal)).after
    assert level(play(actor, time_passes(to, meal or 0)).after) == expected


def test_food_in_several_hours_takes_several_levels():
    """INT-9."""
    actor = drunk(3)
    for hour in range(3):
        actor = play(actor, e.Ate(at=hour * HOUR + 60)).after
        actor = play(actor, time_passes((hour + 1) * HOUR, hour * HOUR + 60)).after
    assert level(actor) == 0


def test_two_meals_in_one_hour_take_one_level():
    """INT-9."""
    actor = play(drunk(3), e.Ate(at=60), e.Ate(at=120, what="water")).after
    assert level(play(actor, time_passes(3 * HOUR, 120)).after) == 2


def test_an_hour_unconscious_takes_a_level():
    """INT-9: "unconscious at that moment"."""
    sleeper = drunk(3, plain("unconscious", "incapacitated"))
    assert level(play(sleeper, time_passes(2 * HOUR)).after) == 1
    assert level(play(sleeper, time_passes(3 * HOUR)).after) == 0


def test_a_jump_of_several_hours_is_judged_hour_by_hour():
    """INT-9, INT-12: falling below 6 wakes it, and the hours after that pass without effect."""
    after = play(passed_out(), time_passes(5 * HOUR)).after
    assert level(after) == 5
    assert not has(after, "unconscious")
    assert has(after, "prone")


def test_a_jump_of_centuries_costs_levels_not_hours():
    """INT-9."""
    sleeper = drunk(6, plain("unconscious", "incapacitated"))
    assert level(play(sleeper, time_passes(500 * 365 * 24 * HOUR)).after) == 0
    assert level(play(drunk(6), time_passes(500 * 365 * 24 * HOUR)).after) == 6


def test_the_clock_starts_at_the_last_drink():
    """INT-9."""
    actor = play(drunk(3), e.Ate(at=60), e.Drank(at=1800)).after
    assert level(play(actor, time_passes(HOUR, 1800)).after) == 3
    fed = play(actor, e.Ate(at=2000)).after
    assert level(play(fed, time_passes(HOUR + 1799, 2000)).after) == 3
    assert level(play(fed, time_passes(HOUR + 1800, 2000)).after) == 2


def test_news_of_a_meal_that_comes_late_still_counts_in_its_hour():
    """INT-9: "food or water counts in the hour in which it was taken"."""
    late = play(drunk(3), e.Ate(at=60), now=2 * HOUR).after
    assert level(late) == 2
    assert level(play(late, e.Ate(at=90), now=2 * HOUR).after) == 2


def test_one_first_seen_with_a_level_starts_its_clock_then():
    """INT-9, CMB-12: stamps of another world keep the level and restart the clock."""
    fresh = play(creature(effect("intoxicated", 4)), e.Seen(at=500)).after
    foreign = play(drunk(4, since=7, saves=2), e.Seen(at=500, foreign=True)).after
    for actor in (fresh, foreign):
        assert level(actor) == 4
        assert actor.memory.notes["intoxicated"]["since"] == 500
    assert foreign.memory.notes["intoxicated"]["saves"] == 2


def test_one_seen_before_keeps_its_clock():
    """INT-9."""
    assert play(drunk(4, since=7), e.Seen(at=500)).after.memory.notes["intoxicated"]["since"] == 7


def test_the_sober_hour_is_a_setting():
    """INT-9, setting."""
    fed = play(drunk(3), e.Ate(at=0)).after
    assert level(play(fed, time_passes(600), settings={"intoxicated.sober-hour": 600}).after) == 2


# Level 6.


@pytest.mark.parametrize(("saves", "dc"), [(0, 10), (1, 15), (2, 20), (5, 35)])
def test_a_turn_at_level_six_asks_for_a_save(saves, dc):
    """INT-10: "DC 10 + 5 × (saves already made …)"."""
    (ask,) = asked(play(drunk(6, saves=saves, combat="c"), e.TurnStarted(combat="c", round=1, turn=0)))
    assert (ask.ability, ask.dc) == ("con", dc)


def test_dc_and_step_are_settings():
    """INT-10, settings."""
    (ask,) = asked(
        play(
            drunk(6, saves=2, combat="c"),
            e.TurnStarted(combat="c", round=1, turn=0),
            settings={"intoxicated.dc": 8, "intoxicated.dc-step": 2},
        )
    )
    assert ask.dc == 12


@pytest.mark.parametrize(
    "actor", [drunk(5, combat="c"), passed_out(combat="c"), drunk(6, plain("unconscious"), combat="c")]
)
def test_below_six_or_unconscious_it_is_not_asked(actor):
    """INT-10."""
    assert not asked(play(actor, e.TurnStarted(combat="c", round=1, turn=0)))


def test_failure_knocks_it_out_and_takes_the_memory_of_an_hour():
    """INT-10."""
    decision = play(drunk(6), rolled(success=False))
    assert has(decision.after, "unconscious")
    assert has(decision.after, "incapacitated")
    assert has(decision.after, "prone")
    assert level(decision.after) == 6
    assert "remember" in posted(decision, "blackout")[0].say.text
    assert decision.after.memory.notes["intoxicated"]["saves"] == 1


def test_success_takes_its_action_and_one_level():
    """INT-10."""
    started = play(drunk(6, combat="c"), e.TurnStarted(combat="c", round=2, turn=0)).after
    decision = play(started, rolled(success=True))
    assert level(decision.after) == 5
    assert LoseAction(combat="c", round=2) in decision.outputs
    (retching,) = posted(decision)
    assert (retching.kind, retching.say.key, retching.say.condition) == ("conditions", "retching", "intoxicated")
    assert not has(decision.after, "unconscious")


def test_out_of_combat_success_takes_only_the_level():
    """INT-10."""
    decision = play(drunk(6), rolled(success=True))
    assert level(decision.after) == 5
    assert LoseAction not in [type(change) for change in decision.outputs]


@pytest.mark.parametrize("actor", [drunk(5), passed_out()])
def test_a_roll_that_comes_too_late_does_nothing(actor):
    """INT-10."""
    assert play(actor, rolled(success=False)).after == actor


def test_out_of_combat_the_save_is_asked_as_soon_as_six_is_reached_and_each_time():
    """INT-10: "again each time it is reached anew"."""
    first = play(drunk(5), *drinks(0, 1))
    assert [ask.dc for ask in asked(first)] == [10]
    down = play(first.after, rolled(success=True, at=120)).after
    again = play(down, *drinks(3, 4))
    assert [ask.dc for ask in asked(again)] == [15]


def test_a_drink_that_stays_at_six_asks_nothing():
    """INT-10."""
    assert not asked(play(drunk(6), *drinks(0, 1)))


def test_in_combat_reaching_six_waits_for_the_turn():
    """INT-10."""
    assert not asked(play(drunk(5, combat="c"), *drinks(0, 1)))


@pytest.mark.parametrize("ended", [True, False])
def test_one_that_is_conscious_at_six_when_its_combat_ends_is_asked_then(ended):
    """INT-10: "Leaving a running combat counts as its end."."""
    assert len(asked(play(drunk(6), e.CombatLeft(combat="c", ended=ended)))) == 1
    assert not asked(play(passed_out(), e.CombatLeft(combat="c", ended=ended)))
    assert not asked(play(drunk(5), e.CombatLeft(combat="c", ended=ended)))
    assert not asked(play(drunk(6, combat="other"), e.CombatLeft(combat="c", ended=ended)))


def test_set_to_six_by_hand_it_is_asked_out_of_combat_only():
    """INT-10."""
    assert len(asked(play(creature(effect("intoxicated", 6)), by_gm("intoxicated", 0, 6)))) == 1
    assert not asked(play(creature(effect("intoxicated", 6), combat="c"), by_gm("intoxicated", 0, 6)))


def test_one_seen_for_the_first_time_or_woken_by_hand_is_not_asked():
    """INT-10."""
    assert not asked(play(creature(effect("intoxicated", 6)), e.Seen()))
    assert not asked(play(drunk(6), by_gm("unconscious", 1, 0)))


def test_unconscious_at_once_where_the_house_says_so():
    """INT-10, setting."""
    decision = play(drunk(5), *drinks(0, 1), settings={"intoxicated.level-6": "at-once"})
    assert has(decision.after, "unconscious")
    assert not asked(decision)
    assert not posted(decision, "blackout")


def test_the_count_of_saves_stays_until_level_zero():
    """INT-11."""
    fed = play(drunk(1, saves=3), e.Ate(at=0)).after
    assert play(drunk(2, saves=3), e.Drank(at=5)).after.memory.notes["intoxicated"]["saves"] == 3
    sober = play(fed, time_passes(HOUR)).after
    assert level(sober) == 0
    assert not (sober.memory.notes.get("intoxicated") or {}).get("saves")


def test_falling_below_six_ends_its_own_unconscious_and_no_other():
    """INT-12, CMB-3."""
    after = play(passed_out(5), by_gm("intoxicated", 6, 5)).after
    assert not has(after, "unconscious")
    assert has(after, "prone")
    both = play(
        drunk(
            5,
            effect("unconscious", 1, "incapacitated", cause="intoxicated"),
            plain("unconscious", "incapacitated", id="spell"),
        ),
        by_gm("intoxicated", 6, 5),
    ).after
    assert has(both, "unconscious")
    assert len(both.effects) == 2


# Rests.


def test_a_long_rest_clears_everything():
    """INT-13."""
    after = sleeps(drunk(5, saves=2, notes={"drinks": [0], "fed": 0})).after
    assert level(after) == 0
    assert "intoxicated" not in after.memory.notes


def test_a_long_rest_clears_the_drinks_of_a_sober_creature_too():
    """INT-13: "drinks and counters cleared"."""
    one = play(creature(), *drinks(0)).after
    assert level(play(sleeps(one).after, *drinks(1)).after) == 0


def test_a_short_rest_has_no_rule_of_its_own():
    """INT-14."""
    assert level(play(drunk(5), e.RestFinished(kind="short", length=HOUR)).after) == 5


@pytest.mark.parametrize(("die", "expected"), [(3, 3), (4, 2), (5, 1), (6, 0)])
def test_one_that_slept_it_off_loses_what_the_dice_say(die, expected):
    """INT-13: "it loses 1d4 + 2 levels instead (rolled in the open), and regains no Hit Dice"."""
    dice = {"fighter": HitDice(3, 3)}
    actor = passed_out(hit_dice=dice, notes={"out": -60})
    rest = sleeps(actor, hit_dice_before={"fighter": HitDice(1, 3)})
    assert level(rest.after) == 6
    assert [change.formula for change in rest.outputs if isinstance(change, RollDice)] == ["1d4 + 2"]
    assert SetHitDice in [type(change) for change in rest.outputs]
    assert rest.after.hit_dice["fighter"].left == 1
    after = play(rest.after, e.DiceRolled(request="r", reason="intoxicated.rest", total=die)).after
    assert level(after) == expected
    assert not has(after, "unconscious")


def test_dice_of_no_rest_take_nothing():
    """INT-13."""
    assert level(play(drunk(6), e.DiceRolled(request="r", reason="intoxicated.rest", total=6)).after) == 6


def test_the_same_rest_told_twice_counts_once():
    """INT-13."""
    first = sleeps(passed_out(notes={"out": -60}))
    second = play(first.after, e.RestFinished(kind="long", length=NIGHT))
    assert told(second)
    assert RollDice not in [type(change) for change in second.outputs]


@pytest.mark.parametrize("clock_first", [True, False])
def test_the_hours_of_a_rest_belong_to_the_rest_whichever_message_comes_first(clock_first):
    """INT-14."""
    actor = passed_out(notes={"out": -60})
    clock = time_passes(NIGHT)
    rest = e.RestFinished(at=NIGHT if clock_first else 0, kind="long", length=NIGHT)
    dice = e.DiceRolled(at=NIGHT, request="r", reason="intoxicated.rest", total=3)
    for event in (clock, rest, dice) if clock_first else (rest, clock, dice):
        actor = play(actor, event).after
    assert level(actor) == 3
    assert not has(actor, "unconscious")


# Hands, clocks and death.


def test_a_clock_set_back_undoes_nothing_and_leaves_nothing_in_the_future():
    """INT-15."""
    actor = drunk(3, since=9000, notes={"drinks": [8000, 9000], "fed": 9500, "out": 9600})
    after = play(actor, e.ClockSetBack(at=8500, since=10_000)).after
    assert level(after) == 3
    notes = after.memory.notes["intoxicated"]
    assert (notes["drinks"], notes["since"], notes["fed"], notes["out"]) == ([8000, 8500], 8500, 8500, 8500)


def test_a_level_set_by_hand_restarts_clocks_and_forgets_drinks():
    """INT-16."""
    actor = drunk(4, since=100, notes={"drinks": [100], "fed": 100})
    after = play(actor, by_gm("intoxicated", 3, 4, at=500)).after
    assert after.memory.notes["intoxicated"] == {"since": 500, "needed": 2}
    assert level(play(after, e.Drank(at=500)).after) == 4


@pytest.mark.parametrize("by", [e.GM, e.PLAYER, e.SYSTEM])
def test_level_zero_by_hand_clears_everything(by):
    """INT-16."""
    actor = creature(notes={"since": 5, "saves": 3, "drinks": [5]})
    after = play(actor, e.ConditionChanged(condition="intoxicated", was=3, level=0, by=by)).after
    assert "intoxicated" not in after.memory.notes


def test_a_rise_offers_water_on_its_card():
    """INT-17: "a button on the card"."""
    decision = play(creature(), *drinks(0, 1))
    assert [(b.id, b.who) for post in posted(decision) for b in post.buttons] == [("water", "owner")]


def test_death_clears_it():
    """INT-18."""
    after = play(passed_out(), e.ConditionChanged(condition="dead", was=0, level=1)).after
    after_dead = play(drunk(3, plain("dead"), saves=2), e.ConditionChanged(condition="dead", was=0, level=1)).after
    assert level(after) == level(after_dead) == 0
    assert "intoxicated" not in after_dead.memory.notes
    assert not has(after, "unconscious")


@pytest.mark.parametrize(
    "event",
    [
        e.Drank(count=4),
        e.Ate(),
        time_passes(NIGHT),
        e.RestFinished(kind="long", length=NIGHT),
        rolled(success=False),
        e.Seen(),
    ],
)
def test_switched_off_nothing_happens(event):
    """INT, off."""
    actor = passed_out() if isinstance(event, e.TimePassed) else drunk(6)
    decision = play(actor, event, settings={"conditions.intoxicated.mode": "off"})
    assert level(decision.after) == 6
    assert decision.after.memory.notes == actor.memory.notes


def test_what_a_hand_wrote_into_its_notes_is_never_fought():
    """CMB-8."""
    actor = creature(memory=Memory(notes={"intoxicated": "nonsense"}))
    assert level(play(actor, *drinks(0, 1)).after) == 1


@pytest.mark.parametrize("at", range(1, 7))
def test_its_summary_names_its_number(at):
    """CRD-1: "a summary in our words … with its numbers"."""
    entry = next(entry for entry in catalogue().conditions if entry.id == "intoxicated")
    assert f"−{at}" in entry.levels[at - 1].summary
    assert f"+{at}" in entry.levels[at - 1].summary


def test_book_knows_six_levels():
    """INT-7."""
    assert BOOK.conditions["intoxicated"].levels == 6


def test_words_of_drinks_are_a_setting():
    """INT-17, INT-5."""
    known = {entry.id: entry for entry in publish(rulebook(), None).conditions}
    assert known["intoxicated"].items["ale"] == 1
    drinks = {"intoxicated.drinks": ["Dwarven spirits 3", "fizz"]}
    theirs = {entry.id: entry for entry in publish(rulebook(drinks), None).conditions}
    assert theirs["intoxicated"].items == {"dwarven spirits": 3, "fizz": 1}


def test_a_table_with_children_has_words_of_its_own():
    """Settings."""
    family = {"intoxicated.words": "family"}
    book = rulebook(family)
    assert book.conditions["intoxicated"].name == "Giddy"
    assert "falls asleep" in summary_of(book, "intoxicated", 6)
    decision = play(drunk(6), rolled(success=False), settings=family)
    said = [change.say.text for change in decision.outputs if getattr(change, "say", None)]
    assert said == ["It falls asleep, and will not remember the last hour."]
    started = play(drunk(6, combat="c"), e.TurnStarted(combat="c", round=2, turn=0), settings=family).after
    (hiccups,) = posted(play(started, rolled(success=True), settings=family))
    assert (hiccups.kind, hiccups.say.key, hiccups.say.condition) == ("conditions", "hiccups", "intoxicated")
    assert rulebook().conditions["intoxicated"].name == "Intoxicated"


@pytest.mark.parametrize("type", ["vehicle", "group"])
def test_a_ship_does_not_drink(type):
    """CMB-9, INT-17."""
    decision = play(creature(type=type), e.Drank(at=0, count=9))
    assert [tell.code for tell in told(decision)] == ["not-allowed"]
    assert decision.after.memory.notes == {}


def test_int_10_at_once_a_turn_at_six_knocks_out_whom_a_hand_has_woken():
    turn = e.TurnStarted(at=0, combat="c", round=1, turn=0)
    after = play(drunk(6), turn, settings={"intoxicated.level-6": "at-once"})
    assert has(after.after, "unconscious")
    assert asked(after) == []


def test_tim_3_of_several_turns_at_six_one_save_is_asked_and_its_card_says_how_many():
    (ask,) = asked(play(drunk(6), e.TurnStarted(at=0, combat="c", round=4, turn=0, passed=2)))
    assert ask.say.key == "blackout-save-late"
    assert ask.say.text.endswith("(3 turns have passed.)")
    assert ask.say.data == {"dc": 10, "turns": 3}
    (one,) = asked(play(drunk(6), e.TurnStarted(at=0, combat="c", round=4, turn=0)))
    assert one.say.key == "blackout-save"


def test_int_13_a_night_whose_hours_made_it_sober_clears_the_rest():
    """INT-14: what is left of the hours is kept until the rest is told, and no longer."""
    sober = creature(notes={"hours": [[HOUR, 1, False]], "since": 0})
    assert sleeps(sober, at=NIGHT).after.memory.notes == {}


def test_int_18_death_takes_the_drinks_of_the_sober():
    dead = e.ConditionChanged(at=9, condition="dead", was=0, level=1)
    assert play(creature(plain("dead"), notes={"drinks": [5], "since": 5}), dead).after.memory.notes == {}
    alive = e.ConditionChanged(at=9, condition="dead", was=1, level=0)
    assert play(creature(notes={"drinks": [5], "since": 5}), alive).after.memory.notes != {}


def test_int_15_a_drink_of_before_counts_again_when_the_clock_is_set_back_to_it():
    after = play(creature(), *drinks(0, 120)).after
    back = play(after, e.ClockSetBack(at=HOUR, since=2 * HOUR), now=HOUR).after
    assert level(play(back, *drinks(60)).after) == 1
    assert play(back, *drinks(60)).after.memory.notes["intoxicated"]["drinks"] == [HOUR]


def test_what_is_remembered_of_slow_drinkers_is_bounded():
    after = play(creature(), *drinks(*range(0, 100 * 61, 61))).after
    assert len(after.memory.notes["intoxicated"]["drinks"]) == 64


@pytest.mark.parametrize("ends", [HOUR - 9, HOUR])
def test_int_9_what_else_falls_due_is_no_hour_without_food(ends):
    poison = effect("poisoned", timer=Timer("seconds", 0, ends))
    decision = play(drunk(3, poison), time_passes(HOUR))
    assert not has(decision.after, "poisoned")
    assert level(decision.after) == 3
    fed = play(drunk(3, poison, notes={"fed": 5}), time_passes(HOUR))
    assert level(fed.after) == 2


def test_one_whose_clock_is_known_is_left_as_it_is():
    known = play(drunk(3), e.Seen(at=50)).after
    assert play(known, e.Seen(at=900)).lines == ()


def test_int_13_a_night_clears_a_level_of_which_nothing_is_remembered():
    decision = sleeps(creature(effect("intoxicated", 3)), at=NIGHT)
    assert level(decision.after) == 0
    assert decision.after.memory.notes == {}
