"""Every message on the wire.  Foundry shows pictures and happenings; the bridge answers with operations.

JSON Schema, the module's JSDoc types and ``docs/protocol.md`` are generated from this file (``tools.protocol.docs``).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from bridge.engine.catalogue import Catalogue
from bridge.engine.state import Actor, Count, HitDice, Key, Mark, Memory, Points, Ref, Text, Time

OLDEST = 1
NEWEST = 1
"""The range of protocol versions that this bridge speaks."""

Id = Annotated[str, Meta(min_length=1, max_length=128)]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Tally = Annotated[int, Meta(ge=1, le=1000)]
Signed = Annotated[int, Meta(ge=-100_000, le=100_000)]


class Message(Struct, frozen=True, tag_field="type", rename="camel", omit_defaults=True):
    """Base class of everything that crosses the socket."""


class Part(Struct, frozen=True, rename="camel", omit_defaults=True):
    """Base class of what stands inside a message."""


# Meeting: who is there, and is it the one that was paired?


class Versions(Part, frozen=True):
    """A range of protocol versions, both ends included."""

    min: Count
    max: Count


class Challenge(Message, frozen=True, tag="challenge"):
    """Bridge, at once: who speaks, in which versions, and a nonce (64 hex digits) to prove the key with."""

    protocol: Versions
    version: Text
    nonce: Text


class Table(Part, frozen=True):
    """What Foundry is: world, core and system versions, other modules that matter."""

    world: Id
    """The id that the module keeps in a world setting; it stays with the world's backups."""
    name: Text = ""
    profile: Key = "v14+dnd5e-5.3"
    """``v13+dnd5e-5.3``, ``v14+dnd5e-5.3`` or ``v14+dnd5e-6``."""
    core: Text = ""
    system: Text = ""
    module: Text = ""
    modules: Annotated[tuple[Key, ...], Meta(max_length=500)] = ()
    native_bloodied: bool = False
    """dnd5e's own Bloodied automation is on (BLO-5)."""
    native_downed: bool = False
    """dnd5e's own dead-or-unconscious at 0 is on (DWN-1)."""
    rules: Key = "modern"
    """``modern`` (2024) or ``legacy`` (2014), as dnd5e's rules version setting says."""
    home: Text = ""
    """The world's folder in Foundry: a copy of the world, which has the same ``world``, stands in another one."""


class Pair(Message, frozen=True, tag="pair"):
    """Module: a GM typed the pairing code.  Answered by ``paired`` or ``error not-paired``."""

    protocol: Versions
    code: Text
    table: Table
    user: Id
    user_name: Text = ""


class Paired(Message, frozen=True, tag="paired"):
    """Bridge: this browser's own key (64 hex digits).  ``auth`` follows on the same connection."""

    client: Id
    key: Text


class Auth(Message, frozen=True, tag="auth"):
    """Module: proof of the key, over both nonces, the world and the page's origin (see ``docs/protocol.md``)."""

    protocol: Versions
    client: Id
    nonce: Text
    mac: Text
    table: Table
    user: Id
    user_name: Text = ""


class Limits(Part, frozen=True):
    """What the bridge accepts: bytes of a message, messages in a batch, sheets in a page."""

    message: Count
    batch: Count
    page: Count


class Welcome(Message, frozen=True, tag="welcome"):
    """Bridge: proof of the key from its side too, and where the conversation stands."""

    protocol: Count
    mac: Text
    session: Id
    limits: Limits
    rulebook: Text = ""
    known: bool = False
    """The bridge has a picture of this world."""


# Module to bridge.


class By(Part, frozen=True):
    """Which user did it."""

    user: Id
    gm: bool = False
    name: Text = ""


class Cause(Part, frozen=True):
    """The cause marker that the module put in the same write.

    ``kind``: ``hit-die``, ``short-rest``, ``long-rest``, ``rest-feature``, ``spell``, ``item``, ``feature``,
    ``regeneration``, ``death-save``, ``gm-edit``, ``player-edit``, ``allow``, ``form``, ``rest`` (of another module,
    which did not announce it: BLD-12) or ``unknown``.
    """

    kind: Key = "unknown"
    use: Text = ""
    """The id of the use of an activity; two changes of one use belong together (BLD-4)."""
    label: Text = ""
    """What it was, e.g. ``Cure Wounds``."""


class Combatant(Part, frozen=True):
    """One place in the order."""

    id: Id
    actor: Ref | None = None
    initiative: float | None = None
    defeated: bool = False


class Combat(Part, frozen=True):
    """A running combat (round 1 or later): who acts in which order, and whose turn it is."""

    id: Id
    round: Count
    turn: Count
    order: Annotated[tuple[Combatant, ...], Meta(max_length=1000)]
    scene: Key | None = None


