"""Inference and reconstruction in a rough estimate: the real pipelines, and a model that knows nothing but its part."""

import json
from collections import Counter
from pathlib import Path

import pytest

from benchwright.config import load
from benchwright.domain.call import Reply, Request
from benchwright.domain.document import View
from benchwright.domain.item import Seed
from benchwright.engine.estimate import Sample
from benchwright.engine.invented import Invented, Manner
from benchwright.engine.rehearsal import CONFIRMED, EASY, TOSSED, played, refusals, rough, taken
from benchwright.engine.unasked import Unasked
from benchwright.llm.gateway import Llm
from benchwright.llm.providers.scripted import Scripted
from benchwright.pipelines.choice.drill import MADE, Asked
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.reconstruction import Reconstruction
from benchwright.pipelines.lookups import EntityAsk, EntityFound, TopicAsk, TopicFacts

WORDS = ["valley", "well", "rain", "school", "market", "fever", "child", "nurse", "clinic", "river", "vaccine", "goat"]
KINDS: dict[str, type[Inference | Reconstruction]] = {"inference": Inference, "reconstruction": Reconstruction}
TABLES = {
    "inference": """
[inference.knowledge]
graphs = [{ form = "triples", path = "facts.csv" }]
""",
    "reconstruction": "",
}
REST = """
[items]
tries = 2
[rule]
accept = 0.6
reject = 0.4
[models.a]
base_url = "http://127.0.0.1:9/v1"
model = "a"
context = 64000
[models.b]
base_url = "http://127.0.0.1:9/v1"
model = "b"
context = 64000
[roles]
default = "a"
check_PIPELINE = { panel = ["a", "b"], runs = 2 }
judge_item = { panel = ["a", "b"] }
compare_stems = { panel = ["a", "b"] }
"""
STUDIES = 3
SEED = Seed(0, 0, View("d", (0,)), "{}")


def study(number: int) -> str:
    """A small study with a discussion; no two sentences are the same."""

    def sentences(part: str, count: int) -> str:
        words = [WORDS[(number * 5 + n) % len(WORDS)] for n in range(count)]
        return " ".join(
            f"In the {part} of study {number} the {word} was seen {n + 2} times." for n, word in enumerate(words)
        )

    parts = {"Introduction": 3, "Methods": 4, "Results": 9, "Discussion": 6}
    return f"# Study {number}\n\n" + "\n\n".join(f"## {name}\n\n{sentences(name, n)}" for name, n in parts.items())


def campaign(folder: Path, pipeline: str, table: str = "") -> Inference | Reconstruction:
    """A campaign file over four studies, as its pipeline."""
    for number in range(STUDIES):
        (folder / f"study-{number}.md").write_text(study(number), "utf-8")
    kind = KINDS[pipeline]
    rest = TABLES[pipeline] + table + REST.replace("check_PIPELINE", kind.check_step)
    path = folder / "c.toml"
    path.write_text(f'pipeline = "{pipeline}"\ncorpus = ["*.md"]\n{rest}', "utf-8")
    return kind.of(load(path), folder)


class Watched:
    """A model that remembers what it was asked."""

    def __init__(self, inner: Llm) -> None:
        self.inner = inner
        self.asked: list[Request] = []

    @property
    def corrections(self) -> list[str]:
        """The roles that had a reply shown back."""
        return [one.step for one in self.asked if one.messages[-1].content.startswith("Your reply cannot be used")]

    async def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        return await self.inner.ask(request)


def scripted(request: Request) -> str:
    """What a model says that mostly agrees with the others, and always that a comparison turned out well."""
    if request.step.startswith("compare_"):
        return json.dumps({"reason": "seen", "verdict": request.schema["properties"]["verdict"]["enum"][0]})
    asked = Asked(request.step, request.messages[-1].content, dict(request.schema), request.id)
    return json.dumps(MADE[request.step](asked))


async def play(pipeline: Inference | Reconstruction, folder: Path, model: Llm, share: float = 1.0) -> Sample:
    """The first slots, made with this model; searches and graphs have so much of what they are asked for."""
    _, sources = await taken(pipeline.campaign, pipeline, folder, print)
    return await played(pipeline.campaign, pipeline, sources, model, Unasked(share, 5).services)


