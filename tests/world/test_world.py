"""One world without I/O: what pictures and happenings come to, and what a start, a gap and a refusal leave."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from bridge import protocol as p
from bridge.engine.apply import static_id
from bridge.engine.state import Actor, Effect, HitDice, HitPoints, Mark, Memory
from bridge.rules import rulebook
from bridge.world import World
from tests.creatures import HOUR, creature, drunk, effect, has, level, passed_out, plain
from tests.desk import GM, PLAYER, Desk
from tests.engine.test_laws import actors

BLEEDING = effect("bleeding")


def without(actor, status):
    return tuple(x for x in actor.effects if status not in x.statuses)


# What the rules say, seen from Foundry.


def test_a_heal_that_slips_through_is_put_back_and_told_once():
    """BLD-10, BLD-7."""
    desk = Desk(creature(BLEEDING, hp=5))
    desk.hp(12, "spell", label="Cure Wounds")
    assert desk.actor().hp.value == 5
    (card,) = desk.cards("refusal")
    assert card.data["refused"] == 7


@pytest.mark.parametrize("cause", ["hit-die", "long-rest", "gm-edit", "allow"])
def test_what_is_granted_stays(cause):
    """BLD-2, BLD-8."""
    desk = Desk(creature(BLEEDING, hp=5))
    desk.hp(12, cause)
    assert desk.actor().hp.value == 12
    assert desk.cards("refusal") == []


def test_allow_grants_once_however_often_it_is_pressed():
    """BLD-7, CRD-4."""
    desk = Desk(creature(BLEEDING, hp=5))
    desk.happen(p.Refused, amount=7, cause=p.Cause("spell"))
    desk.press("allow")
    desk.press("allow")
    assert desk.actor().hp.value == 12
    assert desk.codes() == ["already-done"]


def test_allow_works_after_the_bridge_has_lost_its_store():
    """CRD-4: "also after a reload"."""
    desk = Desk(creature(BLEEDING, hp=5))
    desk.happen(p.Refused, amount=7, cause=p.Cause("spell"))
    desk.start(rows=False)
    desk.press("allow")
    assert desk.actor().hp.value == 12


def test_the_use_of_an_activity_may_raise_the_maximum_first():
    """BLD-4: the system's Aid is an effect and a healing apart."""
    desk = Desk(creature(BLEEDING, hp=5))
    desk.hp(5, "spell", use="u1", tempmax=5)
    desk.hp(10, "spell", use="u1")
    assert desk.actor().hp.value == 10
    desk.hp(12, "spell", use="u1")
    desk.hp(15, "spell", use="u2")
    assert desk.actor().hp.value == 10


def test_bleeding_that_starts_with_the_healing_is_judged_by_what_was_there_before():
    """BLD-11: order of arrival decides."""
    desk = Desk(creature(hp=5))
    desk.write(hp=HitPoints(12, 20), effects=(BLEEDING,), cause=p.Cause("spell"))
    assert desk.actor().hp.value == 12
    desk.write(hp=HitPoints(15, 20), effects=(), cause=p.Cause("spell"))
    assert desk.actor().hp.value == 12


@pytest.mark.parametrize(("left", "kind"), [(3, "long"), (2, "short")])
def test_hit_points_and_hit_dice_restored_in_one_change_are_a_rest(left, kind):
    """BLD-12: "The GM is told once."."""
    actor = drunk(3, BLEEDING, hp=5, hit_dice={"fighter": HitDice(1, 3)})
    desk = Desk(actor)
    value = 20 if kind == "long" else 12
    desk.write(hp=HitPoints(value, 20), hit_dice={"fighter": HitDice(left, 3)})
    assert desk.actor().hp.value == value
    assert level(desk.actor()) == (0 if kind == "long" else 3)
    told = [line for card in desk.cards() for line in card.lines if line.key == f"silent-{kind}-rest"]
    assert len(told) == 1


def test_bloodied_comes_and_goes_without_a_card():
    """BLO-1, CRD-1."""
    desk = Desk(creature(hp=20))
    for value, expected in ((11, False), (10, True), (0, True), (10, True), (11, False)):
        desk.hp(value)
        assert has(desk.actor(), "bloodied") is expected
    assert [card.kind for card in desk.cards()] == ["summary"]


