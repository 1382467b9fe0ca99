"""The refinement of an item's stem: what it owes, and what came of it (EpiQAL, section 3.6 and appendix B.1).

`refine.py` says what is next; here that becomes questions to judges, writers, checkers and searches, and their
answers become facts again, replayed from the first. Each question is named by its place and its content, so an answer
counts for exactly what was asked, whatever people or another rule change afterwards. Everything here is pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent
from benchwright.agents.choice import answer_item, check_option, compare_stems, describe_entity, pick_entity
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.ids import content_id, seeded_shuffle
from benchwright.domain.snippet import Found, Results
from benchwright.domain.vote import Route
from benchwright.domain.waves import FRUGAL
from benchwright.pipelines.base import Due, Fault, Role, Served
from benchwright.pipelines.choice import body, difficulty, refine
from benchwright.pipelines.choice.body import Attempt, Difficulty, Judgement, Page, Rewrite
from benchwright.pipelines.choice.comparing import SAME_STEM, THING, ballot, poll, terms_of
from benchwright.pipelines.choice.difficulty import Mark
from benchwright.pipelines.choice.refine import Compare, Done, Judge, Look, Pick, Refinement, Round, Version, Write
from benchwright.pipelines.lookups import SEARCH, EntityAsk, EntityFound, look_up
from benchwright.pipelines.polling import Turn, VotePoll, VoteTerms, with_ballot

REFINERS = (
    Role(answer_item.agent, Served.PANEL, duty="answer"),
    Role(pick_entity.agent, duty="pick entity"),
    Role(look_up, Served.CODE, duty="look up"),
    Role(describe_entity.agent, duty="describe entity"),
    Role(compare_stems.agent, Served.PANEL, stand_ins=True, duty="compare"),
)
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
    replace: int = Field(default=1, ge=0, le=5)  # rounds in which distractors that no judge took are replaced
    keep: Literal["first", "hardest"] = "first"  # the first version that is hard by all measures, else the first of all

    def rule(self, judges: int) -> refine.Rule:
        """The rule for a pool of so many judges; a number is taken as it is written, so 0.2 is 1/5."""
        alpha, threshold, margin = (Fraction(str(one)) for one in (self.alpha, self.threshold, self.margin))
        measure = difficulty.Rule(alpha, threshold, self.quorum, margin, self.measures)
        return refine.Rule(measure, judges, self.rounds, self.snippets, self.tries, self.keep == "hardest")


def find_quorum_faults(settings: RefineSettings | Literal[False], panels: Mapping[str, Panel]) -> Sequence[Fault]:
    """A quorum that no pool can reach would leave every item without a difficulty."""
    role = answer_item.agent.name
    if not settings or role not in panels:
        return ()
    panel, quorum = panels[role], settings.quorum
    most = len(panel.models) * panel.runs * settings.measures
    if most >= quorum:
        return ()
    many = f"models: {len(panel.models)}, runs: {panel.runs}, measures: {settings.measures}"
    return [
        (("refine", "quorum"), f"is {quorum}, but {role} gives at most {most} answers ({many}): lower it, or ask more")
    ]


@dataclass(frozen=True, slots=True)
class Posed:
    """An item as it would be asked: its stem, its options by id and text, the ids of those that are right."""

    stem: str
    options: tuple[tuple[str, str], ...]
    right: frozenset[str]
    proven: bool = False  # whether it is hard only by all measures, as what takes the place of another


@dataclass(frozen=True, slots=True)
class Refined:
    """How a refinement ended: all versions and rounds, the end, and both as they are stored."""

    state: Refinement
    end: Done
    difficulty: Difficulty

    @property
    def best(self) -> Version:
        """The version to keep."""
        return self.state.versions[self.end.best]


Said = Mapping[tuple[str, str], Mapping[str, Answer]]  # answers by step and what they are about, then by who gave them
Asked = Judge | Pick | Look | Write  # what is asked once and as a whole; a comparison goes in waves


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the answers of a refinement have led: its state, what that owes, and in which questions.

    A comparison has no `dues`, but a `name`, and a `poll` that has heard its first `heard` answers. `closed` are the
    places, or of judges the single answers, that are used up: another answer there would have to be counted anew.
    """

    refining: "Refining"
    state: Refinement
    owed: refine.Owed
    closed: frozenset[tuple[str, ...]]
    poll: VotePoll
    dues: tuple[Due, ...] = ()
    name: str = ""
    heard: int = 0


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said to refine a stem. `progress` holds how far that led when it was last planned, and nothing more."""

    said: Said = field(default_factory=dict)
    progress: list[Progress] = field(default_factory=list, compare=False, repr=False)

    def plus(self, answer: Answer) -> "Heard":
        """With one more answer; of two by the same one a real one counts, not a failure."""
        place = answer.step, answer.about
        there = self.said.get(place, {})
        both = (one for one in (there.get(answer.by), answer) if one)
        first = min(both, key=lambda one: (one.failure is not None, one.body))
        used = {place, (*place, answer.by)}
        kept = [one for one in self.progress if one.closed.isdisjoint(used) and answer.by not in there]
        return Heard({**self.said, place: {**there, answer.by: first}}, kept)


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
        panel = self.campaign.roles[answer_item.agent.name]
        return replace(self.settings.rule(len(panel.models) * panel.runs), proven=self.posed.proven)

    @property
    def first_question(self) -> str:
        """What the answers of judges to the first version are about."""
        return about(0, [self.posed.stem, sorted(self.posed.options)])

    @cached_property
    def terms(self) -> VoteTerms:
        """The terms on which checkers compare stems."""
        return terms_of(self.campaign, compare_stems.agent.name, FRUGAL)

    def next_owed(self, heard: Heard) -> tuple[Due, ...] | Refined:
        """What is owed next (never empty), or the end; answers about anything else do not matter."""
        at, missing = self.reach(heard)
        heard.progress[:] = [at]
        if missing or not isinstance(at.owed, Done):
            return missing
        return Refined(at.state, at.owed, self.difficulty(at.state, at.owed))

    def reach(self, heard: Heard) -> tuple[Progress, tuple[Due, ...]]:
        """How far the answers lead, and the questions that are open there: a fact counts when all its answers are."""
        at = next((one for one in heard.progress if one.refining.same(self)), None) or self.begin()
        while not isinstance(owed := at.owed, Done):
            at = self.take_votes(at, heard.said) if isinstance(owed, Compare) else at
            came = (
                self.comparison_or_dues(at, owed) if isinstance(owed, Compare) else self.outcome(at, owed, heard.said)
            )
            if isinstance(came, tuple):
                return at, came
            at = self.after(at, came)
        return at, ()

    def same(self, other: "Refining") -> bool:
        """Whether both refine the same on the same terms."""
        return self.campaign is other.campaign and self.settings is other.settings and self.posed == other.posed

    def begin(self) -> Progress:
        """Before anything was said."""
        return self.progress_from(refine.begin(self.posed.stem), frozenset())

    def after(self, at: Progress, fact: refine.Fact) -> Progress:
        """What a fact leads to; all that brought it about is used up."""
        judges = isinstance(at.owed, Judge)  # further judges of a version are asked under the same name
        used = [(due.agent.name, due.about, due.by) if judges else (due.agent.name, due.about) for due in at.dues]
        closed = at.closed.union(used, [(compare_stems.agent.name, at.name)])
        return self.progress_from(refine.step(at.state, fact, self.rule), closed)

    def progress_from(self, state: Refinement, closed: frozenset[tuple[str, ...]]) -> Progress:
        """What a state owes, in questions."""
        owed, nobody = refine.next_owed(state, self.rule), poll(0, self.terms)
        if isinstance(owed, Compare):
            name = about(f"{len(state.rounds)}.{tries(state)}", owed)
            return Progress(self, state, owed, closed, nobody, name=name)
        dues = () if isinstance(owed, Done) else self.dues(state, owed)
        return Progress(self, state, owed, closed, nobody, dues)

    def outcome(self, at: Progress, owed: Asked, said: Said) -> refine.Fact | tuple[Due, ...]:
        """What came of a thing owed, or what of it is still to be asked: all of that at once."""
        there = [answer_to(due, said) for due in at.dues]
        if missing := tuple(due for due, answer in zip(at.dues, there, strict=True) if not answer):
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
        models = self.campaign.roles[answer_item.agent.name].models
        name = about(owed.version, [version.stem, sorted(self.posed.options)])
        numbers = range(len(version.marks), len(version.marks) + owed.more)
        wave = f"{answer_item.agent.name}/{name}/{len(version.marks)}"
        return tuple(self.turn(version.stem, name, turn(models, number), wave) for number in numbers)

    def turn(self, stem: str, name: str, turn: Turn, wave: str) -> Due:
        """One judge's question, its options in an order of its own."""
        options = sorted(self.posed.options)  # the same pool measures the same, in whatever order they are stored
        order = seeded_shuffle(options, self.campaign.seed, self.item, name, turn.model, turn.run)
        ask = check_option.Ask(stem, check_option.letter_options(order), self.language)
        return Due(answer_item.agent, ask, turn.model, name, turn.run, wave)

    def mark(self, answer: Answer) -> Mark | None:
        """A judge's answer against the right one; None where it failed."""
        if answer.failure:
            return None
        chosen = {name for name, said in answer.value["answers"].items() if said["right"]}
        return difficulty.mark(chosen, self.posed.right)

    def take_votes(self, at: Progress, said: Said) -> Progress:
        """A comparison after all that checkers have said about it."""
        answers = [*said.get((compare_stems.agent.name, at.name), {}).values()]
        votes = at.poll
        for answer in answers[at.heard :]:
            one = ballot(answer, 0, SAME_STEM)
            votes = votes.with_ballot(one, with_ballot(votes.said, one))
        return replace(at, poll=votes, heard=len(answers))

    def comparison_or_dues(self, at: Progress, owed: Compare) -> refine.Compared | tuple[Due, ...]:
        """What the checkers say of two stems, or whom of them to ask next."""
        if questions := at.poll.wave.questions:
            ask = compare_stems.Ask(owed.before, owed.after, self.language)
            wave = f"{compare_stems.agent.name}/{at.name}/{at.poll.wave.before}"
            turns = (question.turn for question in questions.values())
            return tuple(Due(compare_stems.agent, ask, turn.model, at.name, turn.run, wave) for turn in turns)
        if at.poll.end(THING) is Route.KEEP:
            return refine.Compared(same=True)
        against = dict.fromkeys(vote.reason for vote in at.poll.words(THING) if vote.keep is False)
        return refine.Compared(same=False, why=cut("; ".join(against) or "too few checkers could tell"))

    def difficulty(self, state: Refinement, end: Done) -> Difficulty:
        """All versions and rounds, and the end, as they are stored."""
        versions, rounds = (
            tuple(map(self.version, range(len(state.versions)), state.versions)),
            tuple(map(attempt, state.rounds)),
        )
        return Difficulty(end.best, end.level.value, end.why, self.rule.measure.recipe(), versions, rounds)

    def version(self, number: int, version: Version) -> body.Version:
        """A version as it was measured: the score is over those who answered, and it is said how many did not."""
        models = self.campaign.roles[answer_item.agent.name].models
        now = self.rule.pool_state(number, version.marks)
        score = difficulty.score(now.found)
        return body.Version(
            stem=version.stem,
            entity=version.entity,
            phrase=version.phrase,
            sources=version.sources,
            score=None if score is None else str(score),
            level=now.level.value if now.level else "",
            answered=now.found.answered,
            failed=now.found.failed,
            marks=tuple(judgement(turn(models, n), mark) for n, mark in enumerate(version.marks)),
        )


