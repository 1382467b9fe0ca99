"""The lines of a first campaign file that each pipeline of questions with options brings along."""

import re
import tomllib

import pytest

from benchwright.pipelines import PIPELINES

CHOICE = [name for name, one in PIPELINES.items() if one.kind.name == "choice"]


@pytest.mark.parametrize("name", CHOICE)
def test_a_starter_names_its_pipeline_and_sets_what_holds_without_it(name: str) -> None:
    kind, lines = PIPELINES[name], PIPELINES[name].starter()

    assert tomllib.loads(lines.pipeline) == {"pipeline": name}
    spread = {"topics": "balanced"} if name == "recall" else {}  # a set of its own is best spread
    assert kind.Settings(**tomllib.loads(lines.settings)[name]) == kind.Settings(**spread)


@pytest.mark.parametrize("name", CHOICE)
def test_a_starters_panels_are_switched_off_and_of_roles_that_there_are(name: str) -> None:
    panels = PIPELINES[name].starter().panels
    roles = set(re.findall(r"^#(\w+) = ", panels, re.MULTILINE))

    assert tomllib.loads(panels) == {}
    assert roles <= {role.name for role in PIPELINES[name].roles}
    assert bool(roles) == (name != "recall")


@pytest.mark.parametrize("name", CHOICE)
def test_no_place_in_a_template_stays_empty(name: str) -> None:
    lines = PIPELINES[name].starter()
    assert not re.search(r"\$\w", f"{lines.pipeline}{lines.settings}{lines.panels}")
