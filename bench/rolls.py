"""How long the module takes over one roll, in Chromium, among 200 tokens with 500 effects: `python -m bench.rolls`.

It times what the module adds: its handler of the general hook before a roll, with the catalogue of 2024 in force. The
limit that we set ourselves is 1 ms; which creatures are looked at is counted in `tests/browser/test_module_rolls.py`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.async_api import async_playwright

from tests.browser.chromium import executable
from tests.browser.foundry import documents
from tests.browser.foundry.merge import Json
from tests.browser.foundry.server import FoundryServer
from tests.browser.foundry.world import World
from tests.browser.table import MODULE

TOKENS, EFFECTS, ROUNDS = 200, 500, 2000
STATUSES = ("prone", "poisoned", "stunned", "restrained", "invisible", "blinded", "grappled", "frightened")
LIMIT = 1.0

TIME = """
async rounds => {
  const actor = standin.actor("bors"), weapon = actor.items.getName("Longsword");
  const activity = weapon.system.activities.getByType("attack")[0];
  standin.target("goblin");
  const [handler] = Hooks.events["dnd5e.preRollV2"].map(one => one.fn);
  const times = [];
  for ( let round = 0; round < rounds; round++ ) {
    const config = { subject: activity, hookNames: ["attack", "d20Test", ""], rolls: [{ options: {} }] };
    const start = performance.now();
    for ( let ten = 0; ten < 10; ten++ ) handler(config, {}, { data: {} });
    times.push((performance.now() - start) / 10);
  }
  times.sort((a, b) => a - b);
  const at = share => times[Math.floor(share * (times.length - 1))];
  return { median: at(0.5), p99: at(0.99), most: at(1) };
}
"""


def crowd() -> list[Json]:
    """Bors, the goblin that he attacks, and everyone around them."""
    cast = [documents.fighter("bors", owner="ann"), documents.goblin()]
    cast += [documents.goblin(f"g{number}") for number in range(TOKENS - len(cast))]
    for number in range(EFFECTS):
        status = STATUSES[number % len(STATUSES)]
        effect = {"_id": documents.stable_id(f"e{number}"), "name": status, "statuses": [status], "flags": {}}
        cast[number % TOKENS]["effects"].append(effect)
    return cast


async def main() -> dict[str, float]:
    """Time it, and return milliseconds."""
    cast = crowd()
    tokens = [documents.token(actor, at=(number % 20, number // 20)) for number, actor in enumerate(cast)]
    world = World(users=[documents.user("gm", gm=True)], actors=cast, scenes=[documents.scene("field", tokens)])
    async with async_playwright() as playwright, FoundryServer("v14+dnd5e-6", world=world, module_dir=MODULE) as server:
        browser = await playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        page = await server.open(await browser.new_context(), "gm")
        found: dict[str, float] = await page.evaluate(TIME, ROUNDS)
        await browser.close()
    return found


if __name__ == "__main__":
    result = asyncio.run(main())
    print(json.dumps({f"{key} (ms)": round(value, 3) for key, value in result.items()}))
    sys.exit(result["median"] > LIMIT)
