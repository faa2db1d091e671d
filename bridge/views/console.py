"""The console: who has what and for how long, what was decided last, and what the GM can do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from bridge import protocol as p
from bridge.engine.conditions import Creature
from bridge.engine.settings import OFF
from bridge.engine.words import ABILITIES
from bridge.views.words import chapter_row, choices, clocks, creature, implied_line, name, press, shown, source_line
from bridge.world.cards import line
from bridge.world.happenings import has_conditions
from bridge.world.undo import changed

if TYPE_CHECKING:
    from bridge.world import World
    from bridge.world.memory import Denied

MOST_ROWS = 600
"""Rows of one list, or a few more; the rest is counted."""
LAST = 8
"""Decisions on the console; the history has more."""


def view(world: World, _about: Mapping[str, p.Asked]) -> p.View:
    """Return the console."""
    return p.View(
        "console",
        p.Line("console", "Conditions"),
        (give(world), drinks(world), *waiting(world), statuses(world), *denied(world), decisions(world)),
        (p.Control("history", p.Line("history", "History"), "ask", {"what": "history"}, icon="clock-rotate-left"),),
    )


def statuses(world: World) -> p.Rows:
    """Return who has what, why, and for how long."""
    found: list[p.Row] = []
    more = 0
    for actor in world.memory.actors.values():
        if not has_conditions(actor):
            continue
        if len(found) < MOST_ROWS:
            found.extend(of(world, actor.id))
        else:
            more += sum(id in world.book.conditions for id in creature(world, actor.id).conditions)
    return p.Rows(
        "statuses",
        p.Line("who-has-what", "Who has what"),
        tuple(found),
        p.Line("nobody", "Nobody has a condition."),
        more=more,
    )


def of(world: World, actor: str) -> Iterator[p.Row]:
    """Return the conditions of one creature."""
    it = creature(world, actor)
    halted = {status for e in it.actor.effects if e.mark and e.mark.held for status in e.statuses}
    for id in sorted(halted | it.conditions.keys()):
        if id in world.book.conditions:
            yield _row(world, it, id, halted=id not in it.conditions)


def _row(world: World, it: Creature, id: str, *, halted: bool) -> p.Row:
    condition = world.book.conditions[id]
    level = it.level(id) if condition.levels > 1 else 0
    effects = it.effects(id)
    ends, said = clocks(world, effects)
    sources = [line for effect in effects if (line := source_line(effect)) is not None]
    said += [implied_line(world, by) for by in sorted(it.conditions) if id in world.book.implied.get(by, ())]
    if condition.sourced and it.carried(id) and not sources:
        # CND-7: whoever holds it is not guessed, so that nothing about the source ends it.
        said.append(p.Line("unsourced", "Nobody is noted as its source: what depends on the source does not happen."))
    if halted:
        said.append(p.Line("halted", "Halted: it waits until it goes on."))
    if world.book.mode(id) == OFF:
        said.append(p.Line("off", "Switched off in the house rules."))
    if ends is None and not halted and (due := _next(it, id)) is not None:
        ends = p.Ends(p.Line("next-in", "Next change in {left}"), at=shown(world, due))
    return p.Row(
        id=f"{it.actor.id}-{id}",
        actor=it.actor.id,
        condition=id,
        level=level,
        lines=(*sources, *said),
        ends=ends,
        controls=tuple(_controls(it, id, level)),
    )


def _next(it: Creature, id: str) -> int | None:
    """Return when the condition's own clock falls due next (INT-9, IGN-2)."""
    found = [time for due in it.book.conditions[id].dues if (time := due(it, it.now)) is not None]
    return min(found, default=None)


def _controls(it: Creature, id: str, level: int) -> Iterator[p.Control]:
    actor = it.actor.id
    about = {"what": "why", "about": {"actor": actor, "condition": id}}
    yield p.Control("why", p.Line("why", "Why?"), "ask", about, icon="circle-question")
    if level:
        for step, key, text, icon in ((-1, "less", "One level less", "minus"), (1, "more", "One level more", "plus")):
            if 0 < level + step <= it.book.conditions[id].levels:
                data = {"actor": actor, "condition": id, "level": level + step}
                yield p.Control(key, p.Line(key, text), "given", data, icon=icon)
    if it.carried(id):
        data = {"actor": actor, "condition": id, "level": 0}
        yield p.Control("end", p.Line("end", "End it"), "given", data, icon="xmark")


def waiting(world: World) -> Iterator[p.Rows]:
    """Yield the list of what waits for the GM's word, where something does (rules, section 11)."""
    cards = [one.card for one in world.memory.waiting.values() if any(b.id == "approve" for b in one.card.buttons)]
    if not cards:
        return
    rows = tuple(
        p.Row(
            id=card.id,
            actor=card.actor,
            title=p.Line("name", name(world, card.actor)),
            lines=card.lines,
            controls=tuple(_press(button, press(card, button)) for button in ("approve", "refuse")),
        )
        for card in cards
    )
    everything = tuple(
        _press(f"{button}-all", {"each": [press(card, button) for card in cards]}) for button in ("approve", "refuse")
    )
    title = p.Line("waiting", "Waits for your word")
    yield p.Rows("waiting", title, rows, controls=everything if len(cards) > 1 else ())


def _press(id: str, data: dict[str, Any]) -> p.Control:
    text, icon = PRESSES[id]
    return p.Control(id, p.Line(id, text), "pressed", data, icon=icon)


PRESSES = {
    "approve": ("Approve", "check"),
    "refuse": ("Refuse", "ban"),
    "approve-all": ("Approve all", "check-double"),
    "refuse-all": ("Refuse all", "ban"),
    "allow": ("Allow", "heart-circle-check"),
}


