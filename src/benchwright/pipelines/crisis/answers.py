"""The third phase: each question answered by every model that is measured, at the same length (RESPONSE, section 4.1).

A model whose answer is too long is asked once more; a second one that is too long is kept whole and flagged. A model
that gives no usable answer is recorded as failed.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

from benchwright.agents.crisis import answer_question
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, Seed, discarded_ending, kept_ending
from benchwright.domain.source import ItemRef, Outline
from benchwright.pipelines.base import Due
from benchwright.pipelines.crisis.body import Answered, Asked, QuestionSet, Reply, asked_adapter, read_as
from benchwright.pipelines.crisis.making import Making, State

ANSWERS = "answers"  # the phase
AGAIN = "again"  # the part of an answer that was asked for once more
SHORT = 10  # digits of an item's id


def question_seed(source: Outline, place: int, slot: int, attempt: int) -> Seed:
    """An item about one of the kept questions of a set."""
    found = read_as(QuestionSet, source.body)
    question, name = found.kept[place], source.about.item if isinstance(source.about, ItemRef) else ""
    asked = Asked(f"{name[:SHORT]}-{question.time}", question.time, question.text, found.facts)
    return Seed(slot, attempt, source.about, canonical({"asked": asdict(asked)}), ANSWERS)


def asked_of(seed: Seed) -> Asked:
    """The question that a seed holds."""
    return parse(seed.body)


@lru_cache(maxsize=1024)  # asked for at each answer about the item
def parse(text: str) -> Asked:
    """A question from the JSON of a seed."""
    return asked_adapter().validate_python(json.loads(text)["asked"])


@dataclass(frozen=True)
class Answers:
    """The phase, bound to a campaign."""

    making: Making

    @property
    def models(self) -> tuple[str, ...]:
        """Those that are measured."""
        return self.making.campaign.roles[answer_question.agent.name].models

    def plan(self, state: State) -> Sequence[Due] | Ending:
        """An answer of each model, once more where it is too long."""
        if owed := list(self.owed(state)):
            return owed
        body = self.body(state)
        if all(reply.failure for reply in body.replies):
            causes = ", ".join(f"{reply.source}: {reply.failure}" for reply in body.replies)
            return discarded_ending("no answer", causes, body)
        return kept_ending("answered", body)

    def owed(self, state: State) -> Iterator[Due]:
        """What each model still owes."""
        for model in self.models:
            said = self.said(state, model, "")
            if said is None:
                yield Due(answer_question.agent, self.ask(state, answer_question.NONE), model)
            elif (fault := self.fault(said)) and self.said(state, model, AGAIN) is None:
                yield Due(answer_question.agent, self.ask(state, fault), model, AGAIN)

    def said(self, state: State, model: str, about: str) -> Answer | None:
        """A model's answer, the first or the one after it."""
        return state.said.get((answer_question.agent.name, about, f"{model}#1"))

    def ask(self, state: State, fault: str) -> answer_question.Ask:
        """What a model is asked."""
        asked, settings = asked_of(state.seed), self.making.settings
        return answer_question.Ask(
            scene=asked.facts.shown,
            question=asked.question,
            action_words=settings.action_words,
            explanation_words=settings.explanation_words,
            fault=fault,
            language=self.making.language,
        )

    def long_fields(self, said: Answer) -> tuple[tuple[str, int, int], ...]:
        """The fields that have too many words, each with how many it has and may have."""
        settings = self.making.settings
        limits = {"action": settings.action_words, "explanation": settings.explanation_words}
        counts = ((name, len(said.value[name].split()), most) for name, most in limits.items())
        return tuple((name, count, most) for name, count, most in counts if count > most)

    def fault(self, said: Answer) -> str:
        """What to tell a model whose answer is too long; "" where it is not, or there is none."""
        found = () if said.failure else self.long_fields(said)
        words = [f"the {name} had {count} words, {most} at most" for name, count, most in found]
        before = f'you wrote: "{said.value["action"]}", "{said.value["explanation"]}"' if found else ""
        return "; ".join((*words, before)) if found else ""

    def reply(self, state: State, model: str) -> Reply | None:
        """A model's answer as it stands; None before it has given any."""
        first, second = self.said(state, model, ""), self.said(state, model, AGAIN)
        if first is None:
            return None
        said = second if second and not second.failure else first
        if said.failure:
            return Reply(model, failure=said.failure)
        flags = tuple(name for name, _, _ in self.long_fields(said))
        return Reply(model, said.value["action"], said.value["explanation"], flags)

    def body(self, state: State) -> Answered:
        """The answers as they stand, in the order of the campaign file."""
        replies = (self.reply(state, model) for model in self.models)
        return Answered(asked_of(state.seed), tuple(filter(None, replies)))
