"""One world, without I/O: pictures and happenings in, operations out.

An event is remembered, not the answer to it.  It stays pending until a picture carries its receipt; until then it is
decided afresh on whatever Foundry now shows.  So a crash, a refusal and a hand edit by the GM all take the same path:
look again, decide again.  What a broken answer has done already is recognised by comparing (``flights.py``).

The caller commits ``take()`` before it sends what ``receive`` or ``connect`` returned.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from msgspec import structs

from bridge import protocol as p
from bridge.engine import events as e
from bridge.engine.catalogue import Catalogue
from bridge.engine.causes import causes
from bridge.engine.changes import Remember, Tell
from bridge.engine.conditions import Creature, Rulebook
from bridge.engine.decide import Decision, RulesDidNotSettle, decide
from bridge.engine.ledger import why_not
from bridge.engine.modifiers import distance, refused_healing
from bridge.engine.publish import publish
from bridge.engine.state import Actor, Place
from bridge.engine.words import describe, happened, name_of
from bridge.world.cards import line
from bridge.world.clock import Clock
from bridge.world.combats import Combats
from bridge.world.flights import base, progress, unexplained
from bridge.world.happenings import Happened, has_conditions, read_happening
from bridge.world.memory import Area, Chapter, Denied, Flight, Jump, Memory, Pending, Waiting
from bridge.world.past import moved, past
from bridge.world.plan import plan
from bridge.world.quarantine import Quarantine
from bridge.world.row import Row
from bridge.world.undo import Conflict, back, on_cards, parts, target
from bridge.world.waiting import hands_first, waits_for_hands
from bridge.world.watch import Watch

MOST_EARLY = 64
"""Messages that came before their turn and are held until the missing one arrives."""
MOST_TOLD = 30
"""Creatures that are named when a world is seen for the first time."""
ONE_USE = 6
"""Seconds of world time, a round: what a use puts on a creature later than that is no longer done at once."""
BESIDE = 5.0
"""Feet: what is farther away is not beside (ROL-1)."""
FOR_GM = ("approve", "allow")
"""Buttons that wait for the GM's word."""
SLICE = 50
"""Creatures that are looked at, or answered, before others have their turn."""
MOST_TRIES = 5
"""How often an answer is tried that Foundry refuses."""