def test_bloodied_taken_off_by_hand_stays_off_until_hit_points_change():
    """CMB-8."""
    desk = Desk(creature(hp=3))
    desk.write(effects=without(desk.actor(), "bloodied"))
    desk.start()
    desk.start(rows=False)
    assert not has(desk.actor(), "bloodied")
    desk.hp(2)
    assert has(desk.actor(), "bloodied")


def test_where_the_systems_own_bloodied_is_on_ours_stands_aside():
    """BLO-5, CMB-7."""
    desk = Desk(creature(hp=20))
    desk.table = p.Table("w", native_bloodied=True)
    desk.start()
    desk.hp(3)
    assert not has(desk.actor(), "bloodied")


def test_drinks_by_happening_and_a_clock_that_moves():
    """INT-4, INT-9."""
    desk = Desk(creature())
    for _ in range(4):
        desk.happen(p.Drank)
    assert level(desk.actor()) == 2
    desk.time(HOUR)
    assert level(desk.actor()) == 2
    desk.happen(p.Ate)
    desk.time(HOUR)
    assert level(desk.actor()) == 1


# https://github.com/sdenec/tidy5e-sheet/issues/528
def test_what_the_gm_switches_off_is_off_at_once_and_what_is_on_goes_on():
    desk = Desk(creature(hp=20))
    desk.happen(p.Drank, count=4)
    assert level(desk.actor()) == 2
    desk.world.use(rulebook({"conditions.intoxicated.mode": "off"}))
    desk.happen(p.Drank, count=4)
    desk.happen(p.Ate, what="food")
    desk.time(HOUR)
    desk.happen(p.RestFinished, kind="long", length=8 * HOUR)
    assert level(desk.actor()) == 2
    desk.hp(5)
    assert has(desk.actor(), "bloodied")
    desk.world.use(rulebook())
    desk.happen(p.Drank, count=2)
    assert level(desk.actor()) == 3


def test_the_save_at_level_six_goes_from_turn_to_faint_to_waking():
    """INT-10, INT-11, INT-12."""
    desk = Desk(drunk(6, since=1_000_000), structs.replace(creature(), id="Actor.b"))
    desk.combat(1, 0, "a", "b")
    (request,) = desk.foundry.asked
    assert desk.foundry.asked[request].dc == 10
    desk.foundry.roll(request, 10)
    desk.settle()
    assert level(desk.actor()) == 5
    assert desk.actor().memory.lost == ("c", 1)
    desk.write(effects=(*without(desk.actor(), "intoxicated"), effect("intoxicated", 6)))
    desk.combat(1, 1, "a", "b")
    desk.combat(2, 0, "a", "b")
    (request,) = desk.foundry.asked
    assert desk.foundry.asked[request].dc == 15
    desk.foundry.roll(request, 14)
    desk.settle()
    assert has(desk.actor(), "unconscious")
    assert has(desk.actor(), "prone")
    desk.combat(2, 1, "a", "b")
    desk.combat(3, 0, "a", "b")
    assert not desk.foundry.asked
    desk.time(HOUR)
    assert level(desk.actor()) == 5
    assert not has(desk.actor(), "unconscious")
    assert has(desk.actor(), "prone")


def test_a_turn_that_has_begun_before_asks_nothing_also_without_the_store():
    """TIM-3."""
    desk = Desk(drunk(6, since=1_000_000), structs.replace(creature(), id="Actor.b"))
    desk.combat(1, 0, "a", "b")
    desk.combat(1, 1, "a", "b")
    desk.combat(1, 0, "a", "b")
    desk.start(rows=False)
    desk.combat(1, 1, "a", "b")
    desk.combat(1, 0, "a", "b")
    assert len(desk.foundry.asked) == 1


def test_one_that_is_conscious_at_six_when_its_combat_ends_is_asked():
    """INT-10."""
    desk = Desk(drunk(5, since=1_000_000), structs.replace(creature(), id="Actor.b"))
    desk.combat(1, 1, "a", "b")
    desk.happen(p.Drank, count=2)
    assert not desk.foundry.asked
    desk.end_combat()
    assert len(desk.foundry.asked) == 1


