"""Files that the simulated server hands out: the page, the stand-in's own, the module's."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from pathlib import Path

from websockets.datastructures import Headers
from websockets.http11 import Response

from .merge import Json

_CLIENT = Path(__file__).parent / "client"
_TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".svg": "image/svg+xml", ".hbs": "text/plain"}


def respond(path: str, module_dir: Path | None) -> Response:
    """The answer to a GET request."""
    if path in ("/", "/game"):
        return _answer(HTTPStatus.OK, "text/html", _page())
    if path == "/favicon.ico":
        return _answer(HTTPStatus.NO_CONTENT, "text/plain", b"")
    if path.startswith("/standin/"):
        return _inside(_CLIENT, path.removeprefix("/standin/"))
    if path.startswith("/systems/dnd5e/icons/svg/statuses/"):
        return _icon(path.rsplit("/", 1)[1])
    if path.startswith(("/icons/", "/systems/")):
        return _picture(path.rsplit("/", 1)[1])
    if module_dir is not None:
        prefix = f"/modules/{manifest(module_dir)['id']}/"
        if path.startswith(prefix):
            return _inside(module_dir, path.removeprefix(prefix))
    return _answer(HTTPStatus.NOT_FOUND, "text/plain", b"not found")


def manifest(module_dir: Path) -> Json:
    """The module's manifest, as Foundry reads it."""
    content: Json = json.loads((module_dir / "module.json").read_text(encoding="utf-8"))
    return content


def manifests(module_dir: Path | None, others: Iterable[str]) -> list[Json]:
    """All active modules: the one under test and others that are there in name only."""
    found = [manifest(module_dir)] if module_dir is not None else []
    return found + [{"id": name, "title": name, "version": "1.0.0"} for name in others]


@cache
def _page() -> bytes:
    """The page; it names all scripts at once, so that the browser need not find them one after the other."""
    names = sorted(path.relative_to(_CLIENT).as_posix() for path in _CLIENT.rglob("*.mjs"))
    links = "\n".join(f'<link rel="modulepreload" href="/standin/{name}">' for name in names)
    return (_CLIENT / "game.html").read_text(encoding="utf-8").replace("<!-- scripts -->", links).encode()


def _icon(name: str) -> Response:
    """A drawing of our own for each of the system's statuses; levels share one."""
    drawing = _CLIENT / "icons" / name
    if not drawing.is_file():
        drawing = _CLIENT / "icons" / f"{name.split('-', 1)[0].removesuffix('.svg')}.svg"
    return _file(drawing if drawing.is_file() else _CLIENT / "icons" / "unknown.svg")


def _picture(name: str) -> Response:
    """A portrait with the creature's letter, an item of its kind, or a question mark."""
    if name.startswith("portrait-"):
        drawing = (_CLIENT / "icons" / "portrait.svg").read_text(encoding="utf-8")
        letter = name.removeprefix("portrait-")[:1].upper()
        return _answer(HTTPStatus.OK, "image/svg+xml", drawing.replace(">?<", f">{letter}<").encode())
    drawing_file = _CLIENT / "icons" / name
    return _file(drawing_file if name and drawing_file.is_file() else _CLIENT / "icons" / "unknown.svg")


def _inside(folder: Path, relative: str) -> Response:
    target = (folder / relative).resolve()
    if not target.is_relative_to(folder.resolve()):
        return _answer(HTTPStatus.FORBIDDEN, "text/plain", b"forbidden")
    return _file(target)


def _file(path: Path) -> Response:
    if not path.is_file():
        return _answer(HTTPStatus.NOT_FOUND, "text/plain", b"not found")
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return _answer(HTTPStatus.OK, kind, path.read_bytes(), keep=True)


def _answer(status: HTTPStatus, kind: str, body: bytes, *, keep: bool = False) -> Response:
    """``keep``: a file, which does not change while the server runs; a browser context asks for it once."""
    charset = "; charset=utf-8" if kind.startswith("text/") or kind.endswith(("json", "xml")) else ""
    cache = "max-age=3600" if keep else "no-store"
    headers = Headers({"Content-Type": kind + charset, "Content-Length": str(len(body)), "Cache-Control": cache})
    return Response(status.value, status.phrase, headers, body)
