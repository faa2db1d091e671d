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
    """The id of the use of an activity; what it changes on one creature or several belongs together (BLD-4, UND-1)."""
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
    others: Annotated[tuple[Ref, ...], Meta(max_length=1000)] = ()
    """It happened to these creatures as well, all in one: a GM's word only (UND-1)."""


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


class Given(HappeningBase, frozen=True, tag="given"):
    """The GM gives it a condition, moves it to ``level``, or ends it (level 0)."""

    condition: Key = ""
    level: Count = 1
    source: Text = ""
    """The reference of the creature that caused it."""
    lasts: Literal[
        "",
        "seconds",
        "minutes",
        "hours",
        "days",
        "rounds",
        "turn-start",
        "turn-end",
        "save",
        "combat",
        "short-rest",
        "long-rest",
    ] = ""
    """What ends it (TIM-1); nothing but a hand when left out."""
    amount: Count = 1
    """How many of these units."""
    ability: Literal["str", "dex", "con", "int", "wis", "cha"] = "con"
    """The ability of the save that ends it."""
    dc: Count = 10
    moment: Literal["start", "end"] = "end"
    """When in its turn the save is asked for."""
    forced: bool = False
    """Against an immunity (CMB-4)."""


class Undo(Message, frozen=True, tag="undo"):
    """The GM takes a decision back, the last one when ``decision`` is left out."""

    n: Number
    id: Id
    by: By
    decision: Number | None = None


Long = Annotated[str, Meta(max_length=200_000)]
"""A text such as a whole rulebook."""
Asked = Long | Signed | bool | Annotated[tuple[Text, ...], Meta(max_length=500)]
"""The value of a field of a form."""


class Configured(Message, frozen=True, tag="configured"):
    """The GM puts other house rules in force: some keys changed, a whole ``text``, or the last change taken back.

    Refused with ``conflict`` when they are no longer those of ``version``, which the view of them named.
    """

    n: Number
    id: Id
    by: By
    version: Text
    """Of the house rules as the GM saw them."""
    changes: Annotated[dict[Key, Any], Meta(max_length=500)] = {}
    """Key of the rulebook file -> its value; ``null`` takes the key out."""
    text: Long | None = None
    """A whole rulebook instead."""
    undo: bool = False
    """Back to what was in force before the last change."""


class Ask(Message, frozen=True, tag="ask"):
    """A GM's window asks for a view.  It changes nothing: not numbered, not kept, answered once by ``answer``."""

    id: Id
    what: Key
    """Which view: ``configure``, ``console``, ``history`` or ``why``."""
    by: By
    about: Annotated[dict[Key, Asked], Meta(max_length=500)] = {}
    """What it is about, e.g. the words that are looked for; every view has its own."""


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
    said: Line | None = None
    """The message as a key of ``lang/`` with its data, where there is one."""


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
    """Cards of one group are rows of one card, in one message (CRD-1); its own id when it stands alone."""


# Views: what a GM's window shows.  The bridge makes them, the module draws them.


class Control(Part, frozen=True):
    """A button of a view: it sends a message of ``type`` with ``data``, or asks for another view (``ask``)."""

    id: Key
    """Its own among the buttons beside it, so that it is found again when the view is drawn anew."""
    label: Line
    type: Key
    """``ask``, one of the numbered messages that the module sends by itself, ``save`` (``name`` and ``text`` of a file
    for the user), or ``habits`` (the window for what is particular about ``actor``)."""
    data: dict[str, Any] = {}
    """Fields of the message; the values of a form are added to them.  ``each``: of several messages.  For ``ask``:
    ``what`` and ``about``."""
    icon: Key = ""
    """A Font Awesome name."""
    selected: bool = False
    """It is for the creatures of the tokens that are selected: they are added as ``actor`` and ``others``."""
    confirm: Line | None = None
    """Asked before it is done."""
    current: bool = False
    """It leads to what is shown already."""


