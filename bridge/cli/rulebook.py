"""The commands about rulebooks: check, show, try, export and import one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from bridge.cli import common
from bridge.cli.common import Config, DataDir
from bridge.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from bridge.rulebook.book import Reading

World = Annotated[str | None, Parameter(help="The world's id, from `bridge status`; not needed where there is one.")]
Book = Annotated[
    str | None, Parameter(name="--rulebook", help="A rulebook file, or `house-rules` or `plain-2024` (shipped).")
]
USUAL = Path("rulebook.toml")
WRONG = 1
"""Exit code: there are problems, or a scenario failed, or the answer was no."""

rulebook = App(name="rulebook", help="Check, show, try, export and import a world's rulebook.")


@rulebook.command(help_epilogue=common.examples("bridge rulebook check", "bridge rulebook check saltmarsh.toml"))
def check(file: Path = USUAL, /) -> int:
    """Say everything that is wrong with a rulebook file; the exit code is 0 when nothing is.

    Parameters
    ----------
    file:
        The file.
    """
    reading = _read(_text_of(file))
    if reading.book is None:
        _tell_problems(reading, str(file))
        return WRONG
    own = [condition.name for condition in reading.book.conditions.values() if condition.id in _own(reading)]
    console = common.console()
    console.print(f"{common.plain(str(file))}: all is well. It changes {len(reading.given)} settings.")
    if own:
        console.print(f"Conditions of its own: {common.plain(', '.join(own))}.")
    return 0


@rulebook.command(
    help_epilogue=common.examples(
        "bridge rulebook show",
        "bridge rulebook show intoxicated",
        "bridge rulebook show chilled --rulebook saltmarsh.toml",
        "bridge rulebook show --world 0c1d2e3f4a5b6c7d",
    )
)
def show(
    condition: str | None = None,
    /,
    *,
    rulebook: Book = None,
    world: World = None,
    data_dir: DataDir = None,
    config: Config = None,
) -> int:
    """Show a rulebook's settings and conditions, or all about one condition.

    Parameters
    ----------
    condition:
        Its id, e.g. `prone`.
    """
    from bridge.cli.show import show_book, show_condition

    if rulebook is not None and world is not None:
        raise UsageError("Name a rulebook or a world, not both.")
    name = rulebook or "house-rules"
    if world is not None:
        name, text = f"world {world}", str(_ask_rulebook(world, data_dir, config)["text"])
    else:
        text = _named(name) if rulebook is not None else ""
    reading = _read(text)
    if reading.book is None:
        _tell_problems(reading, name)
        return WRONG
    if condition is None:
        show_book(common.console(), reading.book, reading.given, name)
        return 0
    if condition not in reading.book.conditions:
        raise UsageError(f"There is no condition {condition}. There are: {', '.join(reading.book.conditions)}.")
    file = reading.file
    touch = (file.own.get(condition) or file.conditions.get(condition)) if file is not None else None
    show_condition(common.console(), reading.book, condition, touch.damage if touch is not None else None)
    return 0


@rulebook.command(
    name="try",
    help_epilogue=common.examples(
        "bridge rulebook try my-evening.toml", "bridge rulebook try scenarios/ --rulebook saltmarsh.toml --verbose"
    ),
)
def try_(*scenarios: Path, rulebook: Book = None, verbose: Annotated[bool, Parameter(negative=())] = False) -> int:
    """Play scenario files, or folders of them, under a rulebook; the exit code is 0 when all pass.

    Parameters
    ----------
    scenarios:
        Files or folders.
    verbose:
        Show every step.
    """
    from bridge.table import run as player

    if not scenarios:
        raise UsageError("Name at least one scenario file or folder: bridge rulebook try SCENARIO")
    for path in scenarios:
        if not path.exists():
            raise UsageError(f"There is no scenario {path}.")
    text = None
    if rulebook is not None:
        text = _named(rulebook)
        reading = _read(text)
        if reading.book is None:
            _tell_problems(reading, rulebook)
            return WRONG
    common.quiet()
    return player.main(list(scenarios), verbose, rulebook=text)


@rulebook.command(help_epilogue=common.examples("bridge rulebook export", "bridge rulebook export saltmarsh.toml"))
def export(file: Path | None = None, /, *, world: World = None, data_dir: DataDir = None, config: Config = None) -> int:
    """Write a world's rulebook to a file, or to the terminal.

    A world that has none yet gives the house rules with every setting, to begin from.

    Parameters
    ----------
    file:
        The file to write; it must not be there yet.
    """
    from bridge.rulebook.book import HOUSE_RULES, shipped_text

    text = str(_ask_rulebook(world, data_dir, config)["text"]) or shipped_text(HOUSE_RULES)
    if file is None:
        print(text, end="" if text.endswith("\n") else "\n")
        return 0
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError as error:
        raise UsageError(f"{file} is there already. Name another file, or move it away.") from error
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
    common.console().print(f"Written to {common.plain(str(file))}.")
    return 0


@rulebook.command(
    name="import",
    help_epilogue=common.examples("bridge rulebook import rulebook.toml", "bridge rulebook import rulebook.toml --yes"),
)
def import_(
    file: Path,
    /,
    *,
    world: World = None,
    yes: Annotated[bool, Parameter(negative=(), help="Do not ask.")] = False,
    data_dir: DataDir = None,
    config: Config = None,
) -> int:
    """Show what a rulebook would change for the creatures now on the table, ask, and put it in force at once.

    Parameters
    ----------
    file:
        The rulebook file.
    """
    text = _text_of(file)
    reading = _read(text)
    if reading.book is None:
        _tell_problems(reading, str(file))
        return WRONG
    place = _world(world, data_dir, config)
    console = common.console()
    for line in _ask_rulebook(place, data_dir, config, text=text, dry=True)["changes"]:
        console.print(f"- {common.plain(line)}")
    if not yes and not _agreed(console):
        console.print("Nothing was changed.")
        return WRONG
    result = _ask_rulebook(place, data_dir, config, text=text)
    console.print(f"The rulebook {common.plain(result['name'])} is in force.")
    return 0


def _agreed(console: Console) -> bool:
    try:
        return console.input("Put it in force? \\[y/N] ").strip().lower() in {"y", "yes"}
    except EOFError:
        # Nobody is there to ask.
        console.print()
        return False


def _ask_rulebook(
    world: str | None, data_dir: Path | None, config: Path | None, *, text: str | None = None, dry: bool = False
) -> dict[str, Any]:
    from bridge.control import Rulebook, ask

    common.quiet()
    place = _world(world, data_dir, config)
    return ask(_folder(data_dir, config), Rulebook(place, text, dry))


def _world(world: str | None, data_dir: Path | None, config: Path | None) -> str:
    """Return the world that is named, else the only one that there is."""
    from bridge.control import Health, Pairings, ask

    if world is not None:
        return world
    common.quiet()
    folder = _folder(data_dir, config)
    names: dict[str, str] = dict.fromkeys(ask(folder, Health())["worlds"], "")
    names |= {client["world"]: client["world_name"] for client in ask(folder, Pairings())["clients"]}
    if len(names) == 1:
        return next(iter(names))
    if not names:
        raise UsageError("The bridge knows no world yet. Pair Foundry with it first: bridge serve")
    there = ", ".join(f"{id} ({name})" if name else id for id, name in names.items())
    raise UsageError(f"Say which world you mean, with --world: {there}.")


def _folder(data_dir: Path | None, config: Path | None) -> Path:
    return common.settings(data_dir, config).folder


def _named(name: str) -> str:
    """Return the text of a rulebook: one that comes with the bridge, or a file."""
    from bridge.rulebook.book import SHIPPED, shipped_text

    return shipped_text(name) if name in SHIPPED else _text_of(Path(name))


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UsageError(f"There is no rulebook file {file}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"The rulebook {file} is not UTF-8 text: save it as UTF-8.") from error
    except OSError as error:
        raise UsageError(f"The rulebook {file} cannot be read: {error.strerror}.") from error


def _read(text: str) -> Reading:
    from bridge.rulebook.book import check

    return check(text)


def _own(reading: Reading) -> set[str]:
    return set(reading.file.own) if reading.file is not None else set()


def _tell_problems(reading: Reading, file: str) -> None:
    console = common.console()
    for problem in reading.problems:
        console.print(common.plain(problem.told(file)))
    count = len(reading.problems)
    console.print(f"{count} problem{'' if count == 1 else 's'}.")
