"""What every command shares: the two options that name a data folder and a settings file, and how text is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bridge.settings import Settings, load

if TYPE_CHECKING:
    from rich.console import Console

DataDir = Annotated[
    Path | None, Parameter(help="Where the database and the secret live (default: the user's data folder).")
]
Config = Annotated[Path | None, Parameter(help="A settings file (TOML).")]


def examples(*lines: str) -> str:
    """Return the end of a command's help."""
    return "Examples:\n\n" + "\n".join(f"    {line}" for line in lines)


def settings(data_dir: Path | None, config: Path | None) -> Settings:
    """Return the settings that these two options lead to."""
    return load({"data_dir": text(data_dir)}, file=config)


def text(path: Path | None) -> str | None:
    """Return a path as a setting takes it."""
    return None if path is None else str(path)


def quiet() -> None:
    """Log only what goes wrong: the command prints its own result."""
    from bridge.log import configure

    configure(Settings(log_level="warning"))


def console() -> Console:
    """Return where commands with colours and tables print."""
    from rich.console import Console

    return Console(soft_wrap=True, highlight=False)


def printable(text: str) -> str:
    """Return text that did not come from us, without what would steer the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def plain(text: str) -> str:
    """Return text that did not come from us for a `console`, so that none of it is taken for markup."""
    from rich.markup import escape

    return escape(printable(text))
