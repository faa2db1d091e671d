"""The module's evaluator of the catalogue agrees with the bridge's, over generated creatures, rolls and changes.

It needs no browser: the evaluator is a pure script, and Node runs it.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bridge.engine import modifiers
from bridge.engine.catalogue import Catalogue
from bridge.engine.profiles import PROFILES
from bridge.engine.publish import publish
from bridge.engine.state import Actor, HitPoints
from bridge.rules import rulebook

COUNT = 10_000
SCRIPT = Path(__file__).resolve().parents[2] / "foundry-module" / "scripts" / "evaluate.mjs"
RUNNER = """
const m = await import(process.argv[1]);
const { catalogues, vectors } = JSON.parse(await new Response(process.stdin).text());
const results = vectors.map(v => {
  const c = catalogues[v.catalogue];
  const { given, offered } = m.evaluate(c, v.roller, v.roll, v.target, v.facts);
  const name = one => one.condition + " " + one.modifier.gives + " " + (one.modifier.value ?? 0);
  return { gives: m.sum(given).sort(), given: given.map(name), offered: offered.map(name),
    refused: m.refusedHealing(c, v.roller, v.before, v.after, v.cause, v.rise), speed: m.speedAfter(c, v.roller, v.roller.speed ?? 30),
    limits: m.limitsOn(c, v.roller).map(one => [one.entry.id, Object.keys(one.limits).sort()]),
    distance: m.distance(v.roller.place, v.target?.place) };
});
process.stdout.write(JSON.stringify(results));
"""
ROLLS = [
    "attack.melee",
    "attack.ranged",
    "check.str",
    "check.dex",
    "check.wis.insight",
    "check.wis.perception",
    "check.cha.intimidation",
    "check.cha.deception",
    "save.str",
    "save.dex",
    "save.int",
    "save.con.concentration",
    "save.wis.vs-frightened",
    "save.death",
    "initiative",
]
CAUSES = [
    "unknown",
    "hit-die",
    "long-rest",
    "short-rest",
    "rest-feature",
    "spell",
    "item",
    "feature",
    "gm-edit",
    "player-edit",
    "allow",
    "form",
    "death-save",
]


def creature(dice: random.Random, id: str, other: str, statuses: list[str]) -> Actor:
    """A creature with a few effects, some of them disabled, forced, levelled, or with a source."""
    effects = []
    for number in range(dice.choice((0, 1, 1, 2, 2, 3, 4))):
        mark = None
        if dice.random() < 0.7:
            mark = {"level": dice.randint(1, 7), "forced": dice.random() < 0.2}
            if dice.random() < 0.5:
                mark["source"] = dice.choice((other, "Actor.third"))
        carried = dice.sample(statuses, dice.choice((1, 1, 1, 2)))
        effects.append({"id": f"e{number}", "statuses": carried, "disabled": dice.random() < 0.15, "mark": mark})
    top = dice.randint(0, 40)
    return msgspec.convert(
        {
            "id": id,
            "hp": {"value": dice.randint(0, max(1, top)), "max": top, "tempmax": dice.choice((0, 0, 5, -5))},
            "speed": dice.choice((0, 25, 30, 35)),
            "conditionImmunities": dice.sample(statuses, dice.choice((0, 0, 0, 1, 2))),
            "effects": effects,
            "place": None
            if dice.random() < 0.2
            else {
                "scene": dice.choice("ab"),
                "x": 2.5 * dice.randint(0, 12),
                "y": 5 * dice.randint(0, 6),
                "size": dice.choice((2.5, 5, 10)),
                "elevation": dice.choice((0, 0, 0, 5, -2.5)),
            },
        },
        Actor,
    )


def vector(dice: random.Random, catalogues: list[Catalogue]) -> tuple[dict[str, Any], dict[str, Any]]:
    """One question, and the bridge's answer to it."""
    which = dice.randrange(len(catalogues))
    catalogue = catalogues[which]
    statuses = [entry.id for entry in catalogue.conditions] + ["dead", "concentrating"]
    roller = creature(dice, "Actor.roller", "Actor.target", statuses)
    target = creature(dice, "Actor.target", "Actor.roller", statuses) if dice.random() < 0.8 else None
    maybe = (True, False, None)
    facts = modifiers.Facts(
        distance=dice.choice((None, 5.0, 10.0, 30.0)),
        roller_seen=dice.choice(maybe),
        target_seen=dice.choice(maybe),
        sources_seen={
            ref: dice.random() < 0.5 for ref in ("Actor.target", "Actor.roller", "Actor.third") if dice.random() < 0.6
        },
    )
    assert roller.hp is not None
    before = roller.hp
    after = HitPoints(
        value=before.value + dice.randint(-5, 15),
        max=before.max + dice.choice((0, 0, 3)),
        temp=dice.randint(0, 3),
        tempmax=before.tempmax,
    )
    roll, cause, rise = dice.choice(ROLLS), dice.choice(CAUSES), dice.choice((0, 0, 4))
    outcome = modifiers.evaluate(catalogue, roller, roll, target, facts)
    # On the wire a list of limits has only what holds.
    limits = [
        [entry.id, sorted(k for k, v in msgspec.to_builtins(limits).items() if v)]
        for entry, limits in modifiers.limits_on(catalogue, roller)
    ]

    def named(given: tuple[modifiers.Given, ...]) -> list[str]:
        return [f"{one.condition} {one.modifier.gives} {one.modifier.value}" for one in given]

    answer = {
        "gives": sorted(outcome.gives),
        "given": named(outcome.given),
        "offered": named(outcome.offered),
        "refused": modifiers.refused_healing(catalogue, roller, before, after, cause, rise),
        "speed": modifiers.speed_of(catalogue, roller),
        "limits": limits,
        "distance": modifiers.distance(roller.place, target.place if target else None),
    }
    question = {
        "catalogue": which,
        "roller": roller,
        "target": target,
        "roll": roll,
        "facts": {
            "distance": facts.distance,
            "rollerSeen": facts.roller_seen,
            "targetSeen": facts.target_seen,
            "sourcesSeen": facts.sources_seen,
        },
        "before": before,
        "after": after,
        "cause": cause,
        "rise": rise,
    }
    return question, answer


def test_both_evaluators_agree() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.fail("Node is needed to run the module's evaluator")
    dice = random.Random(20)
    books = [rulebook({"bleeding.max-rise": "refused", "rolls.mode": "enforce"}), rulebook()]
    catalogues = [publish(book, profile) for book in books for profile in (None, *PROFILES)]
    vectors = [vector(dice, catalogues) for _ in range(COUNT)]
    text = msgspec.json.encode({"catalogues": catalogues, "vectors": [question for question, _ in vectors]})
    run = subprocess.run(
        [node, "--input-type=module", "-e", RUNNER, SCRIPT.as_uri()],
        input=text,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr.decode()
    found = json.loads(run.stdout)
    for number, ((question, answer), got) in enumerate(zip(vectors, found, strict=True)):
        assert got == answer, f"vector {number}: {msgspec.json.encode(question).decode()}"
    # The vectors are no empty ones.
    assert sum(bool(a["given"]) for _, a in vectors) > COUNT / 8
    assert sum(bool(a["offered"]) for _, a in vectors) > COUNT / 20
    assert sum(bool(a["refused"]) for _, a in vectors) > COUNT / 50
