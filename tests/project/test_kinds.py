"""The two laws of the house of kinds: who may know a wing, and where its words may stand."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import benchwright
from benchwright.pipelines import PIPELINES

SOURCE = Path(benchwright.__file__).parent
WINGS = sorted({pipeline.kind.name for pipeline in PIPELINES.values()})
REGISTRIES = {"pipelines/__init__.py", "cli.py"}
# The words of each kind, which mean nothing to the rest of the house. `Path.stem` is Python's.
WORDS = {
    "choice": re.compile(r"(?<![a-z])(?:options?|distractors?|stems?)(?![a-z])", re.IGNORECASE),
    "crisis": re.compile(r"(?<![a-z])(?:scenes?|incidents?|time.frames?)(?![a-z])", re.IGNORECASE),
    "evaluation": re.compile(r"(?<![a-z])(?:take_question|general_knowledge|cannot_tell)(?![a-z])", re.IGNORECASE),
    "retrieval": re.compile(
        r"(?<![a-z])(?:qrels?|search intents?|hard.negatives?|entail(?:s|ed))(?![a-z])", re.IGNORECASE
    ),
}
# What is not ours to name: Python's `Path.stem`, HTTP's headers, keys of Argilla's files and of OpenAI's requests.
FOREIGN = re.compile(r"\.(?:with_)?stem\b|X-[\w-]*Options|\"(?:visible_|stream_)?options\"")
APPLIED = "store/migrations"  # which are never edited


def rooms() -> Iterator[Path]:
    """Every file of ours outside the wings, whose text people write."""
    endings = {".py", ".md", ".sql", ".toml", ".html", ".js", ".css"}
    for path in sorted(SOURCE.rglob("*")):
        parts = path.relative_to(SOURCE).parts
        wing = parts[0] in {"agents", "pipelines"} and len(parts) > 1 and parts[1] in WINGS
        if path.suffix in endings and not wing and not path.relative_to(SOURCE).as_posix().startswith(APPLIED):
            yield path


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_there_is_a_wing() -> None:
    assert sorted(WORDS) == WINGS
    assert all((SOURCE / room / wing).is_dir() for room in ("agents", "pipelines") for wing in WINGS)


def test_only_the_registry_and_the_command_line_import_a_wing() -> None:
    wings = re.compile(rf"benchwright\.(?:agents|pipelines)\.(?:{'|'.join(WINGS)})(?:\.|$)")
    found = {
        f"{path.relative_to(SOURCE)} imports {module}"
        for path in rooms()
        if path.suffix == ".py" and path.relative_to(SOURCE).as_posix() not in REGISTRIES
        for module in imports(path)
        if wings.match(module)
    }
    assert not found


@pytest.mark.parametrize("wing", WINGS)
def test_the_words_of_a_kind_stand_in_its_wing_alone(wing: str) -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in rooms()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if WORDS[wing].search(FOREIGN.sub("", line))
    ]
    assert not found


def test_a_strangers_kind_is_known_nowhere_in_the_house() -> None:
    """`tests/foreign` is a kind that came after it: what it needs of the house is one line in the registry."""
    named = re.compile(r"tests\.foreign|(?:write_query|grade_pair|settle_pair|\bqrels\b)")
    found = [path for path in rooms() if named.search(path.read_text("utf-8"))]

    assert not found
    assert "pairs" not in PIPELINES
