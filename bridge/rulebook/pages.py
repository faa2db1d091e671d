"""A rulebook as pages of questions with what holds now, and answers to them back into its text.

Pure: a window shows the questions, whoever answers sends what was chosen, ``edits`` finds what differs and ``written``
puts it into the text, where all else stays as the GM wrote it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, get_args

from msgspec import Struct

from bridge.engine.conditions import Condition, Rulebook
from bridge.engine.publish import ends_of, summary_of
from bridge.engine.settings import Setting
from bridge.engine.words import ABILITIES

from . import edit
from .book import HOUSE_RULES, SHIPPED, Reading, check, shipped
from .durations import RIGHT
from .file import Own, SaveItem, Touch
from .vocabulary import DamageType, EndsOn, Mode, RollsMode

Value = str | int | bool | tuple[str, ...]
Kind = Literal["choice", "number", "text", "area", "toggle", "tags", "lines"]
Choices = tuple[str, ...]
MODES: Choices = get_args(Mode)
ROLLS: Choices = ("", *get_args(RollsMode))
DAMAGE_TYPES: Choices = get_args(DamageType)
SAVE_DC = 10


class Question(Struct, frozen=True):
    """One thing that a GM may decide.  ``key`` is its path in the file, as far as there is one."""

    key: str
    kind: Kind
    label: str
    value: Value
    default: Value
    hint: str = ""
    choices: Choices = ()
    least: int | None = None
    only: Mapping[str, Choices] = {}
    """Asked only while another question has one of these answers."""


class Group(Struct, frozen=True):
    """Questions that are answered together."""

    id: str
    title: str
    questions: tuple[Question, ...]
    condition: str = ""
    """The condition that they are about."""


class Page(Struct, frozen=True):
    """One subject."""

    id: str
    title: str
    groups: tuple[Group, ...]


def version(text: str) -> str:
    """Return what tells one state of a rulebook's text from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def page(id: str, text: str) -> Page:
    """Return a page of a rulebook that can be read; the first one when there is none of that name."""
    return _page(id, _read(text))


