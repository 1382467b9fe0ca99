"""The campaign that `init` writes, as it is and with each of its blocks switched on."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.config import load, template
from benchwright.config.draft import kinds
from benchwright.config.shapes import BudgetTable, Items, ModelTable, ReviewTable, RuleTable, Top
from benchwright.domain.campaign import Campaign
from benchwright.errors import UsageError

KEY = re.compile(r"#?([a-z_]+) = ")


def loaded(folder: Path, text: str) -> Campaign:
    (folder / "documents").mkdir(exist_ok=True)
    path = folder / "campaign.toml"
    path.write_text(text, "utf-8")
    return load(path)


def blocks(text: str) -> list[str]:
    """The runs of lines that are switched off: "#" and no space."""
    return re.findall(r"(?:^#\S.*\n)+", text, re.MULTILINE)


def switched_on(text: str, block: str) -> str:
    """The text with one block active; a single key takes the place of the same one just above it."""
    before, after = text.split(block)
    if (key := KEY.match(block)) and block.count("\n") == 1:
        before = re.sub(rf"^{key[1]} = ", f"#{key[1]} = ", before, flags=re.MULTILINE)
    return before + re.sub("^#", "", block, flags=re.MULTILINE) + after


BLOCKS = blocks(template("x"))


def test_the_first_campaign_runs_on_the_embedded_model_alone(tmp_path: Path) -> None:
    made = loaded(tmp_path, template("My outbreaks"))
    assert made.name == "My outbreaks"
    assert made.corpus == ("documents",)
    assert {model.provider for model in made.models.values()} == {"local"}


def test_the_template_shows_an_endpoint_a_provider_a_panel_and_the_preset() -> None:
    shown = "".join(BLOCKS)
    assert all(part in shown for part in ("base_url = ", "litellm = ", "panel = ", "preset = "))
    assert len(BLOCKS) == 6


@pytest.mark.parametrize("block", BLOCKS, ids=[block.split("\n")[0] for block in BLOCKS])
def test_each_block_can_be_switched_on(tmp_path: Path, block: str) -> None:
    plain = loaded(tmp_path, template("x"))
    assert loaded(tmp_path, switched_on(template("x"), block)) != plain or "preset" in block


def test_all_blocks_can_be_switched_on_together(tmp_path: Path) -> None:
    text = template("x")
    for block in BLOCKS:
        text = switched_on(text, block)
    made = loaded(tmp_path, text)
    assert {model.provider for model in made.models.values()} == {"local", "direct", "litellm"}


def test_the_template_names_every_key_there_is() -> None:
    tables = (Top, Items, RuleTable, ReviewTable, ModelTable, BudgetTable)
    keys = {key for table in tables for key in table.model_fields} - {"top_p"}
    keys |= {key for kind in kinds().values() for key in kind.settings.model_fields}
    assert [key for key in sorted(keys) if not re.search(rf"\b{key} = ", template("x"))] == []
    assert [role for kind in kinds().values() for role in kind.roles if role not in template("x")] == []


@pytest.mark.parametrize("name", ["", "a/b", 'a"b', "a\nb", " a", "x" * 101])
def test_a_name_that_cannot_serve_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="campaign name: should be"):
        template(name)


@given(
    st.text(min_size=1, max_size=20).filter(lambda s: s.isprintable() and s == s.strip() and not set(s) & set('/\\"'))
)
def test_any_other_name_arrives_as_it_is(name: str) -> None:
    assert tomllib.loads(template(name))["name"] == name
