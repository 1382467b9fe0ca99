"""What every pipeline must do, in pure Python: no store, no clock, whoever answers and in whatever order.

An answer to anything that was ever owed may arrive at any later time: a call was in flight, a person had the question
on the desk. So the simulation keeps all that was owed in a pool and takes from it by chance.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from random import Random
from typing import Any

from benchwright.agents.base import request
from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Document, read_out
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, Seed
from benchwright.errors import BadReply, Refused
from benchwright.pipelines.base import HUMAN, Due, Pipeline, Served, state_of

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kim", "lea")
MOST = 2000  # answers after which an item that has not ended is taken never to end

FAILING, KEPT = 0.3, 0.2  # shares of calls that fail at first, and of failures that nobody withdraws
ANEW = 5  # after so many answers the state that grew is held against one folded anew

Say = Callable[[Seed, Due], Answer]
Script = Callable[[Request], str | Reply | Exception]
People = Callable[[Due], Mapping[str, Any]]
Service = Callable[[Seed, Any], Mapping[str, Any] | Exception]  # code: whose question it is, and the question


@dataclass
class World:
    """All who answer: a scripted model behind the real agents, scripted people, and code by the queue it serves."""

    campaign: Campaign
    documents: Mapping[str, Document]
    script: Script
    people: People
    services: Mapping[str, Service] = field(default_factory=dict)
    asked: list[tuple[Due, Request]] = field(default_factory=list)  # every question that was put to a model
    said: dict[tuple[Seed, str, Any], Answer] = field(default_factory=dict)

    def say(self, seed: Seed, due: Due) -> Answer:
        """The answer to an owed thing: the same to the same question."""
        place = (seed, due.key, due.ask)
        if place not in self.said:
            self.said[place] = self.answer(seed, due)
        return self.said[place]

    def answer(self, seed: Seed, due: Due) -> Answer:
        """From whom it was put to."""
        if due.to in self.services:
            return self.code(seed, due)
        return self.human(due) if due.to == HUMAN else self.model(seed, due)

    def code(self, seed: Seed, due: Due) -> Answer:
        """What a service says, which signs as code; one that breaks is a failure of whom it was put to."""
        said = self.services[due.to](seed, due.ask)
        if isinstance(said, Exception):
            return failure_answer(due.agent.name, due.about, due.by, "crashed", str(said))
        body = due.agent.Answer.model_validate(said).model_dump(mode="json")
        return Answer(due.agent.name, due.about, "code", canonical(body))

    def human(self, due: Due) -> Answer:
        body = due.agent.Answer.model_validate(self.people(due)).model_dump(mode="json")
        return Answer(due.agent.name, due.about, f"human:{NAMES[due.run]}", canonical(body))

    def model(self, seed: Seed, due: Due) -> Answer:
        """A model's answer; a reply that its agent does not accept is a failure, as in the engine."""
        reading = read_out(self.documents[seed.view.document], seed.view)
        call = request(due.agent, due.ask, reading, self.campaign.models[due.to], due.run, self.campaign.seed)
        self.asked.append((due, call))
        try:
            return Answer(due.agent.name, due.about, due.by, call.accept(self.reply(call)), call.id)
        except (BadReply, Refused) as error:
            return failure_answer(due.agent.name, due.about, due.by, error.cause, str(error))

    def reply(self, call: Request) -> str:
        said = self.script(call)
        if isinstance(said, Exception):
            raise said
        return said.text if isinstance(said, Reply) else said


@dataclass
class Run:
    """One item in the making."""

    pipeline: Pipeline
    seed: Seed
    say: Say
    answers: list[Answer] = field(default_factory=list)
    pool: dict[str, Due] = field(default_factory=dict)  # owed at some time and not answered
    answered: list[str] = field(default_factory=list)  # the keys of the answers, in their order
    state: Any = None  # after the first `folded` answers
    folded: int = 0
    waves: list[str] = field(default_factory=list)  # those whose law was held

    def plan(self) -> Sequence[Due] | Ending:
        """What is owed, by the state that grows answer by answer; now and then held against one folded anew."""
        self.state = reduce(self.pipeline.fold, self.answers[self.folded :], self.state or self.begin())
        self.folded = len(self.answers)
        owed = self.pipeline.plan(self.state)
        if self.folded % ANEW == 0 or isinstance(owed, Ending):
            whole = state_of(self.pipeline, self.seed, self.answers)
            assert (self.state, owed) == (whole, self.pipeline.plan(whole))
        return owed

    def begin(self) -> Any:
        return self.pipeline.begin(self.seed)

    def owe(self, owed: Sequence[Due]) -> None:
        """Take in what is owed, which is something, each key once, none of it answered, none of it asked otherwise."""
        self.hold_together(owed)
        keys = [due.key for due in owed]
        assert keys, "an item that has not ended owes something"
        assert len(set(keys)) == len(keys), f"owed twice at once: {keys}"
        assert set(keys).isdisjoint(self.answered), f"owed again after its answer: {keys}"
        code = [role.agent for role in self.pipeline.roles if role.served is Served.CODE]
        assert {due.agent.name for due in owed} <= {agent.name for agent in (*self.pipeline.agents, *code)}
        for due in owed:
            assert self.pool.setdefault(due.key, due).ask == due.ask, f"{due.key} asks otherwise than before"

    def hold_together(self, owed: Sequence[Due]) -> None:
        """Of a wave nothing changes by one more answer that is no failure, but that this is no longer owed."""
        wave = owed[0].wave if owed else ""
        if not wave or len(owed) == 1 or wave in self.waves:
            return
        assert {due.wave for due in owed} == {wave}, "a wave is owed alone"
        self.waves.append(wave)
        for due in owed:
            answer = self.say(self.seed, due)
            if not answer.failure:
                others = [one for one in owed if one.key != due.key]
                left = self.pipeline.plan(self.pipeline.fold(self.state, answer))
                assert not isinstance(left, Ending), f"{due.key} ends the item"
                assert list(left) == others, f"{due.key} changes more"

    def answer(self, key: str) -> None:
        """Answer an owed thing; of several for people about the same, the first, for each takes any of them."""
        wanted = self.pool[key]
        if wanted.to == HUMAN:
            alike = [due for due in self.pool.values() if (due.to, due.about) == (HUMAN, wanted.about)]
            key = min(alike, key=lambda due: due.run).key
        due = self.pool.pop(key)
        self.answered.append(key)
        self.answers.append(self.say(self.seed, due))

    def to_the_end(self, chance: Random) -> Ending:
        """Answer what is owed, or was owed once, in an order of chance until the item has ended."""
        while not isinstance(owed := self.plan(), Ending):
            self.owe(owed)
            self.answer(chance.choice(sorted(self.pool)))
            assert len(self.answers) < MOST, f"item {self.seed} does not end"
        for key in sorted(self.pool):  # what comes late changes nothing
            self.answer(key)
            assert self.plan() == owed
        return owed


