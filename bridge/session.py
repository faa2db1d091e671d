"""One conversation with one browser, without I/O.

Three verbs, always in this order::

    output = session.receive(frame)     what to commit and what to send
    commit output.writes                on disk before anything is sent
    send output.frame, then close if output.close

States: **greeted** (the challenge is sent; nothing of a world is reachable), **open** (the key is proved, the session
speaks for its world), **over**.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

import bridge
from bridge import auth, protocol
from bridge.decode import Bounds, Text, about, encode, error, frame, head, size, tag, take, take_first
from bridge.errors import Close, CloseCode, PeerError, RefusedError, StoreError, close
from bridge.host import Busy
from bridge.logger import get_logger
from bridge.store.base import Client, Write
from bridge.world.past import COPY, is_copy

if TYPE_CHECKING:
    from bridge.engine.catalogue import Catalogue
    from bridge.host import Host
    from bridge.world import World

STRANGER_TRIES = 5
"""Wrong messages that a connection may send before it has proved its key."""

MINUTE = 60.0

log = get_logger()


class Output(Struct):
    """What is to be done after one frame."""

    messages: list[bytes] = []
    """Encoded messages, to be sent in one frame when ``writes`` are on disk."""
    writes: list[Write] = []
    close: Close | None = None
    """Close the socket after that."""
    delay: float = 0.0
    """Seconds to wait before any of it: a failed proof is answered late."""
    pause: float = 0.0
    """Seconds to wait before the next frame is read: it sends too fast."""
    more: bool = False
    """There is more to be done with what came in: call ``go_on``."""

    @property
    def frame(self) -> bytes | None:
        """The frame to send, if any."""
        return frame(self.messages) if self.messages else None


class Session:
    """A conversation.  ``origin``: the Origin header of the page, which is part of the proof."""

    def __init__(self, host: Host, origin: str) -> None:
        self.origin = origin
        self.id = auth.new_id()
        self.client = ""
        """The paired client, once it has proved its key."""
        self.world = ""
        self.table: protocol.Table | None = None
        self.closed: Close | None = None
        """How the conversation ended."""
        self.on_end: Callable[[Close], None] | None = None
        """Called when the bridge ends the conversation of its own accord."""
        self.on_output: Callable[[Output], None] | None = None
        """Called with what the bridge says of its own accord; without it, that is said with the next answer."""
        self.sliced = False
        """Large worlds are taken in a slice at a time: whoever listens calls ``go_on`` for the next."""
        self._held: list[bytes] = []
        self._host = host
        self._nonce = auth.new_secret()
        self._place: World | None = None
        self._bounds = Bounds(host.settings.batch, host.settings.page)
        self._wrong: list[float] = []
        """When messages came that could not be read, the last of them."""
        self._strange = 0
        self._tokens = float(host.settings.burst)
        self._filled = host.now()
        self._sent: dict[str, tuple[int, float]] = {}
        """Creature -> the answer on its way to it, and when it was sent."""
        self._before: dict[int, None] = {}
        """Answers that were on their way when the conversation began."""

    @property
    def is_open(self) -> bool:
        """The key is proved, and the conversation goes on."""
        return self._place is not None and self.closed is None

    def greet(self) -> Output:
        """Return the first thing to send."""
        versions = protocol.Versions(protocol.OLDEST, protocol.NEWEST)
        return Output([encode(protocol.Challenge(versions, bridge.__version__, self._nonce))])

    def receive(self, text: Text, *more: Text) -> Output:
        """Take a frame; with those that came in together with it, once the conversation is open."""
        place = self._place
        if place is None:
            return self._guarded(lambda: self._receive_strange(text))
        return self._guarded(lambda: self._receive_open(place, (text, *more)))

    def go_on(self) -> Output:
        """Do some more with what came in."""
        place = self._place
        return self._guarded(lambda: self._go_on(place)) if place is not None else Output()

    def _guarded(self, work: Callable[[], Output]) -> Output:
        if self.closed is not None:
            return Output()
        try:
            output = work()
        except Busy:
            output = Output(close=close(CloseCode.DEGRADED, "The world is still being saved."))
        except StoreError as problem:
            log.exception("the store failed", session=self.id)
            output = Output(close=close(CloseCode.DEGRADED, str(problem)))
        except Exception:
            # A bug of ours must not take the other worlds along.
            log.exception("the world failed", session=self.id, world=self.world)
            output = Output(close=close(CloseCode.INTERNAL))
        if output.close is not None:
            self._over(output.close)
            if output.close.code == CloseCode.INTERNAL:
                # What is in memory cannot be trusted any more; the next session reads it from disk.
                self._host.drop(self.world)
        return output

    def end(self, how: Close) -> None:
        """End the conversation from the bridge's side: what it has received and not answered is void."""
        if self.closed is None:
            self._over(how)
            if self.on_end is not None:
                self.on_end(how)

    def lost(self) -> None:
        """The socket is gone."""
        if self.closed is None:
            self._over(Close(1006, ""))

    def _over(self, how: Close) -> None:
        self.closed = how
        if self._place is not None:
            self._place = None
            self._host.release(self.world, self)

    # Before the key is proved.

    def _receive_strange(self, text: Text) -> Output:
        if self._host.trouble:
            return Output(close=close(CloseCode.DEGRADED, self._host.trouble))
        if size(text) > self._host.settings.hello:
            return Output(close=close(CloseCode.TOO_BIG))
        try:
            message = take_first(text)
        except PeerError as problem:
            return self._strange_message(text, problem)
        if refused := _version_problem(message.protocol):
            return refused
        return self._pair(message) if isinstance(message, protocol.Pair) else self._auth(message)

    def _strange_message(self, text: Text, problem: PeerError) -> Output:
        """Answer what is neither ``pair`` nor ``auth``, or is one of them and wrong."""
        found = head(text)
        if isinstance(found.type, str) and found.type in {"pair", "auth"}:
            # A future version may have changed everything but this range.
            if refused := _version_problem(_range_of(found.protocol)):
                return refused
        elif problem.code != "unknown-type" and isinstance(found.type, str):
            problem = PeerError("not-paired", "Prove your key first.", about(found))
        self._strange += 1
        over = close(CloseCode.NOT_PROVEN) if self._strange >= STRANGER_TRIES else None
        return Output([encode(error(problem))], close=over)

    def _pair(self, message: protocol.Pair) -> Output:
        pairings = self._host.pairings
        if not pairings.is_open():
            return self._refuse("No pairing is open. Run `bridge pair` where the bridge runs, and type its code.")
        if not pairings.attempt(message.code):
            self._host.counts.auth_failures["code"] += 1
            left = pairings.tries_left()
            tail = f"{left} tries are left." if left > 1 else "One try is left." if left else "Ask for a new one."
            return self._refuse(f"That is not the code. {tail}")
        pairings.failures.succeeded(self.origin)
        table = message.table
        client = pairings.add(table.world, self.origin, message.user, message.user_name, table.name)
        log.info("paired", client=client.id, world=client.world, origin=client.origin)
        return Output([encode(protocol.Paired(client.id, pairings.key(client.id)))], [client])

    def _refuse(self, sentence: str, over: Close | None = None) -> Output:
        delay = self._host.pairings.failures.failed(self.origin)
        return Output([encode(protocol.Error("not-paired", sentence))], close=over, delay=delay)

    def _auth(self, message: protocol.Auth) -> Output:
        pairings = self._host.pairings
        world = message.table.world
        key = pairings.key(message.client)
        proof = auth.client_proof(key, self._nonce, message.nonce, world, self.origin)
        # Compared even for a client that does not exist, so that time tells nothing.
        proved = auth.equal(message.mac, proof) and auth.is_nonce(message.nonce)
        client = pairings.get(message.client)
        if not proved or client is None or client.origin != self.origin:
            self._host.counts.auth_failures["key"] += 1
            log.warning("proof refused", client=message.client, world=world, origin=self.origin)
            over = close(CloseCode.REVOKED)
            return self._refuse(over.reason, over)
        pairings.failures.succeeded(self.origin)
        if client.world != world:
            over = close(CloseCode.OTHER_WORLD)
            return Output([encode(protocol.Error("conflict", over.reason))], close=over)
        return self._open(message, client)

    def _open(self, message: protocol.Auth, client: Client) -> Output:
        host, world = self._host, client.world
        self.client, self.world = client.id, world
        self.table = message.table
        speaker = host.speakers.get(world)
        if speaker is not None and speaker.table is not None and is_copy(speaker.table, message.table):
            sentence = COPY.format(name=speaker.table.home)
            return Output([encode(protocol.Error("conflict", sentence))], close=close(CloseCode.OTHER_WORLD, sentence))
        place = host.world(world)
        if not host.claim(world, self):
            over = close(CloseCode.TAKEN)
            return Output([encode(protocol.Error("taken", over.reason))], close=over)
        self._place = place
        host.counts.sessions += 1
        self._before = dict.fromkeys(flight.id for flight in place.memory.flights.values())
        seen = host.pairings.seen(client, message.user, message.user_name, message.table.name)
        limits = host.settings
        welcome = protocol.Welcome(
            protocol=min(message.protocol.max, protocol.NEWEST),
            mac=auth.server_proof(host.pairings.key(client.id), message.nonce, self._nonce, world),
            session=self.id,
            limits=protocol.Limits(limits.message, limits.batch, limits.page),
            rulebook=place.house.name,
            known=bool(place.memory.actors),
        )
        log.info("session opened", session=self.id, client=client.id, world=world)
        output = Output([encode(welcome)], [seen])
        if sentence := host.notice.take(world):
            output.messages.append(encode(protocol.Status("note", sentence)))
        self._add(output, place, place.connect(message.table))
        return output

    # Once it is.

    def say(self, replies: Sequence[protocol.Message | Catalogue]) -> None:
        """Say something of the world that nobody has asked for: another rulebook is in force."""
        if self._place is None:
            return
        output = Output()
        self._add(output, self._place, replies)
        if self.on_output is not None:
            self.on_output(output)
        else:
            self._host.commit(output.writes)
            self._held += output.messages

    def _receive_open(self, place: World, texts: Sequence[Text]) -> Output:
        replies: list[protocol.Message | Catalogue] = []
        problems: list[PeerError] = []
        count = 0
        shown: list[str] = []
        for text in texts:
            group: list[protocol.FromModule] = []
            for item in self._read(text):
                count += 1
                if not isinstance(item, PeerError | protocol.Ask):
                    group.append(item)
                    if self._sent and isinstance(item, protocol.Picture):
                        shown += (*item.gone, *(actor.id for actor in item.actors))
                    continue
                if group:
                    replies += self._taken(place, group)
                    group = []
                if isinstance(item, protocol.Ask):
                    # Nobody asks before the bridge listens.
                    from bridge import views

                    replies.append(views.answer(place, item))
                    continue
                problems.append(item)
                if item.about is not None:
                    # Its number will not come again.
                    place.skip(item.about)
            if group:
                replies += self._taken(place, group)
        if len(texts) > 1:
            # An ack is of all up to its number.
            acks = [reply for reply in replies if isinstance(reply, protocol.Ack)]
            replies = [*(reply for reply in replies if not isinstance(reply, protocol.Ack)), *acks[-1:]]
        output = Output(self._held, pause=self._spend(count), more=place.more)
        self._held = []
        if problems:
            self._refused(output, problems)
        self._count_done(place, shown)
        self._add(output, place, replies)
        return output

    def _taken(self, place: World, group: list[protocol.FromModule]) -> list[protocol.Message | Catalogue]:
        """Let the world take messages in; then put in force what the GM wants of its house rules."""
        replies: list[protocol.Message | Catalogue] = [*place.receive(group, some=self.sliced)]
        wishes, place.wishes = place.wishes, []
        for wish in wishes:
            try:
                replies += self._host.configure(self.world, wish)
            except RefusedError as refused:
                replies.append(protocol.Error("conflict", str(refused), wish.n, wish.id))
            else:
                log.info("house rules changed", session=self.id, world=self.world, user=wish.by.user)
        return replies

    def _go_on(self, place: World) -> Output:
        output = Output()
        self._add(output, place, self._taken(place, []))
        output.more = place.more
        return output

    def _read(self, text: Text) -> list[protocol.FromModule | PeerError]:
        limits = self._host.settings
        if size(text) > limits.message:
            found = f"A frame may have {limits.message} bytes; this one has {size(text)}, nothing of it was taken."
            return [PeerError("too-large", found, about(head(text)))]
        items = take(text, self._bounds)
        for item in items:
            if not isinstance(item, PeerError):
                self._host.counts.received[tag(item)] += 1
                if isinstance(item, protocol.Failed) and self._sent.pop(item.actor, None) is not None:
                    self._host.counts.commands["failed"] += 1
        return items

    def _add(self, output: Output, place: World, replies: Sequence[protocol.Message | Catalogue]) -> None:
        output.writes += [(self.world, row) for row in place.take()]
        for failure in place.failures.take():
            log.error("left out", session=self.id, world=self.world, what=failure.what, exc_info=failure.error)
        output.messages.extend(map(encode, replies))
        for reply in replies:
            if isinstance(reply, protocol.Apply):
                self._host.counts.commands["sent"] += 1
                self._host.counts.redeliveries += reply.id in self._before
                self._sent[reply.actor] = (reply.id, self._host.now())

    def _count_done(self, place: World, shown: Iterable[str]) -> None:
        """Count the answers that have arrived, of creatures that were shown."""
        for actor in shown:
            id, since = self._sent.get(actor, (None, 0.0))
            flight = place.memory.flights.get(actor)
            if id is not None and (flight is None or flight.id != id):
                del self._sent[actor]
                self._host.counts.commands["done"] += 1
                self._host.counts.latency.add(self._host.now() - since)

    def _refused(self, output: Output, problems: list[PeerError]) -> None:
        now, limit = self._host.now(), self._host.settings.malformed
        for problem in problems:
            self._host.counts.rejected[problem.code] += 1
            self._wrong = [*self._wrong, now][-limit:]
            log.debug("message refused", session=self.id, code=problem.code, why=problem.message)
        output.messages += [encode(error(problem)) for problem in problems]
        if len(self._wrong) == limit and now - self._wrong[0] < MINUTE:
            output.close = close(CloseCode.MALFORMED)

    def _spend(self, count: int) -> float:
        """Pay for messages from the bucket; return the seconds until it is out of debt."""
        settings, now = self._host.settings, self._host.now()
        self._tokens = min(settings.burst, self._tokens + (now - self._filled) * settings.rate) - count
        self._filled = now
        return max(0.0, -self._tokens / settings.rate)


def _range_of(found: object) -> protocol.Versions | None:
    if not isinstance(found, dict):
        return None
    oldest, newest = found.get("min"), found.get("max")
    return protocol.Versions(oldest, newest) if isinstance(oldest, int) and isinstance(newest, int) else None


def _version_problem(theirs: protocol.Versions | None) -> Output | None:
    """Say which side is too old when no version is spoken by both."""
    if theirs is None or (theirs.min <= protocol.NEWEST and theirs.max >= protocol.OLDEST):
        return None
    if theirs.max < protocol.OLDEST:
        sentence = "The module is too old for this bridge. Update the module in Foundry."
    else:
        sentence = "The bridge is too old for this module. Update the bridge."
    return Output([encode(protocol.Error("version", sentence))], close=close(CloseCode.VERSION, sentence))
