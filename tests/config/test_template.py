"""The campaign that `init` writes, as it is and with each of its blocks switched on."""

import re
import tomllib
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.config import describe_overrides, load, template
from benchwright.config.draft import kinds
from benchwright.config.faults import holder
from benchwright.config.shapes import BudgetTable, DocumentsTable, Items, ModelTable, ReviewTable, RuleTable, Top
from benchwright.config.template import preset_keys
from benchwright.domain.campaign import Campaign
from benchwright.domain.keys import flat, key_lines
from benchwright.domain.source import Inputs
from benchwright.errors import UsageError
from benchwright.pipelines import PRESETS

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


TEXTS = {name: template("x", name) for name in kinds()}
OFF = {name: {where[-1] for where in preset_keys(name)} for name in TEXTS}  # keys that are left to the preset
BLOCKS = [
    (name, block)
    for name, text in TEXTS.items()
    for block in blocks(text)
    if not ((key := KEY.match(block)) and key[1] in OFF[name])
]
each_pipeline = pytest.mark.parametrize("name", TEXTS)


@each_pipeline
def test_the_first_campaign_runs_on_the_embedded_model_alone(tmp_path: Path, name: str) -> None:
    made = loaded(tmp_path, template("My outbreaks", name))
    assert (made.name, made.pipeline) == ("My outbreaks", name)
    assert made.corpus == ("documents",)
    assert {model.provider for model in made.models.values()} == {"local"}


@each_pipeline
def test_what_the_template_sets_for_a_pipeline_is_what_holds_without_it(tmp_path: Path, name: str) -> None:
    made = loaded(tmp_path, TEXTS[name])
    small = {"intents": ["qa", "fc"], "categories": ["Geohazard", "Biological"]}  # a first collection is not the whole
    assert made.settings == kinds()[name].settings().model_dump(mode="json") | (small if name == "retrieval" else {})
    text = TEXTS[name]
    for number, line in enumerate(lines := text.split("\n")):  # what is switched off shows what holds all the same
        on = "\n".join([*lines[:number], line.removeprefix("#"), *lines[number + 1 :]])
        if line.startswith("#") and any(key_lines(on).get(where) == number + 1 for where in preset_keys(name)):
            lines[number] = line.removeprefix("#")
    text = "\n".join(lines)
    again = loaded(tmp_path, text)
    assert text.count("\n#") < TEXTS[name].count("\n#") - 3
    assert again.settings == {**made.settings, **({"topics": "balanced"} if name == "recall" else {})}
    assert again.rule == made.rule


def needed_by_preset(name: str) -> str:
    """What a preset needs beside the template's own tables: DisastIR's finds texts by vectors alone."""
    return '\n[models.vectors]\nlocal = "minilm"\nembeds = true\n' if name == "retrieval" else ""


@each_pipeline
def test_a_preset_that_is_switched_on_in_the_template_keeps_what_it_promises(tmp_path: Path, name: str) -> None:
    text = re.sub(r"^#preset", "preset", TEXTS[name], flags=re.MULTILINE)
    made = loaded(tmp_path, text + needed_by_preset(name))
    preset = next(preset for preset in PRESETS.values() if preset.pipeline == name)
    if kinds()[name].voters:
        assert (made.rule.accept, made.rule.reject) == (Fraction(4, 5), Fraction(7, 10))
    kept = dict(flat(made.settings))
    assert {where: kept[where[1:]] for where, _ in flat(preset.tables) if where[0] == name} == {
        where: float(value) if isinstance(value, Decimal) else list(value) if isinstance(value, tuple) else value
        for where, value in flat(preset.tables)
        if where[0] == name
    }
    told = "\n".join(describe_overrides(tmp_path / "campaign.toml"))
    assert "rule" not in told
    assert f"{name}." not in told


@each_pipeline
def test_the_template_shows_an_endpoint_a_provider_a_panel_and_the_preset(name: str) -> None:
    shown = "".join(blocks(TEXTS[name]))
    preset = next(preset for preset, value in PRESETS.items() if value.pipeline == name)
    assert all(part in shown for part in ("base_url = ", "litellm = ", "panel = ", f'preset = "{preset}"'))
    least = {"recall": 8, "inference": 10, "reconstruction": 9, "crisis": 11, "retrieval": 8, "evaluation": 8}
    assert len(blocks(TEXTS[name])) >= least[name]


@pytest.mark.parametrize(("name", "block"), BLOCKS, ids=[f"{name} {block.split()[0]}" for name, block in BLOCKS])
def test_each_block_can_be_switched_on(tmp_path: Path, name: str, block: str) -> None:
    plain = loaded(tmp_path, TEXTS[name])
    needed = needed_by_preset(name) if "preset" in block else ""
    assert loaded(tmp_path, switched_on(TEXTS[name], block) + needed) != plain or "preset" in block


@each_pipeline
def test_all_blocks_can_be_switched_on_together(tmp_path: Path, name: str) -> None:
    text = TEXTS[name]
    for block in blocks(text):
        text = switched_on(text, block)
    made = loaded(tmp_path, text)
    assert {model.provider for model in made.models.values()} == {"local", "direct", "litellm"}


@each_pipeline
def test_the_template_names_every_key_there_is(name: str) -> None:
    kind, text = kinds()[name], TEXTS[name]
    voted = (RuleTable,) if kind.voters else ()
    tables = (Top, Items, *voted, ReviewTable, DocumentsTable, ModelTable, BudgetTable)
    unnamed = {"top_p", "wait_for_people", *(() if voted else ("audit",))}  # the second is for pipelines with phases
    whole = Inputs.DOCUMENTS in kind.pipeline.inputs and not kind.pipeline.splits  # else no document is too long
    unnamed |= set() if whole else {"long_documents"}
    keys = {key for table in tables for key in table.model_fields} - unnamed
    for key, field in kind.settings.model_fields.items():
        table = holder(field.annotation, ["any"])
        assert (f"[{name}.{key}]" in text) == bool(table)
        keys |= {*table.model_fields} if table else {key}
    assert [key for key in sorted(keys) if not re.search(rf"\b{key} = ", text)] == []
    assert [role for role in kind.roles if role not in text] == []
    assert [line for line in text.split("\n") if len(line) > 120] == []


@pytest.mark.parametrize("name", ["", "a/b", 'a"b', "a\nb", " a", "x" * 101])
def test_a_name_that_cannot_serve_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="campaign name: should be"):
        template(name)


def test_a_pipeline_that_there_is_not_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown pipeline 'inferense'; did you mean inference"):
        template("x", "inferense")


@given(
    st.text(min_size=1, max_size=20).filter(lambda s: s.isprintable() and s == s.strip() and not set(s) & set('/\\"'))
)
def test_any_other_name_arrives_as_it_is(name: str) -> None:
    assert tomllib.loads(template(name))["name"] == name
