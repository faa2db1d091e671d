"""World time as the rules count it (TIM-7)."""

from bridge.world.clock import Clock


def test_tim_7_rounds_on_a_still_clock_count_six_seconds_and_are_not_counted_again():
    clock = Clock(100)
    clock.rounds(10)
    assert clock.now == 160
    clock.move(190)
    assert clock.now == 190


def test_tim_7_a_round_and_its_six_seconds_are_one_whichever_comes_first():
    for first_round in (True, False):
        clock = Clock(100)
        for number in range(1, 5):
            if first_round:
                clock.rounds(1)
            clock.move(100 + 6 * number)
            if not first_round:
                clock.rounds(1)
        assert clock.now == 124


def test_a_clock_set_back_is_what_it_shows():
    clock = Clock(100)
    clock.rounds(2)
    clock.move(50)
    assert clock.now == 50
