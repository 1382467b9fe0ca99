"""The last minute of an endpoint, in numbers."""

from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.llm.limits.window import KEPT, LONGEST, MINUTE, TICK, Window

NOW = 1_800_000_000.0
Asked = list[tuple[float, int]]
MINUTES = st.lists(st.tuples(st.floats(0, 200), st.integers(1, 90)), max_size=60)


def window(rpm: int = 5, tpm: int = 100, now: float = NOW) -> Window:
    made = Window(rpm, tpm)
    made.turn(now)
    return made


def counted(made: Window) -> tuple[int, int]:
    return made.requests, made.tokens


def test_a_request_counts_for_a_minute_and_at_most_a_second_more() -> None:
    made = window()
    made.add(NOW, 1, 40)
    made.turn(NOW + 60.4)
    assert counted(made) == (1, 40)
    made.turn(NOW + MINUTE + TICK)
    assert counted(made) == (0, 0)
    assert not made.buckets


def test_what_is_left_beside_a_request_says_whether_it_fits() -> None:
    made = window()
    made.add(NOW, 4, 60)
    assert made.room(40).enough
    assert not made.room(41).enough
    made.add(NOW, 1, 0)
    assert not made.room(0).enough


def test_less_than_was_reserved_gives_room_where_it_was_reserved() -> None:
    made = window()
    made.add(NOW, 1, 90)
    made.turn(NOW + 30)
    made.add(NOW, 0, -50)
    assert counted(made) == (1, 40)
    made.turn(NOW + MINUTE + TICK)
    assert counted(made) == (0, 0)


def test_a_correction_of_what_no_longer_counts_changes_nothing() -> None:
    made = window()
    made.add(NOW, 1, 90)
    made.turn(NOW + 100)
    made.add(NOW, 0, -50)
    made.add(NOW + 99, 0, -50)  # nor does one of a moment at which nothing was counted
    assert (counted(made), made.buckets) == ((0, 0), {})


def test_the_opening_of_a_request_is_when_enough_has_left() -> None:
    made = window()
    for second in range(4):
        made.add(NOW + second, 1, 25)
    made.turn(NOW + 3)
    when, requests, tokens = made.opening(50)
    assert (when, requests, tokens) == (NOW + 1 + MINUTE + TICK, 2, 0)
    made.turn(when - 0.01)
    assert not made.room(50).enough
    made.turn(when)
    assert made.room(50).enough


def test_without_limits_everything_fits() -> None:
    made = Window()
    made.add(NOW, 10**6, 10**9)
    assert made.room(10**9).enough
    assert not made.has_limit
    assert Window(rpm=1).has_limit
    assert Window(tpm=1).has_limit


def test_a_clock_that_was_set_back_by_a_moment_makes_the_minute_longer_never_shorter() -> None:
    made = window()
    made.add(NOW, 1, 90)
    made.turn(NOW - 5)
    assert counted(made) == (1, 90)
    made.turn(NOW + 60)
    assert counted(made) == (1, 90)


def test_a_clock_that_was_set_back_by_hours_stops_nobody_for_hours() -> None:
    made = window()
    made.add(NOW, 5, 90)
    made.cool(NOW + 10)
    made.turn(NOW - 2 * LONGEST)
    assert (counted(made), made.cooling) == ((0, 0), 0.0)


def test_a_longer_cooling_outlives_a_shorter_one() -> None:
    made = window()
    made.cool(NOW + 10)
    made.cool(NOW + 5)
    assert made.cooling == NOW + 10


def test_windows_add_up() -> None:
    one, two = window(), window()
    one.add(NOW, 1, 10)
    two.add(NOW, 2, 20)
    two.add(NOW + 1, 1, 5)
    one.join(two.plain_buckets())
    assert counted(one) == (4, 35)
    assert one.plain_buckets() == [(int(NOW / TICK), 3, 30), (int(NOW / TICK) + 2, 1, 5)]


@settings(deadline=None)
@given(MINUTES)
def test_who_leaves_only_when_there_is_room_keeps_to_both_limits_in_every_minute(
    asked: Asked,
) -> None:
    made, left, now = window(), [(NOW, 0)], NOW
    for after, tokens in asked:
        now += after / 20
        made.turn(now)
        if made.room(tokens).enough:
            made.add(now, 1, tokens)
            left.append((now, tokens))
    for begin, _ in left:
        within = [tokens for when, tokens in left[1:] if begin <= when <= begin + 60]
        assert len(within) <= 5
        assert sum(within) <= 100


@settings(deadline=None)
@given(MINUTES, st.integers(1, 100))
def test_an_opening_is_the_first_bucket_at_which_the_request_fits(asked: Asked, tokens: int) -> None:
    made = window()
    for after, used in sorted(asked):
        made.add(NOW + after / 4, 1, used)
    now = NOW + 50
    made.turn(now)
    room = made.opening(tokens)
    assert room.enough
    if room.when:
        before, then = window(now=0.0), window(now=0.0)
        before.join(made.plain_buckets())
        then.join(made.plain_buckets())
        before.turn(room.when - TICK)
        assert not before.room(tokens).enough
        then.turn(room.when)
        assert then.room(tokens)[1:] == room[1:]


@settings(deadline=None)
@given(MINUTES)
def test_the_totals_are_those_of_the_buckets_and_the_buckets_are_few(asked: Asked) -> None:
    made, now = window(), NOW
    for after, tokens in asked:
        now += after
        made.turn(now)
        made.add(now - after, 1, tokens)
        assert counted(made) == (sum(r for _, r, _ in made.plain_buckets()), sum(t for _, _, t in made.plain_buckets()))
        assert len(made.buckets) <= KEPT + 1
