"""What creatures and their players do: drink, rest, act, move, press buttons, type commands."""

from __future__ import annotations

from msgspec import structs

from bridge.engine.state import Actor, Effect
from bridge.protocol import Ate, By, Cause, Drank, Pressed, RestBegan, RestFinished, Rolled, Said, Used
from bridge.protocol import Undo as UndoMessage

from .acts import act, someone
from .documents import GM, Message, player_of
from .foundry import rested, with_hit_dice_back
from .judge import ACTION, MOVE, What, approaches, concentration_denied, denied, own_turn, roll_gets, spend
from .people import place
from .steps import Answer, Concentrate, Drink, Eat, Move, Press, Rest, Say, Undo, Use, Water
from .table import NEW, NotDone, Table

LONG_REST = "long-rest"
LENGTH = {"long": 8 * 3600, "short": 3600}
NOBODY = "Actor.0000000000000000"
CONCENTRATING = "concentrating"
OWN_ACTION = "extinguish"
"""The one button whose press takes an action (IGN-3)."""


@act.register
def drink(step: Drink, table: Table) -> None:
    """Alcohol."""
    ref = table.actor(step.actor).id
    hand = table.hand_of(step.actor)
    table.happen(Drank(0, NEW, ref, hand, count=step.count, strength=step.strength, willing=step.willing))


@act.register
def eat(step: Eat, table: Table) -> None:
    """Food."""
    table.happen(Ate(0, NEW, table.actor(step.actor).id, table.hand_of(step.actor), what="food"))


@act.register
def water(step: Water, table: Table) -> None:
    """Water."""
    table.happen(Ate(0, NEW, table.actor(step.actor).id, table.hand_of(step.actor), what="water"))


@act.register
def rest(step: Rest, table: Table) -> None:
    """A rest, as dnd5e does it: the writes, then the clock, then the news that it is finished."""
    actor = table.actor(step.actor)
    hand = table.hand_of(step.actor)
    length = LENGTH[step.kind]
    if step.interrupted:
        table.clock_write(0 if step.time == "none" else length)
        return
    table.happen(RestBegan(0, NEW, actor.id, hand, kind=step.kind))
    if step.time == "before":
        table.clock_write(length)
    before = actor.hit_dice
    if step.kind == "long":
        table.change(actor, rested(actor), LONG_REST, by=hand)
        table.write(with_hit_dice_back(table.actor(step.actor)), cause=Cause(kind=LONG_REST), by=hand)
    if step.time == "with":
        table.clock_write(length)
    table.happen(RestFinished(0, NEW, actor.id, hand, kind=step.kind, length=length, hit_dice_before=before))
    if step.time == "after":
        table.clock_write(length)


@act.register
def answer(step: Answer, table: Table) -> None:
    """The roll that was asked for comes in; when all were answered, the last one comes in again."""
    actor = table.actor(step.actor)
    asked = [m for m in table.documents.messages.values() if m.ask and m.card.actor == actor.id]
    if not asked:
        message = f"no roll was asked of {step.actor}"
        raise NotDone("invalid", message)
    waiting = [message for message in asked if not message.answered]
    _rolled(table, actor, (waiting or asked)[-1], step.total, step.success, table.hand_of(step.actor))


@act.register
def concentrate(step: Concentrate, table: Table) -> None:
    """Concentration begins, as an effect of its own, or ends."""
    actor = table.actor(step.actor)
    by = someone(table, step.by, step.actor)
    others = tuple(effect for effect in actor.effects if CONCENTRATING not in effect.statuses)
    if step.on is False:
        table.write(structs.replace(actor, effects=others, concentrating=False), by=by)
        return
    if concentration_denied(table, actor, by):
        table.record.denied = True
        return
    new = Effect(table.documents.new_id("spell"), (CONCENTRATING,), name="Concentrating")
    table.write(structs.replace(actor, effects=(*others, new), concentrating=True), by=by)


@act.register
def use(step: Use, table: Table) -> None:
    """An action, a bonus action, a reaction, an attack, or movement."""
    actor = table.actor(step.actor)
    target = table.actor(step.target) if step.target else None
    by = someone(table, step.by, step.actor)
    if denied(table, actor, step.action, by, target=target):
        table.record.denied = True
        return
    _used(table, actor, step.action, by, target)


