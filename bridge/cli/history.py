"""``bridge history``: what was decided, why, and what it changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import App, Parameter

from bridge.cli import common
from bridge.cli.common import Config, DataDir
from bridge.errors import StoreError, UsageError

if TYPE_CHECKING:
    from bridge.world.memory import Chapter


def add_to(app: App) -> None:
    """Teach the command line this command."""
    examples = (
        'bridge history --creature Bors --since "2 hours"',
        "bridge history --condition bleeding",
        "bridge history --rule INT-4 --export drinks.jsonl",
    )
    app.command(history, help_epilogue=common.examples(*examples))


def history(
    *,
    world: Annotated[str | None, Parameter(help="The world's id; not needed where there is one.")] = None,
    creature: Annotated[str, Parameter(help="A part of its name, or its Foundry uuid.")] = "",
    condition: Annotated[str, Parameter(help="A condition that changed, e.g. `bleeding`.")] = "",
    rule: Annotated[str, Parameter(help="Whose rule acted: a condition, or a rule's id such as `BLD-7`.")] = "",
    since: Annotated[str, Parameter(help="World time before the newest decision, e.g. `2 hours`.")] = "",
    export: Annotated[Path | None, Parameter(help="Write all that is known of them to this file (JSON lines).")] = None,
    data_dir: DataDir = None,
    config: Config = None,
) -> int:
    """Show what was decided, the oldest first: for whom, why, by whose hand, and what it changed."""
    from bridge import control
    from bridge.history import Search, find, lines, plain, span

    common.quiet()
    folder = common.settings(data_dir, config).folder
    try:
        search = Search(creature, condition, rule, span(since) if since else None)
    except ValueError as error:
        raise UsageError(f"{error}.") from error
    found = list(find(_chapters(control.ask(folder, control.History(world or ""))), search))
    if export is not None:
        text = b"".join(msgspec.json.encode(plain(chapter)) + b"\n" for chapter in found)
        try:
            export.write_bytes(text)
        except OSError as error:
            raise StoreError(f"{export} cannot be written: {error}.") from error
        print(f"{len(found)} decisions are in {export}.")
        return 0
    for chapter in found:
        for line in lines(chapter):
            print(common.printable(line))
    if not found:
        print("Nothing of that kind was decided.")
    return 0


def _chapters(result: dict[str, object]) -> list[Chapter]:
    from bridge.world.memory import Chapter

    return msgspec.convert(result["chapters"], list[Chapter])
