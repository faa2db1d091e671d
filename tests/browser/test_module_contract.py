"""What the module relies on: the hooks it listens to, by name and arguments, and the walls between its files."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.browser.foundry.profiles import PROFILES
from tests.browser.table import MODULE, seat

if TYPE_CHECKING:
    from tests.browser.conftest import MakeContext, MakeFoundry

SCRIPTS = sorted((MODULE / "scripts").glob("*.mjs"))

DOCUMENT = {
    "preCreate": "document data options user",
    "preUpdate": "document changed options user",
    "create": "document options user",
    "update": "document changed options user",
    "delete": "document options user",
}
"""Core's document hooks: the same arguments for every kind of document. [core, from the community's type definitions]"""

HOOKS = {
    # Our own: the catalogue has changed, or the pause switch was thrown.
    "condition-bridge.rules": "",
    # Core.
    "init": "",
    "setup": "",
    "ready": "",
    "chatMessage": "log text data",
    "getChatMessageContextOptions": "log entries",
    "getHeaderControlsApplicationV2": "app controls",
    "getSceneControlButtons": "controls",
    "moveToken": "token movement operation user",
    "preMoveToken": "token movement operation",
    "renderActorSheetV2": "app html context options",
    "renderChatMessageHTML": "message html context",
    "renderRollConfigurationDialog": "app html context options",
    "renderTokenHUD": "hud html context options",
    "updateWorldTime": "time delta options user",
    "userConnected": "user connected",
    # Our own.
    "condition-bridge.news": "",
    "condition-bridge.state": "status",
    # dnd5e 5.3.3: module/dice/basic-roll.mjs
    "dnd5e.preRollV2": "config dialog message",
    "dnd5e.postRollConfiguration": "rolls config dialog message",
    # module/documents/actor/actor.mjs
    "dnd5e.preApplyDamage": "actor amount updates options",
    "dnd5e.preBeginConcentrating": "actor item data activity",
    "dnd5e.preConfigureInitiative": "actor config",
    "dnd5e.preRestCompleted": "actor result config",
    "dnd5e.restCompleted": "actor result config",
    "dnd5e.longRest": "actor config",
    "dnd5e.shortRest": "actor config",
    "dnd5e.rollDeathSave": "rolls details",
    "dnd5e.rollHitDie": "rolls details",
    # module/documents/activity/mixin.mjs
    "dnd5e.postUseActivity": "activity usage results",
    "dnd5e.preUseActivity": "activity usage dialog message",
}
"""Facts about hooks: names and the order of their arguments."""


def arguments(hook: str) -> str | None:
    """The arguments of a hook that we know."""
    if hook in HOOKS:
        return HOOKS[hook]
    stem = re.match(r"(preCreate|preUpdate|create|update|delete)[A-Z]", hook)
    return DOCUMENT[stem[1]] if stem else None


@cache
def text(name: str) -> str:
    """A script without its comments."""
    return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", (MODULE / "scripts" / name).read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("profile", PROFILES)
async def test_every_hook_is_known_and_has_one_listener(
    profile: str, foundry: MakeFoundry, context: MakeContext
) -> None:
    server = await foundry(profile, module_dir=MODULE)
    bare = await foundry(profile)
    counted = "Object.fromEntries(Object.entries(Hooks.events).map(([name, list]) => [name, list.length]))"
    gm, without = await seat(server, context, "gm"), await seat(bare, context, "gm")
    ours, theirs = await gm.evaluate(counted), await without.evaluate(counted)
    added = {name: number - theirs.get(name, 0) for name, number in ours.items() if number > theirs.get(name, 0)}
    assert len(added) > 40
    assert {name for name in added if arguments(name) is None} == set()
    assert {name for name, number in added.items() if number != 1} == set()
    # No hook twice for one roll: neither its own, nor the general one without V2.
    rolls = {name for name in added if re.match(r"dnd5e\.(pre|post)(?!Rest)\w*Roll", name)}
    assert rolls == {"dnd5e.preRollV2", "dnd5e.postRollConfiguration"}


def test_no_handler_wants_more_than_its_hook_gives() -> None:
    for path in SCRIPTS:
        source = text(path.name)
        table = re.search(r"export const hooks = \{(.*?)\n?\};", source, re.DOTALL)
        if table is None:
            continue
        for hook, handler in re.findall(r'"?([\w.]+)"?:\s*(\w+)', table[1]):
            made = re.search(rf"function {handler}\(([^)]*)\)", source)
            if made is None or arguments(hook) is None:
                continue
            wanted = [one for one in re.split(r",\s*(?![^{]*\})", made[1]) if one.strip()]
            given = (arguments(hook) or "").split()
            assert len(wanted) <= len(given), (path.name, hook, wanted, given)


def test_one_file_knows_the_systems_paths() -> None:
    assert [path.name for path in SCRIPTS if re.search(r"[\"'`]system\.|(?<!game)\.system\b", text(path.name))] == [
        "dnd5e.mjs"
    ]
    assert [path.name for path in SCRIPTS if "system.attributes" in text(path.name)] == ["dnd5e.mjs"]


def test_one_file_knows_the_socket() -> None:
    assert [path.name for path in SCRIPTS if "WebSocket" in text(path.name)] == ["link.mjs"]


def test_one_place_listens() -> None:
    """`hooks.mjs` puts one listener on each hook; rests of this table's own types are named at run time."""
    listening = [path.name for path in SCRIPTS if re.search(r"\bHooks\b.*\.(on|once)\b", text(path.name))]
    assert listening == ["commands.mjs", "hooks.mjs"]


def test_the_module_stays_small_and_parses_no_markup() -> None:
    lines = [line for path in SCRIPTS for line in text(path.name).splitlines() if line.strip()]
    assert len(lines) < 3500
    assert [path.name for path in SCRIPTS if "innerHTML" in text(path.name)] == []