class Picture(Message, frozen=True, tag="picture"):
    """What one Foundry write changed, as it stands now.

    ``n`` counts the module's messages of this session from 1; ``ack`` names them.  ``page`` and ``pages`` are given
    while the whole world is shown (first after ``welcome``): rules wait for the last page, and creatures that no page
    showed are gone.
    """

    n: Number
    actors: Annotated[tuple[Actor, ...], Meta(max_length=1000)] = ()
    gone: Annotated[tuple[Ref, ...], Meta(max_length=10_000)] = ()
    combats: Annotated[tuple[Combat, ...], Meta(max_length=100)] = ()
    ended: Annotated[tuple[Id, ...], Meta(max_length=100)] = ()
    """Combats that are over, or were deleted."""
    clock: Time | None = None
    cause: Cause | None = None
    by: By | None = None
    apply: Number | None = None
    """The Apply that made this write."""
    page: Count = 0
    pages: Count = 0


class CardState(Part, frozen=True):
    """A card as its message's flag holds it: sent along with a press, so that no card is ever forgotten."""

    id: Id
    actor: Ref
    data: dict[str, Any] = {}
    done: tuple[Key, ...] = ()
    """Buttons that were pressed already."""


class HappeningBase(Message, frozen=True):
    """What leaves no trace in a picture.  Kept by the module until acknowledged; dropped here when repeated."""

    n: Number
    id: Id
    """The module's own id; the same when it is sent again."""
    actor: Ref
    by: By
    at: Time | None = None
    """World time when it happened; the clock's when left out."""


class Drank(HappeningBase, frozen=True, tag="drank"):
    """It drank alcohol (INT-17)."""

    count: Tally = 1
    strength: Tally = 1
    willing: bool = False
    label: Text = ""


class Ate(HappeningBase, frozen=True, tag="ate"):
    """It took food or water (INT-9)."""

    what: Literal["food", "water"] = "food"


class RestBegan(HappeningBase, frozen=True, tag="restBegan"):
    """A rest began (its dialog was confirmed)."""

    kind: Literal["short", "long"] = "long"


class RestFinished(HappeningBase, frozen=True, tag="restFinished"):
    """A rest was finished.  ``length`` in seconds; the Hit Dice as they were before it."""

    kind: Literal["short", "long"] = "long"
    length: Count = 28800
    hit_dice_before: dict[Key, HitDice] = {}


class Refused(HappeningBase, frozen=True, tag="refused"):
    """The gate on some client refused ``amount`` hit points (BLD-7)."""

    amount: Count = 0
    cause: Cause = Cause()


class Rolled(HappeningBase, frozen=True, tag="rolled"):
    """The roll that a ``roll.ask`` card asked for came in."""

    request: Id = ""
    reason: Text = ""
    dc: Count = 0
    total: Signed | None = None
    success: bool = False


class DiceRolled(HappeningBase, frozen=True, tag="diceRolled"):
    """The dice that a ``dice.roll`` asked for."""

    request: Id = ""
    reason: Text = ""
    total: Signed = 0


class Pressed(HappeningBase, frozen=True, tag="pressed"):
    """A button of a card was pressed.  ``owner``: the user owns the creature."""

    button: Key = ""
    card: CardState | None = None
    owner: bool = False


class Used(HappeningBase, frozen=True, tag="used"):
    """It used its action, bonus action, reaction or movement in combat."""

    what: Literal["action", "bonus", "reaction", "attack", "move"] = "action"
    target: Ref | None = None
    label: Text = ""


class Said(HappeningBase, frozen=True, tag="said"):
    """A chat command of ours, as typed: ``/drink``, ``/eat``, ``/water``, ``/conditions``.

    ``actor``: the speaker's own creature.
    """

    text: Text = ""


class Undo(Message, frozen=True, tag="undo"):
    """The GM takes a decision back, the last one when ``decision`` is left out."""

    n: Number
    id: Id
    by: By
    decision: Number | None = None


class Failed(Message, frozen=True, tag="failed"):
    """An Apply was not carried out: Foundry showed something else (``changed``), refused it (``refused``) or broke."""

    n: Number
    apply: Number
    actor: Ref
    code: Literal["changed", "refused", "error", "already-done"] = "changed"
    message: Text = ""


class Batch(Message, frozen=True, tag="batch"):
    """Several messages in one frame, in order, in either direction.

    They are taken one by one: one that is wrong is answered, the others count.
    """

    messages: list[msgspec.Raw]


# Bridge to module.


class Ack(Message, frozen=True, tag="ack"):
    """All of the module's messages up to ``n`` are on disk."""

    n: Number


class Error(Message, frozen=True, tag="error"):
    """Something was not accepted.  ``about``: the ``n`` or ``id`` of the message, when it had one."""

    code: Key
    message: str
    about: Number | None = None
    id: str | None = None


class Button(Part, frozen=True):
    """A button of a card.  ``who``: ``gm`` or ``owner`` (the GM may press both)."""

    id: Key
    label: str
    who: Literal["gm", "owner"] = "gm"


class Line(Part, frozen=True):
    """One line of a card: a key of ``lang/`` with its data, and the plain English fallback (CRD-6)."""

    key: Key
    text: str
    data: dict[str, str | int] = {}
    condition: str | None = None
    """The condition that it is about; its icon and name stand beside it."""
    level: Count = 0
    source: Ref | None = None
    """Who caused it, as a reference: shown by name to those who may know it."""


