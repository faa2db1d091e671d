"""From a decision to operations: what must be done so that Foundry shows what was decided."""

from __future__ import annotations

from msgspec import structs

from bridge import protocol as p
from bridge.engine.changes import AskSave, RollDice, SetHitPoints, TakeDamage, Use
from bridge.engine.conditions import Rulebook
from bridge.engine.decide import Decision
from bridge.engine.events import DiceRolled, Event, Missed, Rolled
from bridge.engine.state import Actor, Effect, Mark
from bridge.world import cards


def plan(
    book: Rulebook,
    shown: Actor,
    decision: Decision,
    events: tuple[Event, ...],
    id: int,
    journal: str,
    now: int,
    *,
    silent: bool,
    area: str = "",
) -> tuple[p.Operation, ...]:
    """Return the operations that lead from what Foundry shows to what was decided, in the order of doing.

    ``area``: the decision is one of several that are told on one card (CRD-1).
    """
    after = decision.after
    found: list[p.Operation] = []
    found.extend(effects(book, shown, after, id))
    if shown.concentrating and not after.concentrating:
        found.append(p.EndConcentration())
    if shown.hit_dice != after.hit_dice:
        keys = [k for k, dice in after.hit_dice.items() if k in shown.hit_dice and shown.hit_dice[k].left != dice.left]
        was, left = ({k: dice[k].left for k in keys} for dice in (shown.hit_dice, after.hit_dice))
        found.append(p.SetHitDice(was, left))
    if shown.hp is not None and after.hp is not None and shown.hp != after.hp:
        quiet = any(isinstance(change, SetHitPoints) and change.quiet for change in decision.outputs)
        found.append(p.SetHitPoints(shown.hp.value, after.hp.value, shown.hp.temp, after.hp.temp, quiet))
    found.extend(_outputs(book, decision, events, id, journal))
    news = cards.decision_card(book, decision, f"{journal}.{id}", now, silent=silent, area=area)
    if news is not None:
        found.append(p.PostCard(news))
    return tuple(found)


def effects(book: Rulebook, shown: Actor, after: Actor, id: int) -> list[p.Operation]:
    """Return the operations for effects that differ."""
    found: list[p.Operation] = []
    kept = {e.id for e in after.effects}
    for effect in after.effects:
        old = shown.effect(effect.id)
        if old is not None and same(old, effect):
            continue
        if effect.mark is None:
            found.append(p.SetStatus(effect.statuses[0], on=True))
            continue
        mark = structs.replace(effect.mark, stamp=id)
        found.append(
            p.SetCondition(
                effect=effect.id,
                condition=_main(book, effect),
                statuses=effect.statuses,
                was=old.mark if old else None,
                there=old is not None,
                mark=mark,
                disabled=effect.disabled,
            )
        )
    for old in shown.effects:
        if old.id not in kept:
            if old.mark is None and _main(book, old) not in book.conditions:
                found.append(p.SetStatus(old.statuses[0], on=False))
            else:
                found.append(p.SetCondition(old.id, _main(book, old), old.statuses, was=old.mark, there=True))
    return found


def same(a: Effect | None, b: Effect | None) -> bool:
    """Tell whether two pictures of an effect agree in what the bridge decides; names and stamps are Foundry's."""
    if a is None or b is None:
        return a is b
    if a.disabled != b.disabled or a.mark == b.mark:
        return a.disabled == b.disabled
    return structs.replace(a.mark or Mark(), stamp=0) == structs.replace(b.mark or Mark(), stamp=0)


def _main(book: Rulebook, effect: Effect) -> str:
    """Return the status that the effect stands for: the one that the others follow from."""
    for status in effect.statuses:
        if not any(status in book.implied.get(other, ()) for other in effect.statuses):
            return status
    return effect.statuses[0]


def _outputs(book: Rulebook, decision: Decision, events: tuple[Event, ...], id: int, journal: str) -> list[p.Operation]:
    """Return damage, requests, dice, and what becomes of cards that stand there."""
    found: list[p.Operation] = []
    actor = decision.after
    for number, change in enumerate(decision.outputs):
        key = f"{journal}.{id}.{number}"
        match change:
            case TakeDamage(amount=amount, type=type):
                found.append(p.ApplyDamage(amount, type, key))
            case Use():
                found.append(cards.use_operation(change, id))
            case AskSave():
                card = cards.ask_card(book, actor, change, key)
                found.append(p.AskRoll(card, change.ability, change.dc, change.reason, change.tags))
            case RollDice():
                found.append(p.RollDice(cards.dice_card(book, actor, change, key), change.formula, change.reason))
    for event in events:
        if isinstance(event, Missed):
            found.append(p.PostCard(cards.missed_card(book, actor, event, f"{journal}.{id}.m")))
        if isinstance(event, Rolled):
            word = "Success" if event.success else "Failure"
            total = "" if event.total is None else f" ({event.total} against DC {event.dc})"
            say = p.Line(
                "rolled-success" if event.success else "rolled-failure",
                f"{word}{total}.",
                {"total": event.total or 0, "dc": event.dc},
            )
            found.append(p.UpdateCard(event.request, "roll", say, id))
        if isinstance(event, DiceRolled):
            say = p.Line("dice-total", f"{event.total}", {"total": event.total})
            found.append(p.UpdateCard(event.request, "dice", say, id))
    return found
