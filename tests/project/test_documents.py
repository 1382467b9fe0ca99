"""The documents say what is there: files, layers, commands and options."""

import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from tests.cli.campaign import typed

import benchwright
from benchwright.show.code import Code

PACKAGE = Path(benchwright.__file__).parent
PROJECT = PACKAGE.parents[1]
DOCUMENTS = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md")
ROLES = re.compile("/agents/(choice|crisis|evaluation|retrieval)/")  # of each kind, a module each
COMMAND = re.compile(r"^benchwright ((?:review (?=[a-z]+ ))?[a-z]+)(.*)$", re.MULTILINE)
LONGEST = 120  # characters of a line of prose


def text_of(name: str) -> str:
    return (PROJECT / name).read_text("utf-8")


def commands() -> Iterator[tuple[str, str]]:
    """The commands of the README with each of their options: `review serve`, `--reviewer`."""
    for command, rest in COMMAND.findall(text_of("README.md")):
        words = rest.partition("  #")[0]
        yield from ((command, option) for option in re.findall(r"(?<=\s)--[\w-]+", words) or ["--help"])


def test_the_map_names_every_module() -> None:
    tree = text_of("ARCHITECTURE.md").partition("## The tree")[2].partition("\n## ")[0]
    modules = [
        path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py" and not ROLES.search(path.as_posix())
    ]
    assert [path.name for path in modules if f"{path.name}`" not in tree] == []


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_file_that_a_document_names_exists(name: str) -> None:
    named = set(re.findall(r"`([\w./-]+\.(?:py|toml|md|sql))[`:]", text_of(name)))
    real = {path for path in named if not re.search(r"NAME|KIND", path)}
    rooms = (PACKAGE, PROJECT / "tests", PROJECT / "bench", PROJECT / "docs")
    present = [path.as_posix() for path in chain(PROJECT.iterdir(), *(room.rglob("*") for room in rooms))]
    assert {path for path in real if not any(one.endswith(f"/{path}") for one in present)} == set()


def test_the_map_draws_the_layers_that_are_enforced() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    enforced = [[name.strip("() ") for name in layer.split("|")] for layer in contract["layers"]]
    drawn = text_of("ARCHITECTURE.md").partition("## Layers")[2].split("```")[1]
    assert [[name.strip() for name in layer.split("|")] for layer in drawn.split("<")] == enforced[::-1]


@pytest.mark.parametrize("name", [*DOCUMENTS, "docs/glossary.md"])
def test_lines_of_prose_break(name: str) -> None:
    lines = text_of(name).splitlines()
    assert [line for line in lines if len(line) > LONGEST and not line.startswith(("|", "**"))] == []


@pytest.mark.parametrize(("command", "option"), sorted(set(commands())))
def test_every_command_of_the_readme_has_its_options(command: str, option: str) -> None:
    helped = typed(*command.split(), "--help")
    assert helped.code == Code.DONE
    assert option in chain(re.findall(r"--[\w-]+", helped.out), ["--help"])
