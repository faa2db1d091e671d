from __future__ import annotations

import pytest

from bridge.engine.settings import BadSetting
from bridge.house import Houses
from bridge.store.sqlite import SqliteStore


def houses(store: SqliteStore | None = None) -> tuple[Houses, list[str]]:
    changed: list[str] = []
    return Houses(store or SqliteStore(), None, changed.append), changed


def test_a_world_for_which_nothing_is_set_has_the_standard_rulebook() -> None:
    found, changed = houses()
    assert found["w"] == {}
    assert found.rulebook("w").name == "house-rules"
    assert changed == []


def test_what_is_set_is_in_the_store_and_told() -> None:
    store = SqliteStore()
    found, changed = houses(store)
    found["w"] = {"rolls.mode": "off"}
    again, _ = houses(store)
    assert again["w"] == {"rolls.mode": "off"}
    assert again.rulebook("w").settings["rolls.mode"] == "off"
    assert again["v"] == {}
    assert changed == ["w"]


def test_what_does_not_fit_changes_nothing() -> None:
    found, changed = houses()
    with pytest.raises(BadSetting, match="no such setting"):
        found["w"] = {"rolls.mood": "off"}
    assert found["w"] == {}
    assert changed == []


def test_a_world_is_forgotten() -> None:
    found, _ = houses()
    found["w"] = {"rolls.mode": "off"}
    found.forget("w")
    found.forget("never")
    assert found["w"] == {}


def test_another_maker_of_rulebooks_may_be_given() -> None:
    given: list[dict[str, object]] = []

    def make(settings: dict[str, object]) -> object:
        given.append(settings)
        return "rulebook"

    found = Houses(SqliteStore(), make, lambda _: None)  # type: ignore[arg-type]
    found["w"] = {"anything": 1}
    assert found.rulebook("w") == "rulebook"
    assert given == [{"anything": 1}, {"anything": 1}]
