"""Judging what must be so after a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from bridge.engine.conditions import Rulebook
from bridge.engine.ledger import why
from bridge.engine.modifiers import levels_of
from bridge.engine.state import Actor
from bridge.protocol import Card
from bridge.rulebook.book import parse

from .clocks import remaining
from .expectations import Expected, ExpectedActor, General, RollNow
from .judge import roll_gets, speed
from .table import Table

if TYPE_CHECKING:
    from .story import Story

INFORMATION = "info"
"""The code of an answer that is no error."""


class Unmet(Struct, frozen=True):
    """Something that is not as expected."""

    what: str
    expected: object
    found: object

    def __str__(self) -> str:
        return f"{self.what}: expected {_shown(self.expected)}, there was {_shown(self.found)}"


def judge(story: Story, expected: Expected) -> list[Unmet]:
    """Return everything that is not as expected."""
    found = list(_general(story, expected.general))
    for key, wanted in expected.actors.items():
        found += _actor(story.table, key, wanted)
    return found


def _actor(table: Table, key: str, wanted: ExpectedActor) -> Iterator[Unmet]:
    actor = table.documents.actors.get(table.keys[key])
    if actor is None:
        yield Unmet(key, "is at the table", "it is gone")
        return
    hp = actor.hp
    judges: dict[str, tuple[object, Callable[[], object]]] = {
        "hp": (wanted.hp, lambda: hp and hp.value),
        "temp": (wanted.temp, lambda: hp and hp.temp),
        "max": (wanted.max, lambda: hp and hp.max),
        "conditions": (_set(wanted.conditions), lambda: _set(conditions(table, actor))),
        "hit-dice": (wanted.hit_dice, lambda: _hit_dice(actor, wanted.hit_dice)),
        "speed": (wanted.speed, lambda: speed(table, actor)),
        "effects": (wanted.effects, lambda: sum(1 for effect in actor.effects if effect.statuses)),
        "concentrating": (wanted.concentrating, lambda: actor.concentrating),
    }
    for word, (want, look) in judges.items():
        if want is not None:
            yield from _same(f"{key}.{word}", want, look())
    has = statuses(table, actor)
    if missing := set(wanted.has or ()) - has.keys():
        yield Unmet(f"{key}.has", sorted(missing), sorted(has))
    if unwanted := set(wanted.lacks or ()) & has.keys():
        yield Unmet(f"{key}.lacks", sorted(unwanted), sorted(has))
    for condition, level in wanted.level.items():
        yield from _same(f"{key}.level.{condition}", level, has.get(condition, 0))
    for condition, left in wanted.remaining.items():
        yield from _same(f"{key}.remaining.{condition}", left, remaining(table, actor, condition))


def _general(story: Story, wanted: General) -> Iterator[Unmet]:
    table, record = story.table, story.table.record
    for key, causes_of in wanted.why.items():
        for condition, causes in causes_of.items():
            found = {cause.name for cause in why(_book(story), table.actor(key), condition)}
            yield from _same(f"why.{key}.{condition}", set(causes), found)
    for key, amount in wanted.refused.items():
        yield from _same(f"refused.{key}", amount, record.refused.get(table.keys[key], 0))
    if wanted.cards is not None:
        yield from _same("cards", wanted.cards, len(record.cards))
    if wanted.cards_to is not None:
        yield from _same("cards-to", set(wanted.cards_to), {card.audience for card in record.cards})
    if wanted.card_says is not None:
        texts = [wanted.card_says] if isinstance(wanted.card_says, str) else wanted.card_says
        said = [text for card in (*record.cards, *record.rows) for text in texts_of(table, card)]
        for text in texts:
            if not any(_folded(text) in _folded(line) for line in said):
                yield Unmet("card-says", text, said)
    if wanted.asked is not None:
        asked = sorted((table.key_of(ask.card.actor) or "", ask.ability, ask.dc) for ask in record.asked)
        yield from _same("asked", sorted((a.actor, a.save, a.dc) for a in wanted.asked), asked)
    if wanted.denied is not None:
        yield from _same("denied", wanted.denied, record.denied)
    for roll in wanted.rolls:
        yield from _roll(table, roll)
    if wanted.operations is not None:
        yield from _same("operations", wanted.operations, len(record.operations))
    if wanted.error is not None:
        codes = [error.code for error in record.errors if error.code != INFORMATION]
        if wanted.error not in codes:
            yield Unmet("error", wanted.error, codes or "no error")
    if wanted.connected is not None:
        yield from _same("connected", wanted.connected, table.linked)


def _roll(table: Table, wanted: RollNow) -> Iterator[Unmet]:
    target = table.actor(wanted.target) if wanted.target else None
    gets = roll_gets(table, table.actor(wanted.actor), wanted.roll, target)
    name = f"rolls ({wanted.actor}, {wanted.roll}{f', at {wanted.target}' if wanted.target else ''})"
    if wanted.gives is not None:
        yield from _same(name, set(wanted.gives), set(gets.gives))
    if wanted.because is not None:
        yield from _same(f"{name}.because", sorted(wanted.because), sorted(gets.because))
    if wanted.dc is not None:
        yield from _same(f"{name}.dc", int(wanted.dc), gets.difficulty)


def statuses(table: Table, actor: Actor) -> dict[str, int]:
    """Return every status that the creature has, with its level; what a condition implies included."""
    catalogue = table.documents.catalogue
    return levels_of(actor, {entry.id: entry.implied for entry in catalogue.conditions} if catalogue else {})


def conditions(table: Table, actor: Actor) -> set[str]:
    """Return the conditions of the rules that it has."""
    catalogue = table.documents.catalogue
    return {entry.id for entry in catalogue.conditions} & statuses(table, actor).keys() if catalogue else set()


def texts_of(table: Table, card: Card) -> list[str]:
    """Return what can be read on a card: whose it is, every line with who caused it, and its buttons."""
    creatures = table.documents.actors
    named = [card.actor, *(line.source for line in card.lines if line.source)]
    # CRD-3: "names hidden from players stay hidden".
    seen = [
        creature.name
        for ref in named
        if (creature := creatures.get(ref)) and (ref == card.actor or card.audience == "gm" or not creature.hidden)
    ]
    return [*seen, card.title.text, *(line.text for line in card.lines), *(button.label for button in card.buttons)]


def _folded(text: str) -> str:
    """Return a text for comparison: case does not matter, nor which sign stands for minus."""
    return text.casefold().replace("−", "-")


def _hit_dice(actor: Actor, wanted: int | dict[str, int] | None) -> int | dict[str, int]:
    if isinstance(wanted, dict):
        return {key: actor.hit_dice[key].left if key in actor.hit_dice else 0 for key in wanted}
    return sum(dice.left for dice in actor.hit_dice.values())


def _set(found: Iterable[str] | None) -> set[str] | None:
    return None if found is None else set(found)


def _same(what: str, expected: object, found: object) -> Iterator[Unmet]:
    if expected != found:
        yield Unmet(what, expected, found)


def _shown(value: object) -> str:
    if isinstance(value, set):
        value = sorted(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_shown(each) for each in value) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _book(story: Story) -> Rulebook:
    return parse(story.scenario.text)
