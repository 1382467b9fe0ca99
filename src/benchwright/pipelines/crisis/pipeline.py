"""The pipeline `crisis`: scenes, questions about them, answers to these, judgements of those (arXiv 2503.11348)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from benchwright.agents.base import Agent
from benchwright.agents.crisis import (
    annotate_scene,
    answer_question,
    caption_scene,
    check_questions,
    check_resource,
    classify_resource,
    compare_answers,
    fill_scene,
    judge_answer,
    prefer_answer,
    review_question,
    validate_scene,
    write_questions,
)
from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.document import Document, View
from benchwright.domain.item import Ending, Progress, Seed
from benchwright.domain.source import Inputs, Outline, Sources
from benchwright.errors import Unreadable
from benchwright.pipelines.base import Due, Expected, Fault, Role, Served, Steady, Usual
from benchwright.pipelines.card import Card
from benchwright.pipelines.crisis.answers import ANSWERS, Answers, question_seed
from benchwright.pipelines.crisis.body import GOLD, Body, QuestionSet, Scene, read_as
from benchwright.pipelines.crisis.cards import Cards
from benchwright.pipelines.crisis.expecting import expect
from benchwright.pipelines.crisis.judgement import ATTENTION, JUDGEMENT, Judgement, judged_seed
from benchwright.pipelines.crisis.kind import CRISIS, CrisisKind
from benchwright.pipelines.crisis.making import Making, State
from benchwright.pipelines.crisis.ontology import NO_LABELS, Ontology, read_ontology
from benchwright.pipelines.crisis.places import Slots, count_slots, find_repeats, identify
from benchwright.pipelines.crisis.questions import QUESTIONS, Questions, pairs_of, set_seed
from benchwright.pipelines.crisis.scenes import SCENES, Scenes, scene_seed
from benchwright.pipelines.crisis.settings import CrisisSettings
from benchwright.pipelines.slots import order
from benchwright.pipelines.template import Starter, read_parts
from benchwright.pipelines.texts import embed_texts, measure_likeness

PAIRS_ASSUMED = 2  # of a scene, for an estimate, where no scene is known yet
APART = {Served.CODE, Served.EMBEDDERS}
NO_MEANING = (
    "no model embeds texts: questions that give the gold away in other words are not found. Add one, such as"
    ' [models.minilm] with local = "minilm" and embeds = true'
)
NAMES_TAKEN = (GOLD, ATTENTION)


@dataclass(frozen=True)
class Crisis(Usual):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "crisis"
    kind: ClassVar[CrisisKind] = CRISIS
    Settings: ClassVar[type[BaseModel]] = CrisisSettings
    question_step: ClassVar[str] = ""
    inputs: ClassVar[tuple[Inputs, ...]] = (Inputs.RECORDS, Inputs.IMAGES)
    phases: ClassVar[tuple[str, ...]] = (SCENES, QUESTIONS, ANSWERS, JUDGEMENT)
    roles: ClassVar[tuple[Role, ...]] = (
        Role(embed_texts, Served.EMBEDDERS, duty="embed"),
        Role(caption_scene.agent, duty="captions"),
        Role(annotate_scene.agent, duty="drafts", steady=Steady.RECORD),
        Role(classify_resource.agent, duty="classifies", steady=Steady.RECORD),
        Role(check_questions.agent, Served.PANEL, votes=True, stand_ins=True, duty="checks"),
        Role(check_resource.agent, Served.PANEL, votes=True, stand_ins=True, duty="checks classes"),
        Role(write_questions.agent, duty="writes"),
        Role(measure_likeness, Served.CODE, duty="looks for leaks"),
        Role(answer_question.agent, Served.EACH, steady=Steady.RECORD, duty="answers"),
        Role(judge_answer.agent, Served.PANEL, duty="grades answers"),
        Role(compare_answers.agent, Served.PANEL, duty="compares answers"),
        Role(review_question.agent, Served.PEOPLE, duty="decides"),
        Role(fill_scene.agent, Served.PEOPLE, duty="fills in"),
        Role(validate_scene.agent, Served.PEOPLE, duty="validates"),
        Role(prefer_answer.agent, Served.PEOPLE, duty="compares"),
    )
    people: ClassVar[tuple[Agent, ...]] = (
        review_question.agent,
        fill_scene.agent,
        validate_scene.agent,
        prefer_answer.agent,
    )

    campaign: Campaign
    settings: CrisisSettings
    ontology: Ontology = NO_LABELS
    counted: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # of each phase, its slots

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Crisis":
        """The pipeline of a campaign; its file of labels lies below `folder`."""
        settings = CrisisSettings.model_validate(dict(campaign.settings))
        return cls(campaign, settings, read_ontology(folder / settings.labels) if settings.labels else NO_LABELS)

    @classmethod
    def find_faults(cls, settings: CrisisSettings, panels: Mapping[str, Panel]) -> Sequence[Fault]:
        """No model has the name of another source of answers; what people do about comparisons fits together."""
        models = panels.get(answer_question.agent.name, Panel(())).models
        taken = next((name for name in models if name in NAMES_TAKEN), None)
        found: list[Fault] = []
        if taken:
            found.append(((), f"a model that answers is called {taken!r}, as another source of answers: rename it"))
        if settings.attention and not settings.compared:
            found.append((("attention",), "needs people who compare answers: set compared above 0 as well"))
        return found

    @classmethod
    def starter(cls) -> Starter:
        """Its lines of a first campaign file."""
        return Starter(**read_parts(__name__.rpartition(".")[0], cls.name, {}))

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The roles; nobody is asked about images where no model sees them."""
        agents = tuple(role.agent for role in self.roles if role.served not in APART)
        if self.settings.images == "models":
            seeing = {annotate_scene.agent.name: annotate_scene.seeing}
            return tuple(seeing.get(agent.name, agent) for agent in agents)
        return tuple(agent for agent in agents if agent is not caption_scene.agent)

    @cached_property
    def making(self) -> Making:
        """What all phases share."""
        return Making(self.campaign, self.settings, self.ontology)

    @cached_property
    def works(self) -> Mapping[str, Scenes | Questions | Answers | Judgement]:
        """The phases by their names."""
        made = self.making
        return {SCENES: Scenes(made), QUESTIONS: Questions(made), ANSWERS: Answers(made), JUDGEMENT: Judgement(made)}

    # ------------------------------------------------------------------------------------------- how items begin

    def shows(self, document: Document) -> View:
        """Nothing of a document: it takes records."""
        raise Unreadable(f"{document.name}: scenes are records: write them as lines of a .jsonl or .csv file")

    def doubts(self) -> Sequence[str]:
        """Leaks that words do not show are found by vectors."""
        if self.making.embeds or self.settings.leak_meaning == 1:
            return ()
        return (NO_MEANING,)

    def sources(self) -> Mapping[str, str]:
        """The file of labels."""
        return {"labels": self.ontology.id} if self.ontology.id else {}

    def wanted_items(self, phase: str, sources: Sources) -> int:
        """A scene for each record, sets by their pairs, a question for each kept one, one judgement for each."""
        if phase in {SCENES, JUDGEMENT} or not len(sources):
            target = self.campaign.quota.target
            return min(target, len(sources)) if target and phase == SCENES else len(sources)
        if sources[0].body is None:  # an estimate: nothing is known of them
            settings = self.settings
            sets = min(settings.pairs or PAIRS_ASSUMED, PAIRS_ASSUMED)
            return len(sources) * (sets if phase == QUESTIONS else len(TIME_FRAMES))
        return len(self.slots(phase, sources))

    def slots(self, phase: str, sources: Sources) -> Slots:
        """The slots of a phase, counted out once."""
        name = f"{phase} {identify(sources)}"
        if name not in self.counted:
            parts = self.count_pairs if phase == QUESTIONS else self.questions_counter()
            self.counted[name] = count_slots((sources[place] for place in range(len(sources))), parts)
        found: Slots = self.counted[name]
        return found

    def count_pairs(self, source: Outline) -> int:
        """How many pairs a scene is asked about."""
        return len(pairs_of(read_as(Scene, source.body), self.settings, self.campaign.seed))

    def questions_counter(self) -> Callable[[Outline], int]:
        """What counts the questions of a set; of each scene's sets no more are answered than the settings say."""
        taken: dict[tuple[str, str], int] = {}

        def count(source: Outline) -> int:
            found = read_as(QuestionSet, source.body)
            scene = (found.facts.scene, found.facts.annotator)
            taken[scene] = taken.get(scene, 0) + 1
            most = self.settings.answered_pairs
            return len(found.kept) if not most or taken[scene] <= most else 0

        return count

    def repeats(self, sources: Sources) -> Mapping[int, int]:
        """The places of records that repeat the notes of another."""
        name = f"repeats {identify(sources)}"
        if name not in self.counted:
            self.counted[name] = find_repeats(sources[place] for place in range(len(sources)))
        found: Mapping[int, int] = self.counted[name]
        return found

    def admit(self, sources: Sources, progress: Progress) -> Sequence[Seed]:
        """The items that begin next."""
        return tuple(islice(self.seeds(sources, progress), progress.room)) if len(sources) else ()

    def seeds(self, sources: Sources, progress: Progress) -> Iterator[Seed]:
        """All that could begin, in order. Only sets of questions are tried again: of all else a try tells the same."""
        tries = self.campaign.quota.tries if progress.phase == QUESTIONS else 1
        for slot, attempt in progress.discarded:
            if attempt + 1 < tries:
                yield self.seed(sources, progress.phase, slot, attempt + 1)
        for slot in range(progress.begun, self.wanted_items(progress.phase, sources)):
            yield self.seed(sources, progress.phase, slot, 0)

    def seed(self, sources: Sources, phase: str, slot: int, attempt: int) -> Seed:
        """How an item of a phase begins."""
        if phase == SCENES:
            place = order(len(sources), self.campaign.seed)[slot] if self.campaign.quota.target else slot
            return scene_seed(sources[place], slot, attempt, self.repeats(sources).get(place))
        if phase == JUDGEMENT:
            return judged_seed(sources[slot], slot, attempt)
        place, part = self.slots(phase, sources).find(slot)
        if phase == QUESTIONS:
            return set_seed(sources[place], part, slot, attempt, self.making)
        return question_seed(sources[place], part, slot, attempt)

    def expect(self) -> Sequence[Expected]:
        """What one attempt at an item takes of each role."""
        return tuple(expect(self.campaign, self.settings))

    # ------------------------------------------------------------------------------------------ how items are made

    def begin(self, seed: Seed) -> State:
        """Nothing was said yet."""
        return State(seed, {})

    def fold(self, state: State, answer: Answer) -> State:
        """One more answer."""
        return state.with_answer(answer)

    def plan(self, state: State) -> Sequence[Due] | Ending:
        """What is owed next, or how the item ends."""
        return self.works[state.seed.phase].plan(state)

    def body(self, state: State) -> Body | None:
        """The item as it stands."""
        return self.works[state.seed.phase].body(state)

    def card(self, state: State, step: str, about: str) -> Card | None:
        """What people see of a part in one of their roles; None where there is no such."""
        return Cards(self.works, self.making).card(state, step, about)