def edits(text: str, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the answers change, by key of the file; ``None`` takes a key out of it."""
    reading = _read(text)
    asked = {
        question.key: question for id in PAGES for group in _page(id, reading).groups for question in group.questions
    }
    given = {key: plain(answer, asked[key]) for key, answer in answers.items() if key in asked}
    changed = {key: answer for key, answer in given.items() if answer != asked[key].value}
    found: dict[str, Any] = {}
    for key, answer in changed.items():
        whole, new = _whole(key, answer, asked, changed, reading)
        found[whole] = list(new) if isinstance(new, tuple) else new
    return found


def _read(text: str) -> Reading:
    reading = check(text)
    # Only what can be read is ever kept.
    return reading if reading.book is not None else check("")


def _page(id: str, reading: Reading) -> Page:
    made = id if id in PAGES else next(iter(PAGES))
    title, groups = PAGES[made]
    return Page(made, title, tuple(groups(reading)))


def written(text: str, changes: Mapping[str, Any]) -> str:
    """Return the text with these keys changed.  Raises CannotEdit."""
    for key, value in changes.items():
        text = edit.unset(text, key) if value is None else edit.edit(text, key, value)
    return text


def plain(answer: Any, question: Question) -> Value:  # noqa: ANN401  whatever came over the wire
    """Return an answer in the shape of its question's value; what has another shape is left for the check to refuse."""
    if question.kind == "lines" and isinstance(answer, str):
        return tuple(line.strip() for line in answer.splitlines() if line.strip())
    if isinstance(answer, list | tuple):
        return tuple(map(str, answer))
    return answer.strip() if isinstance(answer, str) else answer


def question_of(path: str) -> str:
    """Return the key of the question that a problem's path is about."""
    key = path.partition("[")[0].removeprefix("settings.")
    return key.replace("own.", "conditions.", 1) if key.startswith("own.") else key


# Answers to keys of the file.


def _whole(
    key: str, answer: Value, asked: Mapping[str, Question], changed: Mapping[str, Value], reading: Reading
) -> tuple[str, Any]:
    """Return the key of the file that an answer belongs to, and its whole new value."""

    def now(other: str) -> Value:
        return changed[other] if other in changed else asked[other].value

    head, _, _ = key.rpartition(".")
    if key.startswith("without."):
        return "without", tuple(id for id in _bases(reading).conditions if now(f"without.{id}") is True)
    if head.endswith(".summary"):
        parts = sorted((k for k in asked if k.startswith(f"{head}.")), key=lambda k: int(k.rpartition(".")[2]))
        texts = tuple(now(part) or asked[part].default for part in parts)
        return head, None if texts == tuple(asked[part].default for part in parts) else texts
    if head.endswith(".save"):
        ability = now(f"{head}.ability")
        return head, {"ability": ability, "dc": now(f"{head}.dc"), "at": now(f"{head}.at")} if ability else None
    # An empty text says nothing: what is shipped holds again.
    return key, None if answer in ("", ()) and asked[key].kind != "tags" else answer


# The questions.


def _bases(reading: Reading) -> Rulebook:
    return shipped(reading.file.base if reading.file is not None else HOUSE_RULES)


def _book(reading: Reading) -> Rulebook:
    if reading.book is None:  # pragma: no cover  `page` sees to it
        raise ValueError
    return reading.book


def _touch(reading: Reading, id: str) -> Touch | Own:
    file = reading.file
    found = (file.own.get(id) or file.conditions.get(id)) if file is not None else None
    return found or Touch()


def _setting(reading: Reading, setting: Setting) -> Question:
    """Return the question for a key of rules.md, section 11."""
    key = setting.key
    base = _bases(reading).settings
    label, hint = LABELS.get(key, (key, ""))
    kind: Kind = "number"
    choices: Choices = ()
    if isinstance(setting.default, bool):
        kind = "toggle"
    elif isinstance(setting.default, list):
        kind, choices = ("tags", setting.choices) if setting.choices else ("lines", ())
    elif key == "ignited.type":
        kind, choices = "choice", DAMAGE_TYPES
    elif setting.choices:
        kind, choices = "choice", setting.choices
    elif setting.text:
        kind = "text"
    default = base.get(key, setting.default)
    return Question(
        key=key,
        kind=kind,
        label=label,
        hint=hint,
        value=_shape(_book(reading).settings[key]),
        default=_shape(default),
        choices=choices,
        least=setting.least if kind == "number" else None,
    )


def _shape(value: Any) -> Value:  # noqa: ANN401  a setting may be of any kind
    return tuple(value) if isinstance(value, list) else value


def _settings(reading: Reading, *starts: str) -> tuple[Question, ...]:
    known = _book(reading).settings.known
    return tuple(_setting(reading, known[key]) for key in known if key.startswith(starts))


def _words(reading: Reading, condition: Condition) -> Iterator[Question]:
    """Its name and texts; what is shipped stands there until the GM writes over it."""
    id = condition.id
    book, base = _book(reading), _bases(reading)
    before = base.conditions.get(id, condition)
    yield Question(f"conditions.{id}.name", "text", "Name", condition.name, before.name)
    many = condition.levels > 1
    for level in range(1, condition.levels + 1):
        key = f"conditions.{id}.summary.{level}" if many else f"conditions.{id}.summary"
        label = f"What level {level} does, in words" if many else "What it does, in words"
        default = summary_of(base, id, level) if id in base.conditions else summary_of(book, id, level)
        yield Question(key, "area", label, summary_of(book, id, level), default)
    yield Question(
        f"conditions.{id}.ends", "area", "What ends it, in words", ends_of(book, condition), ends_of(base, before)
    )


def _modes(reading: Reading, id: str) -> Iterator[Question]:
    """How far its rules act, and its roll modifiers."""
    settings = _book(reading).settings
    mode, rolls = f"conditions.{id}.mode", f"conditions.{id}.rolls"
    yield Question(mode, "choice", "Its rules", settings[mode], "auto", choices=MODES)
    yield Question(rolls, "choice", "Its roll modifiers", settings[rolls], "", choices=ROLLS)


def _out(reading: Reading, id: str) -> Iterator[Question]:
    """Leave a shipped condition out as a whole."""
    if id in _bases(reading).conditions:
        out = reading.file is not None and id in reading.file.without
        hint = "Nothing of it is shown or done."
        yield Question(f"without.{id}", "toggle", "Leave it out", out, default=False, hint=hint)


def _conditions(reading: Reading) -> Iterator[Group]:
    book, base = _book(reading), _bases(reading)
    for id in sorted(book.conditions.keys() | base.conditions.keys()):
        condition = book.conditions.get(id)
        asked = [*_modes(reading, id), *_words(reading, condition)] if condition else []
        yield Group(id, (condition or base.conditions[id]).name, (*asked, *_out(reading, id)), id)


def _about(*ids: str) -> Callable[[Reading], Iterator[Group]]:
    """Return a page about some conditions: their modes and settings."""

    def groups(reading: Reading) -> Iterator[Group]:
        book = _book(reading)
        for id in ids:
            if id in book.conditions:
                asked = (*_modes(reading, id), *_settings(reading, f"{id}."))
                yield Group(id, book.conditions[id].name, asked, id)

    return groups


def _others(reading: Reading) -> Iterator[Group]:
    yield from _about("bloodied", "exhaustion", "grappled", "restrained", "ignited")(reading)
    down = _settings(reading, "down.")
    if down:
        yield Group("down", "Down at 0 hit points", down)


def _timers(reading: Reading) -> Iterator[Group]:
    """TIM-1: how long a condition lasts that is put on without a duration."""
    for id, condition in _book(reading).conditions.items():
        touch, where = _touch(reading, id), f"conditions.{id}"
        save = touch.save
        only = {f"{where}.save.ability": tuple(ABILITIES)}
        hint = f"When nothing else is said: {RIGHT}. Nothing: until it is taken off."
        yield Group(
            id,
            condition.name,
            (
                Question(f"{where}.lasts", "text", "Lasts", touch.lasts or "", "", hint),
                Question(f"{where}.ends-on", "tags", "Ends with", touch.ends_on or (), (), choices=get_args(EndsOn)),
                *_save(f"{where}.save", save, only),
            ),
            id,
        )


def _save(where: str, save: SaveItem | None, only: Mapping[str, Choices]) -> Iterator[Question]:
    ability, dc, at = (save.ability, save.dc, save.at) if save else ("", SAVE_DC, "end")
    yield Question(f"{where}.ability", "choice", "A save that ends it", ability, "", choices=("", *ABILITIES))
    yield Question(f"{where}.dc", "number", "DC", dc, SAVE_DC, least=1, only=only)
    yield Question(f"{where}.at", "choice", "Asked for at", at, "end", choices=("end", "start"), only=only)


def _table(reading: Reading) -> Iterator[Group]:
    yield Group("rolls", "Rolls and limits", _settings(reading, "rolls.", "limits.", "players."))
    yield Group("cards", "Cards and who sees them", _settings(reading, "cards."))


def _file(reading: Reading) -> Iterator[Group]:
    file = reading.file
    name = (file.name if file is not None else None) or ""
    base = file.base if file is not None else HOUSE_RULES
    yield Group(
        "file",
        "The rulebook",
        (
            Question("name", "text", "Name", name, ""),
            Question("base", "choice", "What it starts from", base, HOUSE_RULES, choices=SHIPPED),
        ),
    )


def _nothing(_reading: Reading) -> Iterator[Group]:
    """A page of what others add."""
    yield from ()


PAGES: dict[str, tuple[str, Callable[[Reading], Iterator[Group]]]] = {
    "table": ("Cards and limits", _table),
    "conditions": ("Conditions", _conditions),
    "bleeding": ("Bleeding", _about("bleeding")),
    "intoxicated": ("Intoxicated", _about("intoxicated")),
    "others": ("Other rules", _others),
    "timers": ("Timers", _timers),
    "modules": ("Other modules", _nothing),
    "connection": ("Connection", _nothing),
    "file": ("File", _file),
}
"""Id -> title, and the groups of its questions."""

LABELS: dict[str, tuple[str, str]] = {
    "rolls.mode": ("Roll modifiers", "Suggested: the roll dialog may say otherwise."),
    "limits.players": ("What a condition forbids, for players", "Actions, reactions, moving closer and the like."),
    "limits.gm": ("What a condition forbids, for the GM", ""),
    "players.own-hand": ("A player changes a condition by hand", "On a creature of their own."),
    "cards.gain": ("A condition comes, goes or changes its level", "Who sees the card."),
    "cards.turn": ("What matters at the start of a turn", "Who sees the card."),
    "cards.derived": ("Bloodied, and what other conditions bring along", "Who sees the card."),
    "cards.npcs": ("Creatures without a player", "Who sees cards about them."),
    "bleeding.gm-edits": ("The GM types hit points", ""),
    "bleeding.player-edits": ("A player types hit points", ""),
    "bleeding.max-rise": ("The maximum rises and the hit points with it", "As Aid does."),
    "bleeding.death-save-20": ("A natural 20 on a death save", ""),
    "bleeding.ends-on": ("Ends by itself with", ""),
    "bloodied.at-zero": ("At 0 hit points it stays Bloodied", ""),
    "bloodied.when-dead": ("The dead are Bloodied, too", ""),
    "intoxicated.base": ("Drinks in an hour that make a level", "With Constitution 10. Half the modifier is added."),
    "intoxicated.minimum": ("Never fewer than", ""),
    "intoxicated.window": ("A drink counts for", "Seconds of game time."),
    "intoxicated.sober-hour": ("A sober hour is", "Seconds of game time."),
    "intoxicated.level-6": ("At level 6", ""),
    "intoxicated.drinks": (
        "What is alcohol",
        "Words in the names of food and drink, one on a line; behind one, how many drinks it counts as.",
    ),
    "intoxicated.words": ("Words on the cards", "For the family: Giddy, hiccups and sleep."),
    "intoxicated.dc": ("DC of its first save", ""),
    "intoxicated.dc-step": ("Each save made adds", ""),
    "exhaustion.rules": ("Its rules", ""),
    "grappled.ends-apart": ("Ends when the two are no longer side by side", ""),
    "restrained.crawl": ("Restrained lets crawl", ""),
    "ignited.damage": ("Damage", "Dice, such as 1d4."),
    "ignited.type": ("Type of damage", ""),
    "ignited.when": ("When", ""),
    "ignited.system-burning": ("The system's own Burning counts as it", ""),
    "down.mode": ("A creature at 0 hit points", ""),
    "down.npc": ("A creature without a player is then", ""),
}
"""Key -> what it asks, and a hint."""
