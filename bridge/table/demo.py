"""``bridge demo``: plays a short evening in the terminal.  Everything it tells comes from the messages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from bridge.protocol import Apply, AskRoll, UpdateCard

from .files import ScenarioError
from .run import link_for
from .scenario import load
from .steps import Note, Time
from .story import Played, Story
from .table import Record
from .tell import card, operation, state, tell_actors, words

AUDIENCES = {"gm": "for the GM", "owner": "for its owner", "all": "for all"}


def main(path: Path | str | None = None) -> int:
    """Play the evening, or another scenario file; return the exit code."""
    console = Console(highlight=False)
    if path is not None:
        return play(Path(path), console)
    with as_file(files("bridge.table") / "evening.toml") as shipped:
        return play(shipped, console)


def play(path: Path, console: Console) -> int:
    """Play one file for somebody who watches."""
    try:
        scenario = load(path)
    except ScenarioError as error:
        console.print(f"[bold red]{escape(str(error))}[/]")
        return 1
    link = link_for(scenario)
    try:
        story = Story(scenario, link)
        tell_actors(console, story)
        story.begin()
        unmet = 0
        for played in story.play():
            _tell(console, story, played)
            unmet += len(played.unmet)
    finally:
        link.close()
    console.print("\n[dim]Every decision above was made by a real bridge, from what the table showed it.[/]")
    return 1 if unmet else 0


def _tell(console: Console, story: Story, played: Played) -> None:
    step, record, table = played.told.step, played.record, story.table
    if isinstance(step, Note):
        console.print(Padding(f"[italic]{escape(step.text)}[/]", (1, 0, 0, 0)))
        return
    time = f" [dim]({_clock(table.documents.clock)})[/]" if isinstance(step, Time) else ""
    console.print(f"\n[bold cyan]{escape(words(step))}[/]{time}")
    lines = [*_refusals(story, record), *_decisions(story, record), *_cards(record)]
    lines += [f"[red]{escape(error.message)}[/]" for error in record.errors]
    for line in lines or ["[dim]nothing to decide[/]"]:
        console.print(f"  {line}")
    who = getattr(step, "actor", None)
    if isinstance(who, str) and who in table.keys and table.keys[who] in table.documents.actors:
        console.print(f"  [dim]{escape(state(table, table.actor(who)))}[/]")
    for unmet in played.unmet:
        console.print(f"  [bold red]{escape(str(unmet))}[/]")


def _refusals(story: Story, record: Record) -> Iterator[str]:
    for ref, amount in record.refused.items():
        yield f"[red]refused[/] {amount} hit points of {escape(_name(story, ref))}, before they were written"


def _decisions(story: Story, record: Record) -> Iterator[str]:
    for ref, each in record.operations:
        if not isinstance(each, AskRoll):
            yield f"[yellow]decides[/] {escape(_name(story, ref))}: {escape(operation(each))}"


def _cards(record: Record) -> Iterator[str]:
    for ask in record.asked:
        yield f"[magenta]asks[/] {escape(card(ask.card))}"
    for posted in record.cards:
        yield f"[green]card[/] {AUDIENCES[posted.audience]}: {escape(card(posted))}"
    for message in record.story:
        if isinstance(message, Apply):
            for each in message.operations:
                if isinstance(each, UpdateCard):
                    yield f"[green]on the card[/] {escape(each.outcome.text)}"


def _name(story: Story, ref: str) -> str:
    return story.table.key_of(ref) or ref


def _clock(seconds: int) -> str:
    return f"{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}"
