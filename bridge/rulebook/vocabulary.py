"""The words that a rulebook may use: abilities, skills, damage types, statuses of Foundry."""

from typing import Literal

Ability = Literal["str", "dex", "con", "int", "wis", "cha"]
Roll = Literal["attack", "check", "save", "initiative"]
Gives = Literal["advantage", "disadvantage", "fail", "critical", "number", "difficulty"]
Mode = Literal["off", "remind", "ask", "auto"]
RollsMode = Literal["off", "suggest", "enforce"]
EndsOn = Literal["short-rest", "long-rest", "hit-die", "combat", "death"]
DamageType = Literal[
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
]
Grant = Literal[
    "hit-die",
    "short-rest",
    "long-rest",
    "rest-feature",
    "death-save",
    "spell",
    "item",
    "feature",
    "regeneration",
    "gm-edit",
    "player-edit",
]
"""Kinds of cause that a healing gate may let through."""
ALWAYS_GRANTED = ("allow", "form", "rest")
"""What every gate lets through: the GM's Allow, a change of form, and a rest that another module made without a word
(BLD-12): none of them is healing that a condition could refuse."""

SKILLS = frozenset(
    {
        "acrobatics",
        "animal-handling",
        "arcana",
        "athletics",
        "deception",
        "history",
        "insight",
        "intimidation",
        "investigation",
        "medicine",
        "nature",
        "perception",
        "performance",
        "persuasion",
        "religion",
        "sleight-of-hand",
        "stealth",
        "survival",
    }
)
TAGS = SKILLS | {"concentration", "death", "melee", "ranged"}
"""What narrows a modifier, besides tools (any word) and ``vs-<condition>``."""

SYSTEM = frozenset(
    {
        "burning",
        "burrowing",
        "concentrating",
        "coverHalf",
        "coverThreeQuarters",
        "coverTotal",
        "cursed",
        "dead",
        "dehydration",
        "diseased",
        "dodging",
        "ethereal",
        "falling",
        "flying",
        "hiding",
        "hovering",
        "malnutrition",
        "marked",
        "silenced",
        "sleeping",
        "stable",
        "suffocation",
        "surprised",
        "transformed",
    }
)
"""Statuses that Foundry or dnd5e has and that no shipped condition is about."""
