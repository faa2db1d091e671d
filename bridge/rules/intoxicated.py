"""Intoxicated, levels 1 to 6: drinks per hour, sober hours, a save at level 6.

Rules: INT-1 to INT-18.  What a creature remembers is ``Notes``: the drinks that count, when the sober clock began,
food and water, saves made, hours judged, and the hours of its last rest.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct, structs

from bridge.engine.catalogue import DIFFICULTY, NUMBER, Limits, Meter, Modifier, Speed
from bridge.engine.changes import (
    AskSave,
    Button,
    Change,
    EndConcentration,
    EndCondition,
    LoseAction,
    Post,
    Remember,
    RollDice,
    Say,
    SetCondition,
    SetHitDice,
    Tell,
    Use,
)
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import (
    RULE,
    Ate,
    ClockSetBack,
    CombatLeft,
    ConcentrationBegan,
    ConditionChanged,
    DiceRolled,
    Drank,
    FellDue,
    Pressed,
    RestFinished,
    Rolled,
    Seen,
    TimePassed,
    TurnStarted,
)
from bridge.engine.settings import Setting, Settings
from bridge.engine.words import turns_text

TOP = 6
FAMILY = "family"
ALCOHOL = [
    "ale", "ales", "beer", "beers", "wine", "wines", "mead", "spirits", "whisky", "whiskey", "brandy", "rum",
    "grog", "cider", "liquor", "vodka", "gin", "stout", "porter", "lager", "moonshine", "sake", "schnapps", "bier",
    "wein", "met", "likör", "korn", "obstler", "rotwein", "weißwein", "glühwein", "branntwein", "apfelwein", "most",
    "absinth", "absinthe",
]  # fmt: skip
"""INT-17: "sensible defaults by name and type": English and German words."""
BLACKOUT = "intoxicated.blackout"
SLEEP = "intoxicated.rest"
MOST_DRINKS = 64


class Hour(Struct, frozen=True, array_like=True):
    """A sober hour that took a level: when it ended, the level before, and whether it woke the creature."""

    at: int
    level: int
    woke: bool = False
    """It woke the creature from the stupor of level 6."""


class Notes(Struct, frozen=True, omit_defaults=True):
    """What is remembered of one drinker.  Times are world time in seconds."""

    drinks: tuple[int, ...] = ()
    since: int | None = None
    """Start of the sober clock: the last drink."""
    fed: int | None = None
    """Last food or water that no hour has counted yet."""
    saves: int = 0
    """Level-6 saves made since it was last at level 0 (INT-11)."""
    hours: tuple[Hour, ...] = ()
    """Hours that took a level since the last drink or hand edit (INT-14 may take them back)."""
    out: int | None = None
    """Since when it lies unconscious from level 6."""
    rest: tuple[int, int] | None = None
    """The hours of a rest: from, to.  They are not judged (INT-14)."""
    claim: int = 0
    """Length of a finished rest whose hours the clock has not shown yet."""
    slept: int | None = None
    """End of the last long rest slept off at level 6."""
    base: int = 0
    """Level that the dice of INT-13 will be taken from."""
    needed: int = 0
    """Drinks for one level when that was last reckoned (INT-1 to INT-3): what sheets show them against."""


def summary(level: int, settings: Settings) -> str:
    """INT-7, INT-8: "All levels up to the current one apply."."""
    rolls = ["Wisdom (Insight) and (Perception) checks"]
    if level >= 3:
        rolls = ["ability checks, except Charisma; initiative"]
    if level >= 4:
        rolls = ["ability checks", "initiative", "attack rolls"]
    if level >= 2:
        rolls += ["Strength and Dexterity saves", "saves to keep concentration"]
    said = [f"−{level} to {', '.join(rolls)}"]
    if level >= 5:
        said.append("Speed halved, no concentration")
    if level >= TOP:
        falls = "falls asleep" if settings["intoxicated.words"] == FAMILY else "passes out"
        said.append(f"a Constitution save at the start of its turn, or it {falls}")
    said.append(f"+{level} to saves against being Frightened; +{level} to the DC to intimidate it")
    return ". ".join(f"{part[0].upper()}{part[1:]}" for part in said) + "."


def modifiers(level: int, settings: Settings) -> tuple[Modifier, ...]:
    """INT-7, INT-8, as data.  Death saves take nothing."""
    found: list[Modifier] = []
    if level >= 4:
        found.append(Modifier("check", NUMBER, -level))
        found.append(Modifier("attack", NUMBER, -level))
    elif level >= 3:
        found.append(Modifier("check", NUMBER, -level, but_abilities=("cha",)))
    else:
        found.append(Modifier("check", NUMBER, -level, abilities=("wis",), tags=("insight", "perception")))
    if level >= 2:
        found.append(Modifier("save", NUMBER, -level, abilities=("str", "dex"), but_tags=("death",)))
        found.append(Modifier("save", NUMBER, -level, tags=("concentration",)))
    found.append(Modifier("save", NUMBER, level, tags=("vs-frightened",)))
    found.append(Modifier("check", DIFFICULTY, level, on_me=True, tags=("intimidation",)))
    return tuple(found)


def speed(level: int, settings: Settings) -> Speed | None:
    """INT-7: "L ≥ 5: Speed halved"."""
    return Speed(halved=True) if level >= 5 else None


def limits(level: int, settings: Settings) -> Limits | None:
    """INT-7: "concentration ends and cannot start"."""
    return Limits(concentration=True) if level >= 5 else None


def meter(settings: Settings) -> Meter:
    """INT-4, INT-9: how long a drink counts, and a sober hour."""
    return Meter(window=settings["intoxicated.window"], hour=settings["intoxicated.sober-hour"])


def items(settings: Settings) -> dict[str, int]:
    """INT-17: which words make an item alcohol; ``grog 2`` counts as two drinks (INT-5)."""
    found: dict[str, int] = {}
    for drink in settings["intoxicated.drinks"]:
        word, _, count = drink.rpartition(" ")
        known, strength = (word, int(count)) if word and count.isdecimal() else (drink, 1)
        found[" ".join(re.split(r"\W+", known.lower())).strip()] = strength
    return found


def worded(condition: Condition, settings: Settings) -> Condition:
    """What it is called at a table with children; a GM's own words stay."""
    if settings["intoxicated.words"] != FAMILY:
        return condition
    name = "Giddy" if condition.name == NAME else condition.name
    ends = ENDS.replace("sober", "calm") if condition.ends == ENDS else condition.ends
    return replace(condition, name=name, ends=ends)


