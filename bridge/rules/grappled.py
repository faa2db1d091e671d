"""Grappled, by a source.  Rule: CND-7."""

from collections.abc import Iterator

from bridge.engine.catalogue import DISADVANTAGE, Modifier, Predicate, Speed
from bridge.engine.changes import Change, EndEffect
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import OtherApart, OtherChanged
from bridge.engine.settings import TRUE_FALSE, Setting, Settings


def ends(settings: Settings) -> str:
    """CND-7: "ends when the grappler is Incapacitated or no longer beside it [setting]"."""
    apart = " or no longer beside it" if settings["grappled.ends-apart"] else ""
    return f"Ends when the grappler is Incapacitated{apart}."


grappled = Condition(
    id="grappled",
    name="Grappled",
    summary="Speed 0. Disadvantage on attacks on anyone but the grappler, who may drag it along.",
    origin="The page points elsewhere: 2024 rules.",
    ends=ends,
    sourced=True,
    modifiers=(Modifier("attack", DISADVANTAGE, when=Predicate(other_is_source=False)),),
    speed=Speed(zero=True),
    settings=(Setting("grappled.ends-apart", True, TRUE_FALSE),),
)


@grappled.on(OtherChanged)
def grappler_changed(event: OtherChanged, it: Creature) -> Iterator[Change]:
    """CND-7: "ends when the grappler is Incapacitated"."""
    if event.condition == "incapacitated" and event.level:
        yield from let_go(it, event.other)


@grappled.on(OtherApart)
def moved_apart(event: OtherApart, it: Creature) -> Iterator[Change]:
    """CND-7: "or no longer beside it", by setting."""
    if it.settings["grappled.ends-apart"]:
        yield from let_go(it, event.other)


def let_go(it: Creature, grappler: str) -> Iterator[Change]:
    """End what this grappler holds; a grapple whose source is not recorded stays."""
    for effect in it.effects("grappled"):
        if effect.mark and effect.mark.source == grappler:
            yield EndEffect(effect=effect.id)
