"""Tells a story in the terminal: what happened, what the bridge decided and why, what was done, what the cards say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs
from rich.console import Console
from rich.markup import escape

from bridge.engine.catalogue import Catalogue
from bridge.engine.state import Actor
from bridge.protocol import (
    Ack,
    Apply,
    ApplyDamage,
    AskRoll,
    Card,
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
    Status,
    Undo,
    UpdateCard,
)

from .documents import plain
from .expect import statuses
from .steps import Step

if TYPE_CHECKING:
    from .story import Played, Story
    from .table import Outgoing, Record, Table

IN, OUT = "[cyan]→[/]", "[yellow]←[/]"


def tell_actors(console: Console, story: Story) -> None:
    """Tell who is at the table."""
    console.print(f"[bold]{escape(story.scenario.title)}[/]")
    for actor in story.table.documents.actors.values():
        console.print(f"  {escape(state(story.table, actor))}")


def tell_step(console: Console, story: Story, played: Played) -> None:
    """Tell one step."""
    console.print(f"\n[bold]{played.number}. {escape(words(played.told.step))}[/]")
    tell_messages(console, story.table, played.record)
    for unmet in played.unmet:
        console.print(f"  [bold red]{escape(str(unmet))}[/]")


def tell_messages(console: Console, table: Table, record: Record) -> None:
    """Tell the messages of a step, in order."""
    for message in record.story:
        for line in _lines(table, message):
            console.print(f"  {line}")


def words(step: Step) -> str:
    """Return the step as the file says it, in one line."""
    fields = {
        field.encode_name: getattr(step, field.name)
        for field in structs.fields(step)
        if field.encode_name not in {"expect", "actor"} and getattr(step, field.name) != field.default
    }
    told = ", ".join(f"{key} {_value(value)}" for key, value in fields.items() if value not in ((), {}))
    who = getattr(step, "actor", None)
    do = step.do
    return " ".join(part for part in (f"{who}:" if who else "", do, told) if part)


def state(table: Table, actor: Actor) -> str:
    """Return the creature in one line."""
    hp = actor.hp
    points = f"{hp.value}/{hp.top}{f' +{hp.temp}' if hp.temp else ''}" if hp else "no hit points"
    catalogue = table.documents.catalogue
    levelled = {entry.id for entry in catalogue.conditions if len(entry.levels) > 1} if catalogue else set()
    had = sorted(statuses(table, actor).items())
    has = ", ".join(f"{id} {level}" if level > 1 or id in levelled else id for id, level in had)
    held = ", ".join(f"{effect.statuses[0]} (halted)" for effect in actor.effects if effect.mark and effect.mark.held)
    return f"{actor.name}: {points}{f'; {has}' if has else ''}{f'; {held}' if held else ''}"


def _lines(table: Table, message: Outgoing | FromBridge) -> list[str]:
    match message:
        case Picture():
            return _picture(table, message)
        case Failed():
            return [f"{IN} not done: {message.code} {escape(message.message)}"]
        case Undo():
            return [f"{IN} undo, by {escape(message.by.name)}"]
        case Apply():
            name = _name(table, message.actor)
            return [f"{OUT} {escape(name)}: {escape(operation(each))}" for each in message.operations] + [
                f"[dim]{OUT} {escape(name)}: receipt {message.id}[/]"
            ]
        case Error():
            return [f"{OUT} [red]{message.code}[/]: {escape(message.message)}"]
        case Catalogue():
            return [f"[dim]{OUT} catalogue {message.version}: {len(message.conditions)} conditions[/]"]
        case Status():
            return [f"{OUT} status {message.state}: {escape(message.message)}"]
        case Ack():
            return []
        case _:
            told = {
                k: v for k, v in plain(message).items() if k not in {"n", "id", "actor", "by", "at", "type", "card"}
            }
            more = ", ".join(f"{key} {_value(value)}" for key, value in told.items())
            kind = str(message.__struct_config__.tag)
            who = str(plain(message).get("actor", ""))
            return [f"{IN} {escape(_name(table, who))} {kind} {escape(more)}".rstrip()]


def _picture(table: Table, picture: Picture) -> list[str]:
    why = f" [dim]({picture.cause.kind})[/]" if picture.cause else ""
    who = f" [dim]by {escape(picture.by.name)}[/]" if picture.by else ""
    echo = "[dim]" if picture.apply else ""
    end = "[/]" if echo else ""
    found = [f"{IN} {echo}{escape(state(table, actor))}{end}{why}{who}" for actor in picture.actors]
    found += [f"{IN} {escape(_name(table, ref))} is gone" for ref in picture.gone]
    for combat in picture.combats:
        turn = combat.order[combat.turn].actor if combat.turn < len(combat.order) else None
        found.append(f"{IN} round {combat.round}, {escape(_name(table, turn)) if turn else 'nobody'}'s turn")
    found += [f"{IN} the combat is over" for _ in picture.ended]
    if picture.clock is not None:
        found.append(f"{IN} the clock stands at {picture.clock}")
    return found


def operation(told: Operation) -> str:
    """Return an operation in one line."""
    match told:
        case SetHitPoints():
            return f"hit points {told.was} → {told.value}{' (a correction)' if told.quiet else ''}"
        case ApplyDamage():
            return f"{told.amount} {told.damage} damage"
        case SetHitDice():
            return f"Hit Dice {_value(told.was)} → {_value(told.left)}"
        case SetCondition(mark=None):
            return f"{told.condition} ends"
        case SetCondition():
            level = told.mark.level if told.mark else 1
            levelled = level > 1 or (told.was is not None and told.was.level > 1)
            why = f", because of {told.mark.cause}" if told.mark and told.mark.cause else ""
            return f"{told.condition}{f' {level}' if levelled else ''}{' (halted)' if told.disabled else ''}{why}"
        case SetStatus():
            return f"{'now' if told.on else 'no longer'} {told.status}"
        case EndConcentration():
            return "concentration ends"
        case PostCard():
            return f"card to {told.card.audience}: {card(told.card)}"
        case UpdateCard():
            return f"card, {told.button}: {told.outcome.text}"
        case AskRoll():
            return f"asks for a {told.ability} save, DC {told.dc}"
        case RollDice():
            return f"rolls {told.formula}"
        case Notify():
            return f"tells: {told.line.text}"


def card(told: Card) -> str:
    """Return a card in one line."""
    lines = [line.text for line in (told.title, *told.lines)]
    buttons = "".join(f" [{button.label}]" for button in told.buttons)
    return " · ".join(lines) + buttons


def _name(table: Table, ref: str) -> str:
    actor = table.documents.actors.get(ref)
    return actor.name if actor else table.key_of(ref) or ref


def _value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(each)}" for key, each in value.items())
    if isinstance(value, tuple | list):
        return " ".join(map(_value, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
