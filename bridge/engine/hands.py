"""What hands may do, and what they may not: immunity (CMB-4), a player's own hand (CMB-10), the GM's word (CMB-8)."""

from __future__ import annotations

from collections.abc import Iterator

from .changes import APPROVAL, Change, EndCondition, EndEffect, Post, RestoreEffect, Say, SetCondition, Tell, Use
from .conditions import Condition, Creature
from .events import PLAYER, ConditionChanged, EffectsChanged, Given, Pressed, Seen
from .settings import OFF
from .words import name_of

immunity = Condition(
    id="immunity", name="Immunity", summary="", concerns=lambda it: bool(it.actor.condition_immunities)
)
own_hand = Condition(id="own-hand", name="A player's hand", summary="")
gm_word = Condition(id="gm-word", name="The GM's word", summary="")


@immunity.on(ConditionChanged, always=True, order=80)
@immunity.on(EffectsChanged, always=True, order=80)
@immunity.on(Seen, always=True, order=80)
def refuse(event: ConditionChanged | EffectsChanged | Seen, it: Creature) -> Iterator[Change]:
    """CMB-4: "A creature immune to a condition does not gain it"; "Immunity gained later ends the condition"."""
    immune = it.actor.condition_immunities
    for effect in it.actor.effects:
        if effect.disabled or effect.fixed or (effect.mark and effect.mark.forced):
            continue
        own = [s for s in effect.statuses if not any(s in it.book.implied.get(o, ()) for o in effect.statuses)]
        if own and own[0] in immune and own[0] in it.book.conditions:
            yield EndEffect(effect=effect.id)
            yield told_immune(it, own[0])


def told_immune(it: Creature, condition: str) -> Tell:
    """CMB-4: "the GM is told why and can force it"."""
    name = name_of(it.book, condition)
    text = f"{it.actor.name} is immune to {name}: it was taken off again. Force it to keep it on."
    return Tell(code="immune", say=Say("immune-off", text, {"who": it.actor.name, "name": name}, condition=condition))


@own_hand.on(ConditionChanged, always=True, order=-90)
@own_hand.on(EffectsChanged, always=True, order=-90)
def put_back(event: ConditionChanged | EffectsChanged, it: Creature) -> Iterator[Change]:
    """CMB-10: "accepted, and the GM is told [setting: accept / ask / put back]"."""
    how = it.settings["players.own-hand"]
    if event.by != PLAYER or event.condition not in it.book.conditions:
        return
    derived = it.book.conditions[event.condition].derived
    if derived is not None and derived(it) == it.has(event.condition):
        # BLO-5: with the system's own Bloodied, whoever moves hit points is the one who writes it.
        return
    if how == "accept":
        if it.settings["cards.gain"] == OFF and isinstance(event, ConditionChanged) and not event.implied:
            name = name_of(it.book, event.condition)
            text = f"Its player put {name} on it." if event.level else f"Its player took {name} off."
            say = Say("own-hand-on" if event.level else "own-hand-off", text, {"name": name}, condition=event.condition)
            yield Post(kind="notice", say=say, audience="gm")
        return
    gone = [effect for effect in event.gone if event.condition in effect.statuses]
    came = [id for id in event.came if (effect := it.actor.effect(id)) and event.condition in effect.statuses]
    if not gone and not came:
        return
    name = name_of(it.book, event.condition)
    off = bool(gone) and not came
    wish = f"take off {name}" if off else f"have {name}"
    for id in came:
        if not any(effect.id == id for effect in gone):
            yield EndEffect(effect=id)
    for effect in gone:
        yield RestoreEffect(effect=effect)
    if how == "put-back":
        text = f"Its player {f'took {name} off' if off else f'put {name} on it'}: put back."
        say = Say(f"own-hand-back-{'off' if off else 'on'}", text, {"name": name}, condition=event.condition)
        yield Post(kind="notice", say=say, audience="gm")
    else:
        yield Post(
            kind="notice",
            say=Say(
                "own-hand-asks-off" if off else "own-hand-asks-on",
                f"Its player wants to {wish}.",
                {"name": name},
                condition=event.condition,
            ),
            buttons=APPROVAL,
            data={
                "own-hand": event.condition,
                "level": it.level(event.condition) if came else 0,
                "gone": [effect.id for effect in gone if effect.id not in came],
            },
            audience="gm",
        )


@own_hand.on(Pressed, always=True)
def approve(event: Pressed, it: Creature) -> Iterator[Change]:
    """CMB-10: the GM approves what the player did."""
    condition = str(event.data.get("own-hand", ""))
    if event.button != "approve" or condition not in it.book.conditions:
        return
    yield Use(card=event.card, button="approve", say=Say("approved", "Approved."))
    for id in event.data.get("gone", ()):
        yield EndEffect(effect=id)
    if level := event.data.get("level"):
        yield SetCondition(condition=condition, level=level)


@gm_word.on(Pressed, always=True)
def refuse_it(event: Pressed, it: Creature) -> Iterator[Change]:
    """CMB-10, and mode ``ask``: the GM may say no as well."""
    if event.button == "refuse":
        yield Use(card=event.card, button="approve", say=Say("refused-by-gm", "Refused."))


@gm_word.on(Given, always=True)
def give(event: Given, it: Creature) -> Iterator[Change]:
    """CMB-8: "The GM has the last word"; CMB-4: the immune do not gain it, unless the GM forces it."""
    if event.condition not in it.book.conditions:
        return
    if not event.level:
        yield EndCondition(condition=event.condition)
    elif it.immune_to(event.condition) and not event.forced:
        name = name_of(it.book, event.condition)
        text = f"{it.actor.name} is immune to {name}. Force it to put it on all the same."
        said: dict[str, str | int] = {"who": it.actor.name, "name": name}
        yield Tell(code="immune", say=Say("immune", text, said, condition=event.condition))
    else:
        yield SetCondition(
            condition=event.condition,
            level=event.level,
            source=event.source or None,
            timer=event.timer,
            forced=event.forced,
        )
