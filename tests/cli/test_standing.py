"""How a campaign stands, drawn from values."""

from dataclasses import replace

import time_machine
from tests.cli.status import drawn, spent, status

from benchwright.domain.batch import Gone
from benchwright.show.standing import STILL, Pace, draw_status, line, progress, share


def test_a_line_tells_items_answers_queues_tokens_and_money() -> None:
    assert line(status(), Pace(12.4, 61)) == (
        "1 kept of 4, 1 waiting for people, 1 discarded; 12 answers (12/min); 2 in work, 4 queued; "
        "4000 tokens in (75 % cached), 200 out; cost $0.5000, about $0.6667 in all; 1 min 1 s left"
    )


def test_a_line_without_a_pace_says_nothing_of_it() -> None:
    assert "min" not in line(status(wanted=None))
    assert line(status(wanted=None)).startswith("1 kept, 1 waiting")


def test_money_without_a_known_price_is_unknown_never_nothing() -> None:
    half = line(status(spending=(spent("red", cost=0.5), spent("blue", cost=0.0, unpriced=3))))
    assert half.endswith("cost unknown (3 calls without a known price, $0.5000 for the others)")
    none = line(status(spending=(spent("blue", cost=0.0, unpriced=1),)))
    assert none.endswith("cost unknown (1 call without a known price)")
    assert line(status(spending=())).endswith("nothing spent yet")


def test_the_live_display_has_a_bar_roles_queues_rate_and_time_left() -> None:
    told = drawn(progress(status(), Pace(30.0, 90.0)))
    for part in ("1 kept of 4", "━", "write_question", "red", "people", "30 answers/min, time left 1 min 30 s"):
        assert part in told
    assert "— answers/min, time left —" in drawn(progress(status(), Pace())).replace("\n", " ")


def test_the_live_display_fits_a_terminal_of_80_columns() -> None:
    assert all(len(row) <= 80 for row in drawn(progress(status(), Pace()), 80).splitlines())


def test_discarded_tries_count_as_settled_items_only_when_no_try_is_left() -> None:
    assert status(items={"kept": 1, "waiting": 1, "discarded": 3}, tries=2).settled_items == 3
    assert status(items={"kept": 9}).settled_items == 4
    assert status(items={"kept": 9}, wanted=None).settled_items == 0


def test_what_the_whole_will_come_to_follows_from_what_settled_items_cost() -> None:
    half = status(items={"kept": 2, "open": 2}, spending=(spent(cost=1.0),))
    assert half.projected == 2.0
    assert replace(half, making=6).projected == 1.0  # half of the answers are about items in the making
    assert replace(half, making=11).projected == 1.0  # never less than what is spent
    assert replace(half, items={"open": 4}).projected is None
    assert replace(half, wanted=None).projected is None
    assert replace(half, answers={}).projected is None
    assert replace(half, spending=(spent(unpriced=1),)).projected is None


def test_a_finished_campaign_is_not_projected() -> None:
    assert line(status(items={"kept": 4})).endswith("cost $0.5000")


def test_the_share_of_prompts_from_caches_is_never_rounded_up() -> None:
    assert [share(part) for part in (None, 0.0, 0.001, 0.999, 1.0)] == ["none", "none", "0 %", "99 %", "100 %"]
    assert status(spending=()).cached is None


def test_reasoning_is_told_apart_where_there_is_some() -> None:
    thinking = line(status(spending=(replace(spent(), thinking=150),)))
    assert "200 out (150 of reasoning)" in thinking


def test_money_is_told_by_role_and_by_model() -> None:
    rows = (spent("red", cost=1.5), replace(spent("blue", cost=2.5), step="check_option"), spent("blue", unpriced=1))
    told = drawn(
        progress(
            status(spending=rows),
            Pace(),
        )
    )
    assert "write_question  3 + 1 failed  unknown" in told
    assert "check_option               8    $2.50" in told
    assert "red           2        4    $1.50" in told
    assert "blue          0        0  unknown" in told
    assert "people        0        2" in told


def test_the_status_names_refused_files_with_reasons_and_says_how_many_more() -> None:
    told = drawn(draw_status(status(refused={f"{n}.xml": "is empty" for n in range(13)}, refusals=13)))
    assert "documents: 4 admitted, 13 refused" in told
    assert "9.xml: is empty" in told
    assert "10.xml" not in told
    assert "and 3 more" in told


