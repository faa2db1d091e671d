"""Bloodied: at half the maximum or less.

Rules: BLO-1 to BLO-7.  Derived: judged when hit points, the maximum or death change (BLO-2), and at first sight.
"""

from collections.abc import Iterator

from bridge.engine.changes import Change, EndCondition, MarkEffect, Post, Say, SetCondition
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import ConditionChanged, HitPointsLost, HitPointsRegained, MaximumChanged, Seen
from bridge.engine.settings import TRUE_FALSE, Setting

ATTACHED = "when-bloodied"
"""Cause of an effect that the GM has attached to Bloodied."""


def is_bloodied(it: Creature) -> bool:
    """BLO-1: "Bloodied exactly while 2 × current ≤ maximum"; BLO-3, BLO-4."""
    hp = it.actor.hp
    if hp is None or hp.top <= 0:
        return False
    if it.has("dead") and not it.settings["bloodied.when-dead"]:
        return False
    if hp.value <= 0 and not it.settings["bloodied.at-zero"]:
        return False
    return 2 * hp.value <= hp.top


bloodied = Condition(
    id="bloodied",
    name="Bloodied",
    summary="At half its hit points or fewer.",
    ends="Ends above half.",
    derived=is_bloodied,
    settings=(
        Setting("bloodied.at-zero", True, TRUE_FALSE),
        Setting("bloodied.when-dead", False, TRUE_FALSE),
    ),
)


@bloodied.on(HitPointsRegained, always=True, order=90)
@bloodied.on(HitPointsLost, always=True, order=90)
@bloodied.on(MaximumChanged, always=True, order=90)
def judge(event: HitPointsRegained | HitPointsLost | MaximumChanged, it: Creature) -> Iterator[Change]:
    """BLO-2: "Re-judged on every change of current hit points, of the maximum"; temporary ones never count (BLO-1)."""
    if not isinstance(event, HitPointsLost) or event.value:
        yield from settle(it)


@bloodied.on(Seen, always=True, order=90)
def judge_at_first_sight(event: Seen, it: Creature) -> Iterator[Change]:
    """BLO-2: "on creation or import"; CMB-8: what the GM took off stays off."""
    if "bloodied" not in it.actor.memory.off:
        yield from settle(it)


@bloodied.on(ConditionChanged, always=True, order=90)
def judge_when_dead(event: ConditionChanged, it: Creature) -> Iterator[Change]:
    """BLO-2: "and when Dead begins or ends"."""
    if event.condition == "dead":
        yield from settle(it)


@bloodied.on(ConditionChanged, always=True, order=95)
def show_note(event: ConditionChanged, it: Creature) -> Iterator[Change]:
    """BLO-7: "A GM can attach a "when bloodied" note or effect to an actor; it starts and ends with Bloodied."."""
    if event.condition != "bloodied":
        return
    note = it.actor.habits.when_bloodied
    if note and event.level:
        yield Post(kind="notice", say=Say("when-bloodied", f"While Bloodied: {note}", {"note": note}), audience="gm")
    elif note:
        yield Post(kind="notice", say=Say("no-longer-bloodied", f"No longer: {note}", {"note": note}), audience="gm")
    for effect in it.actor.effects:
        if effect.mark is not None and effect.cause == ATTACHED and effect.disabled is bool(event.level):
            yield MarkEffect(effect=effect.id, mark=effect.mark, disabled=not event.level)


def settle(it: Creature) -> Iterator[Change]:
    """Put it on or take it off, if it is not as it must be."""
    # BLO-5: "If the system's own Bloodied automation is on, ours stands aside"
    if "bloodied" in it.book.aside:
        return
    wanted = is_bloodied(it)
    if wanted and not it.has("bloodied"):
        yield SetCondition(condition="bloodied")
    elif not wanted and it.has("bloodied"):
        yield EndCondition(condition="bloodied")
