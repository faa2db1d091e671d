"""Chat commands (INT-17)."""

import pytest

from bridge.world.commands import BadCommand, Command, parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/drink", Command("drink")),
        ("  /DRINK  ", Command("drink")),
        ("/drink 3", Command("drink", count=3)),
        ("/drink strength=2", Command("drink", strength=2)),
        ("/drink 2 strength=3 willing", Command("drink", count=2, strength=3, willing=True)),
        ("/drink willing 2", Command("drink", count=2, willing=True)),
        ("/drink @Bors the Bold 2", Command("drink", count=2, name="Bors the Bold")),
        ("/drink 2 @Bors willing", Command("drink", count=2, willing=True, name="Bors")),
        ("/eat", Command("eat")),
        ("/eat @Bors the 2nd", Command("eat", name="Bors the 2nd")),
        ("/water", Command("water")),
        ("/conditions @Bors", Command("conditions", name="Bors")),
        ("/drink 1000", Command("drink", count=1000)),
    ],
)
def test_a_command_is_read_in_any_order(text, expected):
    """INT-17."""
    assert parse(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "/dance",
        "/drink 0",
        "/drink 1001",
        "/drink -1",
        "/drink two",
        "/drink strength=",
        "/drink strength=x",
        "/eat 3",
        "/drink ²",
        "/drink 99999999999999999999",
    ],
)
def test_what_cannot_be_read_says_what_to_type(text):
    with pytest.raises(BadCommand, match=r"/drink|/eat|number"):
        parse(text)