NAME = "Intoxicated"
ENDS = "Each sober hour with food or water takes a level; a long rest ends it."

intoxicated = Condition(
    id="intoxicated",
    name=NAME,
    summary=summary,
    levels=TOP,
    own=True,
    icon="intoxicated",
    ends=ENDS,
    meter=meter,
    items=items,
    worded=worded,
    modifiers=modifiers,
    speed=speed,
    limits=limits,
    settings=(
        Setting("intoxicated.base", 2),
        Setting("intoxicated.minimum", 2, least=1),
        Setting("intoxicated.window", 3600, least=1),
        Setting("intoxicated.sober-hour", 3600, least=1),
        Setting("intoxicated.level-6", "save", ("save", "at-once")),
        Setting("intoxicated.drinks", ALCOHOL),
        Setting("intoxicated.words", "tavern", ("tavern", FAMILY)),
        Setting("intoxicated.dc", 10),
        Setting("intoxicated.dc-step", 5),
    ),
)


def notes_of(it: Creature) -> Notes:
    """Return what is remembered of this drinker."""
    return it.notes("intoxicated", Notes)


def threshold(it: Creature) -> int:
    """Return the drinks in one hour that raise the level (INT-1 to INT-3)."""
    # INT-1: "Threshold = max(2, 2 + ⌈CON modifier ÷ 2⌉)"
    drinks = it.settings["intoxicated.base"] + math.ceil(it.actor.score_modifier("con") / 2)
    drinks = max(it.settings["intoxicated.minimum"], drinks)
    # INT-2: "Resistance to poison damage, or advantage on saves against poison, or both: threshold × 2"
    if "poison" in it.actor.resistances or "poison" in it.actor.habits.save_advantage:
        drinks *= 2
    return max(1, int(drinks) + it.actor.habits.tolerance)


def immune(it: Creature) -> bool:
    """INT-6: "Immune to poison damage or to the Poisoned condition"."""
    return it.immune_to_damage("poison") or it.immune_to("poisoned")


def for_the_family(it: Creature) -> bool:
    """Tell whether the words on the cards are those for a table with children."""
    return bool(it.settings["intoxicated.words"] == FAMILY)


def unconscious_from_drink(it: Creature) -> bool:
    """Tell whether it lies unconscious from level 6 (INT-12)."""
    return it.brought_by("unconscious", "intoxicated")


# Drinking.


