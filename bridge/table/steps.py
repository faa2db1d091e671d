"""What can happen at a table: one struct for each ``do`` of a scenario file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from .files import Item

Source = Literal[
    "spell",
    "item",
    "feature",
    "regeneration",
    "hit-die",
    "rest-feature",
    "death-save",
    "gm-edit",
    "player-edit",
    "unknown",
    "database",
]
"""Where hit points come from.  ``database``: written past Foundry, so that no gate on any client sees it."""
Positive = Annotated[int, Meta(ge=1)]
Square = tuple[float, float]


class Step(Item, frozen=True, tag_field="do", kw_only=True):
    """Base class.  ``dice``: what the dice thrown because of it show; ``expect``: what must be so afterwards."""

    dice: tuple[int, ...] = ()
    expect: dict[str, Any] = field(default_factory=dict)

    @property
    def do(self) -> str:
        """The word of the file."""
        return str(self.__struct_config__.tag)


class About(Step, frozen=True, kw_only=True):
    """A step about one creature."""

    actor: str


# Hit points.


class Heal(About, frozen=True, tag="heal", kw_only=True):
    """It regains hit points, up to its maximum."""

    amount: Annotated[int, Meta(ge=0)]
    by: Source = "unknown"
    from_: str | None = None
    type: str | None = None


class Damage(About, frozen=True, tag="damage", kw_only=True):
    """It takes damage: temporary hit points first; resistances count when the type is given."""

    amount: Annotated[int, Meta(ge=0)]
    by: Source = "unknown"
    from_: str | None = None
    type: str | None = None


class Hp(About, frozen=True, tag="hp", kw_only=True):
    """A bare change of these numbers in one update."""

    value: int | None = None
    max: Annotated[int, Meta(ge=0)] | None = None
    temp: int | None = None
    tempmax: int | None = None
    hit_dice: int | dict[str, int] | None = None
    by: Source = "unknown"
    from_: str | None = None


# Conditions.


class Add(About, frozen=True, tag="add", kw_only=True):
    """Somebody puts a condition on it."""

    condition: str
    by: Literal["gm", "player", "item"] = "gm"
    from_: str | None = None
    lasts: str | None = None
    forced: bool = False


class Remove(About, frozen=True, tag="remove", kw_only=True):
    """Somebody takes a condition off."""

    condition: str
    by: Literal["gm", "player", "item"] = "gm"
    from_: str | None = None


class SetLevel(About, frozen=True, tag="set-level", kw_only=True):
    """The GM types a level."""

    condition: str
    level: Annotated[int, Meta(ge=0)]


class DeleteEffect(About, frozen=True, tag="delete-effect", kw_only=True):
    """The GM deletes the effect document, halted or not."""

    condition: str


class Fields(Item, frozen=True, kw_only=True):
    """What the GM's hand changes on an effect document."""

    name: str | None = None
    disabled: bool | None = None
    statuses: tuple[str, ...] | None = None
    level: Positive | None = None
    from_: str | None = None
    lasts: str | None = None
    forced: bool | None = None


class EditEffect(About, frozen=True, tag="edit-effect", kw_only=True):
    """The GM edits the effect document."""

    condition: str
    fields: Fields


# What creatures do.


class Drink(About, frozen=True, tag="drink", kw_only=True):
    """It drinks alcohol."""

    count: Positive = 1
    strength: Positive = 1
    willing: bool = False


class Eat(About, frozen=True, tag="eat", kw_only=True):
    """It eats."""


class Water(About, frozen=True, tag="water", kw_only=True):
    """It drinks water."""


class Rest(About, frozen=True, tag="rest", kw_only=True):
    """It rests.  ``time``: when the clock's message comes; ``interrupted``: only time passes."""

    kind: Literal["long", "short"] = "long"
    time: Literal["with", "before", "after", "none"] = "with"
    interrupted: bool = False


class Answer(About, frozen=True, tag="answer", kw_only=True):
    """The roll that was asked for last of this creature comes in."""

    total: int | None = None
    success: bool | None = None


class Concentrate(About, frozen=True, tag="concentrate", kw_only=True):
    """It begins or stops concentrating."""

    on: bool | str = True
    by: str | None = None


class Use(About, frozen=True, tag="use", kw_only=True):
    """It takes an action, a bonus action or a reaction, attacks, or uses its movement."""

    action: Literal["action", "bonus", "reaction", "attack", "move"]
    target: str | None = None
    by: str | None = None


class Move(About, frozen=True, tag="move", kw_only=True):
    """Its token moves to another square."""

    to: Square
    willingly: bool = True
    by: str | None = None


