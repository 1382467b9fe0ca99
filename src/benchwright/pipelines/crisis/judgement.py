"""The last phase: judges grade every answer, the people's among them, and compare answers; people compare a sample.

Nobody who judges knows who gave an answer (RESPONSE, sections 4.3 and 4.4). Judges see each pair in both orders; the
order for people is drawn by the seed and stored with what they say.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from benchwright.agents.crisis import compare_answers, judge_answer, prefer_answer
from benchwright.agents.crisis.judge_answer import DIMENSIONS
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical, content_id, seeded_random, seeded_shuffle
from benchwright.domain.item import Ending, Seed, kept_ending
from benchwright.domain.opinion import Combination, Combine, Opinion, standing_opinions
from benchwright.domain.source import Outline
from benchwright.pipelines.base import Due
from benchwright.pipelines.crisis.body import (
    GOLD,
    Answered,
    Comparison,
    Judged,
    Mark,
    Preference,
    Reply,
    as_json,
    read_as,
)
from benchwright.pipelines.crisis.making import Making, State

JUDGEMENT = "judgement"  # the phase
ATTENTION = "attention"  # the comparison whose outcome is known, and the source of the answer that makes no sense
BY_THEMSELVES = Combine(Combination.EACH)


def judged_seed(source: Outline, slot: int, attempt: int) -> Seed:
    """An item about an answered question."""
    return Seed(slot, attempt, source.about, canonical(as_json(read_as(Answered, source.body))), JUDGEMENT)


def answered_of(seed: Seed) -> Answered:
    """The answered question that a seed holds."""
    return parse(seed.body)


@lru_cache(maxsize=1024)  # asked for at each answer about the item
def parse(text: str) -> Answered:
    """An answered question from its JSON."""
    return read_as(Answered, json.loads(text))


@dataclass(frozen=True)
class Judgement:
    """The phase, bound to a campaign."""

    making: Making

    # ------------------------------------------------------------------------------------------------------ the plan

    def plan(self, state: State) -> Sequence[Due] | Ending:
        """Grades and comparisons by judges, then those by people."""
        if owed := [*self.marks_owed(state), *self.comparisons_owed(state)]:
            return owed
        if people := list(self.people_owed(state)):
            return people
        return kept_ending("judged", self.body(state))

    def turns(self, role: str) -> Iterator[tuple[str, int]]:
        """Each run of each judge of a role."""
        panel = self.making.campaign.roles[role]
        return ((model, run) for run in range(panel.runs) for model in panel.models)

    def marks_owed(self, state: State) -> Iterator[Due]:
        """Each judge's grades of each answer."""
        name = judge_answer.agent.name
        for reply in replies_of(state.seed):
            for model, run in self.turns(name):
                if (name, reply.source, f"{model}#{run + 1}") not in state.said:
                    yield Due(judge_answer.agent, self.mark_question(state, reply), model, reply.source, run)

    def comparisons_owed(self, state: State) -> Iterator[Due]:
        """Each judge's choice between two answers, in both orders."""
        name = compare_answers.agent.name
        for first, second in self.duels(state.seed):
            about = f"{first.source}:{second.source}"
            for model, run in self.turns(name):
                if (name, about, f"{model}#{run + 1}") not in state.said:
                    ask = self.comparison_question(state, first, second)
                    yield Due(compare_answers.agent, ask, model, about, run)

    def people_owed(self, state: State) -> Iterator[Due]:
        """What people owe on each comparison that is put to them."""
        for about, (first, second) in self.cards(state.seed).items():
            agent = prefer_answer.agent
            missing = self.making.ruling(state, agent, about, self.making.settings.evaluators, BY_THEMSELVES).missing
            yield from self.making.ask_people(state, agent, self.preference(state, first, second), about, missing)

    # ------------------------------------------------------------------------------------------------- what is compared

    def duels(self, seed: Seed) -> Iterator[tuple[Reply, Reply]]:
        """The pairs of answers that judges compare, each in both orders."""
        wish = self.making.settings.pairwise
        for one, other in combinations(replies_of(seed), 2):
            if wish == "all" or (wish == "people" and one.source == GOLD):
                yield one, other
                yield other, one

    def cards(self, seed: Seed) -> dict[str, tuple[Reply, Reply]]:
        """What people compare: the people's answer with each model's, in a drawn order.

        The names of the parts stand in files and pages, so they tell neither the models nor which is a check.
        """
        settings, found = self.making.settings, replies_of(seed)
        if not self.making.draw(settings.compared, seed.id, "compared"):
            return {}
        gold, *others = found
        if self.making.draw(settings.attention, seed.id, ATTENTION):
            others.append(senseless(gold, seed))
        return {blind_name(seed, other.source): self.in_drawn_order(seed, gold, other) for other in others}

    def in_drawn_order(self, seed: Seed, gold: Reply, other: Reply) -> tuple[Reply, Reply]:
        """Two answers in an order that the seed decides."""
        swap = seeded_random(self.making.campaign.seed, seed.id, other.source, "order").random() < 1 / 2
        return (other, gold) if swap else (gold, other)

    # ----------------------------------------------------------------------------------------------- what is asked

    def mark_question(self, state: State, reply: Reply) -> judge_answer.Ask:
        """What a judge is asked of one answer."""
        asked = answered_of(state.seed).asked
        return judge_answer.Ask(
            scene=asked.facts.shown,
            question=asked.question,
            resource=asked.facts.resource,
            action=reply.action,
            explanation=reply.explanation,
            language=self.making.language,
        )

    def comparison_question(self, state: State, first: Reply, second: Reply) -> compare_answers.Ask:
        """What a judge is asked of two answers."""
        asked = answered_of(state.seed).asked
        return compare_answers.Ask(
            scene=asked.facts.shown,
            question=asked.question,
            resource=asked.facts.resource,
            first=first.text,
            second=second.text,
            language=self.making.language,
        )

    def preference(self, state: State, first: Reply, second: Reply) -> prefer_answer.Ask:
        """What a person is asked of two answers."""
        asked = answered_of(state.seed).asked
        return prefer_answer.Ask(asked.facts.shown, asked.question, first.text, second.text)

    # ------------------------------------------------------------------------------------------------ what is known

    def body(self, state: State) -> Judged:
        """The question with all judgements as they stand."""
        found = answered_of(state.seed)
        marks = tuple(self.each_mark(state))
        preferences = tuple(self.each_preference(state))
        return Judged(
            asked=found.asked,
            replies=replies_of(state.seed) + tuple(reply for reply in found.replies if reply.failure),
            marks=marks,
            comparisons=tuple(self.each_comparison(state)),
            preferences=preferences,
            vetoed=tuple(self.vetoed(marks, preferences, [reply.source for reply in replies_of(state.seed)])),
        )

    def each_mark(self, state: State) -> Iterator[Mark]:
        """The grades that were given."""
        for reply in replies_of(state.seed):
            for said in state.of_role(judge_answer.agent, reply.source):
                if not said.failure:
                    yield mark(reply.source, said)

    def each_comparison(self, state: State) -> Iterator[Comparison]:
        """The choices of judges."""
        for first, second in self.duels(state.seed):
            for said in state.of_role(compare_answers.agent, f"{first.source}:{second.source}"):
                if not said.failure:
                    better = {name: said.value[name]["better"] for name in DIMENSIONS}
                    reasons = {name: said.value[name]["justification"] for name in DIMENSIONS}
                    yield Comparison(first.source, second.source, said.by, better, reasons)

    def each_preference(self, state: State) -> Iterator[Preference]:
        """The choices of people."""
        for about, (first, second) in self.cards(state.seed).items():
            known = ATTENTION in {first.source, second.source}
            for one in standing_opinions(state.of_role(prefer_answer.agent, about)):
                yield preference(one, first, second, attention=known)

    def vetoed(self, marks: Sequence[Mark], preferences: Sequence[Preference], sources: Sequence[str]) -> Iterator[str]:
        """The sources whose answers endanger life: by the judges' word as the settings weigh it, or by any person's."""
        for source in sources:
            said = [one.endangers for one in marks if one.source == source]
            enough = any(said) if self.making.settings.veto == "any" else 2 * sum(said) > len(said)
            if enough or any(source in endangering(one) for one in preferences):
                yield source