class Ends(Part, frozen=True):
    """When a row is over, moves on or came to be: the module counts by itself, in game time or in combat rounds."""

    words: Line
    """What is then; ``{left}`` in it stands for how long it is until then, or since."""
    at: Time | None = None
    """As Foundry's clock will show it."""
    combat: Id | None = None
    round: Count = 0


class Row(Part, frozen=True):
    """A row of a list.  Rows of one creature that follow each other stand together under its portrait and name."""

    id: Id
    actor: Ref | None = None
    """The creature that it is about; the module shows its portrait and name."""
    title: Line | None = None
    condition: str | None = None
    """Its icon and name stand at the head of the row."""
    level: Count = 0
    lines: tuple[Line, ...] = ()
    ends: Ends | None = None
    controls: tuple[Control, ...] = ()


class Rows(Part, frozen=True, tag="rows", tag_field="part"):
    """A list."""

    id: Key
    title: Line
    rows: tuple[Row, ...] = ()
    empty: Line | None = None
    """Shown in the place of no rows."""
    controls: tuple[Control, ...] = ()
    """Buttons for all of it."""
    more: Count = 0
    """Rows that are left out, for they are too many."""


class Note(Part, frozen=True, tag="note", tag_field="part"):
    """A sentence."""

    line: Line
    tone: Literal["plain", "good", "warning", "bad"] = "plain"


class Choice(Part, frozen=True):
    """One of the values of a field."""

    value: str
    label: Line


class Field(Part, frozen=True):
    """A field of a form."""

    key: Key
    kind: Literal["choice", "number", "text", "area", "lines", "toggle", "tags", "file"]
    """``tags``: any of ``choices``.  ``area``: a longer text; ``lines``: one thing on each line of it.  ``file``: the
    text of a file of at most ``most`` bytes."""
    label: Line
    hint: Line | None = None
    value: str | int | bool | tuple[str, ...] = ""
    default: str | int | bool | tuple[str, ...] | None = None
    """What holds when nothing is set; none where there is no such thing."""
    choices: tuple[Choice, ...] = ()
    least: int | None = None
    most: int | None = None
    only: dict[Key, tuple[str, ...]] = {}
    """Shown only while another field has one of these values."""
    problem: Line | None = None
    """What is wrong with the value."""


class Form(Part, frozen=True, tag="form", tag_field="part"):
    """Fields, and buttons that send their values.  The first button is the one of the Enter key."""

    id: Key
    title: Line
    fields: tuple[Field, ...] = ()
    controls: tuple[Control, ...] = ()
    open: bool = True
    """Folded up when not."""


Piece = Rows | Note | Form
"""What a view is made of."""


class View(Part, frozen=True):
    """What a window shows: text and data only, never markup."""

    what: Key
    title: Line
    parts: tuple[Piece, ...] = ()
    controls: tuple[Control, ...] = ()
    """Buttons that lead elsewhere."""


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

    Hit points are written last, in one write with ``memory``: nothing else could tell whether they were written.
    Every ``was`` is compared before anything is written; where one differs nothing is done and ``failed`` with
    ``changed`` is answered, after a picture of what is there.  Safe to repeat.
    """

    id: Number
    actor: Ref
    operations: tuple[Operation, ...]
    memory: Memory


class Answer(Message, frozen=True, tag="answer"):
    """Bridge: the view that ``ask`` asked for."""

    id: Id
    """``id`` of the question."""
    view: View


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
    | Given
    | Undo
    | Configured
    | Failed
    | Ask
    | Batch
)
"""What a paired module may send."""

Happening = Drank | Ate | RestBegan | RestFinished | Refused | Rolled | DiceRolled | Pressed | Used | Said | Given

BeforePaired = Pair | Auth
"""What anyone may send before."""

FromBridge = Challenge | Paired | Welcome | Ack | Error | Apply | Answer | Catalogue | Status | Batch

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
    "unknown-view",
    "info",
)
