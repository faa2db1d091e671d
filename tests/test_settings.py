from pathlib import Path

import pytest

from bridge.errors import ConfigError
from bridge.settings import Settings, load


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bridge.toml"
    path.write_text('port = 1001\nhost = "::1"\nallowed-hosts = ["a.example", "b.example:80"]\n')
    return path


def test_without_anything_the_defaults_are_in_force(tmp_path: Path) -> None:
    empty = tmp_path / "empty.toml"
    empty.touch()
    assert load({}, {}, empty) == Settings()
    assert Settings().host == "127.0.0.1"


def test_a_flag_beats_the_environment_which_beats_the_file(file: Path) -> None:
    assert load({}, {}, file).port == 1001
    assert load({}, {"BRIDGE_PORT": "1002"}, file).port == 1002
    assert load({"port": 1003}, {"BRIDGE_PORT": "1002"}, file).port == 1003
    assert load({"port": None}, {"BRIDGE_PORT": "1002"}, file).port == 1002
    assert load({"port": 1003}, {}, file).host == "::1"


def test_a_list_in_the_environment_is_separated_by_commas(file: Path) -> None:
    assert load({}, {}, file).allowed_hosts == ("a.example", "b.example:80")
    assert load({}, {"BRIDGE_ALLOWED_HOSTS": "x, y:1 ,"}, file).allowed_hosts == ("x", "y:1")


def test_a_switch_in_the_environment_may_be_a_word(file: Path) -> None:
    assert load({}, {"BRIDGE_INSECURE_LAN": "true"}, file).insecure_lan


def test_the_environment_may_name_the_file(file: Path) -> None:
    assert load({}, {"BRIDGE_CONFIG": str(file)}).port == 1001


def test_an_unknown_name_is_an_error_that_says_where(file: Path) -> None:
    with pytest.raises(ConfigError, match=r"the environment.*prot"):
        load({}, {"BRIDGE_PROT": "1"}, file)
    file.write_text("prot = 1\n")
    with pytest.raises(ConfigError, match=r"settings file .*bridge\.toml.*prot"):
        load({}, {}, file)


@pytest.mark.parametrize("port", ["70000", "-1", "many"])
def test_a_value_that_does_not_fit_is_an_error_with_its_path(file: Path, port: str) -> None:
    with pytest.raises(ConfigError, match=r"\$\.port"):
        load({}, {"BRIDGE_PORT": port}, file)


def test_a_file_that_is_named_must_be_there_and_readable(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="There is no settings file"):
        load({}, {}, tmp_path / "nothing.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("port = = 1")
    with pytest.raises(ConfigError, match="cannot be read"):
        load({}, {}, broken)


def test_the_data_folder_is_the_one_that_was_named_or_the_users_own(tmp_path: Path) -> None:
    assert Settings(data_dir=str(tmp_path)).folder == tmp_path
    assert Settings(data_dir="~/x").folder == Path.home() / "x"
    assert Settings().folder.name == "condition-bridge"


def test_a_value_may_stand_in_a_file_that_the_environment_names(file: Path, tmp_path: Path) -> None:
    held = tmp_path / "held"
    held.write_text(" /run/key.pem \n")
    assert load({}, {"BRIDGE_TLS_KEY_FILE": str(held)}, file).tls_key == "/run/key.pem"
    assert load({}, {"BRIDGE_LOG_FILE": "x.log"}, file).log_file == "x.log"
    with pytest.raises(ConfigError, match=r"BRIDGE_TLS_KEY and BRIDGE_TLS_KEY_FILE are both given"):
        load({}, {"BRIDGE_TLS_KEY": "a", "BRIDGE_TLS_KEY_FILE": str(held)}, file)
    with pytest.raises(ConfigError, match=r"nothing that BRIDGE_TLS_KEY_FILE names cannot be read"):
        load({}, {"BRIDGE_TLS_KEY_FILE": str(tmp_path / "nothing")}, file)
    with pytest.raises(ConfigError, match="no-such-file"):
        load({}, {"BRIDGE_NO_SUCH_FILE": str(held)}, file)