def test_a_night_at_level_six_rolls_dice_in_the_open():
    """INT-13."""
    desk = Desk(passed_out(since=1_000_000, notes={"out": 999_000}))
    desk.happen(p.RestFinished, kind="long", length=8 * HOUR)
    (request,) = desk.foundry.rolling
    desk.foundry.dice(request, 5)
    desk.settle()
    assert level(desk.actor()) == 1
    assert not has(desk.actor(), "unconscious")


def test_a_level_set_by_hand_forgets_drinks():
    """INT-16."""
    desk = Desk(creature())
    desk.happen(p.Drank)
    desk.write(effects=(Effect(static_id("intoxicated"), ("intoxicated",), mark=Mark(level=3)),))
    desk.happen(p.Drank)
    assert level(desk.actor()) == 3


def test_prone_that_foundry_leaves_behind_itself_is_there_once():
    """CMB-3."""
    desk = Desk(drunk(6, since=1_000_000))
    desk.foundry.riders = True
    desk.write(effects=(*without(desk.actor(), "intoxicated"), effect("intoxicated", 5)))
    desk.happen(p.Drank, count=2)
    desk.foundry.roll(next(iter(desk.foundry.asked)), 1)
    desk.settle()
    assert sum("prone" in x.statuses for x in desk.actor().effects) == 1


# First sight, gaps and other worlds.


def test_first_sight_is_silent_and_ends_with_one_summary():
    """CMB-11."""
    desk = Desk(creature(effect("intoxicated", 3), hp=5), structs.replace(creature(), id="Actor.b", name="Wulf"))
    assert has(desk.actor(), "bloodied")
    (card,) = desk.cards()
    assert (card.kind, card.audience, card.lines[0].text) == ("summary", "gm", "2 creatures are looked after.")


def test_a_new_creature_is_adopted_silently():
    """CMB-11."""
    desk = Desk(creature())
    desk.foundry.write(structs.replace(creature(effect("intoxicated", 2), hp=3), id="Actor.b"), by=GM)
    desk.settle()
    assert has(desk.actor("Actor.b"), "bloodied")
    assert desk.actor("Actor.b").memory.notes["intoxicated"]["since"] == desk.foundry.clock
    assert [card.kind for card in desk.cards()] == ["summary"]


def test_what_was_missed_is_told_in_one_summary_and_hit_points_are_never_corrected():
    """CMB-11."""
    desk = Desk(creature(BLEEDING, hp=20))
    actor = structs.replace(desk.actor(), hp=HitPoints(5, 20))
    desk.foundry.actors[actor.id] = actor
    desk.start()
    assert has(desk.actor(), "bloodied")
    desk.foundry.actors[actor.id] = structs.replace(desk.actor(), hp=HitPoints(20, 20))
    desk.start()
    assert desk.actor().hp.value == 20
    assert not has(desk.actor(), "bloodied")
    assert desk.cards("refusal") == []


def test_a_refusal_made_while_the_bridge_was_away_gets_its_own_card():
    """CMB-11."""
    desk = Desk(creature(BLEEDING, hp=5))
    desk.foundry.disconnect()
    desk.foundry.happen(p.Refused, "Actor.a", PLAYER, amount=3, cause=p.Cause("spell"))
    desk.foundry.happen(p.Refused, "Actor.a", PLAYER, amount=4, cause=p.Cause("spell"))
    desk.start()
    assert [card.data["refused"] for card in desk.cards("refusal")] == [3, 4]


def test_hours_that_passed_while_the_bridge_was_away_are_judged():
    """Design, law 5: clocks catch up from absolute world time."""
    desk = Desk(drunk(3, since=1_000_000))
    desk.happen(p.Ate)
    desk.foundry.clock += 3 * HOUR
    desk.start()
    assert level(desk.actor()) == 2


def test_stamps_of_another_world_keep_the_level_and_restart_the_clock():
    """CMB-12."""
    memory = Memory(receipt=99, world="elsewhere", notes={"intoxicated": {"since": 5, "drinks": [5]}})
    desk = Desk(creature(effect("intoxicated", 3), memory=memory))
    assert level(desk.actor()) == 3
    assert desk.actor().memory.world == "w"
    assert desk.actor().memory.notes["intoxicated"] == {"since": desk.foundry.clock, "needed": 2}


