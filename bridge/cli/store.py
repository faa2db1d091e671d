"""The commands about what the bridge keeps: copy it, bring a copy back, and look whether all is well."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from bridge.settings import Settings, load

DataDir = Annotated[
    Path | None, Parameter(help="Where the database and the secret live (default: the user's data folder).")
]
Config = Annotated[Path | None, Parameter(help="A settings file (TOML).")]
NOT_WELL = 1
"""Exit code: something is not as it should be."""


def add_to(app: App) -> None:
    """Teach the command line these commands."""
    app.command(backup, help_epilogue=_examples("bridge backup", "bridge backup before-the-finale.db"))
    app.command(restore, help_epilogue=_examples("bridge restore before-the-finale.db"))
    app.command(doctor, help_epilogue=_examples("bridge doctor"))


def backup(file: Path | None = None, /, *, data_dir: DataDir = None, config: Config = None) -> int:
    """Copy the database, while the bridge runs or not; the copy is checked.  It holds no key.

    Parameters
    ----------
    file:
        Where to; the folder `backups` of the data folder when it is left out.
    """
    from bridge.control import Backup, ask

    settings = _settings(data_dir, config)
    made = ask(settings.folder, Backup(str(file.absolute()) if file else ""))["file"]
    print(f"Copied to {_plain(made)}")
    return 0


def restore(file: Path, /, *, data_dir: DataDir = None, config: Config = None) -> int:
    """Make a copy the database again.  The bridge must be stopped; the present database is kept beside the copies.

    Parameters
    ----------
    file:
        The copy.
    """
    from bridge.cli import care

    settings = _settings(data_dir, config)
    kept = care.restore(settings.folder, file)
    print(f"Restored from {_plain(str(file))}.")
    if kept:
        print(f"What was there before: {_plain(kept)}")
    return 0


def doctor(*, data_dir: DataDir = None, config: Config = None) -> int:
    """Look whether all is well, and say what is not; the text can go into a report, no secret is in it."""
    from bridge.cli import care

    findings = care.examine(_settings(data_dir, config))
    for finding in findings:
        print(f"{'ok ' if finding.good else '!! '} {_plain(finding.text)}")
    return 0 if all(finding.good for finding in findings) else NOT_WELL


def _settings(data_dir: Path | None, config: Path | None) -> Settings:
    from bridge.log import configure

    configure(Settings(log_level="warning"))
    return load({"data_dir": str(data_dir) if data_dir else None}, file=config)


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _examples(*lines: str) -> str:
    return "Examples:\n\n" + "\n".join(f"    {line}" for line in lines)
