"""Keys are taken out of texts, however they are spelt; placeholders and other words stay."""

import base64
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.llm.providers.scrub import PART, PLACEHOLDERS, SHORT, Scrub, of_environment

KEY = "sk-Very/secret+0123456789=abcdefghij"
keys = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=SHORT, max_size=80).filter(
    lambda key: key.lower() not in PLACEHOLDERS
)


@given(keys, st.text(max_size=9), st.text(max_size=9))
def test_a_key_is_taken_out_in_every_usual_spelling(key: str, before: str, after: str) -> None:
    scrub = Scrub(key)
    once = json.dumps(key)[1:-1]
    spellings = [key, quote(key, safe=""), quote_plus(key), once, json.dumps(once)[1:-1]]
    for spelt in spellings:
        assert scrub(f"{before} {spelt} {after}") == f"{scrub(before)} [key] {scrub(after)}"


@pytest.mark.parametrize("user", ["", "a", "ab", "api", "user@example.org"])
@pytest.mark.parametrize("end", ["", ":", "x"])
def test_a_key_is_taken_out_of_basic_authentication(user: str, end: str) -> None:
    sent = base64.b64encode(f"{user}:{KEY}{end}".encode()).decode()
    left = Scrub(KEY)(f"Basic {sent}")
    assert "[key]" in left
    assert len(left) < len("Basic [key]") + len(user) * 2 + 8


def test_a_key_that_somebody_has_cut_is_taken_out_too() -> None:
    scrub = Scrub("sk-proj-" + "0123456789abcdef" * 4)
    assert scrub("bad key sk-proj-0123456789abcd...") == "bad key [key]..."
    assert scrub("bad key sk-proj-****cdef") == "bad key sk-proj-****cdef"  # masked by the provider


@given(keys.filter(lambda key: len(key) >= PART), st.data())
def test_every_piece_of_a_key_that_is_long_enough_is_taken_out(key: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(key) - PART))
    piece = key[start : data.draw(st.integers(start + PART, len(key)))]
    assert piece not in Scrub(key)(f"ends in \u2026{piece}\u2026")


def test_the_usual_beginning_of_keys_is_no_key() -> None:
    said = "keys begin with sk-ant-api03-, yours does not"
    assert Scrub("sk-ant-api03-abcdefghijklmnopqrstuvwxyz")(said) == said


def test_a_short_key_is_taken_out_where_it_stands_by_itself() -> None:
    scrub = Scrub("pass123", "Xy9!")
    assert scrub("wrong key pass123, or 'Xy9!'") == "wrong key [key], or '[key]'"
    assert scrub("compass123 passes pass1234") == "compass123 passes pass1234"


def test_a_placeholder_is_no_secret() -> None:
    for word in ("", "none", "EMPTY", "ollama"):
        assert Scrub(word)(f"There is {word} here, {{none}}") == f"There is {word} here, {{none}}"


def test_anything_can_be_said() -> None:
    assert Scrub(KEY)(ValueError(f"header {KEY}")) == "header [key]"
    assert Scrub()(7) == "7"


def test_variables_that_hold_secrets_are_known_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SOME_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "db_password"):
        monkeypatch.setenv(name, f"value of {name}")
    monkeypatch.setenv("SOME_NAME", "plain")
    found = of_environment()
    assert {"value of SOME_API_KEY", "value of HF_TOKEN", "value of db_password"} <= set(found)
    assert "plain" not in found
