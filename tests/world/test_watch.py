"""The index of who waits for what."""

from bridge.engine.state import Actor, Effect, Mark, Timer
from bridge.world.watch import Watch


def bearer(id: str, *timers: Timer, source: str | None = None) -> Actor:
    effects = tuple(Effect(f"e{i}", ("poisoned",), mark=Mark(timer=timer)) for i, timer in enumerate(timers))
    if source:
        effects = (*effects, Effect("s", ("grappled",), mark=Mark(source=source)))
    return Actor(id, effects=effects)


def test_who_waits_for_a_turn_is_found_by_whose_turn_it_is():
    watch = Watch()
    watch.keep(bearer("a", Timer("turn-start", 0, creature="goblin", combat="c")))
    watch.keep(bearer("b", Timer("turn-end", 0, creature="goblin", combat="d")))
    assert watch.for_turn_of("goblin") == ["a", "b"]
    assert watch.waited_for("c") == {"goblin"}
    watch.forget("a")
    assert watch.for_turn_of("goblin") == ["b"]
    assert watch.waited_for("c") == set()


def test_two_effects_that_wait_for_one_turn_are_one_waiting_creature():
    watch = Watch()
    timer = Timer("turn-start", 0, creature="goblin", combat="c")
    watch.keep(bearer("a", timer, timer))
    watch.keep(bearer("a", timer))
    assert watch.waited_for("c") == {"goblin"}
    watch.keep(bearer("a"))
    assert watch.waited_for("c") == set()
    assert watch.for_combat("c") == []


def test_rounds_are_found_by_the_round_in_which_they_end():
    watch = Watch()
    watch.keep(bearer("a", Timer("rounds", 0, 3, combat="c", round=2)))
    assert watch.for_rounds("c", 4, 4) == []
    assert watch.for_rounds("c", 4, 5) == ["a"]
    assert watch.for_rounds("c", 1, 10**9) == ["a"]
    assert watch.for_rounds("d", 1, 10**9) == []


def test_a_source_is_found_by_its_reference():
    watch = Watch()
    watch.keep(bearer("a", source="ogre"))
    assert watch.for_source("ogre") == ["a"]
    assert watch.for_source("a") == []
