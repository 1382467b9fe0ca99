"""The refinement of an item's stem: what it owes, and what came of it (EpiQAL, section 3.6 and appendix B.1).

`domain/refine.py` says what is next; here that becomes questions to judges, writers, checkers and searches, and their
answers become facts again, replayed from the first. Each question is named by its place and its content, so an answer
counts for exactly what was asked, whatever people or another rule change afterwards. Everything here is pure.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent
from benchwright.agents.choice import check_option, compare_stems, describe_entity, judge_item, pick_entity
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.ids import content_id, shuffled
from benchwright.domain.snippet import Found, Results
from benchwright.domain.vote import Route
from benchwright.domain.waves import FRUGAL
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice import difficulty, refine
from benchwright.pipelines.choice.comparing import SAME_STEM, THING, ballot, poll
from benchwright.pipelines.choice.difficulty import Mark
from benchwright.pipelines.choice.refine import Compare, Done, Judge, Look, Pick, Refinement, Round, Version, Write
from benchwright.pipelines.lookups import SEARCH, EntityAsk, EntityFound, look_up
from benchwright.pipelines.polling import Turn

REFINERS = (judge_item.agent, pick_entity.agent, look_up, describe_entity.agent, compare_stems.agent)
CODE = "code"  # who answers where no model does
LONGEST = 300  # characters of a reason that goes back to a writer


class RefineSettings(BaseModel):
    """The table `refine` of a pipeline's own: how hard an item is to be, and what is done for it.

    The paper's alpha 0.7 and threshold 0.9 call nearly every item easy, so the defaults are those of its released set.
    There 22 % of all measurements lay on the threshold itself, where one judge's one option decides: what is near it
    is measured twice.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    alpha: float = Field(default=0.3, ge=0, le=1)  # the weight of F1; that of Exact Match is the rest
    threshold: float = Field(default=0.2, ge=0, le=1)  # an item whose DiffScore is below is easy
    margin: float = Field(default=0.05, ge=0, le=1)  # nearer to the threshold than this it is measured again
    measures: int = Field(default=2, ge=1, le=10)  # so often at most
    quorum: int = Field(default=1, ge=1, le=100)  # with fewer answers nobody knows how hard it is
    rounds: int = Field(default=3, ge=0, le=10)  # attempts at a harder stem; with 0 it is only measured
    snippets: int = Field(default=6, ge=1, le=20)  # of a search, to describe an entity from
    tries: int = Field(default=2, ge=1, le=10)  # rewrites of one attempt

    def rule(self, judges: int) -> refine.Rule:
        """The rule for a pool of so many judges; a number is taken as it is written, so 0.2 is 1/5."""
        alpha, threshold, margin = (Fraction(str(one)) for one in (self.alpha, self.threshold, self.margin))
        measure = difficulty.Rule(alpha, threshold, self.quorum, margin, self.measures)
        return refine.Rule(measure, judges, self.rounds, self.snippets, self.tries)


@dataclass(frozen=True, slots=True)
class Posed:
    """An item as it would be asked: its stem, its options by id and text, the ids of those that are right."""

    stem: str
    options: tuple[tuple[str, str], ...]
    right: frozenset[str]


@dataclass(frozen=True, slots=True)
class Refined:
    """How a refinement ended: all versions and rounds, the end, and both as plain JSON values."""

    state: Refinement
    end: Done
    told: Mapping[str, Any]

    @property
    def best(self) -> Version:
        """The version to keep."""
        return self.state.versions[self.end.best]


Said = Mapping[tuple[str, str], Sequence[Answer]]  # answers by step and what they are about
Asked = Judge | Pick | Look | Write  # what is asked once and as a whole; a comparison goes in waves