# https://github.com/thatlonelybugbear/automated-conditions-5e/issues/301
# https://github.com/thatlonelybugbear/automated-conditions-5e/pull/302
@pytest.mark.parametrize("type", ["group", "vehicle", "encounter", "starship"])
def test_what_cannot_have_conditions_is_ignored_without_an_error(type):
    """CMB-9."""
    desk = Desk(creature(hp=None, type=type), structs.replace(creature(), id="Actor.b"))
    desk.happen(p.Drank, count=4)
    desk.happen(p.RestFinished)
    desk.combat(1, 0, "b", "a")
    desk.combat(1, 1, "b", "a")
    desk.write(effects=(plain("unconscious"),))
    assert desk.errors == []
    assert [apply for apply in desk.applies if apply.actor == "Actor.a"] == []
    desk.happen(p.Drank, "Actor.b", count=2)
    assert level(desk.actor("Actor.b")) == 1


def test_a_vehicle_with_hit_points_may_be_bloodied_but_nobody_makes_it_drunk():
    """CMB-9 leaves out those "without hit points" only."""
    desk = Desk(creature(hp=20, type="vehicle"))
    desk.write(hp=HitPoints(5, 20))
    assert has(desk.actor(), "bloodied")
    desk.happen(p.Drank, count=4)
    assert level(desk.actor()) == 0
    assert desk.codes() == ["not-allowed"]


def test_a_creature_that_is_gone_is_forgotten():
    desk = Desk(creature(), structs.replace(creature(), id="Actor.b"))
    del desk.foundry.actors["Actor.b"]
    desk.foundry.show(gone=("Actor.b",))
    desk.settle()
    desk.happen(p.Drank, "Actor.b")
    assert desk.codes() == ["unknown-actor"]


# https://github.com/foundryvtt/foundryvtt/issues/7166
@pytest.mark.parametrize("order", [*permutations(("combat", "token", "scene"))])
def test_a_scene_its_tokens_and_its_combat_may_go_in_any_order(order):
    """TIM-4, TIM-2: the character keeps what was not bound to the combat; the goblin of that scene is forgotten."""
    goblin = "Scene.s.Token.t.Actor.g"
    desk = Desk(creature(hp=20), structs.replace(creature(), id=goblin, type="npc"))
    combatants = (p.Combatant("ka", "Actor.a"), p.Combatant("kg", goblin))
    desk.foundry.combats["c"] = p.Combat("c", 1, 0, combatants)
    desk.foundry.show(combats=(desk.foundry.combats["c"],))
    desk.happen(p.Given, condition="charmed", lasts="combat")
    desk.happen(p.Given, condition="blinded", lasts="rounds", amount=2)
    desk.happen(p.Given, condition="poisoned")
    desk.happen(p.Given, goblin, condition="charmed", lasts="combat")
    assert all(has(desk.actor(), status) for status in ("charmed", "blinded", "poisoned"))
    for what in order:
        if what == "combat":
            desk.end_combat()
        else:
            desk.foundry.actors.pop(goblin, None)
            desk.foundry.show(gone=(goblin,))
            desk.settle()
    assert [has(desk.actor(), status) for status in ("charmed", "blinded", "poisoned")] == [False, True, True]
    assert list(desk.world.memory.actors) == ["Actor.a"]
    desk.time(12)
    assert [has(desk.actor(), status) for status in ("blinded", "poisoned")] == [False, True]
    assert desk.errors == []


# https://github.com/foundryvtt-starfinder/foundryvtt-starfinder/issues/1542
@pytest.mark.parametrize("clock_first", [False, True])
def test_one_round_of_the_first_in_the_order_ends_whichever_of_round_and_clock_comes_first(clock_first):
    """TIM-2: "N rounds end N rounds later at the initiative point at which they began"."""
    desk = Desk(creature(), structs.replace(creature(), id="Actor.b"))
    desk.combat(1, 0, "a", "b")
    desk.happen(p.Given, condition="blinded", lasts="rounds", amount=1)
    desk.combat(1, 1, "a", "b")
    assert has(desk.actor(), "blinded")
    if clock_first:
        desk.time(6)
        assert has(desk.actor(), "blinded")
        desk.combat(2, 0, "a", "b")
    else:
        desk.combat(2, 0, "a", "b")
        assert not has(desk.actor(), "blinded")
        desk.time(6)
    assert not has(desk.actor(), "blinded")
    assert len([card for card in desk.cards("conditions") if "blinded" in str(card.lines)]) == 2


# The order of messages.