@intoxicated.on(Drank, always=True)
def drink(event: Drank, it: Creature) -> Iterator[Change]:
    """INT-4, INT-5, INT-6."""
    if it.actor.type in ("vehicle", "group"):
        who = it.actor.name
        yield Tell(code="not-allowed", say=Say("cannot-drink", f"{who} cannot drink.", {"who": who}))
        return
    if immune(it) and not (event.willing or it.actor.habits.willing):
        yield Post(
            kind="notice",
            say=Say("drink-nothing", "The drink does nothing: it is immune to poison.", condition="intoxicated"),
            buttons=(Button("let-it-work", "Let it work", who="owner"),),
            data={"count": event.count, "strength": event.strength, "at": event.at},
        )
        return
    yield from swallow(it, event.count * event.strength, event.at)


def swallow(it: Creature, count: int, at: int) -> Iterator[Change]:
    """Let ``count`` drinks count, one by one (INT-5)."""
    notes, level = notes_of(it), it.level("intoxicated")
    needed, window = threshold(it), it.settings["intoxicated.window"]
    drinks = list(notes.drinks)
    for _ in range(count):
        if level >= TOP:
            # INT-5: "a drink at level 6 only restarts the sober hour"
            drinks = []
            break
        drinks = sorted([*drinks, at])
        if used := _full_hour(drinks, needed, window):
            level += 1
            drinks = drinks[: used[0]] + drinks[used[1] :]
    since = at if notes.since is None else max(notes.since, at)
    # INT-4: a drink counts for one hour; older ones are in one hour with a new one again when the clock is set back.
    drinks = drinks[-max(MOST_DRINKS, needed) :]
    fed = notes.fed if notes.fed is not None and notes.fed >= since else None
    hours = notes.hours if since == notes.since else ()
    yield Remember(
        condition="intoxicated",
        notes=structs.replace(
            notes, drinks=tuple(drinks), since=since, fed=fed, hours=hours, slept=None, needed=needed
        ),
    )
    if level != it.level("intoxicated"):
        yield SetCondition(condition="intoxicated", level=level)


@intoxicated.excuse(Drank)
def too_few(event: Drank, it: Creature) -> Say | None:
    """INT-4 to INT-6: what a drink has done that has moved no level."""
    if immune(it) and not (event.willing or it.actor.habits.willing):
        return Say("drink-nothing", "The drink does nothing: it is immune to poison.", condition="intoxicated")
    if it.level("intoxicated") >= TOP:
        return Say("drink-top", "At level 6 a drink only restarts the sober hour.", condition="intoxicated")
    count, needed = len(notes_of(it).drinks), threshold(it)
    text = f"{count} of the {needed} drinks in one hour that make a level."
    return Say("drink-counts", text, {"count": count, "needed": needed}, condition="intoxicated")


@intoxicated.excuse(Ate)
def not_yet(event: Ate, it: Creature) -> Say | None:
    """INT-9: food and water count for their hour, and only a full hour takes a level."""
    if not it.has("intoxicated"):
        return Say("meal-sober", "It is sober: food and water do nothing.", condition="intoxicated")
    text = "It counts for this sober hour; the level falls when the hour is full."
    return Say("meal-counts", text, condition="intoxicated")


def _full_hour(drinks: list[int], needed: int, window: int) -> tuple[int, int] | None:
    """INT-4: "the drinks counted in any one hour (first to last at most 3,600 s apart, both ends included)"."""
    for start in range(len(drinks) - needed + 1):
        if drinks[start + needed - 1] - drinks[start] <= window:
            return start, start + needed
    return None


@intoxicated.on(Pressed, always=True)
def let_it_work(event: Pressed, it: Creature) -> Iterator[Change]:
    """INT-6: "the card of a drink that did nothing offers its owner *let it work*"."""
    if event.button == "let-it-work":
        count = int(event.data.get("count", 1)) * int(event.data.get("strength", 1))
        yield Use(card=event.card, button="let-it-work", say=Say("let-it-work", "It works after all."))
        yield from swallow(it, min(count, 1000), int(event.data.get("at", it.now)))


# Levels: what follows from reaching, leaving and losing them.


