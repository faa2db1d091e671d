"""Changing a rulebook's text from code: all else in it, comments and order included, stays as the GM wrote it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from .book import settings_in


class CannotEdit(Exception):
    """The text has a shape that cannot be changed without harm; nothing was changed."""


def edit(text: str, key: str, value: Any) -> str:  # noqa: ANN401  a setting may be of any kind
    """Return the text with a setting (``bleeding.ends-on``, ``conditions.prone.mode``) set to a value.

    ``own.chilled.summary`` and other whole paths of the file work as well.  Raises CannotEdit.
    """
    if _now(text, key) == value and type(_now(text, key)) is type(value):
        return text
    document = _load(text)
    try:
        _put(document, key, value)
    except (TOMLKitError, ValueError, TypeError, AttributeError) as error:
        raise CannotEdit(_by_hand(key)) from error
    return _checked(document, key, value, text)


def unset(text: str, key: str) -> str:
    """Return the text without a key; its default holds again.  Raises CannotEdit."""
    document = _load(text)
    spot = _find(document, key)
    if spot is None:
        return text
    holder, name = spot
    del holder[name]
    return _checked(document, key, None, text)


def given(text: str) -> dict[str, Any]:
    """Return the settings that a text gives, right or wrong.  Raises CannotEdit for what is not TOML."""
    return settings_in(_data(text))


def with_settings(text: str, settings: Mapping[str, Any], *, only: bool = False) -> str:
    """Return the text with these settings; ``only``: and no others."""
    for key in [key for key in given(text) if key not in settings] if only else ():
        text = unset(text, key)
    for key, value in settings.items():
        text = edit(text, key, value)
    return text


def _data(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"it is not TOML: {error}"
        raise CannotEdit(message) from error


def _load(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        message = f"it is not TOML: {error}"
        raise CannotEdit(message) from error


def _places(document: Mapping[str, Any], key: str) -> Iterable[tuple[str, ...]]:
    """Yield the paths under which a key may stand, the likeliest first."""
    parts = key.split(".")
    if parts[0] == "own":
        yield tuple(parts)
        return
    if parts[0] == "conditions":
        if len(parts) > 1 and _is_own(document, parts[1]):
            yield ("own", *parts[1:])
        yield tuple(parts)
    if len(parts) == 1:
        yield tuple(parts)
    yield ("settings", *parts)


def _is_own(document: Mapping[str, Any], id: str) -> bool:
    own = document.get("own")
    return isinstance(own, Mapping) and id in own


def _find(document: MutableMapping[str, Any], key: str) -> tuple[MutableMapping[str, Any], str] | None:
    """Return the table that holds a key, in whichever way it is written, and its name there."""
    for path in _places(document, key):
        if path[0] in document:
            found = _descend(document, path)
            if found is not None:
                return found
    return None


def _descend(table: MutableMapping[str, Any], path: tuple[str, ...]) -> tuple[MutableMapping[str, Any], str] | None:
    for size in range(len(path), 0, -1):
        name = ".".join(path[:size])
        if name not in table:
            continue
        rest = path[size:]
        if not rest:
            return table, name
        inner = table[name]
        if isinstance(inner, MutableMapping) and (found := _descend(inner, rest)) is not None:
            return found
    return None


def _put(document: tomlkit.TOMLDocument, key: str, value: Any) -> None:  # noqa: ANN401  as above
    spot = _find(document, key)
    if spot is None:
        _add(document, key, value)
        return
    holder, name = spot
    old = holder[name]
    new = tomlkit.item(value)
    if hasattr(old, "trivia"):
        # The comment behind a value is the value's in this library.
        new.trivia.comment_ws, new.trivia.comment = old.trivia.comment_ws, old.trivia.comment
    holder[name] = new


def _by_hand(key: str) -> str:
    return f"{key} cannot be changed in this text: write it by hand"


def _add(document: tomlkit.TOMLDocument, key: str, value: Any) -> None:  # noqa: ANN401  as above
    parts = key.split(".")
    whole = parts[0] in {"conditions", "own"} and len(parts) > 2  # noqa: PLR2004  a table, an id, a key
    if parts[0] == "conditions" and len(parts) > 1 and _is_own(document, parts[1]):
        parts = ["own", *parts[1:]]
    if whole:
        outer = document.setdefault(parts[0], tomlkit.table(is_super_table=True))
        outer.setdefault(parts[1], tomlkit.table())[".".join(parts[2:])] = tomlkit.item(value)
        return
    if parts in (["name"], ["base"], ["without"]):
        document[key] = tomlkit.item(value)
        return
    settings = document.setdefault("settings", tomlkit.table())
    # Further tables may spell out the same prefix, so the key is quoted whole: it can never clash with them.
    settings[key] = tomlkit.item(value)


def _now(text: str, key: str) -> Any:  # noqa: ANN401  as above
    data = _data(text)
    spot = _find(data, key)
    return spot[0][spot[1]] if spot else None


def _checked(document: tomlkit.TOMLDocument, key: str, value: Any, before: str) -> str:  # noqa: ANN401  as above
    """The library is not trusted blindly: the new text must say what was wanted, and all else as before."""
    text = tomlkit.dumps(document)
    old, new = _data(before), _data(text)
    if _now(text, key) != value or _without(old, key) != _without(new, key):
        raise CannotEdit(_by_hand(key))
    return text


def _without(data: dict[str, Any], key: str) -> dict[str, Any]:
    spot = _find(data, key)
    if spot is not None:
        del spot[0][spot[1]]
    return _bare(data)


def _bare(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data without empty tables, which say nothing."""
    found = {key: _bare(value) if isinstance(value, dict) else value for key, value in data.items()}
    return {key: value for key, value in found.items() if value != {}}
