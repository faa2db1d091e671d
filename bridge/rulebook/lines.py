"""On which line of a TOML file a key stands: neither library that reads TOML says so."""

from __future__ import annotations

import re

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_KEY = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=")
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_PART}(?:\s*\.\s*{_PART})*)\s*\]")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')
_LONG = re.compile(r'"""|\'\'\'')


def lines(text: str) -> dict[str, int]:
    """Return path -> line of every table and key that begins a line; ``name[2]`` is the second of ``[[name]]``."""
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    table, depth, closing = "", 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        if closing:
            _, there, line = line.partition(closing)  # noqa: PLW2901  what is left of the line is the line
            if not there:
                continue
            closing = ""
        elif depth == 0 and (header := _HEADER.match(line)):
            table = _plain(header[2])
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                found.setdefault(table, number)
                table = f"{table}[{counts[table]}]"
            found.setdefault(table, number)
            continue
        elif depth == 0 and (key := _KEY.match(line)):
            path = _plain(key[1])
            found.setdefault(f"{table}.{path}" if table else path, number)
        for opening in _LONG.findall(line):
            closing = "" if closing == opening else closing or opening
        if not closing:
            code = _STRING.sub("", line).partition("#")[0]
            depth = max(0, depth + code.count("[") + code.count("{") - code.count("]") - code.count("}"))
    return found


def line_of(known: dict[str, int], path: str) -> int | None:
    """Return the line of a path, else of what it stands in."""
    while path:
        if path in known:
            return known[path]
        inside = min((key for key in known if key.startswith(f"{path}.")), key=known.__getitem__, default=None)
        if inside is not None:
            return known[inside]
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return None


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in re.findall(_PART, key))