@intoxicated.on(ConditionChanged, always=True, order=10)
def level_moved(event: ConditionChanged, it: Creature) -> Iterator[Change]:
    """INT-7, INT-10, INT-11, INT-12, INT-16."""
    if event.condition != "intoxicated":
        return
    level, notes = it.level("intoxicated"), notes_of(it)
    # What a hand did and a rule has put back (CMB-10) is no word of the GM's.
    by_hand = event.by != RULE and level == event.level
    if not level:
        # INT-11: "The count of saves returns to 0 only when the level returns to 0."
        # What a rest needs to know stays until the clock has shown its hours (INT-14).
        kept = Notes(hours=notes.hours, rest=notes.rest, slept=notes.slept) if not by_hand and notes.hours else None
        if "intoxicated" in it.actor.memory.notes:
            yield Remember(condition="intoxicated", notes=kept)
    elif by_hand:
        # INT-16: "clocks restart now and the drinks counted so far are forgotten"
        yield Remember(
            condition="intoxicated",
            notes=structs.replace(
                notes, drinks=(), since=event.at, fed=None, hours=(), rest=None, claim=0, needed=threshold(it)
            ),
        )
    if level < TOP and unconscious_from_drink(it):
        # INT-12: "Falling below level 6 ends the Unconscious that level 6 brought, and no other"
        yield EndCondition(condition="unconscious", cause="intoxicated")
    if level >= 5 and it.actor.concentrating:
        yield EndConcentration()
    if level > event.was:
        # INT-17: "a button on the card"
        yield Post(kind="conditions", buttons=(Button("water", "Drink water", who="owner"),))
    if level >= TOP and event.was < TOP and not it.has("unconscious"):
        yield from reach_top(it)


def reach_top(it: Creature) -> Iterator[Change]:
    """INT-10: "Out of combat the save is asked for as soon as level 6 is reached"."""
    if it.settings["intoxicated.level-6"] == "at-once":
        yield from pass_out(it)
    elif it.actor.combat is None:
        yield ask(it)


def ask(it: Creature, passed: int = 0) -> AskSave:
    """INT-10: "a CON save, DC 10 + 5 × (saves already made since it was last at level 0)"."""
    dc = it.settings["intoxicated.dc"] + it.settings["intoxicated.dc-step"] * notes_of(it).saves
    key, falls = ("asleep-save", "falls asleep") if for_the_family(it) else ("blackout-save", "passes out")
    say = Say(
        f"{key}-late" if passed else key,
        f"Level 6: a Constitution save, DC {dc}, or it {falls}.{turns_text(passed)}",
        {"dc": dc, "turns": passed + 1},
        condition="intoxicated",
        level=TOP,
    )
    return AskSave(ability="con", dc=dc, reason=BLACKOUT, say=say)


def pass_out(it: Creature) -> Iterator[Change]:
    """INT-10: "Unconscious while it stays at level 6"."""
    yield Remember(condition="intoxicated", notes=structs.replace(notes_of(it), out=it.now))
    yield SetCondition(condition="unconscious", cause="intoxicated")


@intoxicated.on(TurnStarted)
def start_turn(event: TurnStarted, it: Creature) -> Iterator[Change]:
    """INT-10: "a conscious creature that starts its turn at level 6 makes a CON save"."""
    if it.level("intoxicated") < TOP or it.has("unconscious"):
        return
    if it.settings["intoxicated.level-6"] == "at-once":
        yield from pass_out(it)
    else:
        yield ask(it, event.passed)


@intoxicated.on(CombatLeft)
def leave_combat(event: CombatLeft, it: Creature) -> Iterator[Change]:
    """INT-10: "One that is conscious at 6 when its combat ends … is asked then"; leaving it counts as its end."""
    if it.level("intoxicated") >= TOP and not it.has("unconscious") and it.actor.combat is None:
        yield from reach_top(it)


@intoxicated.on(Rolled)
def roll_comes_in(event: Rolled, it: Creature) -> Iterator[Change]:
    """INT-10, INT-11."""
    if event.reason != BLACKOUT or it.level("intoxicated") < TOP or it.has("unconscious"):
        return
    notes = structs.replace(notes_of(it), saves=notes_of(it).saves + 1)
    if not event.success:
        # INT-10: "and it cannot remember the last hour (failure alone brings this)"
        yield Remember(condition="intoxicated", notes=structs.replace(notes, out=it.now))
        yield SetCondition(condition="unconscious", cause="intoxicated")
        yield Post(
            kind="conditions",
            say=Say("asleep", "It falls asleep, and will not remember the last hour.", condition="intoxicated")
            if for_the_family(it)
            else Say("blackout", "It passes out, and will not remember the last hour.", condition="intoxicated"),
        )
        return
    yield Remember(condition="intoxicated", notes=notes)
    if (turn := it.actor.memory.turns.get(it.actor.combat or "")) is not None and it.actor.combat:
        # INT-10: "Success: it loses its action this turn (retching …) and one level."
        yield LoseAction(combat=it.actor.combat, round=turn[0])
        yield Post(
            kind="conditions",
            say=Say("hiccups", "It has the hiccups and loses its action this turn.", condition="intoxicated")
            if for_the_family(it)
            else Say("retching", "It retches and loses its action this turn.", condition="intoxicated"),
        )
    yield SetCondition(condition="intoxicated", level=TOP - 1)


