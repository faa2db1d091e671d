"""The ledger's table and a host in one process, without a socket."""

from __future__ import annotations

from msgspec import structs

from bridge import protocol
from bridge.decode import encode
from bridge.host import Host
from bridge.table.executor import receive
from bridge.table.link import unpack
from tests.peer import greeted, prove
from tests.reliability.ledger import Ledger


class Seat:
    """A table that talks to a host of this process."""

    def __init__(self, host: Host, ledger: Ledger, key: tuple[str, str], home: str = "") -> None:
        self.host, self.ledger = host, ledger
        self.session, nonce = greeted(host)
        self.notes: list[str] = []
        table = structs.replace(ledger.table.about, home=home)
        self._hear(encode(prove(nonce, *key, table.world, table=table)[0]))
        if self.session.is_open:
            ledger.table.connected(page=50)
            self.settle()

    def settle(self) -> None:
        while messages := self.ledger.table.take():
            for message in messages:
                self._hear(encode(message))

    def play(self, count: int = 12) -> None:
        for _ in range(count):
            self.ledger.act()
            self.settle()

    def leave(self) -> None:
        self.session.lost()
        self.ledger.table.disconnected()

    def _hear(self, text: bytes) -> None:
        answer = self.host.exchange(self.session, text)
        for message in unpack(answer) if answer is not None else []:
            if isinstance(message, protocol.Status):
                self.notes.append(message.message)
            receive(self.ledger.table, message)
