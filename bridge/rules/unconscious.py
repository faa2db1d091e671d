"""Unconscious: Incapacitated as long as it lasts, and Prone that stays; and, by setting, what 0 hit points bring.

Rules: CND-16, CMB-2, CMB-3, DWN-1.
"""

from collections.abc import Iterator

from bridge.engine.catalogue import ADVANTAGE, CRITICAL, FAIL, Modifier, Predicate, Speed
from bridge.engine.changes import APPROVAL, Change, EndCondition, Post, Say, SetCondition, SetStatus, Use
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import HitPointsLost, HitPointsRegained, Pressed
from bridge.engine.settings import Setting

unconscious = Condition(
    id="unconscious",
    name="Unconscious",
    summary="Incapacitated, unaware, Speed 0, drops what it holds and falls Prone. Strength and Dexterity saves fail. "
    "Attacks on it: advantage; a hit from within 5 ft is a critical hit.",
    implied=("incapacitated",),
    left_behind=("prone",),
    modifiers=(
        Modifier("save", FAIL, abilities=("str", "dex")),
        Modifier("attack", ADVANTAGE, on_me=True),
        Modifier("attack", CRITICAL, on_me=True, when=Predicate(within=5)),
    ),
    speed=Speed(zero=True),
    settings=(
        Setting("down.mode", "off", ("off", "ask", "auto")),
        Setting("down.npc", "dead", ("dead", "unconscious")),
    ),
)


@unconscious.on(HitPointsLost, always=True)
def fall(event: HitPointsLost, it: Creature) -> Iterator[Change]:
    """DWN-1: "A character that falls to 0 is Unconscious with that cause … An NPC is Dead [setting]."."""
    hp, mode = it.actor.hp, it.settings["down.mode"]
    if (
        mode == "off"
        or not event.value
        or hp is None
        or hp.value > 0
        or it.has("dead")
        or it.brought_by("unconscious", "down")
    ):
        return
    if mode == "ask":
        yield Post(
            kind="notice",
            say=Say("down", "At 0 hit points: is it down?"),
            buttons=APPROVAL,
            data={"down": True},
            audience="gm",
        )
        return
    yield drop(it)


def drop(it: Creature) -> Change:
    """Return what 0 hit points bring to this kind of creature."""
    if it.actor.type == "npc" and it.settings["down.npc"] == "dead":
        return SetStatus(status="dead", on=True)
    return SetCondition(condition="unconscious", cause="down")


@unconscious.on(Pressed, always=True)
def approve(event: Pressed, it: Creature) -> Iterator[Change]:
    """DWN-1, mode ask."""
    if event.button == "approve" and event.data.get("down") and it.actor.hp is not None and it.actor.hp.value <= 0:
        yield Use(card=event.card, button="approve", say=Say("approved", "Approved."))
        yield drop(it)


@unconscious.on(HitPointsRegained)
def wake(event: HitPointsRegained, it: Creature) -> Iterator[Change]:
    """DWN-1: "regaining hit points ends that Unconscious and no other; Prone stays"."""
    if it.actor.hp is not None and it.actor.hp.value > 0 and it.brought_by("unconscious", "down"):
        yield EndCondition(condition="unconscious", cause="down")
