"""Plays a scenario: the table and a bridge, step by step, each until both have come to rest."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bridge.protocol import Apply, Error, FromBridge

from . import acts_body, acts_creature, acts_world
from .acts import act
from .documents import Documents
from .executor import receive
from .expect import Unmet, judge
from .faults import BREAKING, go_wrong
from .files import ScenarioError
from .link import Link, LinkBroken
from .names import check
from .people import seat
from .scenario import Scenario, Told
from .table import NotDone, Record, Table

SUBJECTS = (acts_body, acts_creature, acts_world)
"""Importing them is what teaches ``act`` its steps."""
MOST_EXCHANGES = 1000
"""A table and a bridge that still talk after so many exchanges talk in circles."""


class Played(Struct, frozen=True):
    """What came of one step."""

    number: int
    told: Told
    record: Record
    unmet: list[Unmet]


class Story:
    """One scenario on its way."""

    def __init__(self, scenario: Scenario, link: Link) -> None:
        if not link.breakable and any(isinstance(told.step, BREAKING) for told in scenario.steps):
            message = "a bridge that runs for others is not stopped by a scenario: play this file without --url"
            raise ScenarioError(message)
        self.scenario = scenario
        self.link = link
        self.table: Table = seat(scenario, link.world)
        self.backups: dict[int, Documents] = {}
        """As it was before each step."""
        self.losing = False
        """The bridge's answers to the next step are lost."""
        self._breaks: list[str] = []
        """Why the link broke in this step, when the bridge broke it."""

    def begin(self) -> Record:
        """Connect for the first time; return what the table saw."""
        self.connect()
        self.settle()
        check(self.scenario, self.table.documents.catalogue)
        return self.table.record

    def play(self) -> Iterator[Played]:
        """Play all steps."""
        for number, told in enumerate(self.scenario.steps, 1):
            yield self.do(number, told)

    def do(self, number: int, told: Told) -> Played:
        """Play one step and judge what is expected after it."""
        table = self.table
        self.backups[number] = table.documents.copy()
        table.record = record = Record()
        table.dice.script(told.step.dice)
        self._breaks.clear()
        losing = self.losing
        unmet: list[Unmet] = []
        expected_error = told.expected.general.error
        try:
            if not go_wrong(told.step, self):
                act(told.step, table)
        except NotDone as refusal:
            error = Error(refusal.code, str(refusal))
            record.errors.append(error)
            record.story.append(error)
            if refusal.fault and expected_error is None:
                unmet.append(Unmet(told.step.do, "can be done", str(refusal)))
        except LinkBroken as broken:
            self._lost(broken)
        try:
            self.settle()
            if losing:
                self.losing = False
                if self.table.linked:
                    self.disconnect()
                    self.connect()
                    self.settle()
        except NotAtRest as error:
            unmet.append(Unmet("the table", "comes to rest", str(error)))
        if self._breaks and told.expected.general.connected is None and expected_error is None:
            unmet.append(Unmet("the link", "holds", self._breaks[0]))
        table.dice.script(())
        return Played(number, told, record, unmet + judge(self, told.expected))

    def connect(self) -> None:
        """Connect, and show the whole world."""
        try:
            limits, said = self.link.connect(self.table.about)
        except LinkBroken as broken:
            self._lost(broken)
            return
        self.table.connected(page=limits.page)
        self._take_in(said)

    def disconnect(self) -> None:
        """Break the link."""
        self.table.disconnected()
        self.link.drop()

    def settle(self) -> None:
        """Go on until neither side has anything left to say.  Raises NotAtRest."""
        for _ in range(MOST_EXCHANGES):
            sent = self.table.take()
            try:
                if sent:
                    self.link.send(sent)
                said = self.link.receive()
            except LinkBroken as broken:
                self._lost(broken)
                return
            if not sent and not said:
                return
            if not self.losing:
                self._take_in(said)
        message = f"after {MOST_EXCHANGES} exchanges the bridge and the table still talk"
        raise NotAtRest(message)

    def _take_in(self, said: list[FromBridge]) -> None:
        """Take the bridge's messages in; what it wants of several creatures is done in the order of ``[actors]``."""
        places = {ref: number for number, ref in enumerate(self.table.keys.values())}
        applies = iter(
            sorted((m for m in said if isinstance(m, Apply)), key=lambda apply: places.get(apply.actor, len(places)))
        )
        for message in said:
            receive(self.table, next(applies) if isinstance(message, Apply) else message)

    def _lost(self, broken: LinkBroken) -> None:
        self.table.record.errors += broken.errors
        self._breaks.append(str(broken))
        self.disconnect()


class NotAtRest(Exception):
    """The bridge and the table talk in circles."""
