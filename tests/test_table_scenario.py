from pathlib import Path

import pytest

from bridge.table.files import ScenarioError
from bridge.table.scenario import Scenario, load, parse
from bridge.table.steps import Heal

BORS = {"bors": {}}


def told(*steps: dict[str, object], **more: object) -> Scenario:
    """Return a scenario of these steps, with Bors at the table."""
    return parse({"title": "x", "actors": BORS, "steps": list(steps), **more})


def error(*steps: dict[str, object], **more: object) -> str:
    """Return why a scenario cannot be played."""
    with pytest.raises(ScenarioError) as caught:
        told(*steps, **more)
    return str(caught.value)


def test_steps_are_typed_and_defaults_filled_in() -> None:
    scenario = told({"do": "heal", "actor": "bors", "amount": 7, "from": "Cure Wounds"})
    assert scenario.steps[0].step == Heal(actor="bors", amount=7, from_="Cure Wounds")
    assert scenario.world.time == 1_000_000
    assert scenario.world.profile == "v14+dnd5e-5.3"


def test_settings_may_be_nested_or_dotted() -> None:
    nested = told(settings={"bleeding": {"gm-edits": "refused"}, "limits.gm": "refuse"})
    assert nested.settings == {"bleeding.gm-edits": "refused", "limits.gm": "refuse"}


def test_expectations_may_be_nested_in_any_way(tmp_path: Path) -> None:
    files = []
    for number, text in enumerate(
        (
            "expect.bors.hp = 5\nexpect.refused.bors = 7",
            "expect = { bors = { hp = 5 }, refused = { bors = 7 } }",
            "[steps.expect.bors]\nhp = 5\n[steps.expect.refused]\nbors = 7",
        )
    ):
        path = tmp_path / f"{number}.toml"
        path.write_text(f'title = "x"\n[actors.bors]\n[[steps]]\ndo = "note"\n{text}\n', encoding="utf-8")
        files.append(load(path).steps[0].expected)
    assert files[0].general.refused == {"bors": 7}
    assert files[0] == files[1] == files[2]


def test_a_key_may_have_any_letters() -> None:
    scenario = parse(
        {
            "title": "x",
            "actors": {"Ælin Grük.uk 김": {}},
            "steps": [{"do": "eat", "actor": "Ælin Grük.uk 김", "expect": {"Ælin Grük.uk 김": {"hp": 20}}}],
        }
    )
    assert scenario.steps[0].expected.actors["Ælin Grük.uk 김"].hp == 20


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ({"do": "haul"}, "steps[1].do: there is no 'haul': did you mean 'heal'?"),
        ({}, "steps[1]: says nothing to do"),
        ({"do": "heal", "actor": "bors"}, "steps[1] (heal): Object missing required field `amount`"),
        ({"do": "heal", "actor": "bors", "amount": -1}, "steps[1] (heal).amount: Expected `int` >= 0"),
        ({"do": "heal", "actor": "bors", "amount": 1, "mood": 1}, "contains unknown field `mood`"),
        ({"do": "add", "actor": "bors", "condition": "prone", "lasts": "long"}, "steps[1] (add).lasts: I do not"),
        (
            {"do": "add", "actor": "bors", "condition": "prone", "lasts": "end of gob's next turn"},
            "steps[1] (add).lasts: there is no actor 'gob'",
        ),
        (
            {"do": "add", "actor": "bors", "condition": "prone", "lasts": "save xyz 15 at end of turn"},
            "steps[1] (add).lasts: I do not",
        ),
        ({"do": "time", "advance": "soon"}, "steps[1] (time).advance: I do not understand"),
        ({"do": "note", "expect": {"gob": {"hp": 1}}}, "steps[1] (note).expect.gob: is neither an actor nor one of"),
        ({"do": "note", "expect": {"bors": {"hitpoints": 1}}}, "steps[1] (note).expect.bors: Object contains unknown"),
        ({"do": "note", "expect": {"refused": {"gob": 1}}}, "there is no actor 'gob'"),
        ({"do": "note", "expect": {"cards-to": ["world"]}}, "steps[1] (note).expect.cards-to"),
    ],
)
def test_what_is_wrong_is_named_with_its_path(step: dict[str, object], says: str) -> None:
    assert says in error(step)


def test_who_is_named_must_be_at_the_table() -> None:
    assert "combat.order: there is no actor 'gob'" in error(combat={"order": ["bors", "gob"]})
    assert "combat.turn: 'gob' is not in combat.order" in error(combat={"order": ["bors"], "turn": "gob"})
    assert "actors.a.unseen-by: there is no actor 'b'" in error(actors={"a": {"unseen-by": ["b"]}})
    assert "actors.cards: 'cards' is a word of expect" in error(actors={"cards": {}})


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    for content, says in ((b"title = ", "is not TOML"), (b"\xff", "is not UTF-8"), (b"titel = 1", "a.toml: the file")):
        path.write_bytes(content)
        with pytest.raises(ScenarioError, match=says):
            load(path)
    with pytest.raises(ScenarioError, match="cannot be read"):
        load(tmp_path / "missing.toml")
