"""Bleeding: hit points do not come back, except by Hit Dice and a long rest.

Rules: BLD-1 to BLD-12.  The gate works on the client that makes the change (BLD-10), from the catalogue; here stands
what follows: the card of a refusal, Allow, and putting right what slipped through.
"""

from collections.abc import Iterator

from bridge.engine.catalogue import Gate
from bridge.engine.changes import Button, Change, EndCondition, Post, Say, SetHitPoints, SetStatus, Use
from bridge.engine.conditions import Condition, Creature
from bridge.engine.events import ConditionChanged, HealingRefused, HitPointsRegained, Pressed, RestFinished
from bridge.engine.settings import REMIND, Setting, Settings

GRANTED_REFUSED = ("granted", "refused")
# BLD-2: "Hit points regained by spending a Hit Die, and by finishing a long rest, are granted in full."
# ``form``: a change of form swaps the sheet, nothing is regained; ``allow``: the GM has spoken; ``rest``: what another
# module's rest restored without a message (BLD-12).
ALWAYS_GRANTED = ("hit-die", "long-rest", "rest", "allow", "form")


def gate(settings: Settings) -> Gate:
    """Return what the gate lets through, by the settings."""
    grants = [*ALWAYS_GRANTED]
    for key, cause in (("bleeding.gm-edits", "gm-edit"), ("bleeding.player-edits", "player-edit")):
        if settings[key] == "granted":
            grants.append(cause)
    if settings["bleeding.death-save-20"] == "wakes":
        grants.append("death-save")
    return Gate(grants=tuple(grants), max_rise=settings["bleeding.max-rise"] == "granted")


ENDINGS = {
    "long-rest": "a long rest",
    "hit-die": "a Hit Die spent",
    "medicine": "a successful Wisdom (Medicine) check",
}


def ends(settings: Settings) -> str:
    """BLD-9: "Nothing on the page ends Bleeding by itself: the GM does"; by setting, other things do too."""
    found = [words for key, words in ENDINGS.items() if key in settings["bleeding.ends-on"]]
    return f"Ends with {' or '.join(found)}, or when the GM ends it." if found else "The GM ends it."


bleeding = Condition(
    id="bleeding",
    name="Bleeding",
    summary="No hit points back, except from Hit Dice and a long rest. Temporary hit points still work.",
    ends=ends,
    gate=gate,
    settings=(
        Setting("bleeding.gm-edits", "granted", GRANTED_REFUSED),
        Setting("bleeding.player-edits", "refused", GRANTED_REFUSED),
        Setting("bleeding.max-rise", "granted", GRANTED_REFUSED),
        Setting("bleeding.death-save-20", "stable", ("stable", "wakes")),
        Setting("bleeding.ends-on", [], tuple(ENDINGS)),
    ),
)


def another_gate(it: Creature) -> bool:
    """Tell whether it does not bleed and another condition, of a GM's own, has the gate that refuses."""
    known = it.book.conditions
    gates = [id for id in it.conditions if id in known and known[id].gate]
    return bool(gates) and "bleeding" not in gates


@bleeding.on(HealingRefused, always=True)
def tell(event: HealingRefused, it: Creature) -> Iterator[Change]:
    """BLD-7: "Every refusal posts one card"."""
    if another_gate(it):
        return
    yield from refuse(it, event.amount, event.cause, event.label, it.actor.hp.value if it.actor.hp else 0)


@bleeding.on(HitPointsRegained, always=True)
def put_back(event: HitPointsRegained, it: Creature) -> Iterator[Change]:
    """BLD-10: "if a change slips through, the server puts the hit points back and says so"."""
    if event.refused and not event.gap and it.actor.hp is not None and not another_gate(it):
        if it.book.mode("bleeding") == REMIND:
            text = f"Bleeding would refuse {event.refused} of these hit points."
            say = Say("would-refuse", text, {"amount": event.refused}, condition="bleeding")
            yield Post(kind="notice", say=say, audience="gm")
            return
        yield SetHitPoints(value=it.actor.hp.value - event.refused, quiet=True)
        yield from refuse(it, event.refused, event.cause, event.label, event.before.value)