@dataclass(frozen=True)
class Refining:
    """One item to be refined: `item` is its id, `language` what its writers are told to write in.

    The campaign has the roles `judge_item` and `compare_stems`, panels, and `pick_entity` and `describe_entity`.
    """

    campaign: Campaign
    settings: RefineSettings
    posed: Posed
    item: str
    language: str

    @cached_property
    def rule(self) -> refine.Rule:
        """The rule for this campaign's judges."""
        panel = self.campaign.roles[judge_item.agent.name]
        return self.settings.rule(len(panel.models) * panel.runs)

    def owed(self, answers: Iterable[Answer]) -> tuple[Due, ...] | Refined:
        """What is owed next (never empty), or the end; answers about anything else do not matter."""
        state, end = self.replay(answers)
        return Refined(state, end, self.told(state, end)) if isinstance(end, Done) else end

    def replay(self, answers: Iterable[Answer]) -> tuple[Refinement, tuple[Due, ...] | Done]:
        """The state that the answers bring about, and what it owes: a fact counts when all of its answers are there."""
        said, state = by_question(answers), refine.begin(self.posed.stem)
        while not isinstance(owed := refine.owed(state, self.rule), Done):
            came = self.comparison(state, owed, said) if isinstance(owed, Compare) else self.outcome(state, owed, said)
            if isinstance(came, tuple):
                return state, came
            state = refine.step(state, came, self.rule)
        return state, owed

    def outcome(self, state: Refinement, owed: Asked, said: Said) -> refine.Fact | tuple[Due, ...]:
        """What came of a thing owed, or what of it is still to be asked: all of that at once."""
        dues = self.dues(state, owed)
        there = [answer_to(due, said) for due in dues]
        if missing := tuple(due for due, answer in zip(dues, there, strict=True) if not answer):
            return missing
        answers = [answer for answer in there if answer]
        if isinstance(owed, Judge):
            return refine.Judged(owed.version, tuple(map(self.mark, answers)))
        return fact(owed, answers[0])

    def dues(self, state: Refinement, owed: Asked) -> tuple[Due, ...]:
        """The questions that a thing owed stands for."""
        number, language = len(state.rounds), self.language
        match owed:
            case Judge():
                return self.turns(state.versions[owed.version], owed)
            case Pick():
                ask: Any = pick_entity.Ask(owed.stem, owed.earlier, language)
                return (self.due(pick_entity.agent, ask, about(number + 1, owed)),)
            case Look():
                return (Due(look_up, EntityAsk(owed.entity, owed.most), SEARCH, about(number, owed)),)
            case _:
                results = Results(owed.snippets)
                ask = describe_entity.Ask(owed.stem, owed.entity, owed.forbidden, results, owed.objections, language)
                return (self.due(describe_entity.agent, ask, about(f"{number}.{tries(state) + 1}", owed)),)

    def due(self, agent: Agent, ask: Any, name: str) -> Due:
        """A question to the one model of a role."""
        return Due(agent, ask, self.campaign.roles[agent.name].models[0], name)

    def turns(self, version: Version, owed: Judge) -> tuple[Due, ...]:
        """The next judges' questions about a version: every model's first run, then every second one, and so on."""
        models = self.campaign.roles[judge_item.agent.name].models
        name = about(owed.version, [version.stem, sorted(self.posed.options)])
        numbers = range(len(version.marks), len(version.marks) + owed.more)
        return tuple(self.turn(version.stem, name, turn(models, number)) for number in numbers)

    def turn(self, stem: str, name: str, turn: Turn) -> Due:
        """One judge's question, its options in an order of its own."""
        options = sorted(self.posed.options)  # the same pool measures the same, in whatever order they are stored
        order = shuffled(options, self.campaign.seed, self.item, name, turn.model, turn.run)
        ask = check_option.Ask(stem, check_option.lettered(order), self.language)
        return Due(judge_item.agent, ask, turn.model, name, turn.run)

    def mark(self, answer: Answer) -> Mark | None:
        """A judge's answer against the right one; None where it failed."""
        if answer.failure:
            return None
        chosen = {name for name, said in answer.value["answers"].items() if said["right"]}
        return difficulty.mark(chosen, self.posed.right)

    def comparison(self, state: Refinement, owed: Compare, said: Said) -> refine.Compared | tuple[Due, ...]:
        """What the checkers say of two stems, or whom of them to ask next."""
        name = about(f"{len(state.rounds)}.{tries(state)}", owed)
        ballots = (ballot(answer, 0, SAME_STEM) for answer in said.get((compare_stems.agent.name, name), ()))
        votes = poll(self.campaign, compare_stems.agent.name, 0, ballots, FRUGAL)
        if wave := votes.wave():
            ask = compare_stems.Ask(owed.before, owed.after, self.language)
            turns = (question.turn for question in wave.questions)
            return tuple(Due(compare_stems.agent, ask, turn.model, name, turn.run) for turn in turns)
        if votes.route(THING) is Route.KEEP:
            return refine.Compared(same=True)
        against = dict.fromkeys(vote.reason for vote in votes.votes(THING) if vote.keep is False)
        return refine.Compared(same=False, why=cut("; ".join(against) or "too few checkers could tell"))

    def told(self, state: Refinement, end: Done) -> dict[str, Any]:
        """All versions and rounds, and the end, as plain JSON values."""
        return {
            "best": end.best,
            "level": end.level,
            "why": end.why,
            "rule": self.rule.measure.recipe(),
            "versions": [self.version(version) for version in state.versions],
            "rounds": [attempt(one) for one in state.rounds],
        }

    def version(self, version: Version) -> dict[str, Any]:
        """A version as it was measured: the score is over those who answered, and it is said how many did not."""
        models = self.campaign.roles[judge_item.agent.name].models
        now = difficulty.standing(version.marks, self.rule.judges, self.rule.measure)
        score = difficulty.score(now.found)
        return {
            "stem": version.stem,
            "entity": version.entity,
            "phrase": version.phrase,
            "sources": list(version.sources),
            "score": None if score is None else str(score),
            "level": now.level,
            "answered": now.found.answered,
            "failed": now.found.failed,
            "marks": [marked(turn(models, n), mark) for n, mark in enumerate(version.marks)],
        }