@intoxicated.on(ConcentrationBegan)
def cannot_concentrate(event: ConcentrationBegan, it: Creature) -> Iterator[Change]:
    """INT-7: "concentration ends and cannot start"."""
    if it.level("intoxicated") >= 5:
        yield EndConcentration()


@intoxicated.on(ConditionChanged, always=True, order=20)
def die(event: ConditionChanged, it: Creature) -> Iterator[Change]:
    """INT-18: "Death clears it."."""
    if event.condition != "dead" or not event.level:
        return
    if it.has("intoxicated"):
        yield EndCondition(condition="intoxicated")
    elif "intoxicated" in it.actor.memory.notes:
        # The drinks of one who was still sober.
        yield Remember(condition="intoxicated", notes=None)


# Sober hours.


@intoxicated.on(Ate, always=True)
def eat(event: Ate, it: Creature) -> Iterator[Change]:
    """INT-9: "food or water counts in the hour in which it was taken"."""
    notes = notes_of(it)
    if not it.has("intoxicated") or notes.since is None or event.at < notes.since:
        return
    fed = event.at if notes.fed is None else max(notes.fed, event.at)
    end = hour_end(it, notes, event.at)
    if end <= it.now and not any(hour.at == end for hour in notes.hours) and not it.has("unconscious"):
        # It happened in an hour that is over by now: the news of it came late.
        yield from sober(it, notes, end)
    else:
        yield Remember(condition="intoxicated", notes=structs.replace(notes, fed=fed))