@act.register
def move(step: Move, table: Table) -> None:
    """A token moves.  DAZ-2: what the GM drags is never refused, forced movement looks the same."""
    actor = table.actor(step.actor)
    by = someone(table, step.by, step.actor)
    to = place(table, step.actor, step.to, actor.place.scene) if actor.place else place(table, step.actor, step.to)
    if to is None:
        return
    willing = step.willingly and not by.gm
    if willing and (denied(table, actor, MOVE, by) or approaches(table, actor, to, by)):
        table.record.denied = True
        return
    table.write(structs.replace(actor, place=to), by=by)
    if step.willingly:
        _used(table, actor, MOVE, by, None)


@act.register
def press(step: Press, table: Table) -> None:
    """A button of a card, by one who may."""
    by = GM if step.by == "gm" else someone(table, step.by, step.by)
    found = _card(table, step.button, step.card)
    actor = table.documents.actors.get(found.card.actor) if found else None
    button = found.button(step.button) if found else None
    if found is None or button is None:
        message = f"there is no card with a button {step.button!r}"
        raise NotDone("not-allowed", message)
    owner = actor is not None and actor.owned and by.user == player_of(table.key_of(actor.id) or "").user
    if not by.gm and (button.who == "gm" or not owner or found.card.audience == "gm"):
        message = f"{step.by} may not press {step.button!r}"
        raise NotDone("not-allowed", message, fault=False)
    if step.button in found.done or found.answered:
        message = f"{step.button!r} was pressed already"
        raise NotDone("already-done", message, fault=False)
    if actor is not None and step.button == "roll" and found.ask is not None:
        _rolled(table, actor, found, None, None, by)
        return
    if actor is not None and step.button == OWN_ACTION:
        if denied(table, actor, ACTION, by):
            table.record.denied = True
            message = f"{step.button!r} takes an action, and there is none"
            raise NotDone("not-allowed", message, fault=False)
        # The press itself tells the bridge of the action: it is not sent as a use besides.
        spend(table, actor, ACTION)
    table.happen(Pressed(0, NEW, found.card.actor, by, button=step.button, card=found.state(), owner=owner))


@act.register
def say(step: Say, table: Table) -> None:
    """A chat command, as typed."""
    by = GM if step.by == "gm" else someone(table, step.by, step.by)
    own = None if by.gm else table.actor(step.by).id
    table.happen(Said(0, NEW, own or _named(table, step.text), by, text=step.text))


@act.register
def undo(step: Undo, table: Table) -> None:
    """The last decision is taken back."""
    by = GM if step.by == "gm" else someone(table, step.by, step.by)
    table.post(UndoMessage(n=0, id=table.documents.new_id("undo"), by=by))


def _card(table: Table, button: str, back: int | None) -> Message | None:
    """Return the card that is meant: counted back from the last (1), else the last with this button."""
    messages = list(table.documents.messages.values())
    if back is not None:
        return messages[-back] if back <= len(messages) else None
    cards = (card for message in reversed(messages) for card in message.cards)
    return next((card for card in cards if card.button(button)), None)


def _rolled(table: Table, actor: Actor, asked: Message, total: int | None, success: bool | None, by: By) -> None:
    """Send the roll; without a total or an outcome it is thrown."""
    ask = asked.ask
    if ask is None:
        return
    gets = roll_gets(table, actor, ".".join(["save", ask.ability, *ask.tags]), None)
    if total is None and success is None:
        total = _save(table, actor, ask.ability, gets.gives)
    if success is None:
        success = total is not None and total >= ask.dc and "fail" not in gets.gives
    table.documents.keep(structs.replace(asked, answered=True))
    table.happen(
        Rolled(0, NEW, actor.id, by, request=asked.card.id, reason=ask.reason, dc=ask.dc, total=total, success=success)
    )


def _save(table: Table, actor: Actor, ability: str, gives: frozenset[str]) -> int:
    first = table.dice.throw(20)
    if "advantage" in gives:
        first = max(first, table.dice.throw(20))
    elif "disadvantage" in gives:
        first = min(first, table.dice.throw(20))
    bonus = sum(int(word) for word in gives if word[0] in "+-")
    return first + actor.score_modifier(ability) + bonus


def _used(table: Table, actor: Actor, what: What, by: By, target: Actor | None) -> None:
    if table.documents.combat_of(actor.id) is None:
        return
    if own_turn(table, actor) is not None:
        spend(table, actor, what)
    table.happen(Used(0, NEW, actor.id, by, what=what, target=target.id if target else None))


def _named(table: Table, text: str) -> str:
    """Return the creature that a GM names with ``@``; a GM has none of their own."""
    wanted = text.partition("@")[2].casefold()
    for key in sorted(table.keys, key=len, reverse=True):
        if wanted.startswith(key.casefold()):
            return table.keys[key]
    return NOBODY