def turn(models: Sequence[str], number: int) -> Turn:
    """Whose turn it is to judge, and which of that model's runs."""
    run, place = divmod(number, len(models))
    return Turn(models[place], run)


def judgement(by: Turn, mark: Mark | None) -> Judgement:
    """A judge's mark as it is stored; of one that failed there is none."""
    return Judgement(str(by), str(mark.f1) if mark else None, mark.exact if mark else None)


def tries(state: Refinement) -> int:
    """How many rewrites the round under way has tried."""
    return len(state.rounds[-1].tried)


def about(place: object, content: Any) -> str:
    """The name of a question: where in the refinement it arises, and a hash of what it asks."""
    told = content if isinstance(content, list) else asdict(content)
    return f"{place}.{content_id('asked', told)[:8]}"


def answer_to(due: Due, said: Said) -> Answer | None:
    """The answer to a question, from whom it was put to or from code; None where there is none yet."""
    answers = said.get((due.agent.name, due.about), {})
    found = [answers[by] for by in (due.by, CODE) if by in answers]
    return min(found, key=lambda one: (one.failure is not None, one.by), default=None)


def fact(owed: Pick | Look | Write, answer: Answer) -> refine.Fact:
    """What the one answer to a thing owed means; a failure is a fact too."""
    said, why = answer.value, failure(answer)
    match owed:
        case Pick():
            return refine.Picked("", why) if why else refine.Picked(said["entity"])
        case Look():
            return refine.Looked(Found(failures=(why,))) if why else lookup_fact(said)
        case _:
            return refine.Written(why=why) if why else rewrite_fact(owed, said)


