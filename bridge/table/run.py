"""``bridge scenario run``: plays scenario files, one line for each."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, structs
from rich.console import Console
from rich.markup import escape

from bridge.engine.settings import BadSetting
from bridge.errors import BridgeError

from .files import ScenarioError
from .link import InProcess, Link, OverTheWire
from .scenario import Scenario, load
from .story import NotAtRest, Story
from .tell import tell_actors, tell_messages, tell_step


class Outcome(Struct):
    """What came of one file."""

    path: Path
    title: str = ""
    failures: list[str] = []

    @property
    def passed(self) -> bool:
        """Everything was as expected."""
        return not self.failures


def main(
    paths: Sequence[Path | str],
    verbose: bool = False,
    url: str | None = None,
    *,
    folder: Path | None = None,
    rulebook: str | None = None,
) -> int:
    """Play files and folders; return the exit code.

    ``folder``: the data folder of the bridge at ``url``.  ``rulebook``: the text of one to play all of them under.
    """
    console = Console(highlight=False, soft_wrap=True)
    outcomes: list[Outcome] = []
    for path in files(map(Path, paths)):
        outcome = play(path, url=url, folder=folder, console=console if verbose else None, rulebook=rulebook)
        outcomes.append(outcome)
        word = "[green]ok[/]" if outcome.passed else "[bold red]FAILED[/]"
        console.print(f"{word} {escape(str(path))}: {escape(outcome.title)}".rstrip(": "))
        for failure in outcome.failures:
            console.print(f"    {escape(failure)}")
    passed = sum(outcome.passed for outcome in outcomes)
    console.print(f"{passed} passed, {len(outcomes) - passed} failed")
    return 0 if passed == len(outcomes) else 1


def files(paths: Iterable[Path]) -> list[Path]:
    """Return the scenario files, those of folders in order of their names."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return found


def play(
    path: Path,
    *,
    url: str | None = None,
    folder: Path | None = None,
    console: Console | None = None,
    rulebook: str | None = None,
) -> Outcome:
    """Play one file.  ``console``: tell the story there, step by step.  ``rulebook``: play it under this one."""
    outcome = Outcome(path)
    try:
        scenario = load(path)
        if rulebook is not None:
            scenario = structs.replace(scenario, rulebook=rulebook)
        outcome.title = scenario.title
        link = link_for(scenario, url, folder)
        try:
            outcome.failures += _play(scenario, link, console)
        finally:
            link.close()
    except (ScenarioError, BadSetting, BridgeError, NotAtRest) as error:
        outcome.failures.append(str(error))
    return outcome


def link_for(scenario: Scenario, url: str | None = None, folder: Path | None = None) -> Link:
    """Return a bridge to play the scenario with: one of its own, or a running one."""
    if url is None:
        return InProcess(f"scenario-{uuid.uuid4().hex[:12]}", scenario.settings, scenario.rulebook)
    return OverTheWire(url, scenario.settings, folder, scenario.rulebook)


def _play(scenario: Scenario, link: Link, console: Console | None) -> list[str]:
    story = Story(scenario, link)
    if console is not None:
        tell_actors(console, story)
    first = story.begin()
    if console is not None:
        tell_messages(console, story.table, first)
    failures: list[str] = []
    for played in story.play():
        if console is not None:
            tell_step(console, story, played)
        failures += [f"step {played.number} ({played.told.step.do}): {unmet}" for unmet in played.unmet]
    return failures
