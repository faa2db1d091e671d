"""Plain data into typed structs, with every problem at once and each in plain words.

``msgspec.convert`` stops at the first problem and speaks of types; here each field is converted by itself.
"""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from .problems import Problem, near

S = TypeVar("S", bound=Struct)
LONGEST = 60
WORDS: dict[Any, str] = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "a table",
}


class Item(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab", kw_only=True):
    """Base class of everything in a rulebook file."""


def read(value: object, kind: type[S], path: str, problems: list[Problem]) -> S | None:
    """Return the struct, or none after noting what is wrong with it."""
    before = len(problems)
    _struct(value, kind, path, problems)
    return None if len(problems) > before else msgspec.convert(value, kind)


def shown(value: object) -> str:
    """Return a value as a TOML file would have it, cut when it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _struct(value: object, kind: type[Struct], path: str, problems: list[Problem]) -> None:
    if not isinstance(value, Mapping):
        problems.append(Problem(path, f"must be a table, not {shown(value)}"))
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key, inner in value.items():
        where = f"{path}.{key}" if path else key
        if key not in fields:
            hint = near(key, fields) or f": there are {', '.join(fields)}"
            problems.append(Problem(where, f"there is no such key{hint}"))
        else:
            _value(inner, fields[key].type, where, problems)
    missing = [name for name, field in fields.items() if field.required and name not in value]
    problems += [Problem(path, f"needs a {name}: {_wanted(fields[name].type)}") for name in missing]


def _value(value: object, kind: Any, path: str, problems: list[Problem]) -> None:  # noqa: ANN401  any annotation
    kind = _without_none(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        _struct(value, kind, path, problems)
        return
    if get_origin(kind) is tuple and isinstance(value, list) and get_args(kind)[-1] is Ellipsis:
        for number, each in enumerate(value, 1):
            _value(each, get_args(kind)[0], f"{path}[{number}]", problems)
        return
    if get_origin(kind) is dict and isinstance(value, dict):
        for key, each in value.items():
            _value(each, get_args(kind)[1], f"{path}.{key}", problems)
        return
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        hint = near(value, get_args(kind)) if get_origin(kind) is Literal else ""
        problems.append(Problem(path, f"must be {_wanted(kind)}, not {shown(value)}{hint}"))


def _without_none(kind: Any) -> Any:  # noqa: ANN401  as above
    if get_origin(kind) in (Union, types.UnionType):
        rest = [each for each in get_args(kind) if each not in (type(None), msgspec.UnsetType)]
        return rest[0] if len(rest) == 1 else Union[tuple(rest)]  # noqa: UP007  made at run time
    return kind


def _wanted(kind: Any) -> str:  # noqa: ANN401  as above
    kind = _without_none(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _wanted(parts[0]) + _range(next((each for each in parts if isinstance(each, Meta)), Meta()))
    if origin is Literal:
        return f"one of {', '.join(map(str, parts))}"
    if origin is tuple:
        return f"a list, each of it {_wanted(parts[0])}"
    if origin in (Union, types.UnionType):
        return " or ".join(_wanted(part) for part in parts)
    return WORDS.get(origin or kind, "a table")


def _range(meta: Meta) -> str:
    if meta.min_length is not None or meta.max_length is not None:
        return f" of {meta.min_length or 0} to {meta.max_length} letters"
    if meta.ge is not None and meta.le is not None:
        return f" from {meta.ge} to {meta.le}"
    return f" of at least {meta.ge}" if meta.ge is not None else ""
