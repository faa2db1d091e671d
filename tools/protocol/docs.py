"""Writes what is derived from the protocol and the rules: ``python -m tools.protocol.docs``, or ``--check``.

=================================== ==========================================================
``docs/protocol.md``                every message, field by field, with an example
``docs/protocol.schema.json``       JSON Schema of all messages, both ways
``foundry-module/types/…``          the same as types for the module's JSDoc
``foundry-module/catalogue.json``   the catalogue that the module holds before it meets a bridge
``docs/rules.md``                   its last section: where each rule lives
=================================== ==========================================================
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import msgspec
from msgspec import Struct, structs
from msgspec import inspect as shapes

from bridge import errors, protocol
from bridge.engine import catalogue, state
from bridge.engine.catalogue import Catalogue, Level
from bridge.engine.profiles import PROFILES
from bridge.engine.publish import publish
from bridge.rules import rulebook
from tools.protocol import examples, words

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = (protocol, state, catalogue)
ALIASES = {
    "Operation": protocol.Operation,
    "Happening": protocol.Happening,
    "BeforePaired": protocol.BeforePaired,
    "FromModule": protocol.FromModule,
    "FromBridge": protocol.FromBridge,
}
RENAMED: dict[type, str] = {protocol.Limits: "SessionLimits"}
"""Two structs are called ``Limits``; the catalogue's keeps the name."""
WIDTH = 120
MOST = 5
"""A union of more members than this is the one of all operations."""
DEFAULT = "default"
"""What the module's own catalogue says in the place of a profile."""


# Names, and what the docstrings say.


def name_of(kind: type) -> str:
    """Return the name of a struct, the same in the schema, the types and the text."""
    return RENAMED.get(kind, kind.__name__)


def tag_of(kind: type[Struct]) -> str | None:
    """Return the value of the field that tells this struct from others, if it has one."""
    tag = kind.__struct_config__.tag
    return None if tag is None else str(tag)


@cache
def attributes(module: ModuleType) -> dict[str, dict[str, str]]:
    """Return class -> field -> the string under it; under "" the module's own names."""
    found: dict[str, dict[str, str]] = {"": {}}

    def read(body: list[ast.stmt], into: dict[str, str]) -> None:
        for named, said in pairwise(body):
            target = named.targets[0] if isinstance(named, ast.Assign) else getattr(named, "target", None)
            if isinstance(target, ast.Name) and isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant):
                into[target.id] = one_line(str(said.value.value))

    tree = ast.parse(inspect.getsource(module))
    read(tree.body, found[""])
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            read(node.body, found.setdefault(node.name, {}))
    return found


def meaning(kind: type, field: str) -> str:
    """Return what a field means: its own docstring, or that of a base class, or of its type."""
    for each in kind.__mro__:
        module = inspect.getmodule(each)
        if module in SOURCES and field in (own := attributes(module).get(each.__name__, {})):
            return own[field]
    if found := words.WORDS.get(f"{name_of(kind)}.{field}") or words.PLAIN.get(field):
        return found
    aliases = attributes(state)[""]
    return next((aliases[word] for word in ("Ref", "Time") if word in _annotation(kind, field)), "")


def _annotation(kind: type, field: str) -> str:
    for each in kind.__mro__:
        if field in (found := inspect.get_annotations(each)):
            return str(found[field])
    return ""


def one_line(text: str) -> str:
    """Return the text of a docstring in one line, with Markdown's code marks."""
    return re.sub(r"\s+", " ", text.replace("``", "`")).strip()


def paragraphs(kind: type) -> list[str]:
    """Return the paragraphs of a struct's docstring."""
    return [one_line(part) for part in inspect.cleandoc(kind.__doc__ or "").split("\n\n")]


def all_structs() -> list[type[Struct]]:
    """Return every struct that crosses the wire, in the order of the sources."""
    found: set[type[Struct]] = set()

    def visit(type_: shapes.Type) -> None:
        if isinstance(type_, shapes.StructType):
            if type_.cls in found:
                return
            found.add(type_.cls)
        for part in parts(type_):
            visit(part)

    for union in ALIASES.values():
        visit(shapes.type_info(union))
    return sorted(found, key=lambda kind: (SOURCES.index(_module(kind)), inspect.getsourcelines(kind)[1]))


def _module(kind: type) -> ModuleType:
    return next(module for module in SOURCES if module.__name__ == kind.__module__)


