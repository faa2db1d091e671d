"""What a condition from a file does: small general rules, hung on it as its table asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from bridge.engine.changes import (
    Button,
    Change,
    EndConcentration,
    EndCondition,
    EndEffect,
    MarkEffect,
    Post,
    Say,
    SetHitPoints,
    Use,
)
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import (
    SYSTEM,
    CombatLeft,
    ConcentrationBegan,
    ConditionChanged,
    EffectsChanged,
    HealingRefused,
    HitPointsRegained,
    Pressed,
    RestFinished,
    Seen,
)
from bridge.engine.settings import REMIND
from bridge.engine.state import Mark

from .durations import Lasting, timer
from .file import SaveItem


def give_duration(condition: Condition, lasts: Lasting | None, save: SaveItem | None) -> None:
    """TIM-1: what is put on without a duration gets this one; one that the GM has taken off stays off (CMB-8)."""

    @condition.on(ConditionChanged, order=40)
    @condition.on(EffectsChanged, order=40)
    def begin(event: ConditionChanged | EffectsChanged, it: Creature) -> Iterator[Change]:
        # An effect of an item has Foundry's own duration.
        if event.condition != condition.id or event.by == SYSTEM:
            return
        was_there = {effect.id for effect in event.gone}
        for id in event.came:
            effect = it.actor.effect(id)
            if effect is None or effect.disabled or effect.statuses[0] != condition.id or id in was_there:
                continue
            mark = effect.mark or Mark()
            if mark.timer is None:
                yield MarkEffect(effect=id, mark=structs.replace(mark, timer=timer(it, lasts, save)))


def end_on(condition: Condition, occasions: tuple[str, ...]) -> None:
    """End it with a rest, a combat, a Hit Die or death."""

    @condition.on(RestFinished, order=10)
    def rested(event: RestFinished, it: Creature) -> Iterator[Change]:
        # TIM-1: a long rest is the longer one and ends both.
        if f"{event.kind}-rest" in occasions or (event.kind == "long" and "short-rest" in occasions):
            yield EndCondition(condition=condition.id)

    @condition.on(CombatLeft, order=10)
    def fought(event: CombatLeft, it: Creature) -> Iterator[Change]:
        if event.ended and "combat" in occasions:
            yield EndCondition(condition=condition.id)

    @condition.on(HitPointsRegained, order=10)
    def mended(event: HitPointsRegained, it: Creature) -> Iterator[Change]:
        if event.cause == "hit-die" and "hit-die" in occasions:
            yield EndCondition(condition=condition.id)

    @condition.on(ConditionChanged, order=20)
    def died(event: ConditionChanged, it: Creature) -> Iterator[Change]:
        if event.condition == "dead" and event.level and "death" in occasions:
            yield EndCondition(condition=condition.id)


def end_concentration(condition: Condition) -> None:
    """End concentration at once, and whenever it begins anew."""

    @condition.on(ConditionChanged)
    def gained(event: ConditionChanged, it: Creature) -> Iterator[Change]:
        if event.condition == condition.id and event.level and it.actor.concentrating:
            yield EndConcentration()

    @condition.on(ConcentrationBegan)
    def began(event: ConcentrationBegan, it: Creature) -> Iterator[Change]:
        yield EndConcentration()


def keep_off(condition: Condition) -> None:
    """CMB-4: the conditions that it makes immune to end, and are not gained while it lasts."""

    @condition.on(Seen, order=30)
    @condition.on(ConditionChanged, order=30)
    @condition.on(EffectsChanged, order=30)
    def refuse(event: Seen | ConditionChanged | EffectsChanged, it: Creature) -> Iterator[Change]:
        for effect in it.actor.effects:
            forced = effect.mark is not None and effect.mark.forced
            if not (effect.disabled or effect.fixed or forced) and effect.statuses[0] in condition.immune_to:
                yield EndEffect(effect=effect.id)


def refuse_healing(condition: Condition) -> None:
    """Tell of what its gate has refused, and put back what slipped through, as Bleeding does (BLD-7, BLD-10)."""

    def gates(it: Creature) -> bool:
        """One card for one refusal: Bleeding's when it bleeds, else that of the first gate."""
        known = it.book.conditions
        found = sorted(id for id in it.conditions if id in known and known[id].gate)
        return "bleeding" not in found and found[:1] == [condition.id]

    def card(amount: int, cause: str, label: str) -> Post:
        what = label or cause.replace("-", " ")
        text = f"{condition.name} refuses {amount} hit points from {what}."
        return Post(
            kind="refusal",
            say=Say(
                "refused-by",
                text,
                {"amount": amount, "what": label, "cause": cause, "name": condition.name},
                condition=condition.id,
            ),
            buttons=(Button("allow", "Allow"),),
            data={"refused": amount, "cause": cause, "gate": condition.id},
        )

    @condition.on(HealingRefused)
    def tell(event: HealingRefused, it: Creature) -> Iterator[Change]:
        if gates(it):
            yield card(event.amount, event.cause, event.label)

    @condition.on(HitPointsRegained)
    def put_back(event: HitPointsRegained, it: Creature) -> Iterator[Change]:
        if event.refused and not event.gap and it.actor.hp is not None and gates(it):
            if it.book.mode(condition.id) == REMIND:
                text = f"{condition.name} would refuse {event.refused} of these hit points."
                data: dict[str, str | int] = {"amount": event.refused, "name": condition.name}
                say = Say("would-refuse-by", text, data, condition=condition.id)
                yield Post(kind="notice", say=say, audience="gm")
                return
            yield SetHitPoints(value=it.actor.hp.value - event.refused, quiet=True)
            yield card(event.refused, event.cause, event.label)

    @condition.on(Pressed, always=True)
    def allow(event: Pressed, it: Creature) -> Iterator[Change]:
        amount, hp = event.data.get("refused"), it.actor.hp
        if event.button != "allow" or event.data.get("gate") != condition.id or not isinstance(amount, int) or not hp:
            return
        value = max(hp.value, min(hp.top, hp.value + amount))
        if value > hp.value:
            yield SetHitPoints(value=value)
        granted = value - hp.value
        text = f"Allowed: {granted} hit points regained."
        yield Use(card=event.card, button="allow", say=Say("allowed", text, {"amount": granted}))
