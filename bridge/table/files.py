"""Reading typed structs out of TOML, with errors that name the file, the path and what to do."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class ScenarioError(Exception):
    """A scenario file that cannot be played as it is written."""


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Base class of everything in a scenario file: an unknown key is an error."""


def read_toml(path: Path) -> dict[str, Any]:
    """Read the file, or say in one line why it cannot be read."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror}"
        raise ScenarioError(message) from error
    except UnicodeDecodeError as error:
        message = f"{path}: is not UTF-8 text: save it as UTF-8"
        raise ScenarioError(message) from error
    except tomllib.TOMLDecodeError as error:
        message = f"{path}: is not TOML: {error}"
        raise ScenarioError(message) from error


def convert(value: object, type: type[T], where: str) -> T:
    """Turn plain data into a struct; ``where`` is its path in the file."""
    try:
        return msgspec.convert(value, type)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        message = f"{where}{path.rstrip('`')}: {what}"
        raise ScenarioError(message) from error