def parts(type_: shapes.Type) -> Iterator[shapes.Type]:
    """Yield the types inside a type."""
    match type_:
        case shapes.StructType(fields=fields):
            yield from (field.type for field in fields)
        case shapes.UnionType(types=types):
            yield from types
        case shapes.VarTupleType(item_type=item) | shapes.ListType(item_type=item):
            yield item
        case shapes.TupleType(item_types=items):
            yield from items
        case shapes.DictType(key_type=key, value_type=value):
            yield from (key, value)
        case _:
            pass


def fields(kind: type[Struct]) -> tuple[shapes.Field, ...]:
    """Return the fields of a struct, as they are on the wire."""
    info = shapes.type_info(kind)
    return info.fields if isinstance(info, shapes.StructType) else ()


# JSON Schema.


def schema() -> dict[str, Any]:
    """Return the JSON Schema: of what each side may send, and of everything inside."""
    sides = ("BeforePaired", "FromModule", "FromBridge")
    unions, found = msgspec.json.schema_components([ALIASES[side] for side in sides], ref_template="#/$defs/{name}")
    names = {f"{kind.__module__}.{kind.__name__}": name_of(kind) for kind in all_structs()}
    # A batch holds messages undecoded, so that one that is wrong does not spoil the others.
    found["Batch"]["properties"]["messages"]["items"] = {"anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides[1:]]}
    found |= dict(zip(sides, unions, strict=True))
    text = msgspec.json.encode({"anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides], "$defs": found}).decode()
    for long, short in names.items():
        text = text.replace(f'"#/$defs/{long}"', f'"#/$defs/{short}"').replace(f'"{long}":', f'"{short}":')
    whole = msgspec.json.decode(text)
    for part in whole["$defs"].values():
        if "description" in part:
            part["description"] = one_line(part["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Condition Bridge protocol",
        "description": f"Every message between the Foundry module and the bridge, versions {spoken()}.",
        **whole,
    }


def spoken() -> str:
    """Return the range of protocol versions in words."""
    oldest, newest = protocol.OLDEST, protocol.NEWEST
    return f"{oldest}" if oldest == newest else f"{oldest} to {newest}"


# Types for the module.


def typescript() -> str:
    """Return the declarations that the module's JSDoc imports."""
    lines = [
        "// Generated from bridge/protocol.py by `python -m tools.protocol.docs`; do not edit.",
        '// In JSDoc: @import { Picture } from "../types/protocol.d.ts"',
        "",
    ]
    for kind in all_structs():
        lines += [comment(" ".join(paragraphs(kind))), f"export interface {name_of(kind)} {{"]
        if tag := tag_of(kind):
            lines.append(f'  {kind.__struct_config__.tag_field}: "{tag}";')
        for field in fields(kind):
            if said := meaning(kind, field.name):
                lines.append(comment(said, "  "))
            lines.append(f"  {field.encode_name}{'' if field.required else '?'}: {script(field.type)};")
        lines += ["}", ""]
    for name, union in ALIASES.items():
        members = [name_of(member) for member in get_args(union)]
        lines += [f"export type {name} =", *(f"  | {member}" for member in members)]
        lines[-1] += ";"
        lines.append("")
    lines += ["export type ErrorCode =", *(f'  | "{code}"' for code in protocol.ERROR_CODES)]
    lines[-1] += ";"
    return "\n".join(lines) + "\n"


def comment(text: str, indent: str = "") -> str:
    """Return a JSDoc comment, of one line where it fits."""
    if len(line := f"{indent}/** {text} */") <= WIDTH:
        return line
    wrapped = textwrap.wrap(text, WIDTH - 4 - len(indent))
    return "\n".join([f"{indent}/**", *(f"{indent} * {part}" for part in wrapped), f"{indent} */"])


def script(type_: shapes.Type) -> str:
    """Return a type as TypeScript writes it."""
    match type_:
        case shapes.StructType(cls=cls):
            return name_of(cls)
        case shapes.IntType() | shapes.FloatType():
            return "number"
        case shapes.StrType():
            return "string"
        case shapes.BoolType():
            return "boolean"
        case shapes.NoneType():
            return "null"
        case shapes.LiteralType(values=values):
            return " | ".join(f'"{value}"' for value in sorted(map(str, values)))
        case shapes.UnionType():
            members = [script(part) for part in type_.types]
            return "Operation" if len(members) > MOST else " | ".join(members)
        case shapes.VarTupleType(item_type=shapes.RawType()) | shapes.ListType(item_type=shapes.RawType()):
            return "Array<FromModule | FromBridge>"
        case shapes.VarTupleType(item_type=item) | shapes.ListType(item_type=item):
            inner = script(item)
            return f"Array<{inner}>" if "|" in inner else f"{inner}[]"
        case shapes.TupleType(item_types=items):
            return f"[{', '.join(script(item) for item in items)}]"
        case shapes.DictType(key_type=key, value_type=value):
            return f"Record<{script(key)}, {script(value)}>"
        case _:
            return "any"


# The module's own catalogue.


def default_catalogue() -> Catalogue:
    """Return the catalogue for a world that no bridge has told its profile yet.

    It leaves out whatever one of the systems does by itself: too little for a moment, never a second time (CMB-7).
    """
    book = rulebook()
    for_each = [publish(book, profile) for profile in PROFILES]
    first = for_each[0]
    entries = tuple(
        structs.replace(entry, levels=tuple(shared([e.levels[i] for e in same]) for i in range(len(entry.levels))))
        for entry, same in zip(first.conditions, zip(*(c.conditions for c in for_each), strict=True), strict=True)
    )
    return structs.replace(first, profile=DEFAULT, version=DEFAULT, conditions=entries)


def shared(levels: list[Level]) -> Level:
    """Return what is ours to do in every profile."""
    first = levels[0]
    return structs.replace(
        first,
        modifiers=tuple(m for m in first.modifiers if all(m in level.modifiers for level in levels)),
        native=tuple(m for m in first.native if all(m in level.native for level in levels)),
        speed=first.speed if all(level.speed for level in levels) else None,
        native_speed=first.native_speed if all(level.native_speed for level in levels) else None,
    )


# The text.


def describe(type_: shapes.Type) -> str:
    """Return a type in words, for a table."""
    match type_:
        case shapes.StructType(cls=cls):
            return f"[{name_of(cls)}](#{name_of(cls).lower()})"
        case shapes.IntType(ge=low, le=high):
            return "integer" if low is None or high is None else f"integer, {number(low)} to {number(high)}"
        case shapes.FloatType():
            return "number"
        case shapes.StrType(min_length=low, max_length=high):
            if high is None:
                return "text"
            return f"text, {low} to {high}" if low else f"text, at most {high}"
        case shapes.BoolType():
            return "true or false"
        case shapes.NoneType():
            return "null"
        case shapes.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in sorted(map(str, values)))
        case shapes.UnionType(types=types):
            if len(types) > MOST:
                return "[operation](#operations)"
            return " or ".join(describe(part) for part in types)
        case shapes.VarTupleType(item_type=shapes.RawType()) | shapes.ListType(item_type=shapes.RawType()):
            return "list of messages"
        case shapes.VarTupleType(item_type=item, max_length=most) | shapes.ListType(item_type=item, max_length=most):
            return f"list of {describe(item)}" + (f"; at most {number(most)}" if most else "")
        case shapes.TupleType(item_types=items):
            return f"[{'; '.join(describe(item) for item in items)}]"
        case shapes.DictType(value_type=value):
            return "object" if isinstance(value, shapes.AnyType) else f"object of {describe(value)}"
        case _:
            return "anything"


def number(value: float) -> str:
    """Return a bound as people write it."""
    return "2^53 − 1" if value == 2**53 - 1 else "1 − 2^53" if value == 1 - 2**53 else f"{value:,}".replace("-", "−")


def table_of(kind: type[Struct]) -> list[str]:
    """Return the table of a struct's fields; of a happening those of its own."""
    common = fields(protocol.HappeningBase) if kind in get_args(protocol.Happening) else ()
    own = [field for field in fields(kind) if field.name not in {other.name for other in common}]
    if not own:
        return []
    lines = ["| field | type | | meaning |", "| --- | --- | --- | --- |"]
    for field in own:
        needed = "required" if field.required else default_of(field)
        said = meaning(kind, field.name).replace("|", "\\|")
        lines.append(f"| `{field.encode_name}` | {describe(field.type)} | {needed} | {said} |")
    return [*lines, ""]


def default_of(field: shapes.Field) -> str:
    """Return what holds when a field is left out."""
    value = field.default if field.default is not msgspec.NODEFAULT else None
    if value is None or value in ("", ()) or isinstance(value, Struct):
        return "optional"
    return f"`{msgspec.json.encode(value).decode()}`"


def section(kind: type[Struct], shown: dict[str, str]) -> list[str]:
    """Return all about one struct."""
    tag = tag_of(kind)
    title = f"`{tag}`" if tag else name_of(kind)
    anchor = f'<a id="{name_of(kind).lower()}"></a>'
    lines = [f"### {title} {anchor}", ""]
    for part in paragraphs(kind):
        lines += [part, ""]
    lines += table_of(kind)
    if tag and (example := shown.get(tag)):
        lines += ["```json", example, "```", ""]
    return lines


def text() -> str:
    """Return ``docs/protocol.md``."""
    shown = {tag: pretty(message) for tag, message in examples.examples().items()}
    every = all_structs()
    groups: list[tuple[str, str, Callable[[type[Struct]], bool]]] = [
        ("Meeting", words.MEETING, lambda k: k.__name__ in {"Challenge", "Pair", "Paired", "Auth", "Welcome"}),
        ("From the module", words.FROM_MODULE, lambda k: k in get_args(protocol.FromModule)),
        ("From the bridge", words.FROM_BRIDGE, lambda k: k in get_args(protocol.FromBridge)),
        ("Operations", words.OPERATIONS, lambda k: k in get_args(protocol.Operation)),
        ("Parts of the messages", "", lambda k: k.__module__ == protocol.__name__),
        ("The sheet of a creature", words.SHEET, lambda k: k.__module__ == state.__name__),
        ("Inside the catalogue", "", lambda _: True),
    ]
    lines = [words.INTRODUCTION.format(versions=spoken()).strip(), ""]
    done: set[type] = set()
    for title, said, belongs in groups:
        lines += [f"## {title}", ""]
        if said:
            lines += [said.strip(), ""]
        if title == "From the module":
            lines += table_of(protocol.HappeningBase)
        for kind in every:
            if kind not in done and belongs(kind):
                done.add(kind)
                lines += section(kind, shown)
    lines += [words.PROOF.format(**examples.proof()).strip(), "", *close_codes(), *error_codes()]
    return "\n".join(lines).rstrip() + "\n"


def pretty(message: bytes) -> str:
    """Return JSON for reading, short parts in one line."""

    def show(value: object, indent: str) -> str:
        flat = msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
        flat = flat if isinstance(value, str) else spaced(value)
        if len(flat) + len(indent) <= WIDTH - 10 or not isinstance(value, dict | list) or not value:
            return flat
        deeper = indent + "  "
        if isinstance(value, dict):
            inner = [f"{deeper}{msgspec.json.encode(k).decode()}: {show(v, deeper)}" for k, v in value.items()]
            return "{\n" + ",\n".join(inner) + f"\n{indent}}}"
        return "[\n" + ",\n".join(f"{deeper}{show(v, deeper)}" for v in value) + f"\n{indent}]"

    return show(msgspec.json.decode(message), "")


def spaced(value: object) -> str:
    """Return JSON in one line, with a space after each comma and colon."""
    if isinstance(value, dict):
        inner = ", ".join(f"{msgspec.json.encode(k).decode()}: {spaced(v)}" for k, v in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(spaced(v) for v in value)}]"
    return msgspec.json.encode(value).decode()


def close_codes() -> list[str]:
    """Return the table of close codes."""
    lines = ["## Close codes", "", "Each comes with a plain sentence that may be shown as it is.", ""]
    lines += ["| code | sentence | what the module does |", "| --- | --- | --- |"]
    for code in errors.CloseCode:
        lines.append(f"| {code.value} | {errors.REASONS[code]} | {words.REACTIONS[code]} |")
    return [*lines, ""]


def error_codes() -> list[str]:
    """Return the table of error codes."""
    lines = ["## Error codes", "", "An `error` is an answer, not an end: the connection stays open.", ""]
    lines += ["| code | when |", "| --- | --- |"]
    return [*lines, *(f"| `{code}` | {words.ERRORS[code]} |" for code in protocol.ERROR_CODES), ""]


# Writing.


MADE: dict[str, Callable[[], str]] = {
    "docs/protocol.md": text,
    "docs/protocol.schema.json": lambda: in_json(schema()),
    "foundry-module/types/protocol.d.ts": typescript,
    "foundry-module/catalogue.json": lambda: in_json(default_catalogue()),
}
"""Every generated file, and what makes it."""


def in_json(value: object) -> str:
    """Return JSON with an indent of two."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or say which are stale."""
    parser = argparse.ArgumentParser(prog="python -m tools.protocol.docs", description="Write what is generated.")
    parser.add_argument("--check", action="store_true", help="only say what is stale; exit code 1 if anything is")
    check = parser.parse_args(arguments).check
    stale = False
    for name, make in MADE.items():
        path, content = ROOT / name, make()
        if path.is_file() and path.read_text(encoding="utf-8") == content:
            continue
        stale = True
        print(f"{name} {'is stale' if check else 'written'}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")
    return int(check and stale)


if __name__ == "__main__":
    raise SystemExit(main())
