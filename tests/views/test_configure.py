"""The view of the house rules, and the message that puts others in force, against a whole bridge without sockets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bridge import protocol as p
from bridge import views
from bridge.decode import encode
from bridge.host import Host
from bridge.rulebook.pages import PAGES, version
from bridge.session import Session
from tests.creatures import creature, effect
from tests.desk import GM, PLAYER
from tests.peer import opened, unpack

BORS = msgspec.structs.replace(creature(effect("bleeding")), id="Actor.bors", name="Bors", owned=True)


class Table:
    """A GM's browser that talks with a bridge."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.session: Session
        self.n = 0
        self.begin()

    def begin(self) -> None:
        """Connect and show the world."""
        key = self.host.pair(world="w", origin="http://localhost:30000")
        self.session, _ = opened(self.host, key=key)
        self.n = 0
        self.say(p.Picture(1, (BORS,), clock=0, page=1, pages=1))

    def say(self, message: Any) -> list[dict[str, Any]]:
        """Send a message, return the answers."""
        return unpack(self.host.exchange(self.session, encode(message)))

    def look(self, page: str, by: p.By = GM, **about: Any) -> p.View:
        """Ask for a page; ``__`` in a key stands for a dot."""
        asked = {key.replace("__", "."): value for key, value in about.items()}
        (answer,) = self.say(p.Ask("q", "configure", by, {"page": page, **asked}))
        return msgspec.convert(answer, p.Answer).view

    def put(self, control: p.Control, id: str = "m", by: p.By = GM) -> list[dict[str, Any]]:
        """Press the button that puts it in force."""
        assert control.type == "configured"
        self.n += 1
        data = msgspec.json.decode(msgspec.json.encode(control.data))
        return self.say(
            msgspec.convert({"type": "configured", "n": self.n + 1, "id": id, "by": by, **data}, p.Configured)
        )

    @property
    def text(self) -> str:
        return self.host.world_settings.text("w")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Host.open(tmp_path) as host:
        yield Table(host)


def changes(view: p.View) -> list[str]:
    found = [part for part in view.parts if isinstance(part, p.Rows) and part.id == "changes"]
    return [row.lines[0].text for row in found[0].rows] if found else []


def control(view: p.View, id: str) -> p.Control:
    for part in view.parts:
        for one in getattr(part, "controls", ()):
            if one.id == id:
                return one  # type: ignore[no-any-return]
    raise KeyError(id)


def notes(view: p.View) -> list[tuple[str, str]]:
    return [(part.line.key, part.line.text) for part in view.parts if isinstance(part, p.Note)]


def fields(view: p.View) -> dict[str, p.Field]:
    return {field.key: field for part in view.parts if isinstance(part, p.Form) for field in part.fields}


def types(said: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in said]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_shows_what_holds_and_leads_to_the_others(table: Table, page: str) -> None:
    view = table.look(page)
    assert [one.id for one in view.controls] == [f"page-{id}" for id in PAGES]
    assert [one.id for one in view.controls if one.current] == [f"page-{page}"]
    assert bool(fields(view)) is (page not in {"modules", "connection"})
    assert changes(view) == []
    assert {key for key, _ in notes(view)} <= {"modules-hint"}


def test_an_answer_is_shown_first_and_changes_nothing(table: Table) -> None:
    view = table.look("bleeding", version=version(""), bleeding__ends_on=["x"])
    assert notes(view) == [("no-change", "That is what holds already.")]
    view = table.look("bleeding", **{"bleeding.ends-on": ["long-rest"], "version": version("")})
    assert changes(view)[0] == "Ends by itself with: a long rest, no longer nothing."
    assert fields(view)["bleeding.ends-on"].value == ("long-rest",)
    assert table.text == ""


def test_what_is_put_in_force_acts_at_once_and_is_announced(table: Table) -> None:
    view = table.look(
        "conditions", **{"conditions.bleeding.name": "Gushing", "group": "bleeding", "version": version("")}
    )
    assert "Bleeding is called Gushing (Bors)." in changes(view)
    said = table.put(control(view, "put"))
    assert {"catalogue", "ack"} <= set(types(said))
    catalogue = next(message for message in said if message["type"] == "catalogue")
    assert "Gushing" in {entry["name"] for entry in catalogue["conditions"]}
    assert 'name = "Gushing"' in table.text
    again = table.look("conditions", put="m")
    assert notes(again) == [("in-force", "It is in force.")]
    assert fields(again)["conditions.bleeding.name"].value == "Gushing"
    # The same message once more is the same change.
    assert "catalogue" not in types(table.put(control(view, "put")))