def failure(answer: Answer) -> str:
    """Why an answer failed, short enough to be told; nothing for a real one."""
    return cut(f"{answer.failure}: {answer.value['detail']}") if answer.failure else ""


def lookup_fact(said: Mapping[str, Any]) -> refine.Looked:
    """What a search found, and the names that are known."""
    body = EntityFound.model_validate(said)
    return refine.Looked(body.search_result, body.names)


def rewrite_fact(owed: Write, said: Mapping[str, Any]) -> refine.Written:
    """A rewrite, with the addresses of the snippets that it cites by number."""
    urls = (owed.snippets[number - 1].url for number in said["sources"])
    return refine.Written(said["phrase"], said["question"], tuple(dict.fromkeys(filter(None, urls))))


def attempt(one: Round) -> Attempt:
    """A round as it is stored."""
    looked = one.looked or refine.Looked(Found())
    return Attempt(
        entity=one.picked.entity,
        names=looked.names,
        by=looked.found.by,
        failures=looked.found.failures,
        found=tuple(Page(found.title, found.url) for found in looked.found.snippets),
        tried=tuple(Rewrite(tried.phrase, tried.stem, tried.sources, tried.why) for tried in one.tried),
        objections=one.objections,
        end=one.end,
    )


def cut(text: str) -> str:
    """The text on one line, of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}\u2026"
