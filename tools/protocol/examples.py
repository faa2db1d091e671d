"""One example for every message, out of a conversation that is really had.

A short evening is played at the simulated table with a world of the bridge between its ears: the same code that serves
a game, the same answers each time.  What such an evening does not bring about is written down here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from typing import Any, get_args

import msgspec
from msgspec import Struct

from bridge import __version__, auth, protocol
from bridge.decode import encode
from bridge.engine.catalogue import Catalogue
from bridge.protocol import Message
from bridge.rulebook import pages
from bridge.rules import rulebook
from bridge.settings import Settings
from bridge.table.link import Key, Link, Wire
from bridge.table.scenario import parse
from bridge.table.story import Story
from bridge.table.table import Outgoing
from bridge.world import World

WORLD = "9f3b6c1d20a84e57"
CLIENT = "4c1e6f0a9b7d2358"
SESSION = "b0a1d2c3e4f56789"
ORIGIN = "http://localhost:30000"
KEY = "a3" * 32
BRIDGE_NONCE = "5d" * 32
MODULE_NONCE = "c8" * 32
"""Made up, and easy to tell apart; real ones are random."""

EVENING = """
title = "An evening in the tavern"

[actors.Brenna]
hp = { value = 18, max = 22 }
hit-dice = { fighter = [3, 3, 10] }
abilities = { str = 16, con = 14 }
conditions = ["bleeding"]

[actors.Thorin]
hp = { value = 30, max = 30 }
abilities = { con = 12 }
level = { intoxicated = 4 }

[actors.Goblin]
type = "npc"
hp = { value = 7, max = 7 }

