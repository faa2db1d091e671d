"""Exhaustion, levels 1 to 6, kept and lowered by the system.  Rule: CND-5, CMB-7."""

from bridge.engine.catalogue import DISADVANTAGE, NUMBER, Modifier, Speed
from bridge.engine.conditions import Condition
from bridge.engine.settings import Setting, Settings

TOP = 6


def modifiers(level: int, settings: Settings) -> tuple[Modifier, ...]:
    """CND-5: "−2 × level on D20 Tests"; by setting the 2014 ladder."""
    if settings["exhaustion.rules"] == "2014":
        found: list[Modifier] = [Modifier("check", DISADVANTAGE)]
        if level >= 3:
            found += [Modifier("attack", DISADVANTAGE), Modifier("save", DISADVANTAGE)]
        return tuple(found)
    return tuple(Modifier(roll, NUMBER, -2 * level) for roll in ("attack", "check", "save"))


def speed(level: int, settings: Settings) -> Speed | None:
    """CND-5: "Speed −5 ft × level"; 2014: halved from level 2, 0 from level 5."""
    if settings["exhaustion.rules"] == "2014":
        return Speed(zero=level >= 5, halved=level >= 2) if level >= 2 else None
    return Speed(less=5 * level)


def summary(level: int, settings: Settings) -> str:
    """Say what the level does."""
    if settings["exhaustion.rules"] == "2014":
        steps = (
            "disadvantage on ability checks",
            "Speed halved",
            "disadvantage on attacks and saves",
            "hit point maximum halved",
            "Speed 0",
            "death",
        )
        return f"{'; '.join(steps[:level]).capitalize()}. A long rest takes a level."
    if level >= TOP:
        return "Death."
    return f"−{2 * level} on D20 Tests, Speed −{5 * level} ft. A long rest takes a level; death at 6."


exhaustion = Condition(
    id="exhaustion",
    name="Exhaustion",
    summary=summary,
    levels=TOP,
    origin="The page only names it: 2024 rules, as the system has them.",
    modifiers=modifiers,
    speed=speed,
    instead=lambda settings: settings["exhaustion.rules"] != "system",
    settings=(Setting("exhaustion.rules", "system", ("2014", "2024", "system")),),
)
