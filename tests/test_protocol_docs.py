import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from bridge import protocol
from bridge.decode import Bounds, take, take_first
from bridge.engine.catalogue import Catalogue
from bridge.engine.profiles import PROFILES
from bridge.engine.publish import publish
from bridge.errors import CloseCode, PeerError
from bridge.rules import rulebook
from tools.protocol import examples
from tools.protocol.docs import (
    MADE,
    ROOT,
    all_structs,
    default_catalogue,
    fields,
    meaning,
    name_of,
    pretty,
    typescript,
)
from tools.protocol.words import ERRORS, REACTIONS, WORDS


@pytest.mark.parametrize("name", MADE)
def test_what_is_generated_is_fresh(name: str) -> None:
    found = (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).is_file() else ""
    assert found == MADE[name](), f"{name} is stale: run python -m tools.protocol.docs"


def test_it_is_the_same_in_every_process_and_speaks_of_no_machine() -> None:
    code = "from tools.protocol.docs import MADE; print(''.join(make() for make in MADE.values()))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout.decode()
        for seed in ("1", "2")
    }
    (text,) = runs
    assert not re.search(r"/home/|/root|/tmp|/(?:srv|work)/|[A-Z]:\\\\|\b(?!127\.0\.0\.1)\d+\.\d+\.\d+\.\d+\b", text)


def test_every_message_and_operation_has_an_example_in_the_text() -> None:
    shown = blocks()
    tags = {str(block.get("type") or block.get("op")) for block in shown}
    assert tags == examples.kinds()


def blocks() -> list[dict[str, Any]]:
    """Return the JSON in docs/protocol.md, read anew."""
    text = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", text, re.DOTALL)]


@pytest.mark.parametrize("told", blocks(), ids=lambda told: str(told.get("type") or told.get("op")))
def test_every_example_in_the_text_is_read_by_the_bridge_or_the_table(told: dict[str, Any]) -> None:
    text = msgspec.json.encode(told)
    if "op" in told:
        assert msgspec.convert(told, protocol.Operation)
    elif told["type"] in {"pair", "auth"}:
        assert take_first(text)
    elif told["type"] in {str(kind.__struct_config__.tag) for kind in get_args(protocol.FromModule)} - {"batch"}:
        assert not [item for item in take(text, Bounds(500, 50)) if isinstance(item, PeerError)]
    else:
        assert msgspec.json.decode(text, type=protocol.FromBridge)


def test_the_proofs_in_the_examples_are_right() -> None:
    shown = {block.get("type"): block for block in blocks()}
    proof = examples.proof()
    assert shown["auth"]["mac"] == proof["client_mac"]
    assert shown["welcome"]["mac"] == proof["server_mac"]
    assert shown["challenge"]["nonce"] in proof["client_text"]
    assert shown["auth"]["nonce"] in proof["client_text"]


def test_every_field_has_a_meaning_and_no_meaning_is_left_over() -> None:
    known = {
        f"{name_of(kind)}.{field.name}": meaning(kind, field.name) for kind in all_structs() for field in fields(kind)
    }
    assert [name for name, said in known.items() if not said] == []
    assert WORDS.keys() <= known.keys()


def test_every_close_code_and_error_code_is_explained() -> None:
    assert REACTIONS.keys() == set(CloseCode)
    assert tuple(ERRORS) == protocol.ERROR_CODES


def test_every_link_inside_the_text_leads_somewhere() -> None:
    text = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    anchors = set(re.findall(r'<a id="([^"]+)">', text))
    anchors |= {
        re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") for title in re.findall(r"^## (.+)$", text, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


def test_the_types_name_every_struct_once() -> None:
    named = re.findall(r"^export (?:interface|type) (\w+)", typescript(), re.MULTILINE)
    assert len(named) == len(set(named))
    assert {name_of(kind) for kind in all_structs()} < set(named)
    assert "_" not in "".join(re.findall(r"^  (\w+)\??:", typescript(), re.MULTILINE))


def test_the_modules_catalogue_never_gives_what_a_system_gives_itself() -> None:
    ours = default_catalogue()
    assert [entry.id for entry in ours.conditions] == sorted(rulebook().conditions)
    for profile in PROFILES:
        theirs = {entry.id: entry for entry in publish(rulebook(), profile).conditions}
        for entry in ours.conditions:
            for level, there in zip(entry.levels, theirs[entry.id].levels, strict=True):
                assert set(level.modifiers) <= set(there.modifiers)
                assert set(level.native) <= set(there.native)
                assert level.speed in (None, there.speed)
                assert level.native_speed in (None, there.native_speed)
                assert (level.limits, level.summary) == (there.limits, there.summary)


def test_the_modules_catalogue_is_read_as_one_and_registers_our_own_statuses() -> None:
    text = (ROOT / "foundry-module/catalogue.json").read_bytes()
    found = msgspec.json.decode(text, type=Catalogue)
    own = {entry.id: entry for entry in found.conditions if entry.own}
    assert own.keys() == {condition.id for condition in rulebook().conditions.values() if condition.own}
    for entry in own.values():
        assert (ROOT / f"foundry-module/icons/{entry.icon or entry.id}.svg").is_file()


def test_pretty_json_says_the_same() -> None:
    for message in examples.examples().values():
        assert json.loads(pretty(message)) == json.loads(message)


def test_the_command_says_what_is_stale_and_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tools.protocol import docs

    monkeypatch.setattr(docs, "ROOT", tmp_path)
    assert docs.main(["--check"]) == 1
    assert "docs/protocol.md is stale" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    assert docs.main([]) == 0
    assert docs.main(["--check"]) == 0
