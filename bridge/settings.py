"""Settings: flags, then ``BRIDGE_*`` in the environment, then a TOML file, then these defaults.

In the file and on the command line a name is written with dashes (``data-dir``), in the environment in capitals with
underscores (``BRIDGE_DATA_DIR``); there a list is separated by commas, and ``BRIDGE_DATA_DIR_FILE`` names a file that
holds the value, as secrets are handed to containers and services.  A name that does not exist is an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from bridge.errors import ConfigError

PREFIX = "BRIDGE_"
NAME = "condition-bridge"
MASK = "***"

_USERINFO = re.compile(r"(://)[^/@\s\"]+@")

Size = Annotated[int, Meta(ge=1024, le=64 * 1024 * 1024)]
Amount = Annotated[int, Meta(ge=1, le=100_000)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]


class Settings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab", kw_only=True):
    """Every setting of the bridge.  Sizes in bytes, times in seconds."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8787
    """0: any free one."""
    data_dir: str = ""
    """Where the database, its lock and its secret live; empty: the user's data folder."""
    public_url: str = ""
    """How browsers and Foundry reach the bridge when a proxy stands before it, e.g. ``https://bridge.example``."""
    allowed_hosts: tuple[str, ...] = ()
    """Further names in a Host header, with or without a port."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies whose ``X-Forwarded-For`` says where a request came from."""
    metrics: Literal["off", "local", "all"] = "local"
    """Who may read ``/metrics``: nobody, programs of this computer, or whoever reaches the bridge."""
    tls_cert: str = ""
    tls_key: str = ""
    insecure_lan: bool = False
    """Listen beyond this computer without TLS."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["auto", "console", "json"] = "auto"
    log_file: str = ""
    """Where the log goes, as JSON lines, in place of standard error; the file before it is kept when it is large."""
    durability: Literal["full", "normal"] = "full"
    """``full``: what is acknowledged survives a power cut.  ``normal``: only a crash."""
    on_corrupt: Literal["restore", "refuse"] = "restore"
    """A damaged database is set aside and the newest good copy takes its place, or the bridge refuses to start."""
    backups: Annotated[int, Meta(ge=0, le=1000)] = 7
    """Copies of the database that are kept, one made every day; 0: none is made."""

    message: Size = 256 * 1024
    """Bytes of one frame."""
    hello: Size = 64 * 1024
    """Bytes of one frame before the browser has proved its key."""
    batch: Amount = 500
    """Messages in one batch."""
    page: Annotated[int, Meta(ge=1, le=1000)] = 50
    """Sheets in one picture."""
    rate: Amount = 200
    """Messages a second of one connection in the long run; a faster one is read more slowly, nothing is dropped."""
    burst: Amount = 2000
    """Messages that may come at once."""
    connections: Amount = 64
    unproven: Amount = 8
    """Connections from one address that have not proved a key yet."""
    outgoing: Size = 4 * 1024 * 1024
    """Unsent bytes at which a browser that reads too slowly is cut off."""
    queue: Amount = 1024
    """Answers of one world that may wait for the disk; above it the bridge stops reading."""
    queue_bytes: Size = 4 * 1024 * 1024
    malformed: Amount = 20
    """Unreadable messages in a minute at which the connection is closed."""
    pairing: Seconds = 600
    """How long a pairing code is good for."""
    prove_within: Seconds = 10
    """How long a connection may take to prove its key."""
    ping: Seconds = 15

    @property
    def folder(self) -> Path:
        """The data folder."""
        if self.data_dir:
            return Path(self.data_dir).expanduser()
        import platformdirs

        return platformdirs.user_data_path(NAME, appauthor=False)


def config_file() -> Path:
    """Return where the settings file is looked for when none is named."""
    import platformdirs

    return platformdirs.user_config_path(NAME, appauthor=False) / "bridge.toml"


class Given(NamedTuple):
    """A value that somebody set."""

    value: Any
    where: str
    secret: bool = False


class Effective(NamedTuple):
    """One setting as it is in force, for people: what is secret is masked."""

    name: str
    value: str
    where: str


def load(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """Return the settings in force.

    ``flags``: field name -> value, ``None`` where not given.  ``file``: must be there when named; else the usual one is
    read when it is there.

    Raises:
        ConfigError: A name does not exist or a value does not fit; the sentence says which, and where it came from.

    """
    given = _gather(flags, environ, file)
    return _convert({name: each.value for name, each in given.items()}, "the command line")


def explain(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> list[Effective]:
    """Return every setting in force and where it comes from.

    Raises:
        ConfigError: As for ``load``.

    """
    given = _gather(flags, environ, file)
    settings = load(flags, environ, file)
    found = []
    for name, value in msgspec.to_builtins(settings).items():
        each = given.get(name)
        shown = msgspec.json.encode(str(settings.folder) if name == "data-dir" else value).decode()
        masked = MASK if each is not None and each.secret else _USERINFO.sub(rf"\1{MASK}@", shown)
        found.append(Effective(name, masked, each.where if each is not None else "default"))
    return found


def _gather(flags: Mapping[str, Any] | None, environ: Mapping[str, str] | None, file: Path | None) -> dict[str, Given]:
    environ = os.environ if environ is None else environ
    found = _from_file(file, environ) | _from_environ(environ)
    return found | {
        _kebab(name): Given(value, "the command line") for name, value in (flags or {}).items() if value is not None
    }


def _from_file(file: Path | None, environ: Mapping[str, str]) -> dict[str, Given]:
    named = file or (Path(environ["BRIDGE_CONFIG"]) if environ.get("BRIDGE_CONFIG") else None)
    path = named or config_file()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if named is None:
            return {}
        message = f"There is no settings file {path}."
        raise ConfigError(message) from None
    except (OSError, UnicodeDecodeError) as error:
        message = f"The settings file {path} cannot be read: {error}."
        raise ConfigError(message) from error
    import tomllib

    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"The settings file {path} cannot be read: {error}."
        raise ConfigError(message) from error
    _convert(values, f"the settings file {path}")
    return {name: Given(value, str(path)) for name, value in values.items()}


def _from_environ(environ: Mapping[str, str]) -> dict[str, Given]:
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(Settings)}
    found: dict[str, Given] = {}
    for variable in sorted(environ):
        if not variable.startswith(PREFIX) or variable == "BRIDGE_CONFIG":
            continue
        name = _kebab(variable.removeprefix(PREFIX).lower())
        text, secret = environ[variable], False
        if name not in fields and name.removesuffix("-file") in fields:
            name, text, secret = name.removesuffix("-file"), _content(variable, text), True
        if name in found:
            message = f"A setting from the environment is wrong: {found[name].where} and {variable} are both given."
            raise ConfigError(message)
        value: object = text
        if fields.get(name) == tuple[str, ...]:
            value = [part.strip() for part in text.split(",") if part.strip()]
        found[name] = Given(value, variable, secret)
    _convert({name: each.value for name, each in found.items()}, "the environment")
    return found


def _content(variable: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        message = f"The file {path} that {variable} names cannot be read: {error}."
        raise ConfigError(message) from error


def _convert(values: Mapping[str, Any], where: str) -> Settings:
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        message = f"A setting from {where} is wrong: {error}."
        raise ConfigError(message) from error


def _kebab(name: str) -> str:
    return name.replace("_", "-")