class Press(Step, frozen=True, tag="press", kw_only=True):
    """Somebody presses a button of a card."""

    button: str
    by: str = "gm"
    card: Positive | None = None


class Say(Step, frozen=True, tag="say", kw_only=True):
    """Somebody types a chat command."""

    text: str
    by: str = "gm"


class Undo(Step, frozen=True, tag="undo", kw_only=True):
    """The last decision that changed something is taken back."""

    by: str = "gm"


# Time, combat and scenes.


class Time(Step, frozen=True, tag="time", kw_only=True):
    """The clock jumps."""

    advance: int | str


class StartCombat(Step, frozen=True, tag="start-combat", kw_only=True):
    """A combat begins: round 1, the first in order."""

    order: tuple[str, ...]


class NextTurn(Step, frozen=True, tag="next-turn", kw_only=True):
    """The next in order."""


class PreviousTurn(Step, frozen=True, tag="previous-turn", kw_only=True):
    """One turn back."""


class Turn(Step, frozen=True, tag="turn", kw_only=True):
    """The GM goes straight to somebody's turn."""

    to: str
    round: Positive | None = None


class AddCombatant(About, frozen=True, tag="add-combatant", kw_only=True):
    """It joins the combat, last in order."""


class RemoveCombatant(About, frozen=True, tag="remove-combatant", kw_only=True):
    """It leaves the combat."""


class EndCombat(Step, frozen=True, tag="end-combat", kw_only=True):
    """The combat is over."""


class RemoveToken(About, frozen=True, tag="remove-token", kw_only=True):
    """Its token is deleted; with it the creature, when it is unlinked."""


class AddToken(About, frozen=True, tag="add-token", kw_only=True):
    """A token of it is put on the scene, at ``to`` or where it first stood."""

    to: Square | None = None


class ChangeScene(Step, frozen=True, tag="change-scene", kw_only=True):
    """The GM looks at another scene; with ``actor`` its token goes there."""

    actor: str | None = None
    to: Square | str = "another"


class DeleteScene(Step, frozen=True, tag="delete-scene", kw_only=True):
    """The scene is deleted, with its tokens and its combat; with ``actor``, the scene that it is on."""

    actor: str | None = None


# Faults.


class Disconnect(Step, frozen=True, tag="disconnect", kw_only=True):
    """The link to the bridge breaks."""


class Reconnect(Step, frozen=True, tag="reconnect", kw_only=True):
    """The link comes back."""


class RestartBridge(Step, frozen=True, tag="restart-bridge", kw_only=True):
    """The bridge is stopped in good order and started again."""


class KillBridge(Step, frozen=True, tag="kill-bridge", kw_only=True):
    """The bridge dies on the spot and is started again."""


class RestoreWorld(Step, frozen=True, tag="restore-world", kw_only=True):
    """The world's backup comes back: all as it was before that step (the first is 1)."""

    step: Positive


class SecondGm(Step, frozen=True, tag="second-gm", kw_only=True):
    """A second browser asks for the same world."""


class RepeatLast(Step, frozen=True, tag="repeat-last", kw_only=True):
    """The table's last message of its own again, with its id."""


class ReorderLastTwo(Step, frozen=True, tag="reorder-last-two", kw_only=True):
    """The table's last two messages of its own again, in swapped order."""


class DropAnswers(Step, frozen=True, tag="drop-answers", kw_only=True):
    """What the bridge answers to the next step is lost; then the link breaks and comes back."""


class Raw(Step, frozen=True, tag="raw", kw_only=True):
    """This text is sent as it is."""

    message: str


class Note(Step, frozen=True, tag="note", kw_only=True):
    """Nothing; for the reader."""

    text: str = ""


AnyStep = (
    Heal
    | Damage
    | Hp
    | Add
    | Remove
    | SetLevel
    | DeleteEffect
    | EditEffect
    | Drink
    | Eat
    | Water
    | Rest
    | Answer
    | Concentrate
    | Use
    | Move
    | Press
    | Say
    | Undo
    | Time
    | StartCombat
    | NextTurn
    | PreviousTurn
    | Turn
    | AddCombatant
    | RemoveCombatant
    | EndCombat
    | RemoveToken
    | AddToken
    | ChangeScene
    | DeleteScene
    | Disconnect
    | Reconnect
    | RestartBridge
    | KillBridge
    | RestoreWorld
    | SecondGm
    | RepeatLast
    | ReorderLastTwo
    | DropAnswers
    | Raw
    | Note
)