@pytest.mark.untraced
@pytest.mark.parametrize("manner", [TOSSED, Manner(0.8, 0.7, 0.5)])
@pytest.mark.parametrize("name", TABLES)
async def test_hardly_a_reply_is_refused(name: str, manner: Manner, tmp_path: Path) -> None:
    pipeline, model = campaign(tmp_path, name), Watched(Invented(manner))
    found = await play(pipeline, tmp_path, model, manner.found)
    assert found.slots == tuple(range(STUDIES))
    assert len(model.corrections) <= len(model.asked) / 50, Counter(model.corrections)


@pytest.mark.parametrize("name", TABLES)
async def test_the_plays_are_the_extremes_of_a_refinement(name: str, tmp_path: Path) -> None:
    pipeline = campaign(tmp_path, name)
    steps = {}
    for manner in (CONFIRMED, EASY):
        model = Watched(Invented(manner))
        await play(pipeline, tmp_path, model, manner.found)
        steps[manner] = Counter(request.step for request in model.asked)
    few, many = steps[CONFIRMED], steps[EASY]
    assert few["judge_item"] == STUDIES  # one wrong judge of two is enough
    assert {few[step] for step in ("pick_entity", "describe_entity", "compare_stems", "summarise_knowledge")} == {0}
    assert many["pick_entity"] == many["describe_entity"] == 3 * STUDIES
    assert many["judge_item"] == (1 + 3) * 2 * STUDIES
    assert many["summarise_knowledge"] == (STUDIES if name == "inference" else 0)


@pytest.mark.untraced
@pytest.mark.parametrize("name", TABLES)
async def test_the_range_holds_what_a_scripted_run_takes(name: str, tmp_path: Path) -> None:
    pipeline = campaign(tmp_path, name)
    model = Watched(Scripted(scripted))
    made = await play(pipeline, tmp_path, model)
    found = await rough(pipeline.campaign, pipeline, tmp_path, print)
    assert (found.items, found.sampled) == (STUDIES, STUDIES)
    assert found.calls.low <= sum(made.each(lambda share: share.calls)) <= (found.calls.high or 0)
    assert found.calls.high == sum(line.calls.high or 0 for line in found.lines)
    assert "judge_item" in {request.step for request in model.asked}
    assert any("no search and no graph was asked" in note for note in found.notes)
    assert any("stays easy" in note for note in found.notes)


@pytest.mark.untraced
async def test_a_stem_that_stays_as_it_is_written_costs_no_judge(tmp_path: Path) -> None:
    pipeline = campaign(tmp_path, "inference", "[inference]\nrefine = false\n")
    found = await rough(pipeline.campaign, pipeline, tmp_path, print)
    assert [line.role for line in found.lines if line.role in {"judge_item", "compare_stems"}] == []


async def test_what_nobody_is_asked_for_has_the_form_of_an_answer() -> None:
    everything, nothing = Unasked(1.0, 7), Unasked(0.0, 7)
    found = EntityFound.model_validate(await everything.search(EntityAsk("fever", 6), SEED))
    assert (len(found.snippets), len({one.text for one in found.snippets})) == (6, 6)
    facts = TopicFacts.model_validate(await everything.graphs(TopicAsk("Measures"), SEED)).facts
    assert len({fact.fact.id for fact in facts}) == 7
    assert not (await nothing.search(EntityAsk("fever", 6), SEED))["snippets"]
    assert not (await nothing.graphs(TopicAsk("Measures"), SEED))["facts"]


def test_files_that_a_run_would_refuse_are_named_with_their_reasons_the_first_of_them() -> None:
    few = {"a.md": "is empty", "b.bin": "is binary"}
    assert list(refusals(few)) == ["refused a.md: is empty", "refused b.bin: is binary"]
    *named, rest = refusals({f"{number}.md": "is empty" for number in range(13)})
    assert (len(named), rest) == (10, "and 3 more files refused")


async def test_a_file_that_a_run_would_refuse_is_told_and_not_played(tmp_path: Path) -> None:
    pipeline = campaign(tmp_path, "reconstruction")
    (tmp_path / "empty.md").touch()
    said: list[str] = []
    count, _ = await taken(pipeline.campaign, pipeline, tmp_path, said.append)
    assert count == STUDIES
    assert any(line.startswith("refused empty.md: ") for line in said)
