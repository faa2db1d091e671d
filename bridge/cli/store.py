"""The commands about what the bridge keeps: copy it, bring a copy back, and look whether all is well."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from bridge.cli import common
from bridge.cli.common import Config, DataDir

NOT_WELL = 1
"""Exit code: something is not as it should be."""


def add_to(app: App) -> None:
    """Teach the command line these commands."""
    app.command(backup, help_epilogue=common.examples("bridge backup", "bridge backup before-the-finale.db"))
    app.command(restore, help_epilogue=common.examples("bridge restore before-the-finale.db"))
    app.command(doctor, help_epilogue=common.examples("bridge doctor"))


def backup(file: Path | None = None, /, *, data_dir: DataDir = None, config: Config = None) -> int:
    """Copy the database, while the bridge runs or not; the copy is checked.  It holds no key.

    Parameters
    ----------
    file:
        Where to; the folder `backups` of the data folder when it is left out.
    """
    from bridge.control import Backup, ask

    common.quiet()
    settings = common.settings(data_dir, config)
    made = ask(settings.folder, Backup(str(file.absolute()) if file else ""))["file"]
    print(f"Copied to {common.printable(made)}")
    return 0


def restore(file: Path, /, *, data_dir: DataDir = None, config: Config = None) -> int:
    """Make a copy the database again.  The bridge must be stopped; the present database is kept beside the copies.

    Parameters
    ----------
    file:
        The copy.
    """
    from bridge.cli import care

    common.quiet()
    settings = common.settings(data_dir, config)
    kept = care.restore(settings.folder, file)
    print(f"Restored from {common.printable(str(file))}.")
    if kept:
        print(f"What was there before: {common.printable(kept)}")
    return 0


def doctor(*, data_dir: DataDir = None, config: Config = None) -> int:
    """Look whether all is well, and say what is not; the text can go into a report, no secret is in it."""
    from bridge.cli import care

    common.quiet()
    findings = care.examine(common.settings(data_dir, config))
    for finding in findings:
        print(f"{'ok ' if finding.good else '!! '} {common.printable(finding.text)}")
    return 0 if all(finding.good for finding in findings) else NOT_WELL
