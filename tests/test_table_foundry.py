import pytest

from bridge.engine.profiles import PROFILES, native
from bridge.engine.state import Actor, Effect, HitPoints, Mark
from bridge.table.foundry import after_write, bloodied, native_modifiers, native_speed, rested, with_hit_dice_back


def creature(*statuses: str, level: int = 1) -> Actor:
    """Return a creature with one effect for each status."""
    effects = tuple(Effect(status, (status,), mark=Mark(level=level)) for status in statuses)
    return Actor("Actor.a", hp=HitPoints(20, 20), effects=effects)


def reasons(profile: str, actor: Actor, roll: str) -> list[str]:
    """Return what the system gives to a roll, in words."""
    return [given.reason for given in native_modifiers(profile, actor, roll)]


@pytest.mark.parametrize("profile", PROFILES)
def test_what_every_profile_does(profile: str) -> None:
    assert reasons(profile, creature("exhaustion", level=3), "attack") == ["-6: Exhaustion"]
    assert reasons(profile, creature("poisoned"), "check.wis.perception") == ["Disadvantage: Poisoned"]
    assert reasons(profile, creature("poisoned"), "save.con") == []
    assert reasons(profile, creature("restrained"), "save.dex") == ["Disadvantage: Restrained"]
    assert reasons(profile, creature("restrained"), "save.str") == []
    assert reasons(profile, creature("stunned"), "initiative") == ["Disadvantage: Incapacitated"]
    assert reasons(profile, creature("invisible"), "initiative") == ["Advantage: Invisible"]


def test_only_dnd5e_6_does_the_attacks_of_the_poisoned() -> None:
    assert reasons("v14+dnd5e-5.3", creature("poisoned"), "attack") == []
    assert reasons("v14+dnd5e-6", creature("poisoned"), "attack") == ["Disadvantage: Poisoned"]


@pytest.mark.parametrize("profile", PROFILES)
def test_the_catalogue_leaves_out_what_the_stand_in_does(profile: str) -> None:
    """CMB-7: the two lists are written by different hands and must agree."""
    rolls = {"attack": "attack", "check": "check.str", "save": "save.dex", "initiative": "initiative"}
    for condition, done in native(profile).items():
        given = {
            (kind, modifier.gives)
            for kind, roll in rolls.items()
            for modifier in native_modifiers(profile, creature(condition), roll)
            if modifier.condition == condition
        }
        # Initiative is a check, so what is said of checks covers it.
        told = set(done.rolls) | {("initiative", gives) for kind, gives in done.rolls if kind == "check"}
        assert given == told, condition
        assert done.speed == (native_speed(creature(condition)) != (0, False)), condition


def test_a_rider_comes_with_a_new_effect_only() -> None:
    before = creature()
    after = creature("unconscious")
    (prone,) = after_write(before, after, native_bloodied=False)
    assert [e.statuses for e in prone.effects] == [("unconscious",), ("prone",)]
    assert after_write(after, after, native_bloodied=False) == []
    assert after_write(None, after, native_bloodied=False) == []


@pytest.mark.parametrize(("value", "top", "there"), [(11, 22, True), (11, 21, False), (10, 21, True), (0, 0, False)])
def test_native_bloodied(value: int, top: int, there: bool) -> None:
    found = bloodied(Actor("Actor.a", hp=HitPoints(value, top)))
    assert (found is not None) == there


def test_a_long_rest_takes_one_level_of_exhaustion() -> None:
    assert rested(creature("exhaustion", level=3)).effects[0].level == 2
    assert rested(creature("exhaustion")).effects == ()
    assert with_hit_dice_back(creature()) == creature()
