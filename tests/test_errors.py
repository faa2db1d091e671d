import pytest

from bridge.errors import LONGEST_REASON, REASONS, CloseCode, SetupError, close


@pytest.mark.parametrize("code", list(CloseCode))
def test_every_close_code_has_a_sentence_that_fits_in_a_close_frame(code: CloseCode) -> None:
    assert close(code).reason == REASONS[code]
    assert REASONS[code].endswith((".", "itself."))
    assert len(REASONS[code].encode()) <= LONGEST_REASON


def test_a_longer_reason_is_cut_at_a_character() -> None:
    reason = close(CloseCode.DEGRADED, "ü" * 100).reason
    assert len(reason.encode()) <= LONGEST_REASON
    assert set(reason) == {"ü"}


def test_each_kind_of_setup_error_has_an_exit_code_of_its_own() -> None:
    codes = [kind.exit_code for kind in SetupError.__subclasses__()]
    assert len(codes) == len(set(codes))
    assert all(64 <= code <= 78 for code in codes)