def pipeline_contract(
    pipeline: Pipeline, seeds: Iterable[Seed], say: Say, orders: int = 3, ends_of: int = 4
) -> list[Ending]:
    """Hold the pipeline to its contract with each of these items; returns how they ended.

    Of the cuts each is planned from, and every one in `ends_of` is gone on from to the end.
    """
    ends = []
    for seed in seeds:
        first = Run(pipeline, seed, say)
        end = first.to_the_end(Random(0))
        for order in range(1, orders + 1):
            ends_alike_in_another_order(first, end, Random(order))
        folds_alike_in_any_order(first, Random(0))
        goes_on_after_a_cut_anywhere(first, end, ends_of)
        for number in range(orders):
            takes_back_what_failed(pipeline, seed, say, Random(number))
        ends.append(end)
    return ends


def ends_alike_in_another_order(first: Run, end: Ending, chance: Random) -> None:
    """Whatever arrives first, the same is asked and the item ends the same."""
    other = Run(first.pipeline, first.seed, first.say)
    assert other.to_the_end(chance) == end
    assert Counter(other.answers) == Counter(first.answers)


def folds_alike_in_any_order(run: Run, chance: Random) -> None:
    """Neither the state nor what follows from it tells in which order its answers came, at whatever cut."""
    pipeline, seed = run.pipeline, run.seed
    for size in {len(run.answers), chance.randint(0, len(run.answers))}:
        part = run.answers[:size]
        mixed, usual = state_of(pipeline, seed, chance.sample(part, size)), state_of(pipeline, seed, part)
        assert mixed == usual
        assert pipeline.plan(mixed) == pipeline.plan(usual)
        assert pipeline.body(mixed) == pipeline.body(usual)


@dataclass
class Flaky:
    """Who answers like another, but that now and then a model fails at first; `sound` once it is mended."""

    say: Say
    chance: Random
    sound: bool = False

    def __call__(self, seed: Seed, due: Due) -> Answer:
        if due.to == HUMAN or self.sound or self.chance.random() > FAILING:
            return self.say(seed, due)
        return failure_answer(due.agent.name, due.about, due.by, self.chance.choice(["filtered", "unavailable"]), "so")


def takes_back_what_failed(pipeline: Pipeline, seed: Seed, say: Say, chance: Random) -> None:
    """Failures may be withdrawn at any time, all or some: the item goes on from what is left, and ends."""
    flaky = Flaky(say, chance)
    run = Run(pipeline, seed, flaky)
    most = chance.randint(0, 30)
    while not isinstance(owed := run.plan(), Ending) and len(run.answers) < most:
        run.owe(owed)
        run.answer(chance.choice(sorted(run.pool)))
    pairs = list(zip(run.answers, run.answered, strict=True))
    left = [one for one in pairs if not one[0].failure or chance.random() < KEPT]
    flaky.sound = True
    rest = Run(pipeline, seed, flaky, [answer for answer, _ in left], answered=[key for _, key in left])
    rest.to_the_end(chance)
    folds_alike_in_any_order(rest, chance)


def goes_on_after_a_cut_anywhere(run: Run, end: Ending, ends_of: int) -> None:
    """From any first part of the answers on, with no memory but these, the item comes to the same end."""
    for cut in range(len(run.answers) + 1):
        rest = Run(run.pipeline, run.seed, run.say, run.answers[:cut], answered=run.answered[:cut])
        if isinstance(owed := rest.plan(), Ending):
            assert owed == end
            continue
        rest.owe(owed)
        if cut % ends_of == 0:  # a run to the end from each would ask the same again and again
            assert rest.to_the_end(Random(cut)) == end
            assert sorted(rest.answered) == sorted(run.answered)
