"""The house rules: one module per condition.  A module added here is in force; nothing else is edited."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from bridge.engine.brief import brief
from bridge.engine.conditions import Condition, Rulebook
from bridge.engine.hands import gm_word, immunity, own_hand
from bridge.engine.timers import duration


def conditions() -> list[Condition]:
    """Collect the Condition of every module in this package."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return [value for module in modules for value in vars(module).values() if isinstance(value, Condition)]


def rulebook(settings: Mapping[str, Any] | None = None) -> Rulebook:
    """Return the shipped rulebook with these settings.  Raises BadSetting."""
    return Rulebook(conditions(), settings, name="house-rules", general=(duration, immunity, own_hand, gm_word, brief))
