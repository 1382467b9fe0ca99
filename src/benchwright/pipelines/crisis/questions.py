"""The second phase: for each incident and place of a scene a set of questions, one for each time frame.

Pairs are built by code. One call writes all questions of a set that are missing; code checks what it can, a panel votes
on each question by each criterion, people decide what votes do not; then what is missing is written again.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from benchwright.agents.crisis import check_questions, review_question, write_questions
from benchwright.agents.crisis.time import MEANING, TIME_FRAMES, TimeFrame
from benchwright.domain.ids import canonical, seeded_shuffle
from benchwright.domain.item import Ending, Seed, discarded_ending, kept_ending
from benchwright.domain.opinion import standing_opinions
from benchwright.domain.source import Outline
from benchwright.domain.text import plain
from benchwright.domain.vote import Route
from benchwright.pipelines.base import Due
from benchwright.pipelines.crisis.annotation import pairs
from benchwright.pipelines.crisis.body import Check, Facts, Question, QuestionSet, Scene, facts_adapter, read_as
from benchwright.pipelines.crisis.making import Making, State, as_said, decisions
from benchwright.pipelines.crisis.ontology import fold
from benchwright.pipelines.crisis.phrases import OK, UNCHECKED, fault_of_time, is_english, leak, leak_of_meaning
from benchwright.pipelines.crisis.settings import CrisisSettings
from benchwright.pipelines.polling import VotePoll
from benchwright.pipelines.texts import TEXTS, Likeness, LikenessAsk, measure_likeness

QUESTIONS = "questions"  # the phase
NO_LEAK = "no_leak"
AUDIT = "it was drawn to see how well the panel decides"
CRITERIA = tuple(check_questions.CRITERIA)


def pairs_of(scene: Scene, settings: CrisisSettings, seed: int) -> tuple[tuple[str, str], ...]:
    """The pairs that a scene is asked about: the product without what is excluded, a sample of it by the seed."""
    excluded = set(map(fold, settings.exclude))
    incidents = [label for label in scene.incidents if label not in excluded]
    places = [label for label in scene.places if label not in excluded]
    found = pairs(incidents, places)
    if not settings.pairs or len(found) <= settings.pairs:
        return found
    chosen = set(seeded_shuffle(found, seed, scene.scene, scene.annotator, "pairs")[: settings.pairs])
    return tuple(pair for pair in found if pair in chosen)


def set_seed(source: Outline, pair: int, slot: int, attempt: int, making: Making) -> Seed:
    """An item about a scene and one of its pairs."""
    scene = read_as(Scene, source.body)
    incident, place = pairs_of(scene, making.settings, making.campaign.seed)[pair]
    facts = Facts(
        scene=scene.scene,
        annotator=scene.annotator,
        shown=scene.shown,
        incident=incident,
        place=place,
        problem=scene.problem,
        resource=scene.resource,
        resource_class=scene.resource_class,
        gold=scene.gold,
        image=scene.image,
        language=scene.language,
    )
    return Seed(slot, attempt, source.about, canonical({"facts": asdict(facts)}), QUESTIONS)


@dataclass(frozen=True, slots=True)
class Written:
    """A question as it was written, with its number in the item, from which its sheets of votes have theirs."""

    number: int
    round: int
    time: TimeFrame
    text: str

    @property
    def id(self) -> str:
        """Its name in the item."""
        return f"{self.round}.{self.time}"

    def thing(self, criterion: str) -> str:
        """The name under which the panel votes on a criterion."""
        return f"{self.id}.{criterion}"


@dataclass(frozen=True)
class Questions:
    """The phase, bound to a campaign."""

    making: Making

    # ------------------------------------------------------------------------------------------------------ the plan

    def plan(self, state: State) -> Sequence[Due] | Ending:
        """Questions, votes, people, in rounds; then the end."""
        rounds = self.rounds(state)
        stand = {one.id: self.question(state, one) for one in self.each_written(state)}
        if failed := next((said for said in rounds if said.failure), None):
            return discarded_ending(f"write_questions: {failed.failure}", failed.value["detail"], self.body(state))
        if owed := [*self.votes_owed(state, stand), *self.likeness_owed(state, stand), *self.people_owed(state, stand)]:
            return owed
        there = {one.time for one in stand.values() if one.fate == Route.KEEP}
        if (missing := [time for time in TIME_FRAMES if time not in there]) and len(rounds) <= self.refills:
            return [self.write(state, missing, tuple(stand.values()), len(rounds) + 1)]
        if len(there) < self.making.settings.min_questions:
            why = f"{len(there)} questions stand, {self.making.settings.min_questions} needed"
            return discarded_ending("too few questions", why, self.body(state))
        return kept_ending("verified", self.body(state))

    @property
    def refills(self) -> int:
        """How many further rounds there may be."""
        return self.making.settings.refills

    def rounds(self, state: State) -> tuple[Any, ...]:
        """The answers of the writer, round by round."""
        found = (state.find(write_questions.agent, str(number)) for number in range(1, self.refills + 2))
        return tuple(said for said in found if said)

    def write(self, state: State, missing: Sequence[TimeFrame], before: Sequence[Question], number: int) -> Due:
        """The call for what is missing. A round of its own is a sample of its own."""
        facts = facts_of(state.seed)
        faults = [f"{one.time}: {one.text} ({why(one)})" for one in before if why(one)]
        manner = write_questions.PARAPHRASED if self.paraphrases(state) else write_questions.NAMED
        ask = write_questions.Ask(
            incident=facts.incident,
            place=facts.place or "none",
            problem=facts.problem,
            resource=facts.resource,
            wanted=tuple(map(write_questions.Wanted, missing)),
            wording=manner,
            faults=tuple(faults),
            language=self.making.language,
        )
        run = state.seed.attempt * (self.refills + 1) + number - 1
        return self.making.due(write_questions.agent, ask, str(number), run)

    def paraphrases(self, state: State) -> bool:
        """Whether the set is to say place and time in other words than the labels."""
        return self.making.draw(self.making.settings.paraphrase, state.seed.id, "paraphrase")

    def votes_owed(self, state: State, stand: dict[str, Question]) -> Iterator[Due]:
        """What the panel owes on each question."""
        for one in self.each_written(state):
            if stand[one.id].fault:
                continue
            for asked in self.poll(state, one).wave.questions.values():
                ask = self.check_question(state, one, asked.things)
                yield Due(check_questions.agent, ask, asked.turn.model, asked.about, asked.turn.run)

    def likeness_owed(self, state: State, stand: dict[str, Question]) -> Iterator[Due]:
        """What code owes on the meaning of each question, where a model embeds texts."""
        gold = gold_of(facts_of(state.seed))
        for one in self.each_written(state):
            if self.by_meaning and not stand[one.id].fault and state.find(measure_likeness, one.id) is None:
                yield Due(measure_likeness, LikenessAsk(one.text, gold), TEXTS, one.id)

    @property
    def by_meaning(self) -> bool:
        """Whether leaks are looked for by meaning too."""
        return self.making.embeds and self.making.settings.leak_meaning < 1

    def people_owed(self, state: State, stand: dict[str, Question]) -> Iterator[Due]:
        """What people owe, once the panel is through with a question and has rejected it by no criterion."""
        for one in self.each_written(state):
            known = not self.by_meaning or state.find(measure_likeness, one.id)
            if stand[one.id].fault or not known or self.poll(state, one).wave.questions:
                continue  # what code and the panel say is shown to people
            for check in self.checks_for_people(stand[one.id]):
                missing = self.making.ruling(state, review_question.agent, one.thing(check.criterion)).missing
                ask = self.review(state, one, check)
                yield from self.making.ask_people(
                    state, review_question.agent, ask, one.thing(check.criterion), missing
                )

    def checks_for_people(self, question: Question) -> tuple[Check, ...]:
        """The criteria of a question that people decide on."""
        if any(check.route == Route.REJECT and not check.audited for check in question.checks):
            return tuple(check for check in question.checks if check.audited)
        return tuple(check for check in question.checks if check.route == Route.HUMAN or check.doubt or check.audited)

    # ------------------------------------------------------------------------------------------------ what is known

    def each_written(self, state: State) -> Iterator[Written]:
        """Every question that was written, round by round."""
        for place, said in enumerate(self.rounds(state)):
            for number, time in enumerate(TIME_FRAMES, place * len(TIME_FRAMES) + 1):
                if not said.failure and said.value[time]:
                    yield Written(number, place + 1, time, said.value[time])

    def poll(self, state: State, one: Written) -> VotePoll:
        """What the panel has said of a question."""
        return self.making.poll(state, check_questions.agent, one.number, CRITERIA)

    def question(self, state: State, one: Written) -> Question:
        """A question as it stands."""
        facts = facts_of(state.seed)
        english = is_english(facts.language, "" if self.making.campaign.language == "document" else self.language)
        fault = self.fault(state, one, english=english)
        near, meaning = self.leak_of_meaning(state, one)
        given = "; ".join(filter(None, (leak(one.text, gold_of(facts), self.making.settings.leak), near)))
        poll = self.poll(state, one)
        checks = () if fault else tuple(self.check(state, one, poll, name, given) for name in CRITERIA)
        phrase = UNCHECKED if not english else fault_of_time(one.text, one.time) or OK
        fate = Route.REJECT.value if fault else fate_of(checks)
        return Question(one.id, one.time, one.text, one.round, phrase, fault, given, checks, fate, meaning)

    def leak_of_meaning(self, state: State, one: Written) -> tuple[str, float | None]:
        """What a question gives away by its meaning, and its greatest cosine; None where it was not measured."""
        said = state.find(measure_likeness, one.id)
        if said is None or said.failure:
            return "", None
        found = Likeness.model_validate(said.value)
        gold = gold_of(facts_of(state.seed))
        above = self.making.settings.leak_meaning
        return leak_of_meaning(gold, found.cosines, found.by, above), max(found.cosines, default=None)

    @property
    def language(self) -> str:
        """The language that the campaign names."""
        return self.making.campaign.language

    def fault(self, state: State, one: Written, *, english: bool) -> str:
        """What code finds wrong with a question, before any vote; "" for nothing."""
        if not one.text.rstrip("\"' ").endswith(("?", "\uff1f", "\u061f", "\u037e", ";")):
            return "it is no question: end it with a question mark"
        others = (other for other in self.each_written(state) if other.number < one.number)
        if twin := next((other for other in others if plain(other.text) == plain(one.text)), None):
            return f"it repeats the question for the time '{twin.time}'"
        return fault_of_time(one.text, one.time) if english else ""

    def check(self, state: State, one: Written, poll: VotePoll, criterion: str, given: str) -> Check:
        """How a question stands by a criterion; a leak or the audit makes people look, whatever the votes say."""
        thing = one.thing(criterion)
        count, route = poll.counts[criterion].tally, poll.end(criterion)
        ruling = self.making.ruling(state, review_question.agent, thing)
        doubt = given if criterion == NO_LEAK else ""
        fate: str | None = route
        audited = self.making.draw(self.making.campaign.review.audit, state.seed.id, thing, "audit")
        if route is not None and (audited or (route is not Route.REJECT and (route is Route.HUMAN or doubt))):
            fate = Route.HUMAN
        if ruling.holds:
            fate = Route.KEEP if ruling.holds.keeps else Route.REJECT
        return Check(
            criterion=criterion,
            ratio=f"{count.keep}/{count.cast}",
            route=route.value if route else None,
            votes=as_said(poll.words(criterion)),
            decisions=decisions(standing_opinions(state.of_role(review_question.agent, thing))),
            fate=str(fate) if fate else None,
            lacks=tuple(map(str, poll.lacks(criterion))),
            doubt=doubt,
            audited=audited,
        )

    # ----------------------------------------------------------------------------------------------- what is asked

    def check_question(self, state: State, one: Written, names: Sequence[str]) -> check_questions.Ask:
        """What a checker is asked."""
        facts = facts_of(state.seed)
        return check_questions.Ask(
            scene=facts.shown,
            question=one.text,
            incident=facts.incident,
            place=facts.place or "none",
            time=MEANING[one.time],
            resource=facts.resource,
            criteria=tuple(map(check_questions.Criterion, names)),
            language=self.making.language,
        )

    def review(self, state: State, one: Written, check: Check) -> review_question.Ask:
        """What a person is asked."""
        facts = facts_of(state.seed)
        few = int(check.ratio.partition("/")[2]) < self.making.campaign.rule.quorum
        reasons = ["too few votes" if few else "the votes are divided"] if check.route == Route.HUMAN else []
        return review_question.Ask(
            scene=facts.shown,
            question=one.text,
            incident=facts.incident,
            place=facts.place or "none",
            time=MEANING[one.time],
            resource=facts.resource,
            criterion=f"{check.criterion}: {check_questions.CRITERIA[check.criterion]}",
            votes=tuple(f"{vote.by} says {vote.word}: {vote.reason}" for vote in check.votes),
            why="; ".join((*reasons, *([check.doubt] if check.doubt else []))) or AUDIT,
        )

    def find(self, state: State, thing: str) -> tuple[Written, Check] | None:
        """A question and its criterion by the name of a thing; None where there is no such."""
        for one in self.each_written(state):
            for check in self.question(state, one).checks:
                if one.thing(check.criterion) == thing:
                    return one, check
        return None

    def body(self, state: State) -> QuestionSet | None:
        """The set as it stands; None before anything was written."""
        questions = tuple(self.question(state, one) for one in self.each_written(state))
        return QuestionSet(facts_of(state.seed), questions, self.paraphrases(state)) if questions else None


def facts_of(seed: Seed) -> Facts:
    """What a seed says of its scene and pair."""
    return parse(seed.body)


@lru_cache(maxsize=1024)  # asked for at each answer about the item
def parse(text: str) -> Facts:
    """What a set shares with later phases, from the JSON of a seed."""
    return facts_adapter().validate_python(json.loads(text)["facts"])


def gold_of(facts: Facts) -> tuple[str, ...]:
    """The texts that a question may not give away: what people would do and why, and what is missing."""
    texts = (*(text for reply in facts.gold for text in (reply.action, reply.explanation)), facts.resource)
    return tuple(text for text in texts if text.strip())


def fate_of(checks: Sequence[Check]) -> str | None:
    """What becomes of a question: rejected by any criterion, kept by all, with people or the panel before that."""
    fates = [check.fate for check in checks]
    for fate in (Route.REJECT.value, None, Route.HUMAN.value):
        if fate in fates:
            return fate
    return Route.KEEP.value


def why(question: Question) -> str:
    """Why a question was not kept; "" where it was."""
    if question.fault:
        return question.fault
    failed = [check.criterion for check in question.checks if check.fate == Route.REJECT]
    return f"it fails: {', '.join(check_questions.CRITERIA[name] for name in failed)}" if failed else ""