def turn(models: Sequence[str], number: int) -> Turn:
    """Whose turn it is to judge, and which of that model's runs."""
    run, place = divmod(number, len(models))
    return Turn(models[place], run)


def marked(by: Turn, mark: Mark | None) -> dict[str, Any]:
    """A judge's mark as plain JSON values; of one that failed there is none."""
    return {"by": str(by), "f1": str(mark.f1) if mark else None, "exact": mark.exact if mark else None}


def tries(state: Refinement) -> int:
    """How many rewrites the round under way has tried."""
    return len(state.rounds[-1].tried)


def about(place: object, content: Any) -> str:
    """The name of a question: where in the refinement it arises, and a hash of what it asks."""
    told = content if isinstance(content, list) else asdict(content)
    return f"{place}.{content_id('asked', told)[:8]}"


def by_question(answers: Iterable[Answer]) -> Said:
    """The answers by their questions, in an order that does not depend on their arrival."""
    said: defaultdict[tuple[str, str], list[Answer]] = defaultdict(list)
    for answer in sorted(answers, key=lambda answer: (answer.failure is not None, answer.by, answer.body)):
        said[answer.step, answer.about].append(answer)
    return said


def answer_to(due: Due, said: Said) -> Answer | None:
    """The answer to a question, from whom it was put to or from code; None where there is none yet."""
    answers = said.get((due.agent.name, due.about), ())
    return next((answer for answer in answers if answer.by in {due.by, CODE}), None)


def fact(owed: Pick | Look | Write, answer: Answer) -> refine.Fact:
    """What the one answer to a thing owed means; a failure is a fact too."""
    said, why = answer.value, failure(answer)
    match owed:
        case Pick():
            return refine.Picked("", why) if why else refine.Picked(said["entity"])
        case Look():
            return refine.Looked(Found(failures=(why,))) if why else looked(said)
        case _:
            return refine.Written(why=why) if why else written(owed, said)


def failure(answer: Answer) -> str:
    """Why an answer failed, short enough to be told; nothing for a real one."""
    return cut(f"{answer.failure}: {answer.value['detail']}") if answer.failure else ""


def looked(said: Mapping[str, Any]) -> refine.Looked:
    """What a search found, and the names that are known."""
    body = EntityFound.model_validate(said)
    return refine.Looked(body.found, body.names)


def written(owed: Write, said: Mapping[str, Any]) -> refine.Written:
    """A rewrite, with the addresses of the snippets that it cites by number."""
    urls = (owed.snippets[number - 1].url for number in said["sources"])
    return refine.Written(said["phrase"], said["question"], tuple(dict.fromkeys(filter(None, urls))))


def attempt(one: Round) -> dict[str, Any]:
    """A round as plain JSON values: what was picked, what was found by whom, all that was tried, and how it ended."""
    looked = one.looked or refine.Looked(Found())
    return {
        "entity": one.picked.entity,
        "names": list(looked.names),
        "by": looked.found.by,
        "failures": list(looked.found.failures),
        "found": [{"title": found.title, "url": found.url} for found in looked.found.snippets],
        "tried": [asdict(tried) | {"sources": list(tried.sources)} for tried in one.tried],
        "objections": list(one.objections),
        "end": one.end,
    }


def cut(text: str) -> str:
    """The text on one line, of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}\u2026"
