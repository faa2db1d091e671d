"""The image and its composition: what they are made of is checked, and their steps are gone through without Docker."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.packaging.installed import PATIENCE, ROOT, environ, run, serving

DOCKERFILE = ROOT / "Dockerfile"
SCRIPTS = Path(sys.executable).parent
UID = 10001


def composition() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))


def steps() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile."""
    text = re.sub(r"\\\n", "", re.sub(r"(?m)^#.*\n", "", DOCKERFILE.read_text(encoding="utf-8")))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line)]


def variables() -> dict[str, str]:
    """Return what the image sets."""
    (words,) = (rest for step, rest in steps() if step == "ENV")
    return dict(word.split("=", 1) for word in words.split())


def test_the_composition_fits_the_schema_of_compose(tmp_path: Path) -> None:
    check = [SCRIPTS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec"]
    run([*check, ROOT / "docker-compose.yml"], ROOT)
    wrong = tmp_path / "docker-compose.yml"
    wrong.write_text((ROOT / "docker-compose.yml").read_text(encoding="utf-8").replace("read_only: true", "rd_only: 1"))
    assert subprocess.run([*check, wrong], check=False, capture_output=True).returncode == 1


@pytest.mark.skipif(not (SCRIPTS / "hadolint").exists(), reason="hadolint is not for this system")
def test_the_dockerfile_has_no_known_fault(tmp_path: Path) -> None:
    run([SCRIPTS / "hadolint", "--failure-threshold", "style", DOCKERFILE], ROOT)
    wrong = tmp_path / "Dockerfile"
    wrong.write_text(DOCKERFILE.read_text(encoding="utf-8").replace("python:3.13-slim", "python"))
    assert subprocess.run([SCRIPTS / "hadolint", wrong], check=False, capture_output=True).returncode == 1


@pytest.mark.parametrize("name", ["bridge", "module"])
def test_what_is_ours_can_do_little_beyond_its_task(name: str) -> None:
    service = composition()["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert {"mem_limit", "pids_limit", "tmpfs", "init"} <= service.keys()
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}


def test_no_port_is_published_beyond_this_computer() -> None:
    ports = [port for service in composition()["services"].values() for port in service.get("ports", [])]
    assert len(ports) == 2
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_bridge_is_watched_kept_and_given_time_to_stop() -> None:
    service = composition()["services"]["bridge"]
    assert service["healthcheck"]["test"] == ["CMD", "python", "-m", "bridge", "health"]
    assert service["volumes"] == ["data:/data"]
    assert service["stop_grace_period"] == "15s"
    assert "profiles" not in service


def test_foundry_is_only_there_for_those_who_ask_for_it() -> None:
    services = composition()["services"]
    assert {name for name, service in services.items() if service.get("profiles") == ["foundry"]} == {
        "foundry",
        "module",
    }


def test_the_image_runs_as_nobody_in_particular_and_says_how_it_is() -> None:
    last = dict(steps())
    assert last["USER"] == f"{UID}:{UID}"
    assert "curl" not in DOCKERFILE.read_text(encoding="utf-8")
    assert '["python", "-m", "bridge", "health"]' in last["HEALTHCHECK"]


def test_every_variable_is_a_setting(tmp_path: Path) -> None:
    services = composition()["services"]
    found = {**variables(), **services["bridge"]["environment"], **services["module"]["environment"]}
    given = {name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", str(value)) for name, value in found.items() if "BRIDGE" in name}
    assert len(given) > 5
    said = subprocess.run(
        [sys.executable, "-m", "bridge", "config", "--changed"],
        env=environ() | given | {"XDG_CONFIG_HOME": str(tmp_path)},
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert {line.split()[-1] for line in said.splitlines()} == given.keys()


def test_what_is_copied_is_there_and_not_left_out() -> None:
    let_in = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = [name for step, rest in steps() if step == "COPY" and "--from" not in rest for name in rest.split()[:-1]]
    assert copied
    assert all((ROOT / name).exists() for name in copied)
    assert set(copied) == set(let_in)


@pytest.fixture
def volume() -> Iterator[Path]:
    """A folder that belongs to the image's user; not under pytest's own, which only root may enter."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for each in ("data", "module"):
            (folder / each).mkdir(mode=0o700)
            os.chown(folder / each, UID, UID)
        yield folder


def contained(words: list[str | Path], volume: Path) -> list[str | Path]:
    """Run a program as the image's user, who may write nothing but the volumes.

    It may read everything, as the environment of the tests lies where only its owner can read; nothing else is left
    of what root may do.
    """
    inside = f"""
        mount --make-rprivate /
        for each in data module; do mount --bind {volume}/$each {volume}/$each; done
        mount -o remount,ro,bind /
        exec setpriv --reuid {UID} --regid {UID} --clear-groups --no-new-privs --inh-caps=-all,+dac_read_search \\
            --ambient-caps=-all,+dac_read_search --bounding-set=-all,+dac_read_search "$@"
    """
    return ["unshare", "--mount", "sh", "-ec", inside, "sh", *words]


def can_contain() -> bool:
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("setpriv") or not shutil.which("unshare"):
        return False
    trial = ["unshare", "--mount", "sh", "-ec", "mount --make-rprivate / && mount -o remount,ro,bind /"]
    return subprocess.run(trial, check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not can_contain(), reason="needs root on Linux, setpriv and a mount namespace of its own")
class TestInside:
    def test_it_can_write_nowhere_but_in_its_volume(self, volume: Path) -> None:
        script = (
            f"id -u; touch {volume}/data/x && echo wrote; touch {volume}/y || echo refused; touch /y || echo refused"
        )
        assert run(contained(["sh", "-c", script], volume), volume).split() == [str(UID), "wrote", "refused", "refused"]

    def test_it_serves_is_healthy_and_stops_in_time(self, installed: Path, volume: Path) -> None:
        env = {name: value for name, value in variables().items() if name != "PATH"}
        env |= {"BRIDGE_DATA_DIR": str(volume / "data"), "BRIDGE_PORT": "0"}
        with serving(contained([installed / "bridge", "serve"], volume), volume, env) as (url, process):
            assert url.startswith("http://127.0.0.1:")
            words = contained([installed / "python", "-m", "bridge", "health"], volume)
            said = subprocess.run(
                words, env=environ() | env, cwd=volume, check=True, capture_output=True, text=True, timeout=PATIENCE
            )
            assert said.stdout == '{"status":"ok"}\n'
            assert {path.stat().st_uid for path in (volume / "data").iterdir()} == {UID}
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=15) == 0

    def test_it_writes_the_module_for_foundry(self, installed: Path, volume: Path) -> None:
        for _ in range(2):
            run(contained([installed / "bridge", "module", volume / "module"], volume), volume)
        assert (volume / "module" / "module.json").is_file()

    def test_a_folder_that_it_may_not_write_is_a_plain_sentence(self, installed: Path, volume: Path) -> None:
        words = contained([installed / "bridge", "serve", "--port", "0", "--data-dir", volume / "other"], volume)
        said = subprocess.run(
            words, env=environ(), cwd=volume, check=False, capture_output=True, text=True, timeout=PATIENCE
        )
        assert said.returncode == 74
        assert said.stderr.startswith("bridge: The data folder")
        assert said.stderr.count("\n") == 1