def replies_of(seed: Seed) -> tuple[Reply, ...]:
    """The answers that there are: first the people's, then the models' that gave one."""
    found = answered_of(seed)
    return (found.asked.gold, *(reply for reply in found.replies if not reply.failure))


def blind_name(seed: Seed, source: str) -> str:
    """The name of a comparison with the answer of a source, which it does not tell."""
    return content_id("compared", [seed.id, source])[:8]


def senseless(gold: Reply, seed: Seed) -> Reply:
    """The people's answer with its words in disorder: whoever reads the cards prefers the one that makes sense."""
    words = gold.action.split()
    action = " ".join(seeded_shuffle(words, seed.id, ATTENTION))
    return Reply(ATTENTION, action if action != gold.action else " ".join(reversed(words)))


def mark(source: str, said: Answer) -> Mark:
    """A judge's answer as grades."""
    value = said.value
    return Mark(
        source=source,
        by=said.by,
        scores={name: value[name]["score"] for name in DIMENSIONS},
        reasons={name: value[name]["justification"] for name in DIMENSIONS},
        endangers=value["danger"]["endangers_life"],
        danger=value["danger"]["justification"],
    )


def preference(one: Opinion, first: Reply, second: Reply, *, attention: bool) -> Preference:
    """A person's word as a choice between two sources."""
    values = one.values
    better = {name: str(values[name]) for name in prefer_answer.CRITERIA}
    return Preference(first.source, second.source, one.by, better, str(values.get("danger", "")), one.reason, attention)


def endangering(one: Preference) -> tuple[str, ...]:
    """The sources whose answers a person marks as dangerous."""
    marked = {"first": (one.first,), "second": (one.second,), "both": (one.first, one.second)}
    return marked.get(one.danger, ())
