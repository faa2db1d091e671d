"""What Foundry and dnd5e do by themselves, in each profile.

What is claimed here of dnd5e 5.3 names the file of its source that says so; of dnd5e 6 we know what its users measured.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct, structs

from bridge.engine.apply import static_id
from bridge.engine.modifiers import Roll, levels_of
from bridge.engine.state import Actor, Effect, HitDice, HitPoints, Mark

IMPLIED: dict[str, tuple[str, ...]] = {
    "paralyzed": ("incapacitated",),
    "petrified": ("incapacitated",),
    "sleeping": ("incapacitated", "unconscious"),
    "stunned": ("incapacitated",),
    "unconscious": ("incapacitated",),
}
"""``statuses`` of a condition in module/config.mjs: they stand on the effect that the status icon makes."""
RIDERS: dict[str, tuple[str, ...]] = {"unconscious": ("prone",)}
"""``riders`` in module/config.mjs: effects of their own, made by the client that made the first (active-effect.mjs)."""
SYSTEM_STATUSES = frozenset(
    [
        "burning",
        "burrowing",
        "concentrating",
        "cursed",
        "dead",
        "dehydration",
        "diseased",
        "dodging",
        "ethereal",
        "falling",
        "flying",
        "hiding",
        "hovering",
        "malnutrition",
        "marked",
        "silenced",
        "sleeping",
        "stable",
        "suffocation",
        "surprised",
        "transformed",
    ]
)
STILL = frozenset({"grappled", "paralyzed", "petrified", "restrained", "unconscious"})
"""Speed 0 (module/data/actor/templates/attributes.mjs)."""
EXHAUSTION = "exhaustion"
DEADLY_EXHAUSTION = 6


class Native(Struct, frozen=True):
    """Something that the system itself gives to a roll: ``advantage``, ``disadvantage`` or a number."""

    gives: str
    value: int
    condition: str

    @property
    def reason(self) -> str:
        """The words in which a scenario names it."""
        what = f"{self.value:+d}" if self.value else self.gives.capitalize()
        return f"{what}: {self.condition.capitalize()}"


def statuses_of_icon(status: str) -> tuple[str, ...]:
    """Return what an effect made by a status icon carries."""
    return (status, *IMPLIED.get(status, ()))


def after_write(before: Actor | None, after: Actor, *, native_bloodied: bool) -> list[Actor]:
    """Return the further writes that follow a write, each as the whole actor after it."""
    found: list[Actor] = []
    now = after
    for new in (_riders(before, now), _death_by_exhaustion(now)):
        if new is not None:
            now = new
            found.append(now)
    if native_bloodied and before is not None and before.hp != now.hp and (new := bloodied(now)) is not None:
        found.append(new)
    return found


def _riders(before: Actor | None, after: Actor) -> Actor | None:
    """active-effect.mjs, createRiderConditions: riders that are missing when an effect is created."""
    if before is None:
        return None
    old = {effect.id for effect in before.effects}
    present = {status for effect in after.effects for status in effect.statuses}
    missing = [
        rider
        for effect in after.effects
        if effect.id not in old
        for status in effect.statuses
        for rider in RIDERS.get(status, ())
        if rider not in present
    ]
    if not missing:
        return None
    new = tuple(Effect(static_id(rider), (rider,), name=rider.capitalize()) for rider in dict.fromkeys(missing))
    return structs.replace(after, effects=(*after.effects, *new))


def _death_by_exhaustion(after: Actor) -> Actor | None:
    """active-effect.mjs: the exhaustion effect carries ``dead`` at level 6."""
    effects = tuple(
        structs.replace(effect, statuses=(EXHAUSTION, "dead") if effect.level >= DEADLY_EXHAUSTION else (EXHAUSTION,))
        if effect.statuses[0] == EXHAUSTION
        else effect
        for effect in after.effects
    )
    return None if effects == after.effects else structs.replace(after, effects=effects)


def bloodied(actor: Actor) -> Actor | None:
    """actor.mjs, updateBloodied; judged when a write touches hit points, not when only derived data move."""
    if actor.hp is None or actor.hp.top == 0:
        return None
    id = static_id("bloodied")
    there = actor.effect(id)
    if 2 * actor.hp.value > actor.hp.top:
        return structs.replace(actor, effects=tuple(e for e in actor.effects if e is not there)) if there else None
    if there:
        return None
    return structs.replace(actor, effects=(*actor.effects, Effect(id, ("bloodied",), name="Bloodied")))


def damaged(actor: Actor, amount: int, type: str | None) -> HitPoints | None:
    """actor.mjs, applyDamage: immunity, resistance (rounded down), temporary hit points, then hit points."""
    hp = actor.hp
    if hp is None:
        return None
    if type is not None:
        petrified = "petrified" in levels_of(actor, IMPLIED)
        # traits.mjs: Petrified is resistance to all damage and immunity to poison damage.
        if type in actor.immunities or (petrified and type == "poison"):
            amount = 0
        elif petrified or type in actor.resistances:
            amount //= 2
    soaked = min(hp.temp, amount)
    return structs.replace(hp, temp=hp.temp - soaked, value=max(0, hp.value - (amount - soaked)))


def rested(actor: Actor) -> Actor:
    """actor.mjs, _rest: the write of a long rest on the actor itself.  A short rest restores nothing by itself."""
    if actor.hp is None:
        return actor
    return structs.replace(actor, hp=HitPoints(actor.hp.max, actor.hp.max), effects=_rested_effects(actor))


def with_hit_dice_back(actor: Actor) -> Actor:
    """actor.mjs, _rest: the write of a long rest on the classes (modern rules: all Hit Dice)."""
    dice = {key: HitDice(left=d.all, all=d.all, size=d.size) for key, d in actor.hit_dice.items()}
    return structs.replace(actor, hit_dice=dice)


def _rested_effects(actor: Actor) -> tuple[Effect, ...]:
    """actor.mjs, _rest: a long rest takes one level of exhaustion away."""
    found: list[Effect] = []
    for effect in actor.effects:
        if effect.statuses[0] != EXHAUSTION:
            found.append(effect)
        elif effect.level > 1:
            found.append(structs.replace(effect, mark=structs.replace(effect.mark or Mark(), level=effect.level - 1)))
    return tuple(found)


def spend_hit_die(dice: dict[str, HitDice]) -> dict[str, HitDice]:
    """Return the Hit Dice with one fewer, of the first class that has any left."""
    for key, d in dice.items():
        if d.left:
            return {**dice, key: structs.replace(d, left=d.left - 1)}
    return dice


def native_modifiers(profile: str, roller: Actor, what: str) -> list[Native]:
    """Return what the system itself gives to a roll of this creature."""
    roll = Roll.parse(what)
    has = _seen_by_the_system(roller)
    found: list[Native] = []
    if level := has.get(EXHAUSTION):
        # actor.mjs and attack-data.mjs, @exhaustion: all D20 Tests.
        found.append(Native("number", -2 * level, EXHAUSTION))
    if "poisoned" in has and (roll.kind in {"check", "initiative"} or (roll.kind == "attack" and _six(profile))):
        # config.mjs declares the disadvantage on attacks; nothing in 5.3 reads it, 6 does.
        found.append(Native("disadvantage", 0, "poisoned"))
    if "restrained" in has and roll.kind == "save" and roll.ability == "dex":
        found.append(Native("disadvantage", 0, "restrained"))
    if roll.kind == "initiative":
        # attributes.mjs, prepareInitiative.
        found += [Native("disadvantage", 0, id) for id in ("incapacitated", "surprised") if id in has]
        found += [Native("advantage", 0, "invisible") for id in ("invisible",) if id in has]
    return found


def _seen_by_the_system(actor: Actor) -> dict[str, int]:
    """traits.mjs, prepareResistImmune: a status to which the actor is immune is none, whoever forced it."""
    return {id: level for id, level in levels_of(actor, IMPLIED).items() if id not in actor.condition_immunities}


def _six(profile: str) -> bool:
    return profile.endswith("dnd5e-6")


def native_speed(actor: Actor, withdrawn: Collection[str] = ()) -> tuple[int, bool]:
    """Return the feet that exhaustion takes, and whether the system sets Speed to 0 (attributes.mjs).

    ``withdrawn``: conditions whose part in Speed the module has taken from the system.
    """
    has = {id: level for id, level in _seen_by_the_system(actor).items() if id not in withdrawn}
    return 5 * has.get(EXHAUSTION, 0), bool(STILL & has.keys())
