"""Restrained.  Rule: CND-14."""

from bridge.engine.catalogue import ADVANTAGE, DISADVANTAGE, Limits, Modifier, Speed
from bridge.engine.conditions import Condition
from bridge.engine.settings import TRUE_FALSE, Setting, Settings


def speed(level: int, settings: Settings) -> Speed | None:
    """CND-14: Speed 0; by setting the page's other sentence, crawling."""
    return None if settings["restrained.crawl"] else Speed(zero=True)


def limits(level: int, settings: Settings) -> Limits | None:
    """CND-14: crawling, by setting."""
    return Limits(crawl=True) if settings["restrained.crawl"] else None


def summary(level: int, settings: Settings) -> str:
    """Say that the heading wins over the page's repeated sentence."""
    crawls = settings["restrained.crawl"]
    move, wins = ("It can only crawl", "this house goes by it") if crawls else ("Speed 0", "its heading wins")
    return (
        f"{move}. Disadvantage on its attacks and Dexterity saves; advantage on attacks on it. "
        f"(The page repeats Prone's crawling here; {wins}.)"
    )


restrained = Condition(
    id="restrained",
    name="Restrained",
    summary=summary,
    modifiers=(
        Modifier("attack", ADVANTAGE, on_me=True),
        Modifier("attack", DISADVANTAGE),
        Modifier("save", DISADVANTAGE, abilities=("dex",)),
    ),
    speed=speed,
    limits=limits,
    # The system sets Speed to 0: whoever crawls has one.
    instead=lambda settings: bool(settings["restrained.crawl"]),
    settings=(Setting("restrained.crawl", False, TRUE_FALSE),),
)
