"""What Foundry and dnd5e already do in each profile, so that it is never done a second time (CMB-7).

Sources: dnd5e 5.3.3 ``module/config.mjs`` (conditionEffects), ``module/data/actor/templates/attributes.mjs`` and
``module/documents/actor/actor.mjs``; for 6.x ``module/data/actor/templates/common.mjs`` of later commits.
"""

from __future__ import annotations

from msgspec import Struct, structs

from .catalogue import Level, Modifier

V13_5 = "v13+dnd5e-5.3"
V14_5 = "v14+dnd5e-5.3"
V14_6 = "v14+dnd5e-6"
PROFILES = (V13_5, V14_5, V14_6)


class Native(Struct, frozen=True):
    """What the system does by itself for one condition."""

    rolls: tuple[tuple[str, str], ...] = ()
    """(kind of roll, what it gives) of modifiers that the system applies."""
    speed: bool = False
    """It sets Speed itself."""

    def does(self, modifier: Modifier) -> bool:
        """Tell whether the system applies this modifier."""
        return not modifier.on_me and (modifier.roll, modifier.gives) in self.rolls


D20 = (("attack", "number"), ("check", "number"), ("save", "number"), ("initiative", "number"))
DND5E_5 = {
    "exhaustion": Native(rolls=D20, speed=True),
    "poisoned": Native(rolls=(("check", "disadvantage"),)),
    "restrained": Native(rolls=(("save", "disadvantage"),), speed=True),
    "invisible": Native(rolls=(("initiative", "advantage"),)),
    "incapacitated": Native(rolls=(("initiative", "disadvantage"),)),
    "grappled": Native(speed=True),
    "paralyzed": Native(speed=True),
    "petrified": Native(speed=True),
    "unconscious": Native(speed=True),
}
# dnd5e 6: attack rolls obey the roll modes too, so Poisoned gives its disadvantage there as well.
DND5E_6 = {**DND5E_5, "poisoned": Native(rolls=(("check", "disadvantage"), ("attack", "disadvantage")))}


def native(profile: str) -> dict[str, Native]:
    """Return what the system of this profile does by itself, by condition."""
    return DND5E_6 if profile == V14_6 else DND5E_5


def subtract(profile: str, condition: str, level: Level) -> Level:
    """Return the level with what the system does by itself set apart."""
    done = native(profile).get(condition)
    if done is None:
        return level
    return structs.replace(
        level,
        modifiers=tuple(m for m in level.modifiers if not done.does(m)),
        speed=None if done.speed else level.speed,
        native=tuple(m for m in level.modifiers if done.does(m)),
        native_speed=level.speed if done.speed else None,
    )
