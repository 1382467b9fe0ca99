"""Who may vote in the place of a checker that is down."""

from pathlib import Path

import pytest

from benchwright.config import Change, edit_file, load
from benchwright.domain.campaign import Campaign
from benchwright.errors import ConfigError

TOP = 'pipeline = "recall"\ncorpus = ["x"]\n{preset}'
FAMILIES = {"writer": "w", "red": "r", "green": "g", "blue": "r", "spare": "s", "plain": ""}


def text(preset: str = "", panel: str = '["red", "green"]', **substitutes: str) -> str:
    models = ""
    for name, family in FAMILIES.items():
        models += f'[models.{name}]\nbase_url = "http://h/v1"\nmodel = "m"\n'
        models += f'family = "{family}"\n' if family else ""
        models += f'substitute = "{substitutes[name]}"\n' if name in substitutes else ""
    return TOP.format(preset=preset) + models + f'[roles]\ndefault = "writer"\ncheck_option = {{ panel = {panel} }}\n'


def loaded(folder: Path, source: str) -> Campaign:
    path = folder / "c.toml"
    path.write_text(source, "utf-8")
    return load(path)


def test_a_substitute_is_part_of_the_recipe_and_of_the_models_that_are_used(tmp_path: Path) -> None:
    made, plain = loaded(tmp_path, text(red="spare")), loaded(tmp_path, text())

    assert (made.models["red"].substitute, made.models["red"].family) == ("spare", "r")
    assert (made.serving_models, plain.serving_models) == (
        ("green", "red", "spare", "writer"),
        ("green", "red", "writer"),
    )
    assert made.recipe()["models"]["red"]["substitute"] == "spare"
    assert "substitute" not in plain.recipe()["models"]["red"]
    assert made.id != plain.id


def test_under_a_preset_a_substitute_votes_as_a_voter_does(tmp_path: Path) -> None:
    made = loaded(tmp_path, text('preset = "epiqal-a"\n', red="spare"))

    assert {name: made.models[name].temperature for name in made.serving_models} == {
        "red": 1.0, "green": 1.0, "spare": 1.0, "writer": 0.0
    }  # fmt: skip


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (text(red="spar"), "unknown model 'spar'; did you mean spare?"),
        (text(red="green"), "green votes on this panel itself: name a model that does not"),
        (text(red="red"), "red votes on this panel itself"),
        (text(red="spare", green="spare"), "spare stands in for another checker of this panel too: it has one voice"),
        (text(red="blue"), "blue should be of another family: give both their family"),
        (text(red="plain"), "plain should be of another family"),
        (text(panel='["writer", "red"]', writer="spare"), "this model writes or judges too: give it a second entry"),
    ],
)
def test_what_would_add_no_other_voice_is_refused(tmp_path: Path, source: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        loaded(tmp_path, source)
    assert ".substitute: " in str(caught.value)


@pytest.mark.parametrize(("role", "sound"), [("compare_stems", True), ("judge_item", False)])
def test_who_compares_may_have_a_substitute_and_a_judge_may_not(tmp_path: Path, role: str, sound: bool) -> None:
    source = text(red="spare").replace("recall", "inference").replace("check_option", "check_inference")
    source += f'{role} = {{ panel = ["red", "green"] }}\n'
    if sound:
        assert loaded(tmp_path, source).models["red"].substitute == "spare"
    else:
        with pytest.raises(ConfigError, match="stands in for checkers only, and this model writes or judges too"):
            loaded(tmp_path, source)


def test_models_that_are_not_asked_may_name_any(tmp_path: Path) -> None:
    assert loaded(tmp_path, text(blue="plain")).serving_models == ("green", "red", "writer")


def test_a_checker_that_leaves_the_panel_takes_its_substitute_along() -> None:
    _, then = edit_file(Path("c.toml"), text(red="spare"), Change(drop=("red",)))

    assert then.serving_models == ("green", "writer")
