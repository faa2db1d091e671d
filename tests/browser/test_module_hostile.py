"""Names and texts are words: nothing that anybody writes is run, becomes markup or a key, or forges a line of the log."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.foundry import documents
from tests.browser.table import API, ID, MODULE, Bridge, cards, pair, reach, until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import MakeContext, MakeFoundry
    from tests.browser.foundry.server import FoundryServer

RUNS = (
    "<script>hit()</script>",
    "<img src=x onerror=hit()>",
    "<svg onload=hit()>",
    "<svg><script>hit()</script></svg>",
    '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
    "<iframe src=javascript:parent.hit()></iframe>",
    "<details open ontoggle=hit()>",
    "<video src=x onerror=hit()></video>",
    "<audio src=x onerror=hit()></audio>",
    "<input autofocus onfocus=hit()>",
    "<select autofocus onfocus=hit()></select>",
    "<style onload=hit()></style>",
    "<object data=javascript:hit()></object>",
    "<embed src=javascript:hit()>",
    "<link rel=stylesheet href=x onerror=hit()>",
    "<body onload=hit()>",
    "<a href=javascript:hit()>x</a>",
    "<form action=javascript:hit()><button>x</button></form>",
    "<p onmouseover=hit()>x</p>",
)
AROUND = (
    "{}",
    "Aria {}",
    "{} of the Hills",
    '">{}',
    "'>{}",
    "</p>{}",
    "</title>{}",
    "</textarea>{}",
    "</style>{}",
    "-->{}",
    "<b>{}</b>",
    "{}{}",
    "\t{}",
    "&lt;{}",
)
OTHERS = (
    *("@UUID[Actor.bors]{x}", "@Embed[Actor.bors]", "[[/roll 1d20]]", "[[1d20]]", "[[/save con]]", "&Reference[prone]"),
    *("{{constructor.constructor('hit()')()}}", "${hit()}", "`${hit()}`", "javascript:hit()", "{0}", "{name}", "%s%n"),
    *("__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "length", "null", "undefined", "NaN"),
    *("../../../etc/passwd", "..\\..\\windows\\win.ini", "file:///etc/passwd", "con", "a/b"),
    *("'; DROP TABLE rows; --", '" onmouseover=hit() x="', "' onfocus=hit() autofocus x='", "]]>", "<!--", "<?php"),
    "\u202etxt.exe",
)
HOSTILE = [around.replace("{}", run) for run in RUNS for around in AROUND] + list(OTHERS)
OURS = f".condition-bridge, #{ID}-window, #{ID}-configure"
TRAP = """
globalThis.hits = 0;
globalThis.hit = () => { globalThis.hits++; };
globalThis.alert = globalThis.confirm = globalThis.prompt = globalThis.hit;
"""
LOOK = """(ours) => {
  const odd = "script, iframe, object, embed, video, audio, link, style, body, form[action], a[href^=javascript]";
  const inside = [...document.querySelectorAll(ours)].flatMap((part) => [...part.querySelectorAll("*")]);
  const bad = inside.filter((one) => one.matches(odd) || [...one.attributes].some((each) => each.name.startsWith("on")));
  const before = document.createElement("iframe");
  document.body.append(before);
  const own = Object.getOwnPropertyNames(before.contentWindow.Object.prototype);
  before.remove();
  return {
    hits: globalThis.hits,
    bad: bad.map((one) => one.outerHTML.slice(0, 200)),
    polluted: Object.getOwnPropertyNames(Object.prototype).filter((key) => !own.includes(key)),
  };
}"""
ENRICHED = re.compile(r"\[\[|[@&]\w+\[")


async def clean(page: Page) -> None:
    """Nothing was run, drawn or polluted."""
    assert await page.evaluate(LOOK, OURS) == {"hits": 0, "bad": [], "polluted": []}


async def trapped(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge, *, module_dir: Path = MODULE, **world: Any
) -> tuple[FoundryServer, Page]:
    """A GM who is paired, on a page that counts what runs."""
    server = await foundry(module_dir=module_dir, **world)
    made = await context()
    await made.add_init_script(TRAP)
    gm = await server.open(made, "gm")
    await pair(gm, bridge)
    return server, gm


def crowd(names: list[str]) -> list[dict[str, Any]]:
    """A creature of each name, lying on the ground by an effect of that name."""
    made = []
    for number, name in enumerate(names):
        one = documents.goblin(f"goblin{number:03}", linked=True)
        one["name"] = one["prototypeToken"]["name"] = name
        one["effects"].append(
            {
                "_id": "dnd5eprone000000",
                "name": name,
                "statuses": ["prone"],
                "disabled": False,
                "flags": {},
                "system": {},
            }
            | {"type": "base", "origin": None, "changes": [], "duration": {}, "transfer": False, "img": ""}
        )
        made.append(one)
    return made


def test_there_are_three_hundred_and_each_is_another() -> None:
    assert len(HOSTILE) == len(set(HOSTILE)) == 300


async def test_as_names_of_creatures_and_effects(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server, gm = await trapped(foundry, context, bridge, actors=crowd(HOSTILE), scenes=[documents.scene("tavern", [])])
    await gm.click(f"[data-tool='{ID}-window']")
    rows = f"#{ID}-window [data-list=statuses] .cb-creature bdi"
    await gm.wait_for_function("([place, count]) => document.querySelectorAll(place).length === count", arg=[rows, 300])
    shown = await gm.evaluate("(place) => [...document.querySelectorAll(place)].map((one) => one.textContent)", rows)
    assert sorted(shown) == sorted(HOSTILE)
    for name in ("<script>hit()</script>", "__proto__", "[[1d20]]"):
        await gm.fill(f"#{ID}-window [name=statuses-filter]", name)
    await clean(gm)
    # The bridge has written of them, and no name has begun a line of its own.
    assert len(cards(server, "summary")) == 1
    assert not [line for line in bridge.log.splitlines() if line.startswith(("[error", "<", "__proto__"))]
    assert server.page_errors == []


async def test_as_what_heals_and_as_what_is_said(foundry: MakeFoundry, context: MakeContext, bridge: Bridge) -> None:
    server, gm = await trapped(foundry, context, bridge)
    await gm.evaluate("standin.damage('bors', 15)")
    await gm.evaluate("standin.actor('bors').toggleStatusEffect('bleeding')")
    await until(lambda: cards(server, "conditions"), "the card of Bleeding")
    await gm.evaluate(
        """async (names) => {
          const potion = standin.actor("bors").items.find((item) => item.type === "consumable" && item.system.activities.getByType("heal").length);
          // Foundry's own message of the roll has the name that the potion was made with.
          const plain = potion.name;
          for (const name of names) {
            const message = await standin.healingCard("bors", 3, "item");
            await potion.update({ name });
            await standin.applyCard(message, "bors");
            await potion.update({ name: plain });
          }
        }""",
        HOSTILE,
    )
    await until(lambda: len(cards(server, "refusal")) == 300, "a card for each", 60)
    labels = [card["lines"][0]["data"]["what"] for card in cards(server, "refusal")]
    assert labels == HOSTILE
    stored = [message["content"] for message in server.world.messages if "card" in message["flags"].get(ID, {})]
    assert [content for content in stored if ENRICHED.search(content) or "<script" in content] == []
    for words in HOSTILE[::10]:
        await gm.evaluate("(words) => ui.chat.processMessage(`/drink ${words}`)", words)
    await gm.click(f"[data-tool='{ID}-window']")
    await gm.wait_for_selector(f"#{ID}-window [data-list=denied]")
    await clean(gm)
    assert server.page_errors == []


async def test_as_words_of_a_rulebook(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge, tmp_path: Path
) -> None:
    server, gm = await trapped(foundry, context, bridge)
    # A name has room for 60 letters.
    short = sorted(HOSTILE, key=len)
    book: list[str] = []
    for number, three in enumerate(zip(short[:100], short[100:200], short[200:], strict=True)):
        name, summary, ends = map(json.dumps, three)
        book += [f"[own.own-{number:03}]", f"name = {name}", f"summary = {summary}", f"ends = {ends}"]
    path = tmp_path / "hostile.toml"
    path.write_text("\n".join(book), encoding="utf-8")
    said = await bridge.run("rulebook", "import", str(path), "--yes")
    assert "in force" in said.lower(), said[:500]
    await gm.wait_for_function(
        f"{API}.status().state === 'connected' && game.settings.get('{ID}', 'catalogue').conditions.length > 100"
    )
    await gm.reload()
    await reach(gm, "connected")
    await gm.evaluate(
        f"Promise.all([...Array(100).keys()].map((n) => {API}.apply(standin.actor('mira'), `own-${{String(n).padStart(3, '0')}}`)))"
    )
    await until(lambda: len(cards(server, "conditions")) >= 100, "a card for each", 60)
    await gm.click(f"[data-tool='{ID}-window']")
    await gm.wait_for_selector(f"#{ID}-window [data-list=statuses]")
    await clean(gm)
    assert server.page_errors == []


async def test_a_module_that_parses_markup_would_be_seen(
    foundry: MakeFoundry, context: MakeContext, bridge: Bridge, tmp_path: Path
) -> None:
    """Negative control."""
    weak = tmp_path / "weak"
    shutil.copytree(MODULE, weak)
    script = weak / "scripts/text.mjs"
    text = script.read_text()
    line = (
        "  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));\n"
    )
    assert line in text
    parsed = "  for (const child of children.filter(Boolean)) typeof child === 'string' ? element.insertAdjacentHTML('beforeend', child) : element.append(child);\n"
    script.write_text(text.replace(line, parsed))
    runs, nowhere = crowd(["<img src=x onerror=hit()>"]), [documents.scene("tavern", [])]
    _, gm = await trapped(foundry, context, bridge, module_dir=weak, actors=runs, scenes=nowhere)
    await gm.click(f"[data-tool='{ID}-window']")
    await gm.wait_for_function("hits > 0")
    with pytest.raises(AssertionError):
        await clean(gm)
