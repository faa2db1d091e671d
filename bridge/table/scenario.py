"""A scenario file as typed data: who is at the table, what happens, what must be so afterwards."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct, field

from bridge.rulebook.book import SHIPPED, shipped_text
from bridge.rulebook.edit import with_settings

from .expectations import RESERVED, Expected, read_expected
from .files import Item, ScenarioError, convert, read_toml
from .steps import AnyStep, Square, Step
from .words import lasting, span

Profile = Literal["v13+dnd5e-5.3", "v14+dnd5e-5.3", "v14+dnd5e-6"]
Count = Annotated[int, Meta(ge=0)]


class World(Item, frozen=True):
    """Which Foundry it is, and what time."""

    time: int = 1_000_000
    modules: tuple[str, ...] = ()
    profile: Profile = "v14+dnd5e-5.3"
    native_bloodied: bool = False
    clock_in_combat: bool = True
    """A new round moves the clock by 6 s, as Foundry does."""


class HitPointsSheet(Item, frozen=True):
    """Hit points at the start; the maximum when ``value`` is left out."""

    value: int | None = None
    max: Count = 20
    temp: Count = 0
    tempmax: int = 0


class ConditionSheet(Item, frozen=True):
    """A condition that it has at the start."""

    is_: str
    from_: str | None = None
    lasts: str | None = None
    forced: bool = False
    level: Annotated[int, Meta(ge=1)] | None = None


class Sheet(Item, frozen=True):
    """One creature of ``[actors]``."""

    type: Literal["character", "npc", "vehicle", "group"] = "character"
    hp: HitPointsSheet | None = None
    hit_dice: dict[str, tuple[Count, Count, Count]] = field(default_factory=dict)
    speed: Count = 30
    abilities: dict[Literal["str", "dex", "con", "int", "wis", "cha"], Count] = field(default_factory=dict)
    resistances: tuple[str, ...] = ()
    immunities: tuple[str, ...] = ()
    condition_immunities: tuple[str, ...] = ()
    save_advantage: tuple[str, ...] = ()
    tolerance: int = 0
    willing: bool = False
    when_bloodied: str = ""
    stamps_of: str | None = None
    """It was imported: its stamps are of this other world."""
    level: dict[str, Count] = field(default_factory=dict)
    conditions: tuple[str | ConditionSheet, ...] = ()
    at: Square | None = None
    size: Annotated[float, Meta(gt=0)] = 1
    elevation: float = 0
    hidden: bool = False
    linked: bool = True
    unseen_by: tuple[str, ...] = ()


class CombatSheet(Item, frozen=True):
    """A combat that is running at the start."""

    order: tuple[str, ...]
    round: Annotated[int, Meta(ge=1)] = 1
    turn: str | None = None


class Told(Struct, frozen=True):
    """One step, with what is expected after it."""

    step: AnyStep
    expected: Expected


class Scenario(Struct, frozen=True):
    """A whole file."""

    title: str
    rules: tuple[str, ...]
    settings: dict[str, Any]
    world: World
    actors: dict[str, Sheet]
    combat: CombatSheet | None
    steps: tuple[Told, ...]
    rulebook: str = ""
    """The text of the rulebook that it is played under; empty for the standard one."""

    @property
    def text(self) -> str:
        """The text of its rulebook, its own settings included."""
        return with_settings(self.rulebook, self.settings)


class _File(Item, frozen=True):
    title: str
    rules: tuple[str, ...] = ()
    rulebook: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    world: World = World()
    actors: dict[str, Any] = field(default_factory=dict)
    combat: CombatSheet | None = None
    steps: tuple[Any, ...] = ()


DOES = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyStep)}


def load(path: Path) -> Scenario:
    """Read a scenario file; errors name the file, the path in it, and what to do."""
    try:
        return parse(read_toml(path), path.parent)
    except ScenarioError as error:
        message = str(error)
        raise ScenarioError(message if message.startswith(str(path)) else f"{path}: {message}") from error


def parse(data: dict[str, Any], folder: Path | None = None) -> Scenario:
    """Turn the data of a scenario file into a scenario.  ``folder``: where the file is, for what it names."""
    file = convert(data, _File, "the file")
    actors = {key: convert(sheet, Sheet, f"actors.{key}") for key, sheet in file.actors.items()}
    for key, sheet in actors.items():
        _check_actor(key, sheet, actors)
    if file.combat:
        _known(file.combat.order, actors, "combat.order")
        if file.combat.turn is not None and file.combat.turn not in file.combat.order:
            message = f"combat.turn: {file.combat.turn!r} is not in combat.order"
            raise ScenarioError(message)
    steps = tuple(_told(number, raw, actors) for number, raw in enumerate(file.steps, 1))
    rulebook = _rulebook(file.rulebook, folder or Path())
    return Scenario(file.title, file.rules, _flat(file.settings), file.world, actors, file.combat, steps, rulebook)


def _rulebook(named: str | None, folder: Path) -> str:
    """Return the text of a rulebook: one that comes with the bridge, or a file beside the scenario."""
    if named is None:
        return ""
    if named in SHIPPED:
        return shipped_text(named)
    try:
        return (folder / named).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"rulebook: {folder / named} cannot be read, and only {', '.join(SHIPPED)} come with the bridge"
        raise ScenarioError(message) from error


def _told(number: int, raw: object, actors: dict[str, Sheet]) -> Told:
    if not isinstance(raw, dict) or "do" not in raw:
        message = f'steps[{number}]: says nothing to do: give it do = "..."'
        raise ScenarioError(message)
    do = raw["do"]
    if do not in DOES:
        near = difflib.get_close_matches(str(do), DOES, 1)
        message = f"steps[{number}].do: there is no {do!r}" + (f": did you mean {near[0]!r}?" if near else "")
        raise ScenarioError(message)
    where = f"steps[{number}] ({do})"
    step: AnyStep = convert(raw, DOES[do], where)
    _check_phrases(step, where, actors)
    return Told(step, read_expected(step.expect, set(actors), f"{where}.expect"))


def _check_actor(key: str, sheet: Sheet, actors: dict[str, Sheet]) -> None:
    where = f"actors.{key}"
    if key in RESERVED:
        message = f"{where}: {key!r} is a word of expect: give the creature another key"
        raise ScenarioError(message)
    _known(sheet.unseen_by, actors, f"{where}.unseen-by")
    for condition in sheet.conditions:
        if isinstance(condition, ConditionSheet):
            if condition.from_ is not None:
                _known((condition.from_,), actors, f"{where}.conditions")
            _phrase(condition.lasts, f"{where}.conditions", actors)


def _check_phrases(step: Step, where: str, actors: dict[str, Sheet]) -> None:
    _phrase(getattr(step, "lasts", None), f"{where}.lasts", actors)
    if (advance := getattr(step, "advance", None)) is not None:
        try:
            span(advance)
        except ValueError as error:
            message = f"{where}.advance: {error}"
            raise ScenarioError(message) from error


def _phrase(lasts: str | None, where: str, actors: dict[str, Sheet]) -> None:
    if lasts is None:
        return
    try:
        told = lasting(lasts)
    except ValueError as error:
        message = f"{where}: {error}"
        raise ScenarioError(message) from error
    if told.creature is not None:
        _known((told.creature,), actors, where)


def _known(keys: tuple[str, ...], actors: dict[str, Sheet], where: str) -> None:
    for key in keys:
        if key not in actors:
            message = f"{where}: there is no actor {key!r}: the actors are {', '.join(actors) or 'none'}"
            raise ScenarioError(message)


def _flat(settings: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Return settings by their dotted key, however the file nests them."""
    found: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{key}.")
        else:
            found[before + key] = value
    return found