def picture(n, **more):
    return p.Picture(n, **more)


def fresh(rows=()):
    world = World("w", rulebook(), rows)
    world.connect(p.Table("w"))
    return world


def applies(replies):
    return [x for x in replies if isinstance(x, p.Apply)]


def test_half_a_world_is_never_used_for_rules():
    world = fresh()
    bloody = creature(hp=3)
    assert not applies(world.receive([picture(1, actors=(bloody,), clock=5, page=1, pages=2)]))
    assert not applies(world.receive([picture(2, actors=(structs.replace(bloody, hp=HitPoints(2, 20)),))]))
    assert applies(world.receive([picture(3, page=2, pages=2, clock=5)]))


# https://github.com/adambdooley/foundry-vtt-mcp/issues/89
# https://github.com/adambdooley/foundry-vtt-mcp/pull/101
def test_a_page_that_comes_twice_makes_no_world_and_one_that_never_comes_holds_nothing_up():
    bloody = creature(hp=3)
    world = fresh()
    for n, page in ((1, 1), (2, 2), (3, 2)):
        assert not applies(
            world.receive([picture(n, actors=(bloody,) if page == 1 else (), clock=5, page=page, pages=3)])
        )
    # The link breaks before the last page: the world is shown anew, whole.
    world.connect(p.Table("w"))
    assert not applies(world.receive([picture(1, page=3, pages=3, clock=5)]))
    assert not applies(world.receive([picture(2, page=1, pages=3, actors=(bloody,), clock=5)]))
    assert applies(world.receive([picture(3, page=2, pages=3, clock=5)]))


# https://github.com/foundryvtt/foundryvtt/issues/9768
def test_the_last_picture_counts_and_an_equal_one_orders_nothing():
    """A sheet that is shown doubled for a moment leaves nothing behind."""
    actor = creature(hp=15, abilities={"con": 12})
    desk = Desk(actor)
    desk.write(by=None, hp=HitPoints(15, 40), abilities={"con": 14})
    assert has(desk.actor(), "bloodied")
    desk.write(by=None, hp=actor.hp, abilities=actor.abilities)
    assert not has(desk.actor(), "bloodied")
    orders = len(desk.applies)
    desk.write(by=None)
    assert len(desk.applies) == orders
    desk.happen(p.Drank, count=2)
    assert level(desk.actor()) == 0
    desk.happen(p.Drank)
    assert level(desk.actor()) == 1


def test_messages_are_taken_in_turn_and_once():
    world = fresh()
    world.receive([picture(1, actors=(creature(),), clock=5, page=1, pages=1)])
    drank = [p.Drank(n, f"h{n}", "Actor.a", GM) for n in (2, 3)]
    assert world.receive([drank[1]])[-1] == p.Ack(1)
    assert world.receive([drank[0]])[-1] == p.Ack(3)
    assert world.receive([*drank, drank[0]])[-1] == p.Ack(3)
    assert len(world.memory.pending["Actor.a"]) <= 3


def test_a_message_that_could_not_be_read_does_not_hold_back_the_others():
    world = fresh()
    world.receive([picture(1, actors=(creature(),), clock=5, page=1, pages=1)])
    world.skip(2)
    assert world.receive([p.Drank(3, "h", "Actor.a", GM)])[-1] == p.Ack(3)


def test_one_answer_in_flight_for_each_creature():
    """Design, section 3."""
    world = fresh()
    actor = creature(hp=20, memory=Memory(receipt=5, world="w"))
    world.receive([picture(1, actors=(actor,), clock=5, page=1, pages=1)])
    first = applies(world.receive([p.Drank(2, "h2", "Actor.a", GM)]))
    assert not applies(world.receive([p.Drank(3, "h3", "Actor.a", GM)])) or not first


def test_a_refused_answer_is_tried_again_and_given_up_with_a_word_to_the_gm():
    desk = Desk(creature(hp=20))
    desk.foundry.write(structs.replace(desk.actor(), hp=HitPoints(3, 20)), by=GM)
    replies = desk.world.receive(desk.foundry.out)
    desk.foundry.out = []
    for _ in range(10):
        tried = applies(replies)
        if not tried:
            break
        desk.foundry.fail(tried[0], "refused")
        replies = desk.world.receive(desk.foundry.out)
        desk.foundry.out = []
    assert [x.code for x in replies if isinstance(x, p.Error)] == ["conflict"]
    assert not desk.world.memory.pending
    assert not desk.world.memory.flights


