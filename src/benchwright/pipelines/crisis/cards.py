"""What people see: a form to fill in, a scene to validate, a criterion to decide on, two answers to compare."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.agents.crisis import fill_scene, prefer_answer, review_question, validate_scene
from benchwright.agents.crisis.time import MEANING, TIME_FRAMES
from benchwright.domain.image import find_image
from benchwright.domain.opinion import CANNOT_SAY, DECISION, DISCARD, KEEP, REASON, REJECT
from benchwright.pipelines.card import Card, Form, Input, Shown, Value
from benchwright.pipelines.crisis.annotation import SOLUTION_WORDS, Annotation, named_form
from benchwright.pipelines.crisis.judgement import BY_THEMSELVES, JUDGEMENT, Judgement, answered_of
from benchwright.pipelines.crisis.making import Making, State
from benchwright.pipelines.crisis.questions import QUESTIONS, Questions, facts_of
from benchwright.pipelines.crisis.scenes import FILLED, FORM, NOTES, SAVE, SCENES, Scenes, notes_of

REASONS = Input(REASON, "Reason", Form.TEXT, required=False)
DECIDE = (
    Input(DECISION, "Decision", Form.VALUES, (Value(KEEP, "Keep", "k"), Value(REJECT, "Reject", "r"))),
    REASONS,
)
JUDGE = (
    Input(
        DECISION,
        "Decision",
        Form.VALUES,
        (Value(KEEP, "It does", "k"), Value(REJECT, "It does not", "r"), Value(CANNOT_SAY, "Cannot say", "c")),
    ),
    REASONS,
)
SIDES = (Value("first", "The first", "1"), Value("tie", "They tie", "t"), Value("second", "The second", "2"))
DANGERS = (
    Value("neither", "Neither", "n"),
    Value("first", "The first", "a"),
    Value("second", "The second", "b"),
    Value("both", "Both", "o"),
)
ASKS = {
    "sufficiency": "Which says all that one needs to know here?",
    "usefulness": "Which is more useful to act on?",
    "correctness": "Which would you follow?",
}


@dataclass(frozen=True)
class Cards:
    """The cards of a campaign, by the works of its phases."""

    works: Mapping[str, Any]
    making: Making

    def card(self, state: State, step: str, about: str) -> Card | None:
        """The card of a part in a role; None where there is no such."""
        drawn: Mapping[tuple[str, str], Callable[[State, str], Card | None]] = {
            (SCENES, fill_scene.agent.name): self.fill,
            (SCENES, validate_scene.agent.name): self.validate,
            (QUESTIONS, review_question.agent.name): self.review,
            (JUDGEMENT, prefer_answer.agent.name): self.prefer,
        }
        draw = drawn.get((state.seed.phase, step))
        return draw(state, about) if draw else None

    def fill(self, state: State, about: str) -> Card | None:
        """The form of eight fields."""
        work: Scenes = self.works[SCENES]
        own = notes_of(state.seed)
        if about != FORM or own.is_whole:
            return None
        begun = work.begun_form(state)
        fields = tuple(
            Input(name, label(name), Form.TEXT, only_with=(DECISION, SAVE), most=500, begins=begun[name])
            for name, _ in named_form(own)
        )
        choice = Input(
            DECISION, "Decision", Form.VALUES, (Value(SAVE, "Fill in", "a"), Value(DISCARD, "Discard the scene", "x"))
        )
        return Card(
            step=fill_scene.agent.name,
            about=about,
            title="Scene",
            shown=self.scene(work.told(state)),
            inputs=(choice, *fields, REASONS),
            rules=fill_scene.agent.prompt.rules,
            why="a model drafted it" if work.draft(state) else "it is not filled in",
            combine=FILLED,
            check=fault_of_form,
        )

    def scene(self, found: Annotation) -> tuple[Shown, ...]:
        """A scene with its labels; its image where it has one."""
        image = find_image(found.image)
        return (
            *((Shown("image", "Image", image),) if image else ()),
            Shown("scene", "Scene", found.shown or "see the image", subject=True),
            Shown("incidents", "Incidents", ", ".join(found.incidents)),
            Shown("places", "Places", ", ".join(found.places) or "none"),
        )

    def validate(self, state: State, about: str) -> Card | None:
        """What was noted, to be looked at by an expert."""
        work: Scenes = self.works[SCENES]
        found = work.filled(state, work.told(state))
        if about != NOTES or not found.is_whole:
            return None
        notes = tuple(Shown(name, label(name), text) for name, text in named_form(found))
        return Card(
            step=validate_scene.agent.name,
            about=about,
            title="Scene",
            shown=(*self.scene(found), *notes),
            inputs=DECIDE,
            rules=validate_scene.agent.prompt.rules,
            why="it is in the sample for experts",
        )

    def review(self, state: State, about: str) -> Card | None:
        """A question and one criterion."""
        work: Questions = self.works[QUESTIONS]
        found = work.find(state, about)
        if found is None:
            return None
        one, check = found
        ask, image = work.review(state, one, check), find_image(facts_of(state.seed).image)
        return Card(
            step=review_question.agent.name,
            about=about,
            title="Question",
            shown=(
                Shown("question", "Question", ask.question, subject=True),
                Shown("criterion", "Criterion", ask.criterion),
                Shown("time", "Time frame", ask.time),
                Shown("incident", "Incident", ask.incident),
                Shown("place", "Place", ask.place),
                Shown("resource", "Missing, not to be named", ask.resource),
                *((Shown("image", "Image", image),) if image else ()),
                Shown("scene", "Scene", ask.scene),
                Shown("votes", "Votes", ask.votes, hidden=True),
            ),
            inputs=JUDGE,
            rules=review_question.agent.prompt.rules,
            alone=True,
            why=ask.why,
            fate=check.fate or "",
        )

    def prefer(self, state: State, about: str) -> Card | None:
        """Two answers to a question."""
        work: Judgement = self.works[JUDGEMENT]
        sides = work.cards(state.seed).get(about)
        if sides is None:
            return None
        asked = answered_of(state.seed).asked
        image = find_image(asked.facts.image)
        choices = tuple(Input(name, ASKS[name], Form.VALUES, SIDES) for name in prefer_answer.CRITERIA)
        return Card(
            step=prefer_answer.agent.name,
            about=about,
            title="Answers",
            shown=(
                Shown("question", "Question", asked.question, subject=True),
                *((Shown("image", "Image", image),) if image else ()),
                Shown("scene", "Scene", asked.facts.shown),
                Shown("first", "First answer", sides[0].text, subject=True),
                Shown("second", "Second answer", sides[1].text, subject=True),
            ),
            inputs=(
                *choices,
                Input("danger", "Which endangers somebody's life?", Form.VALUES, DANGERS, required=False),
                REASONS,
            ),
            rules=prefer_answer.agent.prompt.rules,
            alone=True,
            combine=BY_THEMSELVES,
        )


def label(name: str) -> str:
    """The name of a field of the form as people read it."""
    part, _, time = name.rpartition("_")
    return f"{part.capitalize()}: {MEANING[time]}" if time in TIME_FRAMES else name.replace("_", " ").capitalize()


def fault_of_form(values: Mapping[str, Any]) -> str:
    """A solution is short enough; a discarded scene has a reason."""
    if values[DECISION] == DISCARD:
        return "" if values.get(REASON) else "a scene is discarded for a reason: give one"
    for time in TIME_FRAMES:
        if (count := len(str(values[f"solution_{time}"]).split())) > SOLUTION_WORDS:
            return f"solution_{time} has {count} words, {SOLUTION_WORDS} at most: shorten it"
    return ""
