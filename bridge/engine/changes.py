"""What a rule may want.  Imperative mood, in the words of D&D, never of Foundry."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from .state import Effect, HitDice, Mark, Timer

ANY = "*"
"""Ends a condition whatever brought it."""


class Say(Struct, frozen=True):
    """One line for a card: a key of the module's language files, its data, and the plain English fallback (CRD-6)."""

    key: str
    text: str
    data: dict[str, str | int] = {}
    condition: str | None = None
    level: int = 0
    source: str | None = None


class Button(Struct, frozen=True):
    """A button on the card of this decision; ``data`` comes back with the press."""

    id: str
    label: str
    who: str = "gm"


APPROVAL = (Button("approve", "Approve"), Button("refuse", "Refuse"))
"""The two answers to what waits for the GM's word; the first that is given counts."""


class Change(Struct, frozen=True, kw_only=True):
    """Base class."""


class SetCondition(Change, frozen=True):
    """Give the condition, or move it to ``level``.  ``cause`` tells whose it is, when a rule brought it."""

    condition: str
    level: int = 1
    cause: str | None = None
    source: str | None = None
    timer: Timer | None = None
    forced: bool = False
    """Against an immunity, at the GM's word (CMB-4)."""


class EndCondition(Change, frozen=True):
    """End the condition: only what ``cause`` brought, or all of it with ``ANY``."""

    condition: str
    cause: str | None = ANY


class EndEffect(Change, frozen=True):
    """End one effect."""

    effect: str


class RestoreEffect(Change, frozen=True):
    """Put an effect back as it was."""

    effect: Effect


class MarkEffect(Change, frozen=True):
    """Write a new mark on an effect; ``disabled`` as given."""

    effect: str
    mark: Mark
    disabled: bool | None = None


class SetHitPoints(Change, frozen=True):
    """Set current hit points.  ``quiet``: a correction that nothing reacts to."""

    value: int
    quiet: bool = False


class SetHitDice(Change, frozen=True):
    """Set the Hit Dice back to these."""

    hit_dice: dict[str, HitDice]


class SetStatus(Change, frozen=True):
    """Switch a status of the system (``stable``, ``dead``)."""

    status: str
    on: bool


class TakeDamage(Change, frozen=True):
    """Damage through the system, so that resistances count."""

    amount: int
    type: str


class EndConcentration(Change, frozen=True):
    """End all concentration."""


class Remember(Change, frozen=True):
    """Keep ``notes`` for the condition on the creature; none forgets them."""

    condition: str
    notes: Any


class LoseAction(Change, frozen=True):
    """It has lost its action in this turn of its combat."""

    combat: str
    round: int


class AskSave(Change, frozen=True):
    """Ask for a saving throw; the result comes back as Rolled with this reason."""

    ability: str
    dc: int
    reason: str
    say: Say
    tags: tuple[str, ...] = ()


class RollDice(Change, frozen=True):
    """Roll dice in the open; the total comes back as DiceRolled with this reason."""

    formula: str
    reason: str
    say: Say


class Post(Change, frozen=True):
    """Put a line on the card of this decision, with the buttons that go with it."""

    kind: str
    say: Say | None = None
    buttons: tuple[Button, ...] = ()
    data: dict[str, Any] = {}
    audience: str | None = None


class Use(Change, frozen=True):
    """Show on the card that its button was used."""

    card: str
    button: str
    say: Say


class Tell(Change, frozen=True):
    """Tell the GM (or the one who asked) one sentence, at once, with an error code."""

    code: str
    say: Say

    @property
    def text(self) -> str:
        """The sentence in plain English."""
        return self.say.text


UNSEEN = (AskSave, Post, RollDice, TakeDamage, Tell, Use)
"""Changes that are not seen on the creature itself."""