@bleeding.on(HitPointsRegained, order=10)
def ends_on_hit_die(event: HitPointsRegained, it: Creature) -> Iterator[Change]:
    """BLD-9: "ends when a Hit Die is spent", by setting."""
    if event.cause == "hit-die" and "hit-die" in it.settings["bleeding.ends-on"]:
        yield EndCondition(condition="bleeding")


@bleeding.on(RestFinished)
def ends_on_long_rest(event: RestFinished, it: Creature) -> Iterator[Change]:
    """BLD-9: "ends on long rest", by setting."""
    if event.kind == "long" and "long-rest" in it.settings["bleeding.ends-on"]:
        yield EndCondition(condition="bleeding")


@bleeding.on(ConditionChanged)
def offer_medicine(event: ConditionChanged, it: Creature) -> Iterator[Change]:
    """BLD-9: "ends on a Medicine check card", by setting: whoever tries rolls it, and the GM says that it worked."""
    if event.condition == "bleeding" and event.level and "medicine" in it.settings["bleeding.ends-on"]:
        yield Post(kind="conditions", buttons=(Button("staunched", "Staunched"),))


@bleeding.on(Pressed)
def staunch(event: Pressed, it: Creature) -> Iterator[Change]:
    """BLD-9: the Medicine check has succeeded."""
    if event.button == "staunched":
        yield EndCondition(condition="bleeding")
        yield Use(card=event.card, button="staunched", say=Say("staunched", "The blood is staunched."))


@bleeding.on(RestFinished, always=True)
def tell_of_silent_rest(event: RestFinished, it: Creature) -> Iterator[Change]:
    """BLD-12: "The GM is told once."."""
    if event.unannounced:
        text = f"Another module rested it without a message: taken as a {event.kind} rest. (This is said once.)"
        yield Post(kind="notice", say=Say(f"silent-{event.kind}-rest", text), audience="gm")


@bleeding.on(Pressed, always=True)
def allow(event: Pressed, it: Creature) -> Iterator[Change]:
    """BLD-7: Allow "grants exactly the refused amount (capped at the maximum), once"."""
    amount = event.data.get("refused")
    if event.button != "allow" or not isinstance(amount, int) or "gate" in event.data or it.actor.hp is None:
        return
    hp = it.actor.hp
    value = max(hp.value, min(hp.top, hp.value + amount))
    granted = value - hp.value
    if granted:
        yield SetHitPoints(value=value)
    yield Use(
        card=event.card,
        button="allow",
        say=Say("allowed", f"Allowed: {granted} hit points regained.", {"amount": granted}),
    )


def refuse(it: Creature, amount: int, cause: str, label: str, left: int) -> Iterator[Change]:
    """Post the card of a refusal, with Allow for the GM.  ``left``: hit points without what is refused."""
    what = label or CAUSES.get(cause, "an unknown cause")
    yield Post(
        kind="refusal",
        say=Say(
            "refused",
            f"Bleeding refuses {amount} hit points from {what}.",
            {"amount": amount, "what": label, "cause": cause},
            condition="bleeding",
        ),
        buttons=(Button("allow", "Allow"),),
        data={"refused": amount, "cause": cause},
    )
    # BLD-5: "while Bleeding it becomes stable at 0 instead, a refusal of 1 as in BLD-7"
    if cause == "death-save" and left == 0 and not it.has("stable"):
        yield SetStatus(status="stable", on=True)
        yield Post(kind="refusal", say=Say("stable", "Stable at 0 hit points.", condition="bleeding"))


CAUSES = {
    "spell": "a spell",
    "item": "an item",
    "feature": "a feature",
    "regeneration": "regeneration",
    "rest-feature": "a feature of the rest",
    "short-rest": "a short rest",
    "death-save": "a natural 20 on a death save",
    "gm-edit": "an edit by the GM",
    "player-edit": "an edit by a player",
    "unknown": "an unknown cause",
}
"""What a cause is called on the card when the change has no name of its own."""
