"""Changing the rule in a campaign file."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.config import Change, edit_file, parse
from benchwright.domain.vote import Rule
from benchwright.errors import ConfigError, UsageError

FILE = Path("outbreaks.toml")
RULE = """
# An option is kept from `accept` on.
[rule]
accept = 0.8      # kept exact
reject = "5/9"
quorum = 2        # with fewer people decide
"""
REST = """
[models.red]
base_url = "http://localhost:8000/v1"
model = "red"  # the strict one
[models.green]
base_url = "http://localhost:8000/v1"
model = "green"
[roles]
default = "red"
check_option = { panel = ["red", "green"], runs = 2 } # who votes
"""
TOP = 'pipeline = "recall"\ncorpus = ["reports"]\n'
TEXT = TOP + RULE + REST


def new(change: Change, text: str = TEXT) -> str:
    return edit_file(FILE, text, change)[0]


def test_only_the_values_change_and_comments_stay() -> None:
    text, campaign = edit_file(FILE, TEXT, Change(accept="0.75", reject="0.6", quorum=3))

    assert text == TEXT.replace("0.8 ", "0.75 ").replace('"5/9"', "0.6").replace("quorum = 2", "quorum = 3")
    assert campaign.rule == Rule(Fraction(3, 4), Fraction(3, 5), 3)


def test_no_change_leaves_every_byte() -> None:
    assert new(Change()) == TEXT
    assert new(Change(), TEXT.replace("\n", "\r\n")) == TEXT.replace("\n", "\r\n")


@pytest.mark.parametrize("rule", ["", 'preset = "epiqal-a"\n', "rule = { accept = 0.9, reject = 0.1 }  # so\n"])
def test_a_rule_that_is_not_written_out_or_on_one_line_is_changed_too(rule: str) -> None:
    text = TOP + rule + REST.replace('model = "red"', 'model = "red"\ntemperature = 1.0')
    then = parse(FILE, new(Change("5/9", "1/3"), text))

    assert (then.rule.accept, then.rule.reject) == (Fraction(5, 9), Fraction(1, 3))
    assert then.models == parse(FILE, text).models


def test_a_checker_leaves_the_panel() -> None:
    assert new(Change(drop=("red",))) == TEXT.replace('["red", "green"]', '["green"]')


@pytest.mark.parametrize(
    ("change", "text", "told"),
    [
        (Change(drop=("blue",)), TEXT, "no checker is called 'blue': the panel is green, red"),
        (
            Change(drop=("red",)),
            TOP + REST.replace("check_option", "#"),
            "the panel is a single model, which has to stay",
        ),
        (Change(drop=("red",)), TOP + REST.replace("check_option", 'check_option = "red" #'), "which has to stay"),
        (Change(accept="often"), TEXT, '--accept should be between 0 and 1, such as 0.8 or "5/9"'),
        (Change(reject="1.2"), TEXT, "--reject should be between 0 and 1"),
    ],
)
def test_what_cannot_be_changed_so_is_told(change: Change, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        new(change, text)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (Change(accept="0.1"), r"\A--accept 0.1: rule: accept \(1/10\) is below reject"),
        (Change(reject="0.95"), r"\A--reject 0.95: rule: accept \(\d+/\d+\) is below reject"),
        (Change(quorum=5), r"\A--quorum 5: rule.quorum: is 5, but check_option casts at most 4"),
        (Change(drop=("red", "green")), "(?s)--drop-checker red --drop-checker green: .*check_option.panel: is empty"),
    ],
)
def test_a_change_that_makes_no_sound_campaign_is_refused_by_what_was_typed(change: Change, told: str) -> None:
    with pytest.raises(UsageError, match=told) as refused:
        new(change)
    assert not isinstance(refused.value, ConfigError)
    assert str(FILE) not in str(refused.value)


@given(st.fractions(0, 1, max_denominator=1000), st.fractions(0, 1, max_denominator=1000))
def test_thresholds_arrive_exactly(one: Fraction, other: Fraction) -> None:
    low, high = sorted((one, other))
    _, campaign = edit_file(FILE, TEXT, Change(str(high), str(low)))

    assert (campaign.rule.accept, campaign.rule.reject) == (high, low)
