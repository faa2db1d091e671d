from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

import bridge
from bridge.cli.app import main
from bridge.host import Host, read_secret

COMMANDS = [
    "serve",
    "demo",
    "pair",
    "pairings",
    "revoke",
    "rotate",
    "forget",
    "status",
    "stop",
    "catalogue",
    "scenario run",
]


@pytest.fixture(autouse=True)
def _of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    yield
    structlog.reset_defaults()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Host.open(tmp_path / "bridge") as host:
        host.pair(world="w", origin="http://localhost:30000", name="[red]Ann\x1b", world_name="Saltmarsh")
    return tmp_path / "bridge"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_it_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"{bridge.__version__}\n", "")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert all(command.split()[0] in out for command in COMMANDS)
    assert "--install-completion" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, _ = run(capsys, *command.split(), "--help")
    assert code == 0
    assert f"bridge {command}" in out.split("Example", 1)[1]


@pytest.mark.parametrize(
    "arguments",
    [["dance"], ["serve", "--prot", "1"], ["serve", "--port", "x"], ["revoke"], ["catalogue", "--profile", "v9"]],
)
def test_a_wrong_command_line_is_told_and_ends_with_64(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 64
    assert err


def test_an_error_is_one_plain_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = run(capsys, "serve", "--host", "192.168.1.5", "--data-dir", str(tmp_path / "x"))
    assert code == 77
    assert out == ""
    assert err.startswith("bridge: Listening on 192.168.1.5 without TLS")
    assert err.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_a_wrong_setting_ends_with_78(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIDGE_PROT", "1")
    code, _, err = run(capsys, "serve")
    assert code == 78
    assert "prot" in err


@pytest.mark.parametrize("profile", ["v13+dnd5e-5.3", "v14+dnd5e-5.3", "v14+dnd5e-6"])
def test_the_catalogue_of_a_profile_is_json(capsys: pytest.CaptureFixture[str], profile: str) -> None:
    code, out, _ = run(capsys, "catalogue", "--profile", profile)
    found = json.loads(out)
    assert code == 0
    assert found["profile"] == profile
    assert "bleeding" in [entry["id"] for entry in found["conditions"]]


def test_pairings_are_listed_and_no_name_is_markup(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, _ = run(capsys, "pairings", "--data-dir", str(folder))
    assert code == 0
    assert "[red]Ann" in out
    assert "\x1b" not in out
    assert "Saltmarsh" in out


def test_a_browser_is_revoked(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    with Host.open(folder) as host:
        (client,) = host.pairings.all()
    assert run(capsys, "revoke", client.id, "--data-dir", str(folder)) == (0, "Revoked.\n", "")
    with Host.open(folder) as host:
        assert not host.pairings.exist()
    code, _, err = run(capsys, "revoke", "nobody", "--data-dir", str(folder))
    assert code == 77
    assert "bridge pairings" in err


def test_a_new_secret_makes_every_key_void(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    before = read_secret(folder)
    told = "There is a new secret. 1 browser must pair again: bridge pair\n"
    assert run(capsys, "rotate", "--data-dir", str(folder)) == (0, told, "")
    assert read_secret(folder) != before
    with Host.open(folder) as host:
        assert not host.pairings.exist()


def test_a_world_is_forgotten(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert run(capsys, "forget", "w", "--data-dir", str(folder))[0] == 0
    code, out, _ = run(capsys, "pairings", "--data-dir", str(folder))
    assert code == 0
    assert "No browser is paired" in out


def test_a_stopped_bridge_has_a_status(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, _ = run(capsys, "status", "--data-dir", str(folder))
    assert code == 0
    assert "Not running." in out
    assert "Paired browsers: 1" in out


@pytest.mark.parametrize("command", ["pair", "stop"])
def test_what_needs_a_running_bridge_ends_with_69(
    capsys: pytest.CaptureFixture[str], folder: Path, command: str
) -> None:
    code, _, err = run(capsys, command, "--data-dir", str(folder))
    assert code == 69
    assert "bridge serve" in err


@pytest.mark.parametrize("arguments", [[], ["/nowhere/at/all.toml"]])
def test_a_scenario_has_to_be_named_and_there(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    code, _, err = run(capsys, "scenario", "run", *arguments)
    assert code == 64
    assert "scenario" in err


def test_the_module_can_be_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import runpy

    monkeypatch.setattr(sys, "argv", ["bridge", "--version"])
    with pytest.raises(SystemExit) as exit:
        runpy.run_module("bridge", run_name="__main__")
    assert exit.value.code == 0
    assert bridge.__version__ in capsys.readouterr().out