def test_what_was_done_otherwise_than_it_was_to_be_is_told_and_left():
    """Another module changes what is written together with the receipt: nobody tries again, the GM is told."""
    desk = Desk(creature(BLEEDING, hp=5))
    desk.hp(12, "spell")
    desk.foundry.fail(desk.applies[-1], "refused")
    desk.settle()
    assert desk.codes() == ["conflict"]
    assert desk.actor().hp.value == 5


def test_what_is_lost_in_the_moment_in_which_as_much_is_put_back_is_lost():
    """BLD-10, and two equal changes of one moment are two."""
    desk = Desk(creature(BLEEDING, hp=10))
    for value, cause in ((17, "spell"), (10, "unknown")):
        points = structs.replace(desk.actor().hp, value=value)
        desk.foundry.write(structs.replace(desk.actor(), hp=points), by=GM, cause=p.Cause(cause))
    desk.settle()
    assert desk.actor().hp.value == 3
    assert len(desk.cards("refusal")) == 1


def test_a_clock_set_back_is_heard_by_one_whose_first_drinks_are_not_answered_yet():
    """INT-15: "drinks and clocks that now lie in the future are moved to now"."""
    desk = Desk(creature())
    desk.foundry.happen(p.Drank, "Actor.a", PLAYER, count=2, at=desk.foundry.clock)
    desk.foundry.clock -= 600
    desk.foundry.show(clock=desk.foundry.clock)
    desk.settle()
    assert level(desk.actor()) == 1
    desk.happen(p.Ate, "Actor.a", PLAYER)
    desk.time(HOUR)
    assert level(desk.actor()) == 0


def test_ids_go_on_where_the_world_has_left_off():
    """Design, law 1: the store may be lost."""
    desk = Desk(creature(memory=Memory(receipt=500, world="w"), hp=3))
    assert all(apply.id > 500 for apply in desk.applies)


def test_an_event_costs_what_it_changes():
    """Design, section 3: a clock that moves wakes only creatures that have something due."""
    crowd = [structs.replace(creature(), id=f"Actor.{n}") for n in range(300)]
    fed = drunk(3, since=1_000_000, notes={"fed": 1_000_000})
    desk = Desk(fed, *crowd)
    before = len(desk.applies)
    desk.time(HOUR)
    assert {apply.actor for apply in desk.applies[before:]} == {"Actor.a"}


@settings(max_examples=150)
@given(
    actors(),
    st.lists(
        st.one_of(
            st.tuples(st.just("hp"), st.integers(0, 20)),
            st.tuples(st.just("drink"), st.integers(1, 4)),
            st.tuples(st.just("eat"), st.just(0)),
            st.tuples(st.just("time"), st.sampled_from([6, HOUR, 9 * HOUR, -HOUR])),
            st.tuples(
                st.just("status"),
                st.sampled_from(["bleeding", "unconscious", "dead", "petrified", "poisoned", "dazed"]),
            ),
            st.tuples(st.just("start"), st.booleans()),
        ),
        max_size=5,
    ),
)
def test_whatever_happens_all_becomes_quiet_and_stays_so(actor, story):
    """The echo of our own writes is no event: nothing goes on for ever, nor is anything done when asked again."""
    desk = Desk(structs.replace(actor, combat=None, round=None))
    for what, how in story:
        match what:
            case "hp" if desk.actor().hp is not None:
                desk.hp(how, "spell")
            case "drink":
                desk.happen(p.Drank, count=how)
            case "eat":
                desk.happen(p.Ate)
            case "time":
                desk.time(how)
            case "status":
                on = not any(how in x.statuses for x in desk.actor().effects)
                effects = (*desk.actor().effects, plain(how, id=f"byhand{how}")) if on else without(desk.actor(), how)
                desk.write(effects=effects)
            case "start":
                desk.start(rows=how)
    assert not desk.world.memory.pending
    assert not desk.world.memory.flights
    quiet = len(desk.applies)
    shown = desk.actor()
    desk.foundry.show(actors=(shown,))
    desk.settle()
    desk.start()
    assert len(desk.applies) == quiet
    assert desk.actor() == shown
    assert isinstance(shown, Actor)
