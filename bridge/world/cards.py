"""From a decision to its chat card: one per cause, text and numbers only (CRD-1, CRD-3, CRD-5, CRD-6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from bridge import protocol
from bridge.engine.changes import AskSave, Post, RollDice, Say, Use
from bridge.engine.conditions import Condition, Creature, Rulebook
from bridge.engine.decide import Decision
from bridge.engine.events import ConditionChanged, Missed
from bridge.engine.publish import ends_of, summary_of
from bridge.engine.settings import OFF
from bridge.engine.state import Actor, Timer
from bridge.engine.words import name_of

ORDER = ("refusal", "notice", "conditions", "turn")
UNDO = "undo"
NO_DATA: dict[str, str | int] = {}
MINUTE, HOUR, DAY = 60, 3600, 86_400


def audience(book: Rulebook, actor: Actor, wanted: str) -> str:
    """CRD-3: "Cards about creatures that players cannot see or do not know … go to the GM alone"."""
    if actor.hidden or (not actor.owned and actor.type != "character" and book.settings["cards.npcs"] == "gm"):
        return "gm"
    return wanted


def line(say: Say) -> protocol.Line:
    """Return a line as it crosses the wire."""
    return protocol.Line(
        key=say.key, text=say.text, data=say.data, condition=say.condition, level=say.level, source=say.source
    )


def decision_card(
    book: Rulebook, decision: Decision, id: str, now: int, *, silent: bool = False, area: str = ""
) -> protocol.Card | None:
    """Return the one card that tells of the decision; none when there is nothing to tell.

    ``silent``: what changed is told elsewhere (CMB-11); refusals and notices are posted all the same.
    ``area``: what the cards of several creatures have in common, of which each is a row of one card.
    """
    actor = decision.after
    posts = [change for change in decision.outputs if isinstance(change, Post)]
    moved = [] if silent else [e for e in decision.changed if shown(book, e)]
    if not moved:
        # Buttons alone are no news: they stand on the card of the change that they go with.
        posts = [post for post in posts if post.say]
    if not posts and not moved:
        return None
    kinds = {post.kind for post in posts} | ({"conditions"} if moved else set())
    kind = next((k for k in ORDER if k in kinds), "notice")
    creature = Creature(actor, book, now)
    lines = [change_line(creature, event) for event in moved] + [line(post.say) for post in posts if post.say]
    data: dict[str, Any] = {}
    for post in posts:
        data.update(post.data)
    buttons = tuple(protocol.Button(b.id, b.label, b.who) for post in posts for b in post.buttons)  # type: ignore[arg-type]  # checked by the rulebook's tests
    if decision.moved:
        # CRD-4, UND-1: what was decided can be undone from its card.
        buttons = (*buttons, protocol.Button(UNDO, "Undo"))
    wanted = next((post.audience for post in posts if post.audience), None) or _wanted(book, moved, bool(posts))
    if wanted == "off":
        return None
    to = audience(book, actor, wanted)
    return protocol.Card(
        id=id,
        kind=kind,  # type: ignore[arg-type]  # one of ORDER
        actor=actor.id,
        title=_title(book, kind, moved, posts),
        lines=tuple(lines),
        buttons=buttons,
        audience=to,  # type: ignore[arg-type]  # gm, owner or all
        data=data,
        group=f"{area}.{to}" if area and _is_row(kind, buttons, to) else id,
    )


def _is_row(kind: str, buttons: Sequence[protocol.Button], to: str) -> bool:
    """CRD-1: "Area effects on several creatures: one card with a row each"; what must be answered stands alone.

    Owners are others for each creature, so that a row for them would be read by too many (CRD-3).
    """
    return kind == "conditions" and to != "owner" and all(button.id == UNDO for button in buttons)


def shown(book: Rulebook, event: ConditionChanged) -> bool:
    """CRD-1: "Bloodied and implied conditions post none unless the GM asks for it"."""
    condition = book.conditions.get(event.condition)
    if condition is None or book.mode(condition.id) == OFF or condition.id in book.aside:
        return False
    if event.implied or condition.derived is not None:
        return bool(book.settings["cards.derived"] != "off")
    return bool(book.settings["cards.gain"] != "off")


def change_line(it: Creature, event: ConditionChanged) -> protocol.Line:
    """Say what a condition does now, or that it is over."""
    condition = it.book.conditions[event.condition]
    if not event.level:
        return protocol.Line(
            key="ended",
            text=f"No longer {condition.name}.",
            data={"name": condition.name},
            condition=condition.id,
        )
    levelled = condition.levels > 1
    name = f"{condition.name} {event.level}" if levelled else condition.name
    effects = it.effects(condition.id)
    source = next((e.mark.source for e in effects if e.mark and e.mark.source), None)
    ends = ends_text(it, condition)
    text = f"{name}: {summary_of(it.book, condition.id, event.level)}"
    return protocol.Line(
        key="risen" if event.was and event.level > event.was else "fallen" if event.was else "gained",
        text=f"{text} {ends}".strip(),
        data={
            "name": name,
            "level": event.level,
            "was": event.was,
            "summary": summary_of(it.book, condition.id, event.level),
            "ends": ends,
            **_end_data(it, condition),
        },
        condition=condition.id,
        level=event.level if levelled else 0,
        source=source,
    )


def _timers(it: Creature, condition: Condition) -> list[Timer]:
    return [e.mark.timer for e in it.effects(condition.id) if e.mark and e.mark.timer]


def _end_data(it: Creature, condition: Condition) -> dict[str, str | int]:
    """CRD-6: what ``ends_text`` says of one timer, as key and numbers for the client's own language."""
    timers = _timers(it, condition)
    if len(timers) != 1:
        return {}
    timer = timers[0]
    left = max(0, timer.began + timer.amount - it.now) if timer.kind == "seconds" else timer.amount
    data: dict[str, str | int] = {"end": timer.kind, "left": left}
    if timer.ability is not None:
        data |= {"ability": timer.ability, "dc": timer.dc, "moment": timer.moment or "end"}
    return data


