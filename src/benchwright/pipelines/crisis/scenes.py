"""The first phase: from each record a scene with its gold answers.

Reads from top to bottom: is it usable; is it told in words; is the form filled in, or drafted and then corrected by
people; of which class is what is missing; does an expert find it sound.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from typing import Any

from pydantic import TypeAdapter

from benchwright.agents.crisis import (
    annotate_scene,
    caption_scene,
    check_resource,
    classify_resource,
    fill_scene,
    validate_scene,
)
from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, Seed, discarded_ending, kept_ending
from benchwright.domain.opinion import DISCARD, REJECT, Combination, Combine, standing_opinions
from benchwright.domain.source import Outline
from benchwright.domain.vote import Route
from benchwright.pipelines.base import Due
from benchwright.pipelines.crisis.annotation import (
    SOLUTION_WORDS,
    Annotation,
    faults,
    named_form,
    read_annotation,
    remarks,
)
from benchwright.pipelines.crisis.body import GOLD, Check, Reply, Scene
from benchwright.pipelines.crisis.making import Making, State, as_said, decisions
from benchwright.pipelines.crisis.ontology import Labels

SCENES = "scenes"  # the phase
CLASS = "class"  # what the panel votes on
FORM = "form"  # what people fill in
NOTES = "notes"  # what experts look at
SAVE = "save"
FILLED = Combine(Combination.AGREEMENT, over=("decision",))  # nobody fills a form in as another does
TELL_IT = "images = 'captions' shows images to no model: fill caption or text, or set images = 'models'"


def scene_seed(record: Outline, slot: int, attempt: int, repeats: int | None) -> Seed:
    """An item about a record; `repeats` is the place of an earlier record that holds the same notes."""
    found = read_annotation(record.body or {})
    wishes = {"notes": asdict(replace(found, released=None)), "repeats": repeats}
    return Seed(slot, attempt, record.about, canonical(wishes), SCENES)


def notes_of(seed: Seed) -> Annotation:
    """The notes that a seed holds."""
    return parse(seed.body)


@lru_cache(maxsize=1024)  # asked for at each answer about the item
def parse(text: str) -> Annotation:
    """Notes from the JSON of a seed."""
    return notes_adapter().validate_python(json.loads(text)["notes"])


@cache
def notes_adapter() -> TypeAdapter[Annotation]:
    """What reads notes from their JSON values."""
    return TypeAdapter(Annotation)


@dataclass(frozen=True)
class Scenes:
    """The phase, bound to a campaign."""

    making: Making

    @property
    def sees(self) -> bool:
        """Whether models are shown images."""
        return self.making.settings.images == "models"

    @property
    def annotator(self) -> Any:
        """The role that drafts: it looks at images where models do."""
        return annotate_scene.seeing if self.sees else annotate_scene.agent

    # ------------------------------------------------------------------------------------------------------ the plan

    def plan(self, state: State) -> Sequence[Due] | Ending:
        """What is owed next, or how the scene ends."""
        found = notes_of(state.seed)
        repeats = json.loads(state.seed.body)["repeats"]
        if repeats is not None:
            return discarded_ending("duplicate notes", f"record {repeats + 1} of the corpus holds the same notes")
        found = self.with_known_labels(found)
        if wrong := list(faults(found)):
            return discarded_ending("unusable scene", "; ".join(wrong))
        if not found.shown:
            if not self.sees:
                return discarded_ending("no caption", TELL_IT)
            if (told := state.find(caption_scene.agent)) is None:
                ask = caption_scene.Ask(found.incidents, found.places, self.making.language)
                return [self.making.due(caption_scene.agent, ask)]
            if told.failure:
                return discarded_ending("no caption", told.value["detail"])
        return self.plan_form(state, self.told(state))

    def plan_form(self, state: State, found: Annotation) -> Sequence[Due] | Ending:
        """Where the form is not filled in, a draft, and people."""
        if notes_of(state.seed).is_whole:
            return self.plan_class(state, found)
        if self.making.settings.drafts and state.find(self.annotator) is None:
            return [self.making.due(self.annotator, self.draft_question(found))]
        people = self.making.ruling(state, fill_scene.agent, FORM, 1, FILLED)
        if people.holds is None:
            ask = fill_scene.Ask(found.shown, found.incidents, found.places, SOLUTION_WORDS)
            return self.making.ask_people(state, fill_scene.agent, ask, FORM, people.missing)
        if people.holds.decision == DISCARD:
            return discarded_ending("discarded by people", people.holds.reason)
        return self.plan_class(state, self.filled(state, found))

    def plan_class(self, state: State, found: Annotation) -> Sequence[Due] | Ending:
        """The class of what is missing, which a panel checks."""
        said = state.find(classify_resource.agent)
        classes = self.making.settings.classes
        if said is None:
            numbered = classify_resource.number_classes(classes)
            ask = classify_resource.Ask(found.problem, found.resource, numbered, self.making.language)
            return [self.making.due(classify_resource.agent, ask)]
        if not said.failure:
            poll = self.making.poll(state, check_resource.agent, 1, (CLASS,))
            kind, others = self.named_class(said)
            check = check_resource.Ask(found.problem, found.resource, kind, others, self.making.language)
            if asked := poll.wave.questions.values():
                return [Due(check_resource.agent, check, q.turn.model, q.about, q.turn.run) for q in asked]
        return self.plan_experts(state, found)

    def plan_experts(self, state: State, found: Annotation) -> Sequence[Due] | Ending:
        """People who know the field, for a sample; then the end."""
        if self.making.draw(self.making.settings.experts, state.seed.id, "experts"):
            people = self.making.ruling(state, validate_scene.agent, NOTES)
            if people.holds is None:
                ask = validate_scene.Ask(found.shown, notes_lines(found))
                return self.making.ask_people(state, validate_scene.agent, ask, NOTES, people.missing)
            if people.holds.decision == REJECT:
                return discarded_ending("rejected by experts", people.holds.reason, self.body(state))
        return kept_ending("annotated", self.body(state))

    def draft_question(self, found: Annotation) -> annotate_scene.Ask:
        """What a model is asked that drafts the form."""
        return annotate_scene.Ask(found.shown, found.incidents, found.places, SOLUTION_WORDS, self.making.language)

    # ------------------------------------------------------------------------------------------------ what is known

    def with_known_labels(self, found: Annotation) -> Annotation:
        """The notes under the labels of the file: other names of a label give way to it."""
        sides = ((found.incidents, self.making.ontology.incidents), (found.places, self.making.ontology.places))
        incidents, places = (tuple(self.known_labels(given, labels)) for given, labels in sides)
        return replace(found, incidents=incidents, places=places)

    def known_labels(self, given: Sequence[str], labels: Labels) -> Iterator[str]:
        """Each label once; of those that are none of the file, what the settings say."""
        keeps = self.making.settings.outside == "keep"
        found = (labels.find(label) or (label if keeps else "") for label in given)
        yield from dict.fromkeys(filter(None, found))

    def told(self, state: State) -> Annotation:
        """The notes, with the caption that a model gave."""
        found, told = self.with_known_labels(notes_of(state.seed)), state.find(caption_scene.agent)
        return replace(found, caption=told.value["caption"]) if told and not told.failure else found

    def draft(self, state: State) -> Mapping[str, str]:
        """What a model drafted, by the names of the form."""
        said = state.find(self.annotator)
        if said is None or said.failure:
            return {}
        value = said.value
        remedies = {f"{part}_{time}": value[time][part] for time in TIME_FRAMES for part in ("solution", "explanation")}
        return {"problem": value["problem"], "missing_resource": value["missing_resource"], **remedies}

    def begun_form(self, state: State) -> Mapping[str, str]:
        """How the form begins for people: what was noted, and else the draft."""
        draft = self.draft(state)
        return {name: text or draft.get(name, "") for name, text in named_form(notes_of(state.seed))}

    def filled(self, state: State, found: Annotation) -> Annotation:
        """The notes as people filled them in."""
        holds = self.making.ruling(state, fill_scene.agent, FORM, 1, FILLED).holds
        return with_form(found, holds.values) if holds and holds.decision == SAVE else found

    def named_class(self, said: Answer) -> tuple[str, tuple[str, ...]]:
        """The class that was named, with what belongs to it, and the names of all others."""
        names = list(self.making.settings.classes)
        name = names[said.value["best"] - 1]
        return f"{name}: {self.making.settings.classes[name]}", tuple(one for one in names if one != name)

    def body(self, state: State) -> Scene:
        """The scene as it stands."""
        found = self.filled(state, self.told(state))
        own = notes_of(state.seed)
        holds = self.making.ruling(state, fill_scene.agent, FORM, 1, FILLED).holds
        drafted = tuple(name for name, text in named_form(own) if not text and name in self.draft(state))
        experts = standing_opinions(state.of_role(validate_scene.agent, NOTES))
        told = state.find(caption_scene.agent)
        kind, check = self.class_of(state)
        return Scene(
            scene=found.scene,
            annotator=found.annotator,
            text=found.text,
            caption=found.caption,
            image=dict(found.image) if found.image else None,
            incidents=found.incidents,
            places=found.places,
            problem=found.problem,
            resource=found.resource,
            gold=tuple(map(Reply, (GOLD,) * len(TIME_FRAMES), found.solutions, found.explanations)),
            resource_class=kind,
            check=check,
            drafted=drafted,
            author=holds.by if holds and not own.is_whole else "",
            captioned_by=told.by if told and not told.failure else "",
            experts=decisions(experts),
            remarks=tuple(remarks(own, self.making.ontology)),
            licence=found.licence,
            source=found.source,
            language=found.language,
        )

    def class_of(self, state: State) -> tuple[str, Check | None]:
        """The class of what is missing, "" where the panel does not confirm it, and how that came about."""
        said = state.find(classify_resource.agent)
        if said is None or said.failure:
            return "", None
        poll = self.making.poll(state, check_resource.agent, 1, (CLASS,))
        count, route = poll.counts[CLASS].tally, poll.end(CLASS)
        check = Check(
            criterion=CLASS,
            ratio=f"{count.keep}/{count.cast}",
            route=route.value if route else None,
            votes=as_said(poll.words(CLASS)),
            fate=route.value if route else None,
            lacks=tuple(map(str, poll.lacks(CLASS))),
        )
        return list(self.making.settings.classes)[said.value["best"] - 1] if route is Route.KEEP else "", check


def with_form(found: Annotation, values: Mapping[str, Any]) -> Annotation:
    """Notes with the fields of a filled form."""
    return replace(
        found,
        problem=values["problem"],
        resource=values["missing_resource"],
        solutions=tuple(values[f"solution_{time}"] for time in TIME_FRAMES),
        explanations=tuple(values[f"explanation_{time}"] for time in TIME_FRAMES),
    )


def notes_lines(found: Annotation) -> tuple[str, ...]:
    """The form as people read it."""
    return tuple(f"{name.replace('_', ' ')}: {text}" for name, text in named_form(found))
