"""Prone.  Rule: CND-13."""

from bridge.engine.catalogue import ADVANTAGE, DISADVANTAGE, Limits, Modifier, Predicate
from bridge.engine.conditions import Condition

prone = Condition(
    id="prone",
    name="Prone",
    summary="Disadvantage on its attacks. Attacks on it: advantage from within 5 ft, disadvantage from farther. "
    "It can only crawl; standing up costs half its Speed.",
    ends="Ends when it stands up.",
    modifiers=(
        Modifier("attack", DISADVANTAGE),
        Modifier("attack", ADVANTAGE, on_me=True, when=Predicate(within=5)),
        Modifier("attack", DISADVANTAGE, on_me=True, when=Predicate(beyond=5)),
    ),
    limits=Limits(crawl=True),
)
