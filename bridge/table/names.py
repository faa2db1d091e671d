"""The names in a scenario: a misspelt condition or roll is an error, never something that merely is not there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from bridge.engine.catalogue import Catalogue
from bridge.engine.modifiers import ABILITIES
from bridge.rulebook.problems import near
from bridge.rulebook.vocabulary import SYSTEM, TAGS
from bridge.rules import rulebook

from .expectations import Expected
from .files import ScenarioError
from .scenario import ConditionSheet, Scenario, Sheet

ROLLS = ("attack", "check", "save", "initiative")
FAMILIES = {
    "CMB": 12, "CND": 16, "ROL": 5, "BLD": 12, "BLO": 7, "INT": 18, "DAZ": 3, "PET": 4, "IGN": 3, "DWN": 1, "TIM": 8,
    "CRD": 6, "UND": 5,
}  # fmt: skip
"""How many rules of a name the house rules have."""


def check(scenario: Scenario, catalogue: Catalogue | None) -> None:
    """Refuse what nobody knows.  ``catalogue``: the conditions in force; the shipped ones may always be named."""
    levels = {id: condition.levels for id, condition in rulebook().conditions.items()}
    levels |= {entry.id: len(entry.levels) for entry in catalogue.conditions} if catalogue else {}
    statuses = dict.fromkeys(SYSTEM, 1) | levels
    for rule in scenario.rules:
        _rule(rule)
    for key, sheet in scenario.actors.items():
        _sheet(f"actors.{key}", sheet, statuses)
    for number, told in enumerate(scenario.steps, 1):
        _expected(f"steps[{number}] ({told.step.do}).expect", told.expected, scenario.actors, statuses)


def _rule(id: str) -> None:
    family = id.upper().partition("-")[0]
    last = FAMILIES.get(family)
    if last is not None and id not in {f"{family}-{each}" for each in range(1, last + 1)}:
        message = f"rules: there is no rule {id!r}: the last of its name is {family}-{last}"
        raise ScenarioError(message)


def _sheet(where: str, sheet: Sheet, statuses: Mapping[str, int]) -> None:
    _known(sheet.condition_immunities, statuses, f"{where}.condition-immunities")
    for condition in sheet.conditions:
        told = condition if isinstance(condition, ConditionSheet) else ConditionSheet(is_=condition)
        _level(told.is_, told.level or 1, statuses, f"{where}.conditions")
    for condition, level in sheet.level.items():
        _level(condition, level, statuses, f"{where}.level")


def _expected(where: str, wanted: Expected, actors: Mapping[str, Sheet], statuses: Mapping[str, int]) -> None:
    for causes in wanted.general.why.values():
        _known(causes, statuses, f"{where}.why")
    for number, roll in enumerate(wanted.general.rolls):
        _roll(roll.roll, f"{where}.rolls[{number}].roll")
        if roll.gives is None and roll.because is None and roll.dc is None:
            message = f"{where}.rolls[{number}]: expects nothing: give it gives, because or dc"
            raise ScenarioError(message)
    for key, actor in wanted.actors.items():
        for word, named in (
            ("conditions", actor.conditions),
            ("has", actor.has),
            ("lacks", actor.lacks),
            ("level", actor.level),
            ("remaining", actor.remaining),
        ):
            _known(named or (), statuses, f"{where}.{key}.{word}")
        if isinstance(actor.hit_dice, dict):
            _known(actor.hit_dice, actors[key].hit_dice, f"{where}.{key}.hit-dice", "class")


def _roll(text: str, where: str) -> None:
    kind, *rest = text.split(".")
    _known((kind,), ROLLS, where, "kind of roll")
    # Tools may have any name: only what looks like one of ours is taken for a slip.
    ours = ABILITIES | TAGS
    for word in rest:
        if word not in ours and not word.startswith("vs-") and (meant := near(word, ours)):
            message = f"{where}: there is no {word!r}{meant}"
            raise ScenarioError(message)


def _level(condition: str, level: int, statuses: Mapping[str, int], where: str) -> None:
    _known((condition,), statuses, where)
    if level > statuses[condition]:
        message = f"{where}: {condition} has levels up to {statuses[condition]}, not {level}"
        raise ScenarioError(message)


def _known(names: Iterable[str], known: Collection[str], where: str, what: str = "condition") -> None:
    for name in names:
        if name not in known:
            message = f"{where}: there is no {what} {name!r}{near(name, known)}"
            raise ScenarioError(message)