def ends_text(it: Creature, condition: Condition) -> str:
    """Say what ends the condition, and when."""
    if timers := _timers(it, condition):
        return " ".join(timer_text(it, timer) for timer in timers)
    return ends_of(it.book, condition)


def timer_text(it: Creature, timer: Timer) -> str:
    """Say when a timer ends, in game time or in turns, and which save ends it sooner."""
    save = f"a successful {timer.ability} save, DC {timer.dc}, at the {timer.moment} of its turn."
    if timer.kind == "save":
        return f"Ends with {save}"
    return _end_text(it, timer) if timer.ability is None else f"{_end_text(it, timer)[:-1]}, or with {save}"


def _end_text(it: Creature, timer: Timer) -> str:
    match timer.kind:
        case "seconds":
            left = timer.began + timer.amount - it.now
            return f"Ends in {span(left)}."
        case "rounds":
            return f"Ends after {timer.amount} rounds." if timer.amount != 1 else "Ends after 1 round."
        case "turn-start" | "turn-end":
            return f"Ends at the {'start' if timer.kind == 'turn-start' else 'end'} of a turn."
        case "combat":
            return "Ends with the combat."
        case kind:
            return f"Ends with a {kind.replace('-', ' ')}."


def span(seconds: int) -> str:
    """Say a length of time in the largest unit that fits."""
    seconds = max(0, seconds)
    for size, unit in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if (seconds >= size and seconds % size == 0) or seconds >= 2 * size:
            count = round(seconds / size)
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return f"{seconds} second{'' if seconds == 1 else 's'}"


def ask_card(book: Rulebook, actor: Actor, ask: AskSave, id: str) -> protocol.Card:
    """Return the card that asks for a save; it stands in Foundry until it is rolled."""
    return protocol.Card(
        id=id,
        kind="save",
        actor=actor.id,
        title=protocol.Line(key="save", text="Saving throw", data={"ability": ask.ability, "dc": ask.dc}),
        lines=(line(ask.say),),
        buttons=(protocol.Button("roll", "Roll the save", "owner"),),
        audience=audience(book, actor, "all"),  # type: ignore[arg-type]  # gm or all
        data={"reason": ask.reason, "dc": ask.dc, "ability": ask.ability},
        group=id,
    )


def dice_card(book: Rulebook, actor: Actor, roll: RollDice, id: str) -> protocol.Card:
    """Return the card of dice that a rule rolls in the open."""
    return protocol.Card(
        id=id,
        kind="dice",
        actor=actor.id,
        title=protocol.Line(key="dice", text=roll.formula, data={"formula": roll.formula}),
        lines=(line(roll.say),),
        audience=audience(book, actor, "all"),  # type: ignore[arg-type]  # gm or all
        data={"reason": roll.reason, "formula": roll.formula},
        group=id,
    )


def missed_card(book: Rulebook, actor: Actor, event: Missed, id: str) -> protocol.Card:
    """CMB-11: "a first connection ends with one summary"; after a gap, what was missed."""
    text = "Condition Bridge is connected." if event.first else "While the bridge was away"
    return protocol.Card(
        id=id,
        kind="summary",
        actor=actor.id,
        title=protocol.Line(key="first" if event.first else "missed", text=text),
        lines=tuple(
            _missed_line(condition if condition in book.conditions else None, said, {**data})
            for (condition, said), data in zip_longest(event.lines, event.data, fillvalue=NO_DATA)
        ),
        audience="gm",
        group=id,
    )


def _missed_line(condition: str | None, text: str, data: dict[str, str | int]) -> protocol.Line:
    return protocol.Line(key=str(data.pop("key", "summary-line")), text=text, data=data, condition=condition)


def use_operation(change: Use, stamp: int) -> protocol.UpdateCard:
    """Return the operation that shows a button as used."""
    return protocol.UpdateCard(card=change.card, button=change.button, outcome=line(change.say), stamp=stamp)


def _wanted(book: Rulebook, moved: list[ConditionChanged], posts: bool) -> str:
    gain, derived = str(book.settings["cards.gain"]), str(book.settings["cards.derived"])
    if posts:
        return gain if gain != "off" else "gm"
    wide = [gain if not e.implied and book.conditions[e.condition].derived is None else derived for e in moved]
    return next((a for a in ("all", "owner", "gm") if a in wide), "off")


def _title(book: Rulebook, kind: str, moved: list[ConditionChanged], posts: list[Post]) -> protocol.Line:
    names = [name_of(book, e.condition) for e in moved] or [
        name_of(book, post.say.condition) for post in posts if post.say and post.say.condition
    ]
    names = list(dict.fromkeys(names))
    text = {"refusal": "Healing refused"}.get(kind, ", ".join(names) or "Condition Bridge")
    return protocol.Line(key=f"title-{kind}", text=text, data={"names": ", ".join(names)})