def test_it_is_on_disk_before_it_is_acknowledged(table: Table, tmp_path: Path) -> None:
    table.put(control(table.look("others", **{"bloodied.at-zero": False}), "put"))
    table.host.close()
    with Host.open(tmp_path) as again:
        assert again.world_settings.rulebook("w").settings["bloodied.at-zero"] is False
        assert again.world("w").before == ""
        again.world("w")


def test_an_older_state_is_not_written_over(table: Table) -> None:
    mine = table.look("bleeding", **{"bleeding.gm-edits": "refused", "version": version("")})
    theirs = table.look("table", **{"limits.gm": "off"})
    table.put(control(theirs, "put"), "theirs")
    said = table.put(control(mine, "put"), "mine")
    assert [message["code"] for message in said if message["type"] == "error"] == ["conflict"]
    assert "gm-edits" not in table.text
    # Looked at again, it is told and can be put in force.
    view = table.look("bleeding", **{"bleeding.gm-edits": "refused", "version": version("")})
    assert [key for key, _ in notes(view)] == ["rules-moved"]
    table.put(control(view, "put"), "again")
    assert 'limits.gm" = "off"' in table.text
    assert 'gm-edits" = "refused"' in table.text


def test_what_is_wrong_stands_at_its_field_and_changes_nothing(table: Table) -> None:
    view = table.look("others", **{"ignited.damage": "lots"})
    problem = fields(view)["ignited.damage"].problem
    assert problem is not None
    assert '"lots" cannot be rolled' in problem.text
    assert fields(view)["ignited.damage"].value == "lots"
    assert [key for key, _ in notes(view)] == ["not-yet"]
    with pytest.raises(KeyError):
        control(view, "put")
    forced = p.Control(
        "put", p.Line("x", "x"), "configured", {"version": version(""), "changes": {"ignited.damage": "lots"}}
    )
    said = table.put(forced)
    assert "cannot be rolled" in next(message for message in said if message["type"] == "error")["message"]
    assert table.text == ""


@pytest.mark.parametrize("by", [PLAYER])
def test_a_player_sees_and_changes_nothing(table: Table, by: p.By) -> None:
    (answer,) = table.say(p.Ask("q", "configure", by, {}))
    assert answer["code"] == "not-allowed"
    view = table.look("table", **{"limits.gm": "off"})
    said = table.put(control(view, "put"), by=by)
    assert [message["code"] for message in said if message["type"] == "error"] == ["not-allowed"]
    assert table.text == ""


def test_a_file_is_looked_at_before_it_is_in_force(table: Table) -> None:
    text = 'name = "Saltmarsh"  # ours\n[settings]\nlimits.gm = "off"\n'
    view = table.look("file", text=text, version=version(""))
    assert changes(view)[0] == "What a condition forbids, for the GM: off, no longer warned of."
    table.put(control(view, "put"))
    assert table.text == text
    export = control(table.look("file"), "export")
    assert export.type == "save"
    assert export.data == {"name": "Saltmarsh.toml", "text": text}


def test_a_wrong_file_is_refused_with_every_line(table: Table) -> None:
    view = table.look("file", text='[settings]\nlimits.gm = "wran"\nrolls.mood = 1\n')
    assert [text for key, text in notes(view) if key == "problem"] == [
        "rulebook:2: settings.limits.gm: must be one of off, warn, refuse, not 'wran': did you mean \"warn\"?",
        'rulebook:3: settings.rolls.mood: there is no such setting: did you mean "rolls.mode"?',
    ]


def test_the_last_change_is_undone_and_that_as_well(table: Table) -> None:
    with pytest.raises(KeyError):
        control(table.look("file"), "back")
    table.put(control(table.look("table", **{"limits.gm": "off"}), "put"), "a")
    view = table.look(**control(table.look("file"), "back").data["about"])
    assert changes(view)[0] == "What a condition forbids, for the GM: warned of, no longer off."
    table.put(control(view, "put"), "b")
    assert table.text == ""
    view = table.look(**control(table.look("file"), "back").data["about"])
    table.put(control(view, "put"), "c")
    assert table.host.world_settings.rulebook("w").settings["limits.gm"] == "off"


def test_what_is_particular_about_a_creature_is_set_on_it(table: Table) -> None:
    view = table.look("intoxicated")
    rows = next(part for part in view.parts if isinstance(part, p.Rows) and part.id == "drinkers").rows
    assert [(row.actor, row.lines[0].text) for row in rows] == [("Actor.bors", "Tolerance: 0")]
    assert (rows[0].controls[0].type, rows[0].controls[0].data) == ("habits", {"actor": "Actor.bors"})


def test_what_is_more_than_a_window_sends_is_refused(table: Table) -> None:
    said = table.say(p.Ask("q", "configure", GM, {"page": "file", "text": "x" * 200_001}))
    assert said[0]["code"] == "invalid"
    assert isinstance(views.answer(table.host.world("w"), p.Ask("q", "nonsense", GM)), p.Error)