def test_the_status_tells_what_readers_had_to_say() -> None:
    notes = {f"{n}.md": ("1 table left out", "read as cp1252") for n in range(12)}
    told = drawn(draw_status(status(notes=notes, noted=12)))
    assert "notes on files\n  0.md: 1 table left out; read as cp1252\n" in told
    assert "and 2 more; --json lists all" in told
    assert "11.md" not in told
    assert "lists more" in drawn(draw_status(status(notes=notes, noted=200)))


def test_the_status_tells_causes_spending_and_what_may_have_been_paid() -> None:
    told = drawn(draw_status(status(uncertain=2)))
    assert "1  too few options" in told
    assert "red        4       4000    75 %  200     0.5  $0.5000" in told
    assert "2 requests left without a reply on record" in told
    running = drawn(draw_status(status(uncertain=3, runner="process 7")))  # two of them are in flight
    assert "1 request left without a reply on record" in running


def test_a_campaign_that_has_just_begun_is_short() -> None:
    fresh = status(items={}, answers={}, queues={}, spending=(), causes=(), documents=0, wanted=None)
    assert len(drawn(draw_status(fresh)).splitlines()) == 3


def test_the_status_says_what_the_runner_does() -> None:
    assert "interrupted: the same command continues" in drawn(draw_status(status()))
    assert "running (process 7)" in drawn(draw_status(status(runner="process 7")))
    assert "asked to pause (process 7)" in drawn(draw_status(status(paused=True, runner="process 7")))
    assert "partial: 2 of 4" in drawn(draw_status(status(ended={"how": "partial", "reason": "2 of 4"})))
    failed = drawn(draw_status(status(ended={"how": "failed", "cause": "BadKey", "reason": "no key"}))).replace(
        "\n", " "
    )
    assert "failed (BadKey): no key; once that is mended, the same command continues" in failed


def test_hostile_names_are_shown_as_they_are() -> None:
    told = drawn(draw_status(status(campaign="[red]x\x1b[2J", refused={"\x1b]0;x\x07.md": "[/bold] is empty"})))
    assert r"[red]x\x1b[2J" in told
    assert r"\x1b]0;x\x07.md: [/bold] is empty" in told
    assert "\x1b" not in told


def test_when_people_have_decided_the_status_no_longer_says_that_they_are_waited_for() -> None:
    ended = {"how": "waiting", "reason": "people owe 4 decisions"}
    told = drawn(draw_status(status(ended=ended, queues={})))
    assert "people have decided all that waited" in told
    assert "people owe 4" not in told
    one = drawn(draw_status(status(ended=ended, items={"open": 1}, queues={"human": {"ready": 1}})))
    assert "waiting: people owe 1 decision; the same command continues with what they have decided" in one.replace(
        "\n", " "
    )
    assert "waiting: people owe 4 decisions\n" in drawn(
        draw_status(status(ended=ended, items={}, queues={"human": {"ready": 4}}))
    )


def test_a_status_tells_until_when_a_quota_lasts_and_when_that_is_over() -> None:
    ended = {"how": "paused", "reason": "no more", "cause": "quota", "until": "2026-11-30T15:04:00+00:00"}
    with time_machine.travel("2026-11-30T14:05:00Z", tick=False):
        assert "paused (quota): no more; more at 2026-1" in drawn(draw_status(status(ended=ended)))
        assert "(in 59 min 0 s)" in drawn(draw_status(status(ended=ended)))
    with time_machine.travel("2026-12-01T14:05:00Z", tick=False):
        assert "(that is over)" in drawn(draw_status(status(ended=ended)))


def test_a_status_tells_how_far_batches_have_got() -> None:
    gone = (Gone("0123456789ab", "red", True, 40, 100, 0.0), Gone("ba9876543210", "red", False, 0, 7, 1.0))
    for shown in (drawn(draw_status(status(batches=gone))), drawn(progress(status(batches=gone), STILL))):
        assert "batch 01234567 of red: 40 of 100 done\nbatch ba987654 of red: 0 of 7 done, leaving\n" in shown
    assert "batch" not in drawn(draw_status(status()))