class World:
    """What is known of one Foundry world, and what is to be done in it."""

    quarantine: ClassVar[bool] = True
    """What makes a rule of ours fail is left out and told, so that it cannot come back for ever."""

    def __init__(self, id: str, book: Rulebook, rows: Iterable[Row] = (), journal: str = "j0") -> None:
        self.id = id
        self.house = book
        """The rulebook as the GM has it; ``book`` is what is left of it for us to do (CMB-7)."""
        self.memory = Memory(journal, rows)
        self.failures = Quarantine(raises=not self.quarantine)
        self.wishes: list[p.Configured] = []
        """Other house rules that the GM wants; the host has their text."""
        self.before: str | None = None
        """The text of the house rules before their last change."""
        self.put = ""
        """The message that put the house rules in force."""
        self._fresh_journal = journal
        self._fit()
        self._start_session()
        self._due: dict[str, int] = {}
        self._queue: list[tuple[int, str]] = []
        self._uses: dict[str, tuple[str, int]] = {}
        self._watch = Watch()
        self._combats = Combats(self.memory, self._watch)
        for actor in self.memory.actors.values():
            self._watch.keep(actor)
            self._reckon(actor.id)

    @property
    def now(self) -> int:
        """World time in seconds, as the rules count it."""
        return self.memory.basics.clock.now if self.memory.basics.clock else 0

    def fitted(self, book: Rulebook) -> Rulebook:
        """CMB-7: what that Foundry does by itself is not done a second time."""
        table = self.memory.basics.table
        if table is None:
            return book
        given: dict[str, Any] = {}
        if table.native_downed and "down.mode" in book.settings:
            given["down.mode"] = "off"
        aside = ("bloodied",) if table.native_bloodied else ()
        return book.given(given, aside) if given or aside else book

    def _fit(self) -> None:
        self.book = self.fitted(self.house)
        self.full = _published(self.book, None)

    def use(self, book: Rulebook) -> list[p.Message | Catalogue]:
        """Put another rulebook in force at once; return the replies, as for ``receive``.

        Every creature is looked at as at first sight: what derives from the new rules is derived, silently (CMB-11).
        """
        self.house = book
        self._fit()
        for id in self.memory.actors:
            self._remember(id, [e.Seen(at=self.now)], gap=True)
            self._reckon(id)
        if self._shown:
            self._awake.clear()
        for id in list(self.memory.pending):
            self._answer(id)
        table = self.memory.basics.table
        return [_published(self.book, table.profile), *self._told()] if table is not None else []

    def take(self) -> list[Row]:
        """Return the rows to be committed before the replies are sent."""
        return self.memory.take()

    # A session begins.

    def _start_session(self) -> None:
        self._n = 0
        self._early: dict[int, p.FromModule | None] = {}
        """Messages whose turn has not come; none: one that could not be read."""
        self._wire: dict[str, None] = {}
        """Creatures whose answer is on its way in this session."""
        self._awake: dict[str, None] = {}
        """Creatures that may have to be answered: news of them has come in, or their answer has arrived or failed."""
        self._pages: list[p.Picture] = []
        self._unseen: list[tuple[Actor, p.Picture]] = []
        """What of a whole world is not compared yet, the first of it last; the messages after it wait."""
        self._first = False
        """It is the first sight of this world."""
        self._shown = False
        """The whole world has been shown in this session."""
        self._fresh: dict[str, int] = {}
        """Creature -> the events that pictures of this very batch have queued for it."""
        self._missed: list[tuple[str, str, str, dict[str, str | int]]] = []
        self._ahead: int | None = None
        """Our store is older than the world: what it has not seen yet lies beyond this id."""
        self._out: list[p.Message] = []

    def connect(self, table: p.Table) -> list[p.Message | Catalogue]:
        """Begin a session: nothing is on its way any more, and the whole world will be shown."""
        self._start_session()
        sentence = moved(self.memory.basics.table, table)
        self.memory.basics.table = table
        self.memory.keep_basics()
        self._fit()
        said: list[p.Message | Catalogue] = [_published(self.book, table.profile)]
        return [*said, p.Status("note", sentence)] if sentence else said

    # Messages come in.

    def receive(self, messages: Sequence[p.FromModule], *, some: bool = False) -> list[p.Message]:
        """Take messages of the module; return the replies: applies, errors, and an ack of all up to a number.

        ``some``: stop after a slice of a large world; while there is ``more``, call again, and the ack comes last.
        """
        self._fresh = {}
        for message in messages:
            self._take_in_turn(message)
        self._take_waiting()
        if self.more:
            self._work(SLICE if some else -1)
            if self.more:
                return self._told()
        self._tell_missed()
        return [*self._told(), p.Ack(self._n)]

    def _work(self, most: int) -> None:
        """Look at so many creatures of a world that is shown whole, or answer them; -1: at all."""
        while self.more and most:
            if self._unseen:
                self._see_next()
            else:
                actor = next(iter(self._awake))
                del self._awake[actor]
                self._answer(actor)
            most -= 1

    @property
    def more(self) -> bool:
        """Something that has come in is not answered yet."""
        return bool(self._unseen or (self._shown and self._awake))

    def _told(self) -> list[p.Message]:
        out, self._out = self._out, []
        return out

    def _take_in_turn(self, message: p.FromModule) -> None:
        """Take the message when all before it have come; drop what has come already."""
        if isinstance(message, p.Batch | p.Ask):
            return
        if message.n <= self._n:
            # A happening is known by its id, whatever number it comes with.
            if not isinstance(message, p.Picture | p.Failed) and message.id not in self.memory.seen:
                while self._unseen:
                    self._see_next()
                self._take(message)
            return
        if message.n > self._n + 1 or self._unseen:
            if len(self._early) < MOST_EARLY or self._unseen:
                self._early[message.n] = message
            return
        self._n = message.n
        self._take(message)
        self._take_waiting()

    def _take_waiting(self) -> None:
        """Take the messages that were held until those before them had come."""
        while not self._unseen and self._n + 1 in self._early:
            self._n += 1
            message = self._early.pop(self._n)
            if message is not None:
                self._take(message)

    def _take(self, message: p.FromModule) -> None:
        """Take a message; one that makes us fail counts as taken, or it would come again for ever."""
        try:
            self._take_whole(message)
        except Exception as error:  # noqa: BLE001  any bug of ours; it is logged by whoever takes the failures
            self._leave_out(error, "a message", None if isinstance(message, p.Batch | p.Ask) else message)

    def _leave_out(
        self, error: Exception, what: str, message: p.Picture | p.Happening | p.Undo | p.Configured | p.Failed | None
    ) -> None:
        self.failures.add(error, what)
        text = f"The bridge met an error of its own with {what}: it was left out, all else goes on. Its log says more."
        id = message.id if message is not None and not isinstance(message, p.Picture | p.Failed) else None
        self._out.append(p.Error("invalid", text, about=message.n if message is not None else None, id=id))

    def _take_whole(self, message: p.FromModule) -> None:
        match message:
            case p.Picture():
                self._picture(message)
            case p.Failed():
                self._failed(message)
            case p.Undo():
                if self.memory.first_time(message.id):
                    self.undo(message)
            case p.Configured():
                if not message.by.gm:
                    self._refuse(message, "not-allowed", p.Line("rules-gm", "Only a GM can change the house rules."))
                elif self.memory.first_time(message.id):
                    self.wishes.append(message)
            case p.Batch() | p.Ask():
                pass
            case _:
                if self.memory.first_time(message.id):
                    self._happening(message)

    def skip(self, n: int) -> None:
        """Count a message that could not be read, so that those after it are not held back."""
        if self._unseen:
            self._early[n] = None
        elif n == self._n + 1:
            self._n = n

    # Pictures.

    def _picture(self, picture: p.Picture) -> None:
        if picture.pages:
            self._pages.append(picture)
            if len({page.page for page in self._pages}) == picture.pages:
                pages, self._pages = self._pages, []
                self._whole_world(pages)
            return
        if not self._shown:
            # Half a world is never used for rules; the rest of it comes with the pages.
            return
        self._clock(picture)
        for id in picture.gone:
            self._forget(id)
        for actor in picture.actors:
            self._see_one(actor, picture)
        for combat in picture.combats:
            self._combat(combat)
        for id in picture.ended:
            self._combat_ended(id)

    def _whole_world(self, pages: list[p.Picture]) -> None:
        """CMB-11: adopt what is new; compare the rest with what was known last."""
        first = self.memory.basics.clock is None
        if first:
            self.memory.basics.clock = next((Clock(x.clock) for x in pages if x.clock is not None), Clock(0))
            self.memory.keep_basics()
        self._first = first
        self._awake = dict.fromkeys(self.memory.pending)
        shown = {actor.id for page in pages for actor in page.actors}
        self._compare_past([actor for page in pages for actor in page.actors], first=first)
        for id in [id for id in self.memory.actors if id not in shown]:
            self._forget(id)
        running = {combat.id for page in pages for combat in page.combats}
        for page in pages:
            self._clock(page)
        for id in [id for id in self.memory.fights if id not in running]:
            self._combat_ended(id)
        for page in pages:
            for combat in page.combats:
                self._combat(combat, silent=first or combat.id not in self.memory.fights)
        self._unseen = [(actor, page) for page in reversed(pages) for actor in reversed(page.actors)]
        self._shown = not self._unseen

    def _see_next(self) -> None:
        """Compare the next creature of a whole world; after the last of them the rules may answer."""
        actor, page = self._unseen.pop()
        self._see_one(actor, page, gap=True)
        if not self._unseen:
            self._shown = True
            if self._first:
                self._greet()
            self._take_waiting()

    def _compare_past(self, shown: list[Actor], *, first: bool) -> None:
        """Tell the GM when the world, or our own store, is of another time than the other."""
        found = past(self.memory, self.id, shown, first=first)
        if found is None:
            return
        if found.behind:
            # No id that our lost future has given out may be given out again.
            self._ahead = self.memory.basics.last
            self.memory.journal = self._fresh_journal
            self.memory.keep_basics()
        self._out.append(p.Status("note", found.sentence))

    def _see_one(self, actor: Actor, picture: p.Picture, *, gap: bool = False) -> None:
        """See a creature; one that makes us fail does not keep the others from being seen."""
        try:
            self._see(actor, picture, gap=gap)
        except Exception as error:  # noqa: BLE001  as for a message
            self._leave_out(error, actor.name or "a creature", picture)

    def _greet(self) -> None:
        """CMB-11: "a first connection ends with one summary"."""
        found: list[tuple[str, str]] = []
        data: list[dict[str, str | int]] = [{"key": "looked-after", "count": len(self.memory.actors)}]
        for actor in self.memory.actors.values():
            creature = Creature(actor, self.book, self.now)
            ids = [c for c in creature.conditions if c in self.book.conditions]
            names = [name_of(self.book, c) for c in ids]
            if names and has_conditions(actor):
                who = actor.name or "A creature"
                found.append(("", f"{who}: {', '.join(names)}"))
                data.append({"key": "who-has", "who": who, "conditions": ",".join(ids)})
                if len(found) == MOST_TOLD:
                    break
        lines = [("", f"{len(self.memory.actors)} creatures are looked after."), *found]
        bearer = next((id for id, a in self.memory.actors.items() if has_conditions(a)), "")
        self._remember(bearer, [e.Missed(at=self.now, lines=tuple(lines), data=tuple(data), first=True)], always=True)

    def _tell_others(self, known: Actor, actor: Actor) -> None:
        """Address what concerns another creature to each creature that names this one."""
        waiting = self._watch.for_source(actor.id)
        if waiting:
            before, after = (Creature(x, self.book, self.now).conditions for x in (known, actor))
            for id in sorted(before.keys() ^ after.keys()):
                event = e.OtherChanged(at=self.now, other=actor.id, condition=id, level=after.get(id, 0))
                for bearer in waiting:
                    self._remember(bearer, [event])
        if known.place != actor.place:
            self._part(known, actor, waiting)

    def _part(self, known: Actor, actor: Actor, waiting: Sequence[str]) -> None:
        """Tell whom a creature that moved has left: ``waiting`` have a condition from it, it has some from others."""
        own = sorted({x.mark.source for x in actor.effects if x.mark is not None and x.mark.source})
        if not waiting and not own:
            return
        for bearer, source in [(bearer, actor.id) for bearer in waiting] + [(actor.id, source) for source in own]:
            other = self.memory.actors.get(source if bearer == actor.id else bearer)
            if other is not None and other.place is not None and _apart(known.place, actor.place, other.place):
                self._remember(bearer, [e.OtherApart(at=self.now, other=source)])

    def _forget(self, id: str) -> None:
        for bearer in self._watch.for_source(id):
            self._remember(bearer, [e.OtherApart(at=self.now, other=id)])
        self.memory.drop_actor(id)
        self._watch.forget(id)
        self._combats.forget(id)
        self._wire.pop(id, None)
        self._due.pop(id, None)
        self._uses.pop(id, None)

    def _see(self, actor: Actor, picture: p.Picture, *, gap: bool = False) -> None:
        """Compare the creature with what it was expected to be, and keep it."""
        memory = self.memory
        known = memory.actors.get(actor.id)
        flight = memory.flights.get(actor.id)
        if not gap and known is not None and structs.replace(known, place=actor.place) == actor:
            memory.keep_actor(actor)
            self._only_moved(known, actor)
            return
        actor = structs.replace(actor, combat=None, round=None, turn=None, initiative=None, combatant=None)
        memory.keep_actor(actor)
        memory.basics.last = max(memory.basics.last, actor.memory.receipt)
        if known is None or known.effects != actor.effects:
            self._watch.keep(actor)
        memory.drop_pending(actor.id, actor.memory.receipt)
        if known is None:
            foreign = bool(actor.memory.world) and actor.memory.world != self.id
            self._remember(actor.id, [e.Seen(at=self.now, foreign=foreign)], gap=True)
        elif gap and (
            actor.memory.receipt < known.memory.receipt
            or (self._ahead is not None and actor.memory.receipt > self._ahead)
        ):
            # The world, or our store, was restored from an older state: its stamps are the truth, nothing has happened.
            self._remember(actor.id, [e.Seen(at=self.now)], gap=True)
        else:
            before = unexplained(known, actor, flight)
            if flight is not None and (seen := progress(flight, known, actor)) is not flight:
                memory.keep_flight(actor.id, flight := seen)
            found = self._causes(before, actor, picture, gap=gap)
            area = self._area(picture, found)
            group = area or self._group_of_damage(picture)
            self._remember(actor.id, found, gap=gap, join=True, group=group, area=bool(area))
            self._tell_others(known, actor)
        if flight is not None and flight.id <= actor.memory.receipt:
            self._landed(flight, actor)
        self._reckon(actor.id)

    def _only_moved(self, known: Actor, actor: Actor) -> None:
        """Nine of ten pictures: no rule answers them but one that asks who is beside whom."""
        if known.place != actor.place:
            self._part(known, actor, self._watch.for_source(actor.id))
        due = self._due.get(actor.id)
        if due is not None and due <= self.now:
            self._reckon(actor.id)

    def _landed(self, flight: Flight, actor: Actor) -> None:
        """The answer has been carried out whole."""
        memory = self.memory
        memory.drop_flight(actor.id)
        self._wire.pop(actor.id, None)
        self._awake[actor.id] = None
        chapter = memory.history.get(flight.id)
        if chapter is None:
            return
        if chapter.damaged:
            memory.keep_chapter(structs.replace(chapter, after=structs.replace(chapter.after, hp=actor.hp)))
        if chapter.undoes:
            for old in [x for x in memory.history.values() if x.group == chapter.undoes and x.actor == actor.id]:
                memory.keep_chapter(structs.replace(old, undone=True))

    def _causes(self, before: Actor, actor: Actor, picture: p.Picture, *, gap: bool) -> list[e.Event]:
        by = e.SYSTEM
        if picture.apply is None and picture.by is not None:
            by = e.GM if picture.by.gm else e.PLAYER
        cause = picture.cause or p.Cause()
        kind, rest = self._cause_kind(before, actor, cause)
        found = causes(
            Creature(before, self.book, self.now),
            Creature(actor, self.book, self.now),
            by=by,
            cause=kind,
            label=cause.label,
            gap=gap,
        )
        rise = self._rise(before, actor, cause)
        for index, event in enumerate(found):
            if isinstance(event, e.HitPointsRegained) and not gap:
                # BLD-11: "order of arrival decides": judged by the creature as it was when the change arrived.
                refused = refused_healing(self.full, before, event.before, event.after, kind, rise)
                found[index] = structs.replace(event, refused=refused)
        if rest and not gap:
            found.append(
                e.RestFinished(
                    at=self.now,
                    kind=rest,
                    length=28_800 if rest == "long" else 3600,
                    hit_dice_before=before.hit_dice,
                    unannounced=not self.memory.basics.rests_told,
                )
            )
            self.memory.basics.rests_told = True
            self.memory.keep_basics()
        return found

    def _cause_kind(self, before: Actor, after: Actor, cause: p.Cause) -> tuple[str, str | None]:
        """BLD-12: "hit points and Hit Dice … restored in one change are a rest: long if both are full afterwards"."""
        if (
            cause.kind not in {"unknown", "rest"}
            or before.hp is None
            or after.hp is None
            or after.hp.value <= before.hp.value
        ):
            return cause.kind, None
        # A module that has seen spell slots come back, or Hit Dice in a write just before, says so.
        restored = cause.kind == "rest" or any(
            dice.left > before.hit_dice[k].left for k, dice in after.hit_dice.items() if k in before.hit_dice
        )
        if not restored:
            return cause.kind, None
        full = after.hp.value >= after.hp.top and all(dice.left >= dice.all for dice in after.hit_dice.values())
        return "rest", "long" if full else "short"

    def _rise(self, before: Actor, after: Actor, cause: p.Cause) -> int:
        """Return how far the same use of an activity has raised the maximum before this change (BLD-4)."""
        if not cause.use or before.hp is None or after.hp is None:
            return 0
        use, rise = self._uses.get(after.id, ("", 0))
        rise = rise if use == cause.use else 0
        # What it has raised current hit points by since is used up.
        left = rise + max(0, after.hp.top - before.hp.top) - max(0, after.hp.value - before.hp.value)
        self._uses[after.id] = (cause.use, max(0, left))
        return rise

    # The clock and combats.

    def _clock(self, picture: p.Picture) -> None:
        basics = self.memory.basics
        if picture.clock is None or (basics.clock is not None and picture.clock == basics.clock.shown):
            return
        if basics.clock is None:
            basics.clock = Clock(picture.clock)
            self.memory.keep_basics()
            return
        since, was = basics.clock.now, basics.clock.shown
        basics.clock.move(picture.clock)
        basics.jump = Jump(was, picture.clock, self.memory.next_id())
        self._moved(since)

    def _moved(self, since: int) -> None:
        """World time went from ``since`` to now."""
        if self.now < since:
            self._back(since)
        elif self.now > since:
            self._forward(since)

    def _forward(self, since: int) -> None:
        """Wake the creatures that have something due, and those whose events still wait for an answer."""
        now = self.now
        woken = set(self.memory.pending) | set(self.memory.flights)
        while self._queue and self._queue[0][0] <= now:
            due, actor = heapq.heappop(self._queue)
            if self._due.get(actor) == due:
                woken.add(actor)
        for actor in sorted(woken):
            event = e.TimePassed(at=now, since=since, jump=now - since)
            jump = self.memory.basics.jump
            self._remember(actor, [event], always=True, group=jump.group if jump else 0)

    def _back(self, since: int) -> None:
        """INT-15, TIM-5: tell the creatures that have clocks, and those whose answer may bring them one."""
        memory = self.memory
        for id, actor in memory.actors.items():
            clocks = actor.memory.notes or any(effect.mark and effect.mark.timer for effect in actor.effects)
            if clocks or id in memory.pending or id in memory.flights:
                self._remember(id, [e.ClockSetBack(at=self.now, since=since)])
                self._reckon(id)

    def _combat(self, combat: p.Combat, *, silent: bool = False) -> None:
        rounds, clock = self._combats.new_rounds(combat), self.memory.basics.clock
        if rounds and clock is not None and not silent:
            since = self.now
            clock.rounds(rounds)
            self.memory.keep_basics()
            self._moved(since)
        was = self._combats.fighters(combat.id)
        for actor, event in self._combats.see(combat, self.now, silent=silent):
            self._remember(actor, [event])
        self._reckon_all(was ^ self._combats.fighters(combat.id))

    def _combat_ended(self, id: str) -> None:
        was = self._combats.fighters(id)
        for actor, event in self._combats.end(id, self.now):
            self._remember(actor, [event])
        self._reckon_all(was)

    def spend(self, actor: str, what: str) -> None:
        """Note what a creature has used in its present turn."""
        self._combats.spend(actor, what)

    def spent(self, actor: str) -> tuple[str, ...]:
        """Return what a creature has used in its present turn."""
        return self._combats.spent(actor)

    # Happenings.

    def _happening(self, message: p.Happening) -> None:
        if message.others and not message.by.gm:
            said = p.Line("several-gm", "Only a GM can do that to several creatures at once.")
            self._refuse(message, "not-allowed", said)
            return
        # UND-1: what one word of the GM did to several creatures is one group.
        together = self.memory.next_id() if message.others else 0
        for actor in dict.fromkeys((message.actor, *message.others)):
            found = read_happening(self, structs.replace(message, actor=actor))
            if isinstance(found, p.Error):
                self._out.append(found)
            elif isinstance(found, Happened):
                self._remember(
                    found.actor,
                    list(found.events),
                    group=found.group or together,
                    area=bool(together) and not found.group,
                )

    def group_of_rest(self, length: int) -> int:
        """UND-1: the clock that moved for a rest belongs to its group."""
        jump, clock = self.memory.basics.jump, self.memory.basics.clock
        covered = jump and clock and jump.to == clock.shown and jump.to - jump.since >= length
        return jump.group if jump and covered else 0

    def group_of(self, request: str) -> int:
        """UND-1: what dice decide belongs to the group of the decision that asked for them."""
        _, id, *_ = [*request.split("."), "", ""]
        chapter = self.memory.history.get(int(id)) if id.isdecimal() else None
        return chapter.group if chapter else 0

    def _group_of_damage(self, picture: p.Picture) -> int:
        """UND-1: what follows from the damage that a decision has dealt belongs to that decision's group."""
        chapter = self.memory.history.get(picture.apply) if picture.apply is not None else None
        return chapter.group if chapter and chapter.damaged else 0

    def _area(self, picture: p.Picture, found: Sequence[e.Event]) -> int:
        """UND-1: the conditions that one use puts on creatures are one group, however many pictures show them."""
        use = picture.cause.use if picture.cause else ""
        if not use or not any(isinstance(event, e.ConditionChanged | e.EffectsChanged) for event in found):
            return 0
        area = self.memory.areas.get(use)
        if area is None or abs(self.now - area.at) > ONE_USE:
            area = Area(self.memory.next_id(), self.now)
            self.memory.keep_area(use, area)
        return area.group

    def _refuse(self, message: p.Happening | p.Undo | p.Configured, code: str, said: p.Line) -> None:
        self._out.append(p.Error(code, said.text, about=message.n, id=message.id, said=said))

    def undo(self, message: p.Undo) -> None:
        """UND-1, UND-2: back to *before* where all of the group still shows *after*; UND-5: by a decision too."""
        group = target(self.memory, message.decision)
        if not message.by.gm:
            self._refuse(message, "not-allowed", p.Line("undo-gm", "Only a GM can undo."))
            return
        if group is None:
            if message.decision in self.memory.history:
                self._refuse(message, "already-done", p.Line("undo-again", "That was undone already."))
            else:
                self._refuse(message, "conflict", p.Line("undo-nothing", "There is nothing to undo."))
            return
        found = parts(self.memory, group)
        try:
            for chapter in found.values():
                back(self, chapter)
        except Conflict as conflict:
            self._refuse(message, "conflict", conflict.line)
            return
        self.memory.drop_areas(group)
        together = self.memory.next_id()
        for actor in found:
            event = e.Undone(at=self.now, group=group)
            self._remember(actor, [event], always=True, group=together)

    def _take_back(self, pending: Pending, group: int) -> bool:
        """Send what leads from *after* back to *before*; tell whether there was anything to send."""
        chapter = parts(self.memory, group).get(pending.actor)
        if chapter is None:
            return False
        try:
            decision = back(self, chapter)
        except Conflict as conflict:
            self._out.append(p.Error("conflict", conflict.line.text, said=conflict.line))
            return False
        return self._send(pending, decision, on_cards(self.memory, group, pending.actor, pending.id))

    # Answers.

    def view(self, id: str) -> Actor:
        """Return the creature as the rules see it."""
        return self._combats.placed(self.memory.actors[id])

    def _remember(
        self,
        actor: str,
        events: list[e.Event],
        *,
        gap: bool = False,
        always: bool = False,
        join: bool = False,
        group: int = 0,
        area: bool = False,
    ) -> None:
        """Queue the events that a rule answers or a card tells of.

        ``join``: with what other pictures of the same batch have queued for the creature (CRD-1: "Several at once on
        one creature: one card").
        """
        known = self.memory.actors.get(actor)
        if known is None or not events or not has_conditions(known):
            return
        waiting = self.memory.pending.get(actor)
        if not always and not waiting and actor not in self.memory.flights:
            creature = Creature(self.view(actor), self.book, self.now)
            unheard = [event for event in events if not self.book.answers(event, creature)]
            events = [event for event in events if event not in unheard]
            for say in why_not(creature, unheard, None):
                self.memory.keep_denied(actor, Denied(0, self.now, say))
        if not events:
            return
        self._awake[actor] = None
        last = waiting[-1] if waiting else None
        if (
            join
            and last is not None
            and last.id == self._fresh.get(actor)
            and last.gap is gap
            and group in (0, last.group)
            and _only_conditions(events)
        ):
            joined = (*last.events, *events)
            self.memory.keep_pending(structs.replace(last, events=joined))
            return
        id = self.memory.next_id()
        self.memory.keep_pending(Pending(id, actor, tuple(events), self.now, gap, 0, group or id, area))  # type: ignore[arg-type]  # every Event is one of AnyEvent
        if join and _only_conditions(events):
            self._fresh[actor] = id
        else:
            self._fresh.pop(actor, None)

    def _answer(self, actor: str) -> None:
        """Decide the oldest pending events of a creature, unless an answer is on its way."""
        while self._shown and actor not in self._wire and (queue := self.memory.pending.get(actor)):
            first = queue[0].id
            try:
                self._answer_oldest(actor, queue)
            except Exception as error:  # noqa: BLE001  as for a message: it is on disk, and would fail at every start
                self.memory.drop_pending(actor, first)
                self.memory.drop_flight(actor)
                self._wire.pop(actor, None)
                known = self.memory.actors.get(actor)
                self._leave_out(error, (known.name if known else "") or "a creature", None)

    def _answer_oldest(self, actor: str, queue: Sequence[Pending]) -> None:
        pending = queue[0]
        if waits_for_hands(queue, self.book):
            pending, *later = hands_first(queue, self.book, self.memory.actors[actor].memory.notes)
            for one in (*later, pending):
                self.memory.keep_pending(one)
        undone = next((event.group for event in pending.events if isinstance(event, e.Undone)), None)
        if undone is not None:
            if not self._take_back(pending, undone):
                self.memory.drop_pending(actor, pending.id)
                self.memory.drop_flight(actor)
            return
        try:
            decision = decide(
                self.book, base(self.view(actor), self.memory.flights.get(actor)), pending.events, pending.now
            )
        except RulesDidNotSettle as error:
            self._out.append(p.Error("invalid", f"The rules did not settle: {error}"))
            self.memory.drop_pending(actor, pending.id)
            return
        after = Creature(decision.after, self.book, pending.now)
        for say in () if pending.gap else why_not(after, pending.events, decision):
            card = f"{self.memory.journal}.{pending.id}"
            self.memory.keep_denied(actor, Denied(pending.id, pending.now, say, card))
        if not self._send(pending, decision):
            self.memory.drop_pending(actor, pending.id)
            self.memory.drop_flight(actor)

    def _send(self, pending: Pending, decision: Decision, besides: tuple[p.Operation, ...] = ()) -> bool:
        """Send the operations of a decision, and others besides; tell whether there was anything to send."""
        actor, shown = pending.actor, self.view(pending.actor)
        silent = pending.gap or not decision.changed
        journal, now = self.memory.journal, pending.now
        area = f"{journal}.g{pending.group}" if pending.area else ""
        planned = plan(self.book, shown, decision, pending.events, pending.id, journal, now, silent=silent, area=area)
        operations = (*planned, *besides)
        if pending.gap and not any(isinstance(event, e.Seen) for event in pending.events):
            self._miss(decision)
        for change in decision.outputs:
            if isinstance(change, Tell):
                self._out.append(p.Error(change.code, change.text, said=line(change.say)))
        if not operations and decision.after.memory == shown.memory:
            return False
        memory = structs.replace(decision.after.memory, receipt=pending.id, world=self.id)
        after = structs.replace(decision.after, memory=memory)
        self.memory.keep_flight(actor, Flight(pending.id, decision.before, after))
        self.memory.keep_pending(pending)
        self._wire[actor] = None
        self._write_down(pending, decision, operations)
        self._out.append(p.Apply(pending.id, actor, operations, memory))
        return True

    def _write_down(self, pending: Pending, decision: Decision, operations: tuple[p.Operation, ...]) -> None:
        """Keep the decision for the history, and what was asked for (UND-1)."""
        lines = tuple(
            f"{name_of(self.book, line.condition)}: {describe(self.book, line.change)}"
            for line in decision.lines
            if not isinstance(line.change, Remember)
        )
        posted = tuple(op.card.id for op in operations if isinstance(op, p.PostCard))
        self.memory.keep_chapter(
            Chapter(
                id=pending.id,
                actor=pending.actor,
                at=pending.now,
                before=decision.before,
                after=decision.after,
                lines=lines,
                why=tuple(dict.fromkeys(happened(event) for event in pending.events)),
                rules=tuple(dict.fromkeys(line.condition for line in decision.lines)),
                changed=decision.changed,
                cards=posted,
                group=pending.group,
                damaged=any(isinstance(op, p.ApplyDamage) for op in operations),
                undoes=next((event.group for event in pending.events if isinstance(event, e.Undone)), 0),
            )
        )
        for op in operations:
            if isinstance(op, p.PostCard) and any(button.id in FOR_GM for button in op.card.buttons):
                self.memory.keep_waiting(Waiting(op.card, pending.now))
            if isinstance(op, p.AskRoll | p.RollDice):
                self.memory.keep_asked(op.card.id, pending.actor)

    def _failed(self, message: p.Failed) -> None:
        """Foundry would not: look again and decide again, a bounded number of times."""
        flight = self.memory.flights.get(message.actor)
        queue = self.memory.pending.get(message.actor)
        if flight is None or flight.id != message.apply:
            known = self.memory.actors.get(message.actor)
            if known is not None and known.memory.receipt == message.apply:
                # Done, but not as it was to be: another module has changed what was written.
                self._not_let(known.name, message)
            return
        self._wire.pop(message.actor, None)
        self._awake[message.actor] = None
        if not queue or queue[0].id != flight.id:
            self.memory.drop_flight(message.actor)
            return
        tries = queue[0].tries + 1
        if message.code == "already-done" or tries >= MOST_TRIES:
            self.memory.drop_pending(message.actor, flight.id)
            self.memory.drop_flight(message.actor)
            if message.code == "already-done":
                self._out.append(p.Error("already-done", "That was done already."))
            else:
                known = self.memory.actors.get(message.actor)
                self._not_let(known.name if known else "a creature", message)
            return
        self.memory.keep_pending(structs.replace(queue[0], tries=tries))

    def _not_let(self, name: str, message: p.Failed) -> None:
        why = message.message or message.code
        text = f"Foundry did not let the bridge change {name}: {why}. It was left as it is."
        said = p.Line("not-let", text, {"who": name, "text": why})
        self._out.append(p.Error("conflict", text, said=said))

    # What was missed.

    def _miss(self, decision: Decision) -> None:
        """CMB-11: "what was missed is told in one summary"."""
        name = decision.after.name or "A creature"
        for event in decision.changed:
            condition = self.book.conditions.get(event.condition)
            if condition is None or event.implied:
                continue
            level = f" {event.level}" if condition.levels > 1 and event.level else ""
            text = f"{name}: {condition.name}{level}" if event.level else f"{name}: no longer {condition.name}"
            key = "missed-ended" if not event.level else "missed-level" if level else "missed-has"
            data: dict[str, str | int] = {"key": key, "who": name, "name": condition.name, "level": event.level}
            self._missed.append((decision.after.id, condition.id, text, data))

    def _tell_missed(self) -> None:
        missed, self._missed = self._missed, []
        if not missed:
            return
        lines = tuple((condition, text) for _, condition, text, _ in missed[:50])
        data = tuple(data for *_, data in missed[:50])
        bearer = missed[0][0]
        self._remember(bearer, [e.Missed(at=self.now, lines=lines, data=data)], always=True)
        self._awake.pop(bearer, None)
        self._answer(bearer)

    # Clocks.

    def _reckon_all(self, actors: Iterable[str]) -> None:
        """Reckon for those who have joined a combat or left it: some things fall due outside combats only."""
        for actor in actors:
            self._reckon(actor)

    def _reckon(self, actor: str) -> None:
        """Put the creature's next due time in the queue."""
        known = self.memory.actors.get(actor)
        try:
            due = self.book.dues(Creature(self.view(actor), self.book, self.now), self.now) if known else None
        except Exception as error:  # noqa: BLE001  as for a message: it is asked whenever the world is loaded
            self.failures.add(error, known.name if known else actor)
            due = None
        if due is None:
            self._due.pop(actor, None)
        elif self._due.get(actor) != due:
            self._due[actor] = due
            heapq.heappush(self._queue, (due, actor))


@lru_cache(maxsize=64)
def _published(book: Rulebook, profile: str | None) -> Catalogue:
    """Return what a rulebook publishes; worlds with the same rules share it."""
    return publish(book, profile)


def _apart(was: Place | None, now: Place | None, other: Place) -> bool:
    """Tell whether one who has moved is no longer beside the other (CND-7): too far, on another scene, or off it."""
    if was is None or now is None:
        # What has just been put down was beside nobody before.
        return now is None
    between = distance(now, other)
    return between is None or between > BESIDE


def _only_conditions(events: Sequence[e.Event]) -> bool:
    """Tell whether these share a card with their like; each refusal has a card of its own (BLD-7)."""
    return all(isinstance(event, e.ConditionChanged | e.EffectsChanged) for event in events)
