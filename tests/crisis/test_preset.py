"""The published values by name."""

from pathlib import Path

import pytest

from benchwright.config import load

CAMPAIGN = """
preset = "{name}"
corpus = ["scenes.jsonl"]
[rule]
accept = 0.8
reject = 0.6
quorum = 1
[models.one]
base_url = "http://127.0.0.1:9/v1"
model = "one"
[roles]
default = "one"
"""


@pytest.mark.parametrize(("name", "words"), [("response", 15), ("response-10", 10)])
def test_a_preset_sets_word_limits_and_temperature_also_where_one_model_does_all(
    tmp_path: Path, name: str, words: int
) -> None:
    file = tmp_path / "published.toml"
    file.write_text(CAMPAIGN.format(name=name), "utf-8")
    made = load(file)
    found = made.settings
    assert (made.pipeline, found["action_words"], found["explanation_words"]) == ("crisis", words, 15)
    assert (found["answered_pairs"], found["compared"], found["formula"]) == (3, 1.0, "x/5")
    assert "volcanic eruption" in found["exclude"]
    assert made.models["one"].temperature == 0.0
