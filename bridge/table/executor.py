"""What the module does with the bridge's messages.

An Apply is compared with what is there before anything is written, so that it is safe to repeat.
"""

from __future__ import annotations

from typing import Literal, assert_never

from msgspec import structs

from bridge.engine.apply import static_id
from bridge.engine.catalogue import Catalogue
from bridge.engine.state import Actor, Effect
from bridge.protocol import (
    Ack,
    Apply,
    ApplyDamage,
    AskRoll,
    Card,
    DiceRolled,
    EndConcentration,
    Error,
    Failed,
    FromBridge,
    Notify,
    Operation,
    Picture,
    PostCard,
    RollDice,
    SetCondition,
    SetHitDice,
    SetHitPoints,
    SetStatus,
    UpdateCard,
)

from .documents import GM, Message
from .foundry import damaged, statuses_of_icon
from .table import NEW, Table

NOT_COUNTED = PostCard | UpdateCard | Notify
CONCENTRATING = "concentrating"


def receive(table: Table, message: FromBridge) -> None:
    """Take in one message of the bridge; an Apply is carried out on the spot."""
    table.record.story.append(message)
    match message:
        case Ack(n=n):
            table.acknowledged(n)
        case Error():
            table.record.errors.append(message)
        case Catalogue():
            table.documents.catalogue = message
        case Apply():
            execute(table, message)
        case _:
            pass


def execute(table: Table, apply: Apply) -> None:
    """Carry it out whole, or answer why not."""
    actor = table.documents.actors.get(apply.actor)
    if actor is None:
        _fail(table, apply, "refused", "it is gone")
        return
    if actor.memory.receipt >= apply.id:
        table.show(Picture(0, actors=(actor,), apply=apply.id))
        return
    for operation in apply.operations:
        code = _refusal(table, actor, operation)
        if code:
            table.show(Picture(0, actors=(actor,)))
            _fail(table, apply, code, f"{operation.__struct_config__.tag}: Foundry shows something else")
            return
    for operation in apply.operations:
        if not isinstance(operation, NOT_COUNTED):
            table.record.operations.append((apply.actor, operation))
        _carry_out(table, apply, operation)
    after = table.documents.actors[apply.actor]
    hp = next((operation for operation in apply.operations if isinstance(operation, SetHitPoints)), None)
    if hp is not None and after.hp is not None:
        if _tells_of_refusal(apply):
            # What slipped past the gate is refused by the bridge, which puts it back (BLD-10).
            table.refuse(actor.id, after.hp.value - hp.value)
        after = structs.replace(after, hp=structs.replace(after.hp, value=hp.value, temp=hp.temp))
    table.write(structs.replace(after, memory=apply.memory), apply=apply.id)


def _fail(
    table: Table, apply: Apply, code: Literal["changed", "refused", "error", "already-done"], message: str
) -> None:
    if table.linked:
        table.outgoing.append(Failed(n=0, apply=apply.id, actor=apply.actor, code=code, message=message))


def _refusal(table: Table, actor: Actor, operation: Operation) -> Literal["changed", "already-done"] | None:
    """Compare: what the bridge thought is there, or what it wants is there already."""
    match operation:
        case SetHitPoints():
            if actor.hp is None:
                return "changed"
            return None if (actor.hp.value, actor.hp.temp) == (operation.was, operation.was_temp) else "changed"
        case SetHitDice():
            now_left = {key: actor.hit_dice[key].left for key in operation.was if key in actor.hit_dice}
            return None if now_left in (operation.was, operation.left) else "changed"
        case SetCondition():
            return None if _as_expected(actor.effect(operation.effect), operation) else "changed"
        case UpdateCard():
            message = table.documents.card(operation.card)
            stamp = message.done.get(operation.button) if message else None
            return "already-done" if stamp not in {None, operation.stamp} else None
        case _:
            return None


