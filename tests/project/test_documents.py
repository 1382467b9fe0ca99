"""The documents say what is there: files, layers, commands and options."""

import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import typed

import benchwright
from benchwright.config import load
from benchwright.show.code import Code

PACKAGE = Path(benchwright.__file__).parent
PROJECT = PACKAGE.parents[1]
DOCUMENTS = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md")
PAGES = sorted(path.relative_to(PROJECT).as_posix() for path in (PROJECT / "docs").rglob("*.md"))
MODEL = '[models.{name}]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "{name}"\n'
ROLES = re.compile("/agents/(choice|crisis|evaluation|retrieval)/")  # of each kind, a module each
COMMAND = re.compile(r"^(?:\$ )?benchwright ((?:review (?=[a-z]+ ))?[a-z]+)(.*)$", re.MULTILINE)
LONGEST = 120  # characters of a line of prose


def text_of(name: str) -> str:
    return (PROJECT / name).read_text("utf-8")


def commands() -> Iterator[tuple[str, str]]:
    """The commands of README and docs with each of their options: `review serve`, `--reviewer`."""
    for command, rest in chain.from_iterable(COMMAND.findall(text_of(name)) for name in ("README.md", *PAGES)):
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


@pytest.mark.parametrize("name", [*DOCUMENTS, *PAGES])
def test_lines_of_prose_break(name: str) -> None:
    lines = text_of(name).splitlines()
    assert [line for line in lines if len(line) > LONGEST and not line.startswith(("|", "**"))] == []


@pytest.mark.parametrize(("command", "option"), sorted(set(commands())))
def test_every_command_of_readme_and_docs_has_its_options(command: str, option: str) -> None:
    helped = typed(*command.split(), "--help")
    assert helped.code == Code.DONE
    assert option in chain(re.findall(r"--[\w-]+", helped.out), ["--help"])


def targets(name: str) -> Iterator[tuple[str, str]]:
    """What a document links to in the project: a path from its own folder, and a heading."""
    for link in re.findall(r"\]\(([^)\s]+)\)", text_of(name)):
        if "://" not in link:
            path, _, heading = link.partition("#")
            yield path, heading


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings."""
    found = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("name", [*DOCUMENTS, *PAGES])
def test_every_link_leads_somewhere(name: str) -> None:
    for path, heading in targets(name):
        page = (PROJECT / name).parent / path if path else PROJECT / name
        assert page.exists(), f"{name}: {path}"
        assert not heading or heading in anchors(page.read_text("utf-8")), f"{name}: {path}#{heading}"


@pytest.mark.parametrize("name", PAGES)
def test_every_page_of_the_docs_is_found_from_the_readme(name: str) -> None:
    seen, waiting = set[Path](), [PROJECT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page.suffix == ".md" and page not in seen:
            seen.add(page)
            waiting += [(page.parent / path).resolve() for path, _ in targets(str(page.relative_to(PROJECT))) if path]
    assert PROJECT / name in seen


def settings() -> Iterator[tuple[str, str]]:
    """Each piece of a campaign file that README and docs show, with the page."""
    for name in ("README.md", *PAGES):
        for text in re.findall(r"^```toml\n(.*?)^```", text_of(name), re.MULTILINE | re.DOTALL):
            yield name, text


def models_named(given: dict[str, Any]) -> set[str]:
    """The models that roles and substitutes name."""
    roles = given.get("roles", {}).values()
    named = {one for role in roles for one in (role["panel"] if isinstance(role, dict) else [role])}
    return named | {model["substitute"] for model in given.get("models", {}).values() if "substitute" in model}


@pytest.mark.parametrize(("name", "shown"), list(settings()))
def test_every_setting_that_the_docs_show_is_taken(name: str, shown: str, tmp_path: Path) -> None:
    given = tomllib.loads(shown)
    pipeline = next((one for one in ("inference", "retrieval", "crisis", "evaluation") if one in given), "recall")
    if "roles" not in given:
        shown += '[roles]\ndefault = "writer"\n'
    elif "default" not in given["roles"]:
        shown = re.sub(r"^\[roles\].*$", '[roles]\ndefault = "writer"', shown, flags=re.MULTILINE)
    missing = {"writer", *models_named(given)} - set(given.get("models", {}))
    top = f'name = "shown"\npipeline = "{pipeline}"\ncorpus = ["documents"]\n'
    file = tmp_path / "campaign.toml"
    file.write_text(top + shown + "".join(MODEL.format(name=one) for one in sorted(missing)), "utf-8")
    assert load(file).name == "shown", name
