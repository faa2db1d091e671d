import pytest

from bridge.table.words import Lasting, lasting, span


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 hour", Lasting("seconds", 3600)),
        ("90 seconds", Lasting("seconds", 90)),
        ("2 days", Lasting("seconds", 172_800)),
        ("3 rounds", Lasting("rounds", 3)),
        ("1 round", Lasting("rounds", 1)),
        ("start of goblin's next turn", Lasting("turn-start", creature="goblin")),
        ("end of bors's next turn", Lasting("turn-end", creature="bors")),
        ("end of Éomer's men's next turn", Lasting("turn-end", creature="Éomer's men")),
        ("save con 15 at end of turn", Lasting("save", ability="con", dc=15, moment="end")),
        ("save wis dc 12 at start of turn", Lasting("save", ability="wis", dc=12, moment="start")),
        ("2 Hours", Lasting("seconds", 7200)),
        ("10minutes", Lasting("seconds", 600)),
        ("End of Bors's next turn", Lasting("turn-end", creature="Bors")),
        ("Save CON DC 15 at End of its turn", Lasting("save", ability="con", dc=15, moment="end")),
        ("Long rest", Lasting("long-rest")),
        ("combat", Lasting("combat")),
        ("short rest", Lasting("short-rest")),
        ("long rest", Lasting("long-rest")),
    ],
)
def test_how_long_something_lasts(text: str, expected: Lasting) -> None:
    assert lasting(text) == expected


@pytest.mark.parametrize("text", ["", "an hour", "1 fortnight", "save con at end of turn", "next turn", "-1 hours"])
def test_what_is_not_understood_says_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match="write a number with seconds"):
        lasting(text)


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        (60, 60),
        (-6, -6),
        ("1h", 3600),
        ("-30m", -1800),
        ("1h30m", 5400),
        ("1d", 86_400),
        ("6", 6),
        ("2 hours", 7200),
        ("1H 30M", 5400),
    ],
)
def test_a_jump_of_the_clock(told: int | str, seconds: int) -> None:
    assert span(told) == seconds


@pytest.mark.parametrize("told", ["", "soon", "1x", "h", "1h and a bit"])
def test_a_jump_that_is_not_understood(told: str) -> None:
    with pytest.raises(ValueError, match="do not understand the time"):
        span(told)
