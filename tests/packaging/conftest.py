"""Built and installed once for all tests of this folder."""

from pathlib import Path

import pytest

from tests.packaging.installed import install
from tools import dist


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    dist.build(out)
    return out


@pytest.fixture(scope="session")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the programs of a new environment are that has the wheel in it."""
    (wheel,) = built.glob("*.whl")
    return install(wheel, tmp_path_factory.mktemp("venv"))