[[steps]]
do = "damage"
actor = "Brenna"
amount = 8
[[steps]]
do = "heal"
actor = "Brenna"
amount = 7
by = "spell"
from = "Cure Wounds"
[[steps]]
do = "press"
button = "allow"
[[steps]]
do = "undo"
[[steps]]
do = "heal"
actor = "Brenna"
amount = 6
by = "hit-die"
from = "Hit Die"
[[steps]]
do = "water"
actor = "Thorin"
[[steps]]
do = "time"
advance = "10 minutes"
[[steps]]
do = "concentrate"
actor = "Thorin"
[[steps]]
do = "drink"
actor = "Thorin"
count = 3
[[steps]]
do = "say"
text = "/drink 3 @Thorin"
[[steps]]
do = "answer"
actor = "Thorin"
total = 9
[[steps]]
do = "start-combat"
order = ["Goblin", "Brenna"]
[[steps]]
do = "use"
actor = "Goblin"
action = "action"
[[steps]]
do = "end-combat"
[[steps]]
do = "rest"
actor = "Thorin"
kind = "long"
dice = [2]
"""


class _Here(Link):
    """A world without a socket, a disk or anything that differs from run to run."""

    def __init__(self) -> None:
        super().__init__()
        self.place = World(WORLD, rulebook(), journal="j1")
        self.world = WORLD
        self._said: list[Any] = []

    def wire(self) -> Wire:
        raise NotImplementedError

    def second_key(self, about: protocol.Table) -> Key:
        raise NotImplementedError

    def close(self) -> None:
        pass

    def connect(self, about: protocol.Table) -> tuple[protocol.Limits, list[Any]]:
        """Begin a session."""
        self.about = about
        limits = Settings()
        return protocol.Limits(limits.message, limits.batch, limits.page), self.place.connect(about)

    def send(self, messages: Sequence[Any]) -> None:
        """Let the world take them."""
        self._said += self.place.receive(messages)

    def receive(self) -> list[Any]:
        """Return what it answered."""
        said, self._said = self._said, []
        return said


Said = Outgoing | protocol.FromBridge


def evening() -> tuple[protocol.Table, list[Said]]:
    """Play the evening; return what Foundry was, and everything that was said, in order."""
    link = _Here()
    story = Story(parse(tomllib.loads(EVENING)), link)
    said: list[Said] = [*story.begin().story]
    for played in story.play():
        if played.unmet:
            raise AssertionError(played.unmet)
        said += played.record.story
    return link.about, said


def examples() -> dict[str, bytes]:
    """Return message type or operation -> an example of it."""
    table, said = evening()
    found = {tag: encode(message) for tag, message in _made_up().items()}
    chosen = [*_best(said), *meeting(table)]
    found |= {str(message.__struct_config__.tag): encode(message) for message in chosen}
    found["answer"] = encode(_answer())
    found["batch"] = msgspec.json.encode(
        {"type": "batch", "messages": [msgspec.Raw(encode(m)) for m in said if isinstance(m, protocol.Ack)][:2]}
    )
    return found


def _best(said: Iterable[Said]) -> Iterable[Struct]:
    """Choose of each kind the one that shows most, and of each operation the first."""
    shown: dict[type, tuple[tuple[bool, int], Struct]] = {}

    def offer(message: Struct, *, telling: bool = True) -> None:
        # Of two that tell as much the shorter one is easier to read.
        rank = (telling, -len(encode(message)))
        kind = type(message)
        if kind not in shown or rank > shown[kind][0]:
            shown[kind] = (rank, message)

    for message in said:
        match message:
            case protocol.Picture(cause=cause, actors=actors):
                offer(message, telling=bool(actors and cause and cause.label))
            case protocol.Apply(operations=operations):
                kinds = {type(operation) for operation in operations}
                offer(message, telling={protocol.SetCondition, protocol.PostCard} <= kinds)
                for operation in operations:
                    offer(operation)
            case Catalogue(conditions=entries):
                short = tuple(entry for entry in entries if entry.id in {"bleeding", "poisoned"})
                offer(msgspec.structs.replace(message, conditions=short))
            case _:
                offer(message)
    return [message for _, message in shown.values()]


def meeting(table: protocol.Table) -> list[Message]:
    """Return the messages with which both sides meet."""
    versions = protocol.Versions(protocol.OLDEST, protocol.NEWEST)
    proofs = proof()
    limits = Settings()
    return [
        protocol.Challenge(versions, __version__, BRIDGE_NONCE),
        protocol.Pair(versions, "7KQM-X2PD", table, "gm", "Gamemaster"),
        protocol.Paired(CLIENT, KEY),
        protocol.Auth(versions, CLIENT, MODULE_NONCE, proofs["client_mac"], table, "gm", "Gamemaster"),
        protocol.Welcome(
            protocol.NEWEST,
            proofs["server_mac"],
            SESSION,
            protocol.Limits(limits.message, limits.batch, limits.page),
            rulebook().name,
            known=True,
        ),
    ]


def proof() -> dict[str, str]:
    """Return the proofs of the examples, and the texts that they are made of."""
    return {
        "origin": ORIGIN,
        "client_text": f"client|{BRIDGE_NONCE}|{MODULE_NONCE}|{WORLD}|{ORIGIN}",
        "client_mac": auth.client_proof(KEY, BRIDGE_NONCE, MODULE_NONCE, WORLD, ORIGIN),
        "server_text": f"server|{MODULE_NONCE}|{BRIDGE_NONCE}|{WORLD}",
        "server_mac": auth.server_proof(KEY, MODULE_NONCE, BRIDGE_NONCE, WORLD),
    }


def _made_up() -> dict[str, Any]:
    """Return examples of what the evening may not bring about."""
    actor = "Actor.Brenna0000000000"
    gm = protocol.By("gm", gm=True, name="Gamemaster")
    line = protocol.Line("notice", "The bridge is stopping.")
    made = (
        protocol.RestBegan(n=41, id="h1-00000041", actor=actor, by=gm, at=1_000_600, kind="long"),
        protocol.Given(n=44, id="h1-00000044", actor=actor, by=gm, condition="poisoned", lasts="minutes", amount=10),
        protocol.Ask("v-7", "console", gm),
        protocol.Configured(42, "r-3", gm, pages.version(""), {"limits.gm": "off"}),
        protocol.Failed(n=42, apply=17, actor=actor, code="changed", message="hp.set: 12 was expected, 9 is there"),
        protocol.Error("invalid", "Expected `int`, got `null` - at `$.actors[0].hp.value`", about=43),
        protocol.Status("degraded", "The disk is full. The bridge tries again by itself."),
        protocol.ApplyDamage(3, "fire", "j1.18.0"),
        protocol.SetHitDice({"fighter": 3}, {"fighter": 1}),
        protocol.SetStatus("stable", on=True),
        protocol.EndConcentration(),
        protocol.Notify(line, user="gm"),
    )
    return {str(message.__struct_config__.tag): message for message in made}


def _answer() -> protocol.Answer:
    """Return a view of one row and one form, short enough to read."""
    row = protocol.Row(
        "Actor.Thorin-poisoned",
        "Actor.Thorin",
        condition="poisoned",
        ends=protocol.Ends(protocol.Line("ends-in", "Ends in {left}"), at=1_000_600),
        controls=(
            protocol.Control("end", protocol.Line("end", "End it"), "given", {"condition": "poisoned", "level": 0}),
        ),
    )
    rows = protocol.Rows("statuses", protocol.Line("who-has-what", "Who has what"), (row,))
    field = protocol.Field("count", "number", protocol.Line("drink-count", "Drinks each"), value=1, least=1)
    control = protocol.Control("selected", protocol.Line("drink-selected", "For them"), "drank", selected=True)
    form = protocol.Form("drinks", protocol.Line("drinks-title", "A round of drinks"), (field,), (control,))
    return protocol.Answer("v-7", protocol.View("console", protocol.Line("console", "Conditions"), (rows, form)))


def kinds() -> set[str]:
    """Return every message type and operation that there is."""
    unions = (protocol.BeforePaired, protocol.FromModule, protocol.FromBridge, protocol.Operation)
    return {str(kind.__struct_config__.tag) for union in unions for kind in get_args(union)}
