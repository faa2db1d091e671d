import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from bridge.log import LONGEST, MASK, configure, library_logger
from bridge.settings import Settings


@pytest.fixture(autouse=True)
def _reset_afterwards() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def lines(level: str = "info", format: str = "json") -> io.StringIO:
    stream = io.StringIO()
    configure(Settings(log_level=level, log_format=format), stream)  # type: ignore[arg-type]
    return stream


def test_away_from_a_terminal_a_line_is_a_json_object() -> None:
    stream = lines(format="auto")
    structlog.get_logger().info("session opened", world="w", count=3)
    found = json.loads(stream.getvalue())
    assert found["event"] == "session opened"
    assert (found["world"], found["count"], found["level"]) == ("w", 3, "info")
    assert "ts" in found


def test_below_the_level_nothing_is_written() -> None:
    stream = lines("warning")
    structlog.get_logger().info("quiet")
    structlog.get_logger().warning("loud")
    assert "quiet" not in stream.getvalue()
    assert "loud" in stream.getvalue()


@pytest.mark.parametrize("format", ["json", "console"])
def test_a_secret_is_masked_by_its_name_and_by_its_shape(format: str) -> None:
    stream = lines(format=format)
    key = "0123456789abcdef" * 4
    structlog.get_logger().info(f"have {key}", key="short", mac="x", other={"in": key}, error=f"bad {key}")
    text = stream.getvalue()
    assert key not in text
    assert "short" not in text
    assert MASK in text


@pytest.mark.parametrize("format", ["json", "console"])
@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "\x1b[2Ja", "a\u2028b", "a\x00b", "<script>"])
def test_hostile_text_makes_exactly_one_line_without_control_characters(format: str, text: str) -> None:
    stream = lines(format=format)
    structlog.get_logger().info("said", name=text)
    written = stream.getvalue()
    assert written.count("\n") == 1
    assert "\x1b[2J" not in written
    assert "\x00" not in written


def test_a_long_value_is_cut() -> None:
    stream = lines()
    structlog.get_logger().info("said", name="x" * 10_000)
    assert len(json.loads(stream.getvalue())["name"]) == LONGEST + 1


def test_an_exception_comes_with_its_traceback() -> None:
    stream = lines()
    try:
        int("x")
    except ValueError:
        structlog.get_logger().exception("broke")
    assert "ValueError" in json.loads(stream.getvalue())["exception"]


def test_what_a_library_warns_of_comes_out_in_our_log_and_its_chatter_does_not() -> None:
    stream = lines()
    logger = library_logger("bridge.test")
    assert library_logger("bridge.test") is logger
    logger.info("chatter")
    logger.warning("trouble with %s", "x")
    found = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["event"] for line in found] == ["trouble with x"]
    assert logger.level == logging.WARNING


class _Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    configure(Settings(log_format="json"), _Full())
    structlog.get_logger().error("cannot save")
