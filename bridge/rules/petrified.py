"""Petrified; it halts Poisoned.  Rules: CND-11, PET-1 to PET-4, CMB-2."""

from collections.abc import Iterator

from msgspec import structs

from bridge.engine.catalogue import ADVANTAGE, FAIL, Modifier, Speed
from bridge.engine.changes import Change, EndEffect, MarkEffect
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import ConditionChanged, EffectsChanged, Seen
from bridge.engine.hands import told_immune
from bridge.engine.state import Effect, Mark
from bridge.engine.timers import halt, resume

petrified = Condition(
    id="petrified",
    name="Petrified",
    summary="Turned to stone with all it carries (weight × 10, no ageing): Incapacitated, Speed 0. Strength and "
    "Dexterity saves fail; advantage on attacks on it. Resistance to all damage, immune to Poisoned.",
    implied=("incapacitated",),
    immune_to=("poisoned",),
    modifiers=(
        Modifier("save", FAIL, abilities=("str", "dex")),
        Modifier("attack", ADVANTAGE, on_me=True),
    ),
    speed=Speed(zero=True),
)


def poison(it: Creature, *, held: bool) -> list[Effect]:
    """Return the poisoned effects that are in force, or those that are halted."""
    return [
        e
        for e in it.actor.effects
        if "poisoned" in e.statuses and bool(e.mark and e.mark.held) is held and e.disabled is held
    ]


@petrified.on(Seen)
@petrified.on(ConditionChanged)
def halt_poison(event: ConditionChanged | Seen, it: Creature) -> Iterator[Change]:
    """PET-1: Poisoned is halted: no effect on rolls, its duration does not run."""
    if isinstance(event, ConditionChanged) and (event.condition != "petrified" or not event.level):
        return
    for effect in poison(it, held=False):
        yield halted(it, effect)


def halted(it: Creature, effect: Effect) -> MarkEffect:
    """Return the change that halts an effect with what is left of it."""
    mark = effect.mark or Mark()
    timer = halt(mark.timer, it) if mark.timer else None
    return MarkEffect(effect=effect.id, mark=structs.replace(mark, held=True, halted=timer, timer=None), disabled=True)


@petrified.on(ConditionChanged)
def resume_poison(event: ConditionChanged, it: Creature) -> Iterator[Change]:
    """PET-2: "When the last Petrified ends, Poisoned resumes with exactly the duration that was left."."""
    if event.condition != "petrified" or event.level:
        return
    for effect in poison(it, held=True):
        mark = effect.mark or Mark()
        timer = resume(mark.halted, it) if mark.halted else None
        if mark.halted and timer is None:
            yield EndEffect(effect=effect.id)
            continue
        yield MarkEffect(
            effect=effect.id, mark=structs.replace(mark, held=False, halted=None, timer=timer), disabled=False
        )


@petrified.on(EffectsChanged)
@petrified.on(ConditionChanged)
def refuse_poison(event: ConditionChanged | EffectsChanged, it: Creature) -> Iterator[Change]:
    """PET-3: "While Petrified no new Poisoned can be gained (immune)."."""
    if event.condition != "poisoned" or event.by == "rule":
        return
    for effect in poison(it, held=False):
        if not (effect.mark and effect.mark.forced):
            yield EndEffect(effect=effect.id)
            yield told_immune(it, "poisoned")