def _as_expected(effect: Effect | None, operation: SetCondition) -> bool:
    if effect is None:
        return not operation.there or operation.mark is None
    # Foundry's own rider may have been quicker than the bridge that wants to create it: then it is marked.
    if effect.mark == operation.was:
        return True
    return operation.mark is not None and effect.mark == operation.mark and effect.disabled == operation.disabled


def _carry_out(table: Table, apply: Apply, operation: Operation) -> None:
    actor = table.documents.actors[apply.actor]
    match operation:
        case ApplyDamage():
            hp_after = damaged(actor, operation.amount, operation.damage)
            if hp_after is not None:
                table.write(structs.replace(actor, hp=hp_after), apply=apply.id)
        case SetHitDice():
            dice = {key: structs.replace(d, left=operation.left.get(key, d.left)) for key, d in actor.hit_dice.items()}
            table.write(structs.replace(actor, hit_dice=dice), apply=apply.id)
        case SetCondition():
            table.write(structs.replace(actor, effects=_set(actor, operation)), apply=apply.id)
        case SetStatus():
            table.write(structs.replace(actor, effects=_switch(actor, operation)), apply=apply.id)
        case EndConcentration():
            effects = tuple(e for e in actor.effects if CONCENTRATING not in e.statuses)
            table.write(structs.replace(actor, effects=effects, concentrating=False), apply=apply.id)
        case PostCard():
            _post(table, operation.card, seen=True)
        case UpdateCard():
            _update(table, operation)
        case AskRoll():
            if _post(table, operation.card, operation):
                table.record.asked.append(operation)
        case RollDice():
            if _post(table, operation.card):
                total = table.dice.roll(operation.formula)
                request, reason = operation.card.id, operation.reason
                table.happen(DiceRolled(0, NEW, apply.actor, GM, request=request, reason=reason, total=total))
        case SetHitPoints() | Notify():
            # Hit points are written with the receipt.
            pass
        case _:
            assert_never(operation)


def _tells_of_refusal(apply: Apply) -> bool:
    return any(isinstance(operation, PostCard) and operation.card.kind == "refusal" for operation in apply.operations)


def _set(actor: Actor, operation: SetCondition) -> tuple[Effect, ...]:
    old = actor.effect(operation.effect)
    if operation.mark is None:
        return tuple(e for e in actor.effects if e is not old)
    if old is None:
        new = Effect(
            operation.effect,
            operation.statuses or (operation.condition,),
            name=operation.condition.capitalize(),
            disabled=operation.disabled,
            mark=operation.mark,
        )
        return (*actor.effects, new)
    changed = structs.replace(old, mark=operation.mark, disabled=operation.disabled)
    return tuple(changed if e is old else e for e in actor.effects)


def _switch(actor: Actor, operation: SetStatus) -> tuple[Effect, ...]:
    there = any(operation.status in e.statuses for e in actor.effects)
    if operation.on:
        if there:
            return actor.effects
        statuses = statuses_of_icon(operation.status)
        return (*actor.effects, Effect(static_id(operation.status), statuses, name=operation.status.capitalize()))
    return tuple(e for e in actor.effects if e.statuses[0] != operation.status)


def _post(table: Table, card: Card, ask: AskRoll | None = None, *, seen: bool = False) -> bool:
    """Post a card once; it may stand there already.  ``seen``: it counts among the cards of the step.

    CRD-1: where its group has a message, it is a row of that, which is no card more.
    """
    there = table.documents.messages.get(card.group or card.id)
    if there is not None and any(one.card.id == card.id for one in there.cards):
        return False
    new = table.documents.keep(Message(card, ask=ask))
    if seen:
        (table.record.cards if new else table.record.rows).append(card)
    return True


def _update(table: Table, operation: UpdateCard) -> None:
    message = table.documents.card(operation.card)
    if message is not None:
        done = {**message.done, operation.button: operation.stamp}
        table.documents.keep(structs.replace(message, done=done, outcomes=(*message.outcomes, operation.outcome)))
