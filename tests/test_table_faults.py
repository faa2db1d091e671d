"""Links that break, bridges that die, messages that come twice: through a real bridge, and seen by the table."""

from collections.abc import Iterator
from typing import Any

import pytest

from bridge.table.files import ScenarioError
from bridge.table.link import InProcess, Link, LinkBroken
from bridge.table.scenario import parse
from bridge.table.story import NotAtRest, Story

WORLD = "w"


def story(link: Link, *steps: dict[str, Any], actors: dict[str, Any] | None = None) -> Story:
    """Return a story that has begun."""
    found = Story(parse({"title": "x", "actors": actors or {"bors": {}}, "steps": list(steps)}), link)
    found.begin()
    return found


def play(link: Link, *steps: dict[str, Any], actors: dict[str, Any] | None = None) -> Story:
    """Play a story; everything must be as expected."""
    found = story(link, *steps, actors=actors)
    for played in found.play():
        assert played.unmet == [], played.number
    return found


@pytest.fixture
def link() -> Iterator[InProcess]:
    """A bridge of its own."""
    found = InProcess(WORLD, {})
    yield found
    found.close()


DRINK = {"do": "drink", "actor": "bors", "count": 2}
SOBER = {"do": "note", "expect": {"bors": {"level": {"intoxicated": 0}}}}
TIPSY = {"do": "note", "expect": {"bors": {"level": {"intoxicated": 1}}}}


@pytest.mark.parametrize("fault", ["restart-bridge", "kill-bridge", "repeat-last", "reconnect"])
def test_a_drink_counts_once_whatever_happens(link: InProcess, fault: str) -> None:
    play(link, DRINK, TIPSY, {"do": fault}, TIPSY)


def test_lost_answers_come_again(link: InProcess) -> None:
    found = play(link, {"do": "drop-answers"}, DRINK, TIPSY)
    assert found.table.linked


def test_the_last_two_in_swapped_order(link: InProcess) -> None:
    play(link, DRINK, {"do": "eat", "actor": "bors"}, {"do": "reorder-last-two"}, TIPSY)


def test_what_happens_without_a_link_waits(link: InProcess) -> None:
    away = {"do": "disconnect", "expect": {"connected": False}}
    play(link, away, DRINK, SOBER, {"do": "reconnect", "expect": {"connected": True}}, TIPSY)


def test_the_backup_of_a_step_comes_back(link: InProcess) -> None:
    play(link, DRINK, TIPSY, {"do": "restore-world", "step": 1}, SOBER)


def test_a_second_browser_is_turned_away(link: InProcess) -> None:
    play(link, {"do": "second-gm", "expect": {"error": "taken", "connected": True}}, DRINK, TIPSY)


@pytest.mark.parametrize(
    ("text", "code"), [("what?", "invalid"), ('{"type": "dance", "n": 9}', "unknown-type"), ("[]", "invalid")]
)
def test_raw_text_is_answered_and_nothing_is_lost(link: InProcess, text: str, code: str) -> None:
    play(link, {"do": "raw", "message": text, "expect": {"error": code}}, DRINK, TIPSY)


def test_a_fault_that_has_nothing_to_work_on_is_the_files_mistake(link: InProcess) -> None:
    for step in ({"do": "repeat-last"}, {"do": "restore-world", "step": 9}):
        found = story(link, step)
        with pytest.raises(ScenarioError):
            list(found.play())
        found.disconnect()


class Babbler(InProcess):
    """A bridge that never comes to rest."""

    def receive(self) -> list[Any]:
        """Say something, always."""
        said = super().receive()
        return said or [self.parrot]

    parrot: Any = None


def test_a_bridge_that_talks_in_circles_is_found_out(link: InProcess) -> None:
    found = story(link)
    babbler = Babbler(WORLD, {})
    try:
        babbler.parrot = found.link.connect(found.table.about)[1][0]
        with pytest.raises(NotAtRest, match="still talk"):
            story(babbler)
    finally:
        babbler.close()


def test_a_wrong_key_is_refused(link: InProcess) -> None:
    found = story(link)
    found.disconnect()
    link.key = type(link.key)(link.key.client, "0" * 64)
    with pytest.raises(LinkBroken, match="not paired"):
        link.connect(found.table.about)


def test_a_bridge_that_ends_the_link_fails_the_step(link: InProcess) -> None:
    found = story(link, DRINK, {**DRINK, "expect": {"connected": False}})
    link._host.drop(WORLD)
    first, second = found.play()
    assert [unmet.what for unmet in first.unmet] == ["the link"]
    assert second.unmet == []
