"""The pipeline `evaluation`: each question of a set, put to each of several models, in each run.

An item is one question, one condition, one model, one run. What a model does wrong ends its own items only: a reply
that cannot be used is a finding about the model, its item is "failed", and nobody counts it as wrong.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from benchwright.agents.base import Agent
from benchwright.agents.evaluation import take_question
from benchwright.agents.evaluation.take_question import Choice, Shot
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.document import Document, View
from benchwright.domain.ids import canonical, seeded_shuffle
from benchwright.domain.item import Ending, Progress, Seed, discarded_ending, kept_ending
from benchwright.domain.source import Inputs, Outline, Sources
from benchwright.errors import Unreadable
from benchwright.pipelines.base import Due, Expected, Fault, Role, Served, Steady, Usual
from benchwright.pipelines.card import Card
from benchwright.pipelines.evaluation.body import Taken, Task, task_json, task_of
from benchwright.pipelines.evaluation.kind import EVALUATION, EvaluationKind
from benchwright.pipelines.evaluation.rows import Row, read_row
from benchwright.pipelines.evaluation.settings import Condition, EvaluationSettings
from benchwright.pipelines.slots import order
from benchwright.pipelines.template import Starter, read_parts

ROLE = take_question.agent.name
NO_QUESTION = "no question"  # the cause of items whose row is none
NOT_SHOWN = "(The question is not shown.)"
DOCUMENT_ALONE = "Rely on the document alone. General knowledge does not count."
KNOWLEDGE_TOO = "Rely on the document and on general knowledge of its field: both count."
CLOSED_BOOK = "The document is not shown. Answer from what you know."
CHOICES_ONLY = "Neither document nor question is shown. Say which choices are most probably right."
FAULT = '{"fault":'  # how the body of a seed begins whose row is none
TRIED = 50  # rows that are looked at for solved questions of other documents


@dataclass(frozen=True)
class Evaluation(Usual):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "evaluation"
    kind: ClassVar[EvaluationKind] = EVALUATION
    Settings: ClassVar[type[BaseModel]] = EvaluationSettings
    question_step: ClassVar[str] = ""
    inputs: ClassVar[tuple[Inputs, ...]] = (Inputs.RECORDS,)
    phases: ClassVar[tuple[str, ...]] = ("",)
    roles: ClassVar[tuple[Role, ...]] = (
        Role(take_question.agent, Served.EACH, steady=Steady.RECORD, duty="takes questions"),
    )
    people: ClassVar[tuple[Agent, ...]] = ()

    campaign: Campaign
    settings: EvaluationSettings

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Evaluation":  # noqa: ARG003 - it reads no further files
        """The pipeline of a campaign."""
        return cls(campaign, EvaluationSettings.model_validate(dict(campaign.settings)))

    @classmethod
    def find_faults(
        cls,
        settings: EvaluationSettings,
        panels: Mapping[str, Panel],  # noqa: ARG003 - any panel will do
    ) -> Sequence[Fault]:
        """No condition stands twice."""
        twice = len(set(settings.conditions)) < len(settings.conditions)
        return [(("conditions",), "names a condition twice: to ask several times, raise runs")] if twice else []

    @classmethod
    def starter(cls) -> Starter:
        """Its lines of a first campaign file."""
        return Starter(**read_parts(__name__.rpartition(".")[0], cls.name, {}))

    @cached_property
    def agent(self) -> Agent:
        """Who takes questions: with reasons before the answer, or without."""
        return take_question.reasoned if self.settings.reasoning else take_question.agent

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The one role."""
        return (self.agent,)

    @property
    def panel(self) -> Panel:
        """The models that are measured."""
        return self.campaign.roles[ROLE]

    # ------------------------------------------------------------------------------------------- how items begin

    def shows(self, document: Document) -> View:
        """Nothing of a document: it takes rows of a set."""
        raise Unreadable(f"{document.name}: a set is evaluated, not a document: name the items.jsonl of an export")

    def sources(self) -> Mapping[str, str]:
        """It draws on no other files."""
        return {}

    @property
    def each(self) -> int:
        """How many items each question has."""
        return len(self.settings.conditions) * self.panel.runs * len(self.panel.models)

    def wanted_items(self, phase: str, sources: Sources) -> int:
        """Every question, or as many as the target says, under each condition, by each model, in each run."""
        target = self.campaign.quota.target
        return self.each * (min(target, len(sources)) if target else len(sources))

    def admit(self, sources: Sources, progress: Progress) -> Sequence[Seed]:
        """The items that begin next, question by question, so that early results compare all models."""
        end = min(self.wanted_items(progress.phase, sources), progress.begun + progress.room)
        return [self.seed(sources, slot) for slot in range(progress.begun, end)]

    def seed(self, sources: Sources, slot: int) -> Seed:
        """How the item of a slot begins. In a closed book it is about nothing, so nothing can be shown."""
        place, rest = divmod(slot, self.each)
        rest, model = divmod(rest, len(self.panel.models))
        number, run = divmod(rest, self.panel.runs)
        if self.campaign.quota.target:
            place = order(len(sources), self.campaign.seed)[place]
        source, condition = sources[place], self.settings.conditions[number]
        about = source.about if condition is Condition.FULL else ()
        try:
            row = read_row(source.body or {})
        except ValueError as error:
            return Seed(slot, 0, source.about, canonical({"fault": str(error)}))
        task = self.task(row, condition, self.panel.models[model], run)
        if self.settings.shots:
            task = self.with_shots(task, row, sources, place)
        return Seed(slot, 0, about, canonical(task_json(task)))

    def task(self, row: Row, condition: Condition, model: str, run: int) -> Task:
        """What is put to a model."""
        choices = row.named
        if self.settings.order == "seed":
            choices = seeded_shuffle(choices, self.campaign.seed, "order of choices", row.id, run)
        # A full view needs no name beside the model's where it is the only one.
        name = "" if self.settings.conditions == (Condition.FULL,) else str(condition)
        return Task(row.id, row.text, choices, tuple(sorted(row.key)), model, run + 1, name)

    def with_shots(self, task: Task, row: Row, sources: Sources, place: int) -> Task:
        """The same with solved questions of other documents, drawn by the seed."""
        places = seeded_shuffle(range(len(sources)), self.campaign.seed, "shots", row.id)
        found = list[Row]()
        for other in [other for other in places if other != place][:TRIED]:
            if (solved := row_of(sources[other])) and solved.context != row.context:
                found.append(solved)
            if len(found) == self.settings.shots:
                break
        shots = tuple(
            (one.text, tuple(f"{name}. {text}" for name, text in one.named), ", ".join(sorted(one.key)) or "none")
            for one in found
        )
        return replace(task, shots=shots)

    def expect(self) -> Sequence[Expected]:
        """One call for an item."""
        reply = (60, 400) if self.settings.reasoning else (10, 30)
        shown = 0 if Condition.FULL not in self.settings.conditions else None
        return (Expected(ROLE, (1, 1), 150 * (1 + self.settings.shots), reply, shown=shown),)

    # ------------------------------------------------------------------------------------------- how items are made

    def begin(self, seed: Seed) -> tuple[Seed, Answer | None]:
        """Nothing was said yet."""
        return seed, None

    def fold(self, state: tuple[Seed, Answer | None], answer: Answer) -> tuple[Seed, Answer | None]:
        """The answer."""
        return state[0], answer

    def plan(self, state: tuple[Seed, Answer | None]) -> Sequence[Due] | Ending:
        """The question to its model, or what it answered."""
        seed, answer = state
        if fault := fault_of(seed):
            return discarded_ending(NO_QUESTION, fault)
        task = task_of(seed.body)
        if answer is None:
            return [Due(self.agent, self.ask(task), task.model, run=task.run - 1)]
        taken = take(task, answer)
        return kept_ending("failed" if taken.chosen is None else "answered", taken)

    def ask(self, task: Task) -> take_question.Ask:
        """What the model sees beside the document."""
        letters = (chr(ord("A") + place) for place in range(len(task.choices)))
        choices = tuple(Choice(letter, *one) for letter, one in zip(letters, task.choices, strict=True))
        condition = Condition(task.condition or Condition.FULL)
        return take_question.Ask(
            instruction=self.instruction(condition),
            shots=tuple(Shot(*one) for one in task.shots),
            question=NOT_SHOWN if condition is Condition.CHOICES_ONLY else task.text,
            choices=choices,
        )

    def instruction(self, condition: Condition) -> str:
        """What counts besides what is shown."""
        if condition is Condition.FULL:
            return KNOWLEDGE_TOO if self.settings.general_knowledge else DOCUMENT_ALONE
        return CLOSED_BOOK if condition is Condition.CLOSED_BOOK else CHOICES_ONLY

    def body(self, state: tuple[Seed, Answer | None]) -> Taken | None:
        """The item as it stands."""
        seed, answer = state
        if fault_of(seed):
            return None
        task = task_of(seed.body)
        return take(task, answer) if answer else Taken(task, detail="not answered yet", failure="open")

    def card(self, state: Any, step: str, about: str) -> Card | None:
        """None: people answer nothing here."""
        return None


def fault_of(seed: Seed) -> str:
    """What is wrong with the row of an item; "" where it is one."""
    return str(json.loads(seed.body)["fault"]) if seed.body.startswith(FAULT) else ""


def row_of(source: Outline) -> Row | None:
    """The row of a record; None where it is none."""
    try:
        return read_row(source.body or {})
    except ValueError:
        return None


def take(task: Task, answer: Answer) -> Taken:
    """A task with its answer, or with why there is none."""
    if answer.failure:
        return Taken(task, failure=answer.failure, detail=answer.value["detail"])
    said = answer.value
    return Taken(task, tuple(said["choices"]), abstained=said["cannot_tell"], reasoning=said.get("reasoning", ""))