class Card(Part, frozen=True):
    """A chat card.  Text and data only, never markup (CRD-5)."""

    id: Id
    kind: Literal["conditions", "refusal", "save", "summary", "notice", "turn", "dice"]
    actor: Ref
    title: Line
    lines: tuple[Line, ...] = ()
    buttons: tuple[Button, ...] = ()
    audience: Literal["gm", "owner", "all"] = "all"
    data: dict[str, Any] = {}
    """What a press of its buttons needs to know, e.g. the refused amount."""
    group: Id = ""
    """Cards of one cause."""


class SetHitPoints(Part, frozen=True, tag="hp.set", tag_field="op"):
    """Set current and temporary hit points.  ``quiet``: a correction, no damage or healing to react to."""

    was: Points
    value: Points
    was_temp: Points = 0
    temp: Points = 0
    quiet: bool = False


class ApplyDamage(Part, frozen=True, tag="damage.apply", tag_field="op"):
    """Damage through dnd5e, so that resistances count."""

    amount: Count
    damage: Key
    id: Id


class SetHitDice(Part, frozen=True, tag="hit-dice.set", tag_field="op"):
    """Set the Hit Dice that are left, by class."""

    was: dict[Key, Count]
    left: dict[Key, Count]


class SetCondition(Part, frozen=True, tag="condition.set", tag_field="op"):
    """Create, change or end (``mark`` none) one effect.  ``was``: its mark, as the bridge saw it.

    An effect that is to be created and is there already without a mark (Foundry's own rider was quicker) is marked.
    """

    effect: Key
    condition: Key
    statuses: tuple[Key, ...] = ()
    was: Mark | None = None
    there: bool = False
    """The effect is there now (perhaps without a mark of ours)."""
    mark: Mark | None = None
    disabled: bool = False


class SetStatus(Part, frozen=True, tag="status.set", tag_field="op"):
    """Switch a status of the system (``stable``, ``dead``) on or off."""

    status: Key
    on: bool


class EndConcentration(Part, frozen=True, tag="concentration.end", tag_field="op"):
    """End all concentration of the creature."""


class PostCard(Part, frozen=True, tag="card.post", tag_field="op"):
    """Post a chat card.  Its message's id derives from ``card.id``: a second time, it is there already."""

    card: Card


class UpdateCard(Part, frozen=True, tag="card.update", tag_field="op"):
    """A button of a card was used: show what was done, and keep ``stamp`` with it.

    Refused with ``already-done`` when it was used under another stamp; the same stamp again is the same use.
    """

    card: Id
    button: Key
    outcome: Line
    stamp: Number = 0


class AskRoll(Part, frozen=True, tag="roll.ask", tag_field="op"):
    """Ask the creature's player, else the GM, for a saving throw.  It stands as a card until it is rolled."""

    card: Card
    ability: Key
    dc: Count
    reason: Text
    tags: tuple[Key, ...] = ()


class RollDice(Part, frozen=True, tag="dice.roll", tag_field="op"):
    """Roll dice in the open; the total comes back as ``diceRolled``."""

    card: Card
    formula: Text
    reason: Text


class Notify(Part, frozen=True, tag="notify", tag_field="op"):
    """Tell one user, or all GMs, one plain sentence."""

    line: Line
    user: str | None = None


Operation = (
    SetHitPoints
    | ApplyDamage
    | SetHitDice
    | SetCondition
    | SetStatus
    | EndConcentration
    | PostCard
    | UpdateCard
    | AskRoll
    | RollDice
    | Notify
)


class Apply(Message, frozen=True, tag="apply"):
    """Do all of this to one creature, in order, then write ``memory`` (its receipt is ``id``) on it.

    Every ``was`` is compared before anything is written; where one differs nothing is done and ``failed`` with
    ``changed`` is answered, after a picture of what is there.  Safe to repeat.
    """

    id: Number
    actor: Ref
    operations: tuple[Operation, ...]
    memory: Memory


class Status(Message, frozen=True, tag="status"):
    """Bridge: how it is (``ok``, ``stopping``, ``degraded``), or what a GM should know (``note``): one sentence."""

    state: Key
    message: str = ""


FromModule = (
    Picture
    | Drank
    | Ate
    | RestBegan
    | RestFinished
    | Refused
    | Rolled
    | DiceRolled
    | Pressed
    | Used
    | Said
    | Undo
    | Failed
    | Batch
)
"""What a paired module may send."""

Happening = Drank | Ate | RestBegan | RestFinished | Refused | Rolled | DiceRolled | Pressed | Used | Said

BeforePaired = Pair | Auth
"""What anyone may send before."""

FromBridge = Challenge | Paired | Welcome | Ack | Error | Apply | Catalogue | Status | Batch

ERROR_CODES = (
    "invalid",
    "unknown-type",
    "too-large",
    "too-many",
    "not-allowed",
    "already-done",
    "unknown-actor",
    "unknown-condition",
    "immune",
    "version",
    "not-paired",
    "taken",
    "conflict",
)