def hour_end(it: Creature, notes: Notes, time: int) -> int:
    """INT-9: "An hour is [start, start + 3,600 s)": return the end of the one that holds ``time``."""
    hour = int(it.settings["intoxicated.sober-hour"])
    since = notes.since or 0
    return since + hour * ((time - since) // hour + 1)


@intoxicated.due
def next_hour(it: Creature, after: int) -> int | None:
    """Return the end of the next hour that takes a level.  Hours without effect cost nothing."""
    notes = notes_of(it)
    if notes.since is None or not it.has("intoxicated"):
        return None
    ends: list[int] = []
    if it.has("unconscious"):
        ends.append(_past_rest(it, notes, hour_end(it, notes, max(after, notes.since))))
    if notes.fed is not None and (end := hour_end(it, notes, notes.fed)) > after and not _rests(notes, end):
        ends.append(end)
    return min(ends, default=None)


def _rests(notes: Notes, end: int) -> bool:
    """INT-14: "The hours inside a rest belong to the rest"."""
    return notes.rest is not None and notes.rest[0] < end <= notes.rest[1]


def _past_rest(it: Creature, notes: Notes, end: int) -> int:
    return hour_end(it, notes, notes.rest[1]) if notes.rest is not None and _rests(notes, end) else end


@intoxicated.on(TimePassed, order=-10)
def claim_hours(event: TimePassed, it: Creature) -> Iterator[Change]:
    """INT-14: the clock's message may come after the rest's: its first hours are the rest's."""
    notes = notes_of(it)
    if notes.claim and notes.rest is not None and event.since == notes.rest[1] and event.jump >= notes.claim:
        rest = (notes.rest[0], event.since + notes.claim)
        yield Remember(condition="intoxicated", notes=structs.replace(notes, rest=rest, claim=0))


@intoxicated.on(FellDue)
def hour_is_over(event: FellDue, it: Creature) -> Iterator[Change]:
    """INT-9: "the level falls by one if the creature is unconscious at that moment or took food or water"."""
    notes = notes_of(it)
    if notes.since is None or hour_end(it, notes, event.at - 1) != event.at or _rests(notes, event.at):
        return
    fed = notes.fed is not None and hour_end(it, notes, notes.fed) == event.at
    if fed or it.has("unconscious"):
        yield from sober(it, notes, event.at)


def sober(it: Creature, notes: Notes, end: int) -> Iterator[Change]:
    """Take one level at the end of an hour, and remember that."""
    level = it.level("intoxicated")
    fed = notes.fed if notes.fed is not None and notes.fed >= end else None
    hour = Hour(end, level, level == TOP and unconscious_from_drink(it))
    yield Remember(condition="intoxicated", notes=structs.replace(notes, fed=fed, hours=(*notes.hours, hour)[-TOP:]))
    yield SetCondition(condition="intoxicated", level=level - 1)


# Rests.


@intoxicated.on(RestFinished, always=True)
def rest(event: RestFinished, it: Creature) -> Iterator[Change]:
    """INT-13, INT-14.  A short rest has no rule of its own."""
    notes, level = notes_of(it), it.level("intoxicated")
    if event.kind != "long":
        return
    if not level and not notes.hours:
        if notes.drinks:
            # INT-13: "drinks and counters cleared", those of a sober creature too.
            yield Remember(condition="intoxicated", notes=structs.replace(notes, drinks=()))
        return
    if level and notes.slept is not None and notes.slept == event.at:
        who = it.actor.name
        text = f"{who} has just finished a long rest: a second one at the same hour changes nothing."
        yield Tell(code="conflict", say=Say("second-rest", text, {"who": who}))
        return
    # INT-14: the hours are "counted back from its end".  A drinker that still lies unconscious at level 6 has not
    # seen them yet, or the first of them would have woken it: the clock's message is still to come, if it comes.
    ahead = unconscious_from_drink(it)
    began = event.at if ahead else event.at - event.length
    taken = [hour for hour in notes.hours if began < hour.at <= event.at]
    out = notes.out is not None and notes.out <= began
    if not ahead and not (out and any(hour.woke for hour in taken)):
        if level:
            yield EndCondition(condition="intoxicated")
        if "intoxicated" in it.actor.memory.notes:
            yield Remember(condition="intoxicated", notes=None)
        return
    # INT-13: "it loses 1d4 + 2 levels instead (rolled in the open), and regains no Hit Dice from this rest"
    # INT-14: "what INT-9 did in those hours is taken back": the dice are taken from the level of before.
    yield Remember(
        condition="intoxicated",
        notes=structs.replace(
            notes,
            drinks=(),
            fed=None,
            hours=(),
            rest=(began, event.at),
            claim=event.length if ahead else 0,
            slept=event.at,
            base=max([hour.level for hour in taken] + [level]),
        ),
    )
    now = it.actor.hit_dice
    if any(dice.left < now[k].left for k, dice in event.hit_dice_before.items() if k in now):
        yield SetHitDice(hit_dice=event.hit_dice_before)
    yield RollDice(
        formula="1d4 + 2",
        reason=SLEEP,
        say=Say("sleep-off", "A night's sleep takes 1d4 + 2 levels.", condition="intoxicated"),
    )


@intoxicated.on(DiceRolled, always=True)
def sleep_off(event: DiceRolled, it: Creature) -> Iterator[Change]:
    """INT-13: the levels that a night unconscious takes."""
    notes = notes_of(it)
    if event.reason != SLEEP or not notes.base:
        return
    level = max(0, notes.base - event.total)
    yield Remember(condition="intoxicated", notes=structs.replace(notes, base=0))
    if level:
        yield SetCondition(condition="intoxicated", level=level)
    else:
        yield EndCondition(condition="intoxicated")


# The clock and first sight.


@intoxicated.on(ClockSetBack, always=True)
def set_back(event: ClockSetBack, it: Creature) -> Iterator[Change]:
    """INT-15: "drinks and clocks that now lie in the future are moved to now"."""
    notes = notes_of(it)
    now = event.at
    changed = structs.replace(
        notes,
        drinks=tuple(min(d, now) for d in notes.drinks),
        since=None if notes.since is None else min(notes.since, now),
        fed=None if notes.fed is None else min(notes.fed, now),
        out=None if notes.out is None else min(notes.out, now),
        rest=None,
        claim=0,
    )
    if changed != notes:
        yield Remember(condition="intoxicated", notes=changed)


@intoxicated.on(Seen)
def first_sight(event: Seen, it: Creature) -> Iterator[Change]:
    """INT-9: "A creature first seen with a level starts its clock at that moment."; CMB-12: clocks restart."""
    notes = notes_of(it)
    if event.foreign:
        notes = Notes(saves=notes.saves, since=it.now)
    elif notes.since is None:
        notes = structs.replace(notes, since=it.now)
    notes = structs.replace(notes, needed=threshold(it))
    if notes != notes_of(it):
        yield Remember(condition="intoxicated", notes=notes)
