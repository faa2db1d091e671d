"""The simulated Foundry server: one world, any number of clients, one order of operations.

It runs inside the test process on 127.0.0.1 and serves the page, the stand-in's scripts, the module's
files and the socket. Tests look at and alter the world through it, and break things with its knobs.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import BrowserContext, ConsoleMessage, Page
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from . import files
from .documents import stable_id
from .merge import Json
from .profiles import PROFILES, Profile
from .world import RefusedError, World


class Client:
    """One connected browser tab."""

    def __init__(self, connection: ServerConnection, user_id: str) -> None:
        """Nothing is sent before `run` is awaited."""
        self.connection = connection
        self.user_id = user_id
        self.delay = 0.0
        self.flowing = asyncio.Event()
        self.flowing.set()
        self._outbox: asyncio.Queue[str] = asyncio.Queue()

    def send(self, message: Json) -> None:
        """Queue a message; all messages to one client keep their order, whatever the delay."""
        self._outbox.put_nowait(json.dumps(message))

    async def run(self) -> None:
        """Carry queued messages to the browser until the connection ends."""
        try:
            while True:
                text = await self._outbox.get()
                await self.flowing.wait()
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self.connection.send(text)
        except ConnectionClosed:
            return


class FoundryServer:
    """A Foundry world that runs in this process; use it as an async context manager."""

    def __init__(
        self,
        profile: str = "v14+dnd5e-6",
        *,
        world: World | None = None,
        module_dir: Path | None = None,
        modules: Iterable[str] = (),
    ) -> None:
        """`modules` names further modules that count as active (they have no scripts)."""
        self.profile: Profile = PROFILES[profile]
        self.world = world or World()
        self.module_dir = module_dir
        self.clients: list[Client] = []
        self.journal: list[Json] = []
        self.refused: list[str] = []
        self.page_errors: list[str] = []
        self._modules = list(modules)
        self._delays: dict[str, float] = defaultdict(float)
        self._refusals: list[Callable[[str | None, Json], str | None]] = []
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        """Listen on a free port of the loopback interface."""
        self._server = await serve(
            self._serve_socket,
            "127.0.0.1",
            0,
            process_request=self._serve_file,
            compression=None,
            max_size=None,
            ping_interval=None,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving."""
        await self.stop()

    async def stop(self) -> None:
        """Kill the server: every client loses its connection."""
        if self._server is not None:
            self._server.close(code=1012)
            await self._server.wait_closed()
            self._server = None

    @property
    def url(self) -> str:
        """Where the world is to be found, without a slash at the end."""
        assert self._server is not None, "the server is not running"
        port = next(iter(self._server.sockets)).getsockname()[1]
        return f"http://127.0.0.1:{port}"

    # Looking at the world

    def actor(self, identity: str) -> Json:
        """A world actor, by id or by the short name that its builder was given."""
        return self.document(f"Actor.{stable_id(identity)}")

    def document(self, uuid: str) -> Json:
        """The stored document with this uuid."""
        document = self.world.get(uuid)
        if document is None:
            raise KeyError(uuid)
        return document

    def token(self, actor: str) -> Json:
        """The first token of an actor, on whichever scene."""
        identity = stable_id(actor)
        return next(t for s in self.world.scenes for t in s["tokens"] if t["actorId"] == identity)

    @property
    def active_users(self) -> set[str]:
        """Ids of the users with at least one open tab."""
        return {client.user_id for client in self.clients}

    # Altering the world

    async def edit(self, uuid: str, changes: Json, *, by: str | None = None, options: Json | None = None) -> None:
        """Write to the database past every pre-hook; `by` names whose client it seems to come from."""
        *parents, name, identity = uuid.split(".")
        operation = {"action": "update", "documentName": name, "updates": [{**changes, "_id": identity}]}
        self._commit(by, operation, parents, options)

    async def create(
        self, name: str, data: Json, *, parent: str | None = None, by: str | None = None, options: Json | None = None
    ) -> Json:
        """Create a document past every pre-hook; an `_id` in the data is kept."""
        operation = {"action": "create", "documentName": name, "data": [data], "keepId": True}
        created: Json = self._commit(by, operation, parent.split(".") if parent else [], options)[0]
        return created

    async def delete(self, uuid: str, *, by: str | None = None) -> None:
        """Delete a document past every pre-hook."""
        *parents, name, identity = uuid.split(".")
        self._commit(by, {"action": "delete", "documentName": name, "ids": [identity]}, parents, None)

    async def set_setting(self, namespace: str, key: str, value: Any, *, by: str | None = None) -> None:
        """Write a world setting."""
        name, text = f"{namespace}.{key}", json.dumps(value)
        for document in self.world.settings:
            if document["key"] == name and not document.get("user"):
                await self.edit(f"Setting.{document['_id']}", {"value": text}, by=by)
                return
        await self.create("Setting", {"key": name, "value": text, "user": None}, by=by)

    async def advance_time(self, seconds: int, *, by: str | None = None) -> None:
        """Move the world's clock, forward or back."""
        await self.set_setting("core", "time", self.world.time + seconds, by=by)

    def _commit(self, by: str | None, operation: Json, parents: list[str], options: Json | None) -> list[Any]:
        operation = {**operation, "parent": ".".join(parents) or None, "options": {**(options or {}), "noHook": True}}
        accepted = self.world.apply(None, operation)
        self._broadcast(accepted, stable_id(by) if by else "database00000000", None)
        result: list[Any] = accepted["result"]
        return result

    # Breaking things

    def delay(self, user: str, seconds: float) -> None:
        """Everything that the server tells this user's tabs arrives so much later."""
        self._delays[stable_id(user)] = seconds
        for client in self._clients_of(user):
            client.delay = seconds

    def hold(self, user: str) -> None:
        """Tell this user's tabs nothing until `let_go`."""
        for client in self._clients_of(user):
            client.flowing.clear()

    def let_go(self, user: str) -> None:
        """Tell this user's tabs all that was held back, in order."""
        for client in self._clients_of(user):
            client.flowing.set()

    async def drop(self, user: str) -> None:
        """Cut the connection of a user's tabs; a tab that loses it comes back by reloading itself."""
        for client in self._clients_of(user):
            await client.connection.close(code=1001)

    def refuse_next(self, *, user: str | None = None, name: str | None = None, text: str = "Refused by a test") -> None:
        """Refuse the next operation (of this user, on this kind of document)."""
        wanted = stable_id(user) if user else None

        def judge(user_id: str | None, operation: Json) -> str | None:
            fits = wanted in (None, user_id) and name in (None, operation["documentName"])
            return text if fits else None

        self._refusals.append(judge)

    async def dice(self, user: str, *faces: int) -> None:
        """Decide what the next dice of a user's tabs show; returns when the tabs know."""
        for client in self._clients_of(user):
            await self._ask(client, {"type": "dice", "faces": list(faces)})

    def _clients_of(self, user: str) -> list[Client]:
        identity = stable_id(user)
        return [client for client in self.clients if client.user_id == identity]

    async def _ask(self, client: Client, message: Json) -> None:
        key = self.world.new_id()
        seen = self._waiting[key] = asyncio.get_running_loop().create_future()
        client.send({**message, "key": key})
        try:
            await asyncio.wait_for(seen, timeout=20)
        finally:
            del self._waiting[key]

    # Browsers

    async def open(self, where: Page | BrowserContext, user: str, *, wait: bool = True, query: str = "") -> Page:
        """Open the game as a user and wait until Foundry is ready."""
        page = await where.new_page() if isinstance(where, BrowserContext) else where
        page.on("pageerror", lambda error: self.page_errors.append(f"{user}: {error}"))
        page.on("console", lambda message: self._listen(user, message))
        await page.goto(f"{self.url}/game?user={stable_id(user)}{query}")
        if wait:
            await page.wait_for_function("window.standin?.ready === true")
        return page

    def _listen(self, user: str, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.page_errors.append(f"{user}: {message.text}")

    def _serve_file(self, connection: ServerConnection, request: Request) -> Response | None:
        path = urlsplit(request.path).path
        if path == "/socket":
            return None
        return files.respond(path, self.module_dir)

    async def _serve_socket(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        query = parse_qs(urlsplit(connection.request.path).query)
        user_id = query.get("user", [""])[0]
        if self.world.user(user_id) is None:
            await connection.close(code=4001, reason="unknown user")
            return
        client = Client(connection, user_id)
        client.delay = self._delays[user_id]
        arrived = user_id not in self.active_users
        self.clients.append(client)
        client.send(self._welcome(user_id))
        if arrived:
            self._tell_presence(user_id, active=True)
        writer = asyncio.create_task(client.run())
        try:
            async for text in connection:
                self._receive(client, json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            writer.cancel()
            self.clients.remove(client)
            if user_id not in self.active_users:
                self._tell_presence(user_id, active=False)

    def _welcome(self, user_id: str) -> Json:
        return {
            "type": "welcome",
            "userId": user_id,
            "profile": self.profile.as_json(),
            "world": self.world.snapshot(),
            "active": sorted(self.active_users),
            "modules": files.manifests(self.module_dir, self._modules),
        }

    def _tell_presence(self, user_id: str, *, active: bool) -> None:
        for client in self.clients:
            if client.user_id != user_id:
                client.send({"type": "presence", "userId": user_id, "active": active})

    def _receive(self, client: Client, message: Json) -> None:
        match message["type"]:
            case "operation":
                self._carry_out(client, message)
            case "emit":
                for other in self.clients:
                    if other is not client:
                        other.send({**message, "userId": client.user_id})
            case "query":
                self._relay_query(client, message)
            case "answer":
                for other in self._clients_of(message["to"]):
                    other.send({**message, "userId": client.user_id})
            case "seen":
                waiting = self._waiting.get(message["key"])
                if waiting is not None:
                    waiting.set_result(None)

    def _relay_query(self, client: Client, message: Json) -> None:
        """A query goes to one tab of the user, as Foundry relays it to one of their sockets."""
        targets = self._clients_of(message["to"])
        if targets:
            targets[0].send({**message, "userId": client.user_id})
        else:
            client.send({"type": "answer", "id": message["id"], "error": "The user is not connected"})

    def _carry_out(self, client: Client, message: Json) -> None:
        operation = message["operation"]
        try:
            self._judge(client.user_id, operation)
            accepted = self.world.apply(client.user_id, operation)
        except RefusedError as error:
            self.refused.append(str(error))
            client.send({"type": "refused", "id": message["id"], "error": str(error)})
            return
        self._broadcast(accepted, client.user_id, (client, message["id"]))

    def _judge(self, user_id: str, operation: Json) -> None:
        """Refuse what a test wants refused; each wish counts once."""
        for judge in self._refusals:
            text = judge(user_id, operation)
            if text is not None:
                self._refusals.remove(judge)
                raise RefusedError(text)

    def _broadcast(self, accepted: Json, user_id: str, origin: tuple[Client, str] | None) -> None:
        """Tell every client, the initiator too; what changed nothing is told to the initiator alone."""
        message = {"type": "operation", **accepted, "userId": user_id}
        if accepted["result"]:
            self.journal.append(json.loads(json.dumps(message)))
        for client in self.clients:
            own = origin is not None and client is origin[0]
            if accepted["result"] or own:
                client.send({**message, "id": origin[1] if own and origin else None})
