"""Reconstruction items (EpiQAL-C, arXiv 2601.03471, sections 3.3-3.6): conclusions of a discussion that is masked.

Reads from top to bottom like the method: conclusions out of the masked part, whether they are what it says, the
question, distractors. Whoever answers or checks an item sees the body alone. Everything here is pure.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from benchwright.agents.base import Agent, Masked, Quoted
from benchwright.agents.choice import (
    ask_for_conclusion,
    check_reconstruction,
    compare_conclusion,
    compare_stems,
    describe_entity,
    extract_conclusion,
    judge_item,
    mislead,
    pick_entity,
    review_option,
)
from benchwright.agents.room import masked_room, room
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Document, View
from benchwright.domain.item import Seed, Verdict, discarded
from benchwright.domain.text import plain
from benchwright.domain.vote import Route
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice import comparing
from benchwright.pipelines.choice.comparing import THING
from benchwright.pipelines.choice.item_state import State
from benchwright.pipelines.choice.multiple_choice import for_writer, stem
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, Option
from benchwright.pipelines.choice.refined_choice import RefinedChoice, RefinedSettings
from benchwright.pipelines.choice.sections import masked
from benchwright.pipelines.choice.standing import Standing
from benchwright.pipelines.polling import Poll, waves_of
from benchwright.pipelines.slots import ANYWHERE
from benchwright.pipelines.sources import drawn_on

PART = 300  # tokens of the masked part, some ten sentences, that a later item of a document is drawn from
NOT_SAID = "not_the_conclusion"  # the gate at which an option falls that checkers do not find in its source


class ReconstructionSettings(RefinedSettings):
    """The table `[reconstruction]` of a campaign file."""


@dataclass(frozen=True)
class Reconstruction(RefinedChoice):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "reconstruction"
    Settings: ClassVar[type[BaseModel]] = ReconstructionSettings
    stem_step: ClassVar[str] = ask_for_conclusion.agent.name
    checker: ClassVar[Agent] = check_reconstruction.agent
    agents: ClassVar[tuple[Agent, ...]] = (
        extract_conclusion.agent,
        compare_conclusion.agent,
        ask_for_conclusion.agent,
        mislead.agent,
        check_reconstruction.agent,
        review_option.of_reconstruction,
        judge_item.agent,
        pick_entity.agent,
        describe_entity.agent,
        compare_stems.agent,
    )

    settings: ReconstructionSettings
    drawn_on: Mapping[str, str]

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Reconstruction":
        """The pipeline of a campaign; files that its settings name lie below `folder`."""
        settings = ReconstructionSettings.model_validate(dict(campaign.settings))
        return cls(campaign, settings, drawn_on(None, settings.search, folder))

    def sources(self) -> Mapping[str, str]:
        """What stands for the glossary."""
        return self.drawn_on

    def shows(self, document: Document) -> View:
        """The body; discussion and conclusions are masked, and abstracts, which tell them too, are left out."""
        return masked(document)

    def fold(self, seed: Seed, answers: Sequence[Answer]) -> State:
        """What is known about an item; a conclusion that is not what the masked part says falls like an option."""
        state = super().fold(seed, answers)
        polls = tuple(self.poll(state, number) for number, _ in enumerate(extracted(state), 1))
        state = replace(state, source_polls=polls)
        if not state.written:
            return state
        sound = {plain(one["text"]) for one in self.sound(state)}
        kept = (o.label != CORRECT or plain(o.text) in sound for o in state.options)
        options = [o if fine else replace(o, gate=NOT_SAID) for o, fine in zip(state.options, kept, strict=True)]
        return replace(state, options=tuple(options))

    def about(self, state: State) -> Mapping[str, Any]:
        """No class or topic: an item is about what its article concludes. How many options were to be right."""
        return {"class": "", "topic": "", **super().about(state)}

    @cached_property
    def most(self) -> int:
        """Tokens of the masked part that a writer is shown at most."""
        return masked_room(room(self.campaign, self.agents))

    def plan_question(self, state: State) -> Sequence[Due] | Verdict:
        """Conclusions, what checkers say of their source, the question for those that are what the article says."""
        if state.conclusions is None:
            ask: Any = extract_conclusion.Ask(self.part(state), self.wanted(state.seed), self.language)
            return [self.due(extract_conclusion.agent, ask)]
        both = zip(extracted(state), state.source_polls, strict=True)
        if owed := [due for conclusion, poll in both for due in self.compare(conclusion, poll)]:
            return owed
        sound = self.sound(state)  # under a changed rule perhaps others than those that the question was written for
        if not sound:
            return discarded("no conclusion of the article", "checkers reject what was extracted from the masked part")
        if state.question is not None:
            return []
        texts = tuple(one["text"] for one in sound)
        numbers = tuple(dict.fromkeys(span["sentence"] for one in sound for span in one["evidence"]))
        ask = ask_for_conclusion.Ask(texts, Quoted(numbers), self.language)
        return [self.due(ask_for_conclusion.agent, ask)]

    def masked(self, state: State) -> Masked:
        """The masked part, or as much of it as there is room for, the same for the item's writers."""
        return Masked(state.seed.id, self.most)

    def part(self, state: State) -> Masked:
        """Where a conclusion is taken from: all of that, or a part where others have drawn on the document before.

        Items do not know of each other: the same question would bring the same conclusion.
        """
        first = json.loads(state.seed.body)["focus"] == ANYWHERE
        return self.masked(state) if first else Masked(state.seed.id, min(self.most, PART))

    def poll(self, state: State, number: int) -> Poll:
        """The checkers' votes on the source of one conclusion."""
        role = compare_conclusion.agent.name
        waves = waves_of(self.settings.waves, self.campaign.roles[role])
        return comparing.poll(self.campaign, role, number, state.sources, waves)

    def compare(self, conclusion: Mapping[str, Any], poll: Poll) -> list[Due]:
        """What the checkers owe about the source of one conclusion."""
        wave = poll.wave()
        source = Masked(numbers=tuple(span["sentence"] for span in conclusion["discussion"]))
        ask = compare_conclusion.Ask(conclusion["text"], source, self.language)
        turns = [question.turn for question in wave.questions] if wave else []
        return [Due(compare_conclusion.agent, ask, turn.model, str(poll.sheet), turn.run) for turn in turns]

    def sound(self, state: State) -> list[Mapping[str, Any]]:
        """The conclusions that checkers do not reject."""
        both = zip(extracted(state), state.source_polls, strict=True)
        return [one for one, poll in both if poll.route(THING) is not Route.REJECT]

    def doubt(self, state: State, option: Option) -> str:
        """What makes people decide about a correct option that no source confirms: checkers are divided, or too few."""
        polls = self.source_polls(state, option)
        if not polls or any(poll.route(THING) is Route.KEEP for poll in polls):
            return ""
        few = all(poll.count(THING).cast < max(poll.rule.quorum, 1) for poll in polls)
        who = "too few checkers can say" if few else "checkers are divided on"
        return f"{who} whether it is a conclusion of the article"

    def heard(self, state: State, standing: Standing) -> tuple[str, ...]:
        """What checkers say of an option, and of the source of a correct one."""
        votes = (vote for poll in self.source_polls(state, standing.option) for vote in poll.votes(THING))
        of_source = (f"{vote.by} says of its source {vote.verdict}: {vote.reason}" for vote in votes)
        return (*super().heard(state, standing), *of_source)

    def review(self, state: State, standing: Standing, standings: Sequence[Standing]) -> review_option.Ask:
        """What people are asked; about a conclusion that is doubted they see what it was taken from, and only then."""
        ask = super().review(state, standing, standings)
        if not self.doubt(state, standing.option):
            return ask
        text = plain(standing.option.text)
        spans = (span for one in extracted(state) if plain(one["text"]) == text for span in one["discussion"])
        return replace(ask, source=Masked(numbers=tuple(sorted({span["sentence"] for span in spans}))))

    def source_polls(self, state: State, option: Option) -> tuple[Poll, ...]:
        """The votes on the source of a correct option; on each, where it was extracted from several."""
        both = zip(extracted(state), state.source_polls, strict=True) if option.label == CORRECT else ()
        return tuple(poll for one, poll in both if plain(one["text"]) == plain(option.text))

    def write_distractors(self, state: State, standings: Sequence[Standing], wanted: int) -> Due:
        """The question for so many distractors, of kinds that are not there yet."""
        wrong = [s for s in standings if s.option.label == DISTRACTOR]
        right, taken = for_writer(standings)
        there = {s.option.confusion for s in wrong if s.fate is not Route.REJECT}
        ask = mislead.Ask(
            masked=self.masked(state),
            question=stem(state),
            correct=right,
            taken=taken,
            kinds=mislead.untried(there),
            wanted=wanted,
            language=self.language,
        )
        # A sample of its own: where the round before brought nothing, question and reply would be the same.
        return self.due(mislead.agent, ask, str(state.rounds + 1), state.rounds)


def extracted(state: State) -> Sequence[Mapping[str, Any]]:
    """The conclusions that were taken from the masked part."""
    conclusions: Sequence[Mapping[str, Any]] = (state.conclusions or {}).get("conclusions", ())
    return conclusions