def denied(world: World) -> Iterator[p.Rows]:
    """Yield the list of what did nothing, the newest first, where there is something."""
    found = [(actor, one) for actor, many in world.memory.denied.items() for one in many]
    if not found:
        return
    found.sort(key=lambda pair: (pair[1].at, pair[1].id), reverse=True)
    rows = tuple(_denied(world, number, actor, one) for number, (actor, one) in enumerate(found[:LAST]))
    yield p.Rows("denied", p.Line("why-not", "Why not?"), rows)


def _denied(world: World, number: int, actor: str, one: Denied) -> p.Row:
    waiting = world.memory.waiting.get(one.card)
    allow = waiting is not None and any(button.id == "allow" for button in waiting.card.buttons)
    return p.Row(
        id=f"denied-{number}",
        actor=actor,
        title=p.Line("name", name(world, actor)),
        lines=(line(one.say),),
        controls=(_press("allow", press(waiting.card, "allow")),) if waiting and allow else (),
    )


def decisions(world: World) -> p.Rows:
    """Return the last decisions that changed something."""
    found = islice(filter(changed, reversed(world.memory.history.values())), LAST)
    return p.Rows(
        "decisions",
        p.Line("decisions", "Last decisions"),
        tuple(chapter_row(world, chapter) for chapter in found),
        p.Line("no-decisions", "Nothing was decided yet."),
    )


def give(world: World) -> p.Form:
    """Return the form with which the GM gives a condition to the selected tokens (TIM-1)."""
    book = world.book
    levelled = tuple(id for id, c in book.conditions.items() if c.levels > 1)
    nobody = p.Choice("", p.Line("no-source", "Nobody in particular"))
    known = [id for id, actor in world.memory.actors.items() if has_conditions(actor)]
    creatures = [p.Choice(id, p.Line("name", name(world, id))) for id in known]
    creatures.sort(key=lambda choice: choice.label.text.casefold())
    abilities = tuple(p.Choice(id, p.Line("ability", text, {"ability": id})) for id, text in ABILITIES.items())
    moments = (p.Choice("end", p.Line("moment-end", "the end")), p.Choice("start", p.Line("moment-start", "the start")))
    lasts = tuple(p.Choice(id, p.Line(f"lasts-{id or 'open'}", text)) for id, text in LASTS.items())
    save: dict[str, tuple[str, ...]] = {"lasts": ("save",)}
    level = {"condition": levelled}
    fields = (
        p.Field("condition", "choice", p.Line("give-condition", "Condition"), value="poisoned", choices=choices(world)),
        p.Field("level", "number", p.Line("give-level", "Level"), value=1, least=1, most=6, only=level),
        p.Field("lasts", "choice", p.Line("give-lasts", "Lasts"), choices=lasts),
        p.Field("amount", "number", p.Line("give-amount", "How many"), value=1, least=1, only={"lasts": UNITS}),
        p.Field("ability", "choice", p.Line("give-ability", "Save"), value="con", choices=abilities, only=save),
        p.Field("dc", "number", p.Line("give-dc", "DC"), value=10, least=1, most=40, only=save),
        p.Field("moment", "choice", p.Line("give-moment", "Asked for at"), value="end", choices=moments, only=save),
        p.Field("source", "choice", p.Line("give-source", "Caused by"), choices=(nobody, *creatures)),
        p.Field("forced", "toggle", p.Line("give-forced", "Even if it is immune"), value=False),
    )
    control = p.Control("give", p.Line("give", "Give it to the selected tokens"), "given", icon="bolt", selected=True)
    return p.Form("give", p.Line("give-title", "Give a condition"), fields, (control,), open=False)


UNITS = ("seconds", "minutes", "hours", "days", "rounds")
LASTS = {
    "": "until it is taken off",
    "seconds": "seconds",
    "minutes": "minutes",
    "hours": "hours",
    "days": "days",
    "rounds": "rounds",
    "turn-start": "until the start of its next turn",
    "turn-end": "until the end of its next turn",
    "save": "until a save succeeds",
    "combat": "until the combat ends",
    "short-rest": "until a short rest",
    "long-rest": "until a long rest",
}


def drinks(world: World) -> p.Form:
    """Return the form for a round of drinks, for food and for water (INT-17)."""
    table = [id for id, actor in world.memory.actors.items() if actor.owned and actor.type == "character"]
    fields = (
        p.Field("count", "number", p.Line("drink-count", "Drinks each"), value=1, least=1, most=20),
        p.Field(
            "strength",
            "number",
            p.Line("drink-strength", "Strength"),
            p.Line("drink-strength-hint", "An ale is 1. A strong spirit may be 2 or 3."),
            value=1,
            least=1,
            most=20,
        ),
        p.Field("willing", "toggle", p.Line("drink-willing", "Even for who is immune to poison"), value=False),
    )
    label = p.Line("drink-table", "A round for the table")
    everyone = {"actor": table[0], "others": table[1:]} if table else None
    controls = [p.Control("table", label, "drank", everyone, icon="beer-mug-empty")] if everyone else []
    select = p.Line("drink-selected", "For the selected tokens")
    controls.append(p.Control("selected", select, "drank", icon="beer-mug-empty", selected=True))
    for id, text, icon in (("food", "Food for them", "drumstick-bite"), ("water", "Water for them", "glass-water")):
        controls.append(p.Control(id, p.Line(f"eat-{id}", text), "ate", {"what": id}, icon=icon, selected=True))
    return p.Form("drinks", p.Line("drinks-title", "A round of drinks"), fields, tuple(controls), open=False)
