"""How a pair is graded: by each strategy, by each model of the panel that serves it, once or several times.

DisastIR (arXiv 2505.15856), section 3.6. A turn of the poll is a strategy, a model and a run. By default a turn is one
call; where `calls = "separate"` it is several calls in a row to the same model, as in the paper. The grades of all
turns become one by the rule of the intent (`domain/grade.py`). All of it is pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from benchwright.agents.base import Agent
from benchwright.agents.retrieval import (
    find_answer,
    grade_by_criteria,
    grade_by_steps,
    grade_directly,
    grade_from_scores,
    score_criterion,
)
from benchwright.agents.retrieval.relevance import Text
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Panel
from benchwright.domain.grade import Grade
from benchwright.pipelines.base import Due
from benchwright.pipelines.polling import Cast, Poll, Question, SheetAnswer, Terms, with_ballot
from benchwright.pipelines.retrieval.intents import Intent
from benchwright.pipelines.retrieval.settings import Setup, Strategy

AGENTS: Mapping[Strategy, Agent] = {
    "direct": grade_directly.agent,
    "steps": grade_by_steps.agent,
    "criteria": grade_by_criteria.agent,
}
STRATEGY_OF: Mapping[str, str] = {agent.name: strategy for strategy, agent in AGENTS.items()}
PAIR = "pair"  # what the panel grades, of an item that has nothing else


class Turn(NamedTuple):
    """A strategy, a model, and which of its runs, from 0 on."""

    strategy: Strategy
    model: str
    run: int

    @property
    def label(self) -> str:
        """Its name in the poll."""
        return f"{self.strategy}/{self.model}/{self.run}"

    @classmethod
    def of(cls, label: str) -> "Turn":
        """The turn of that name."""
        strategy, _, rest = label.partition("/")
        model, _, run = rest.rpartition("/")
        return cls(next(one for one in AGENTS if one == strategy), model, int(run))


@dataclass(frozen=True, slots=True)
class Judged:
    """What is asked about: a query and a text."""

    query: str
    text: Text


Parts = Mapping[tuple[str, str], Mapping[str, Any]]  # by turn, and by what was asked: parts of separate calls


@dataclass(frozen=True, slots=True)
class GradeState:
    """What was said of a pair by models; `parts` are answers of turns that take several calls."""

    poll: Poll[Grade, Any]
    cast: Cast[Grade]
    parts: Parts = field(default_factory=dict)


@dataclass(frozen=True)
class Grading:
    """The panel of an intent."""

    setup: Setup
    intent: Intent

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """All turns: of each strategy all models with all runs, one strategy after the other."""
        panels = [(strategy, self.setup.campaign.roles[AGENTS[strategy].name]) for strategy in self.strategies]
        return tuple(Turn(s, model, run) for s, panel in panels for run in range(panel.runs) for model in panel.models)

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """How pairs of this intent are graded."""
        return self.setup.strategies(self.intent)

    @cached_property
    def terms(self) -> Terms[Grade, Any]:
        """On what terms the panel is polled."""
        models, waves = self.setup.campaign.models, self.setup.settings.waves
        panel = Panel(tuple(turn.label for turn in self.turns))
        stand_ins = {
            turn.label: turn._replace(model=models[turn.model].substitute).label
            for turn in self.turns
            if models[turn.model].substitute
        }
        sizes: Mapping[Any, Any] = {"strategies": len(self.strategies), "eager": 1}
        rule = self.setup.rule(self.intent, len(self.turns))
        return Terms(panel, rule, sizes.get(waves, waves), stand_ins)

    def begin(self, sheet: int = 0) -> GradeState:
        """Nobody has graded yet."""
        return GradeState(Poll(sheet, (PAIR,), {}, self.terms), {})

    # ------------------------------------------------------------------------------------------------------ asking

    def owed(self, state: GradeState, judged: Judged) -> list[Due]:
        """The calls that the wave owes."""
        asked = state.poll.wave.questions.values()
        return [due for question in asked for due in self.calls(state, question, judged)]

    def calls(self, state: GradeState, question: Question, judged: Judged) -> list[Due]:
        """The next calls of one turn."""
        turn = Turn.of(question.turn.model)
        if self.setup.settings.calls == "separate" and turn.strategy != "direct":
            return self.next_parts(state, turn, question.about, judged)
        return [Due(AGENTS[turn.strategy], self.ask(turn.strategy, judged), turn.model, question.about, turn.run)]

    def ask(self, strategy: Strategy, judged: Judged) -> Any:
        """The question of a strategy in one call."""
        intent, table = self.intent, self.intent.table
        match strategy:
            case "direct":
                return grade_directly.Ask(table.query, intent.levels, intent.most, judged.query, judged.text)
            case "steps":
                return grade_by_steps.Ask(
                    sort=table.query,
                    levels=intent.levels,
                    answer=table.answer,
                    if_yes=intent.criteria(table.if_yes),
                    if_no=intent.criteria(table.if_no),
                    half=intent.half,
                    most=intent.most,
                    query=judged.query,
                    text=judged.text,
                )
        return grade_by_criteria.Ask(
            table.query, intent.levels, intent.criteria(), intent.most, judged.query, judged.text
        )

    def next_parts(self, state: GradeState, turn: Turn, about: str, judged: Judged) -> list[Due]:
        """The next of the separate calls: does it answer, the criteria, the grade."""
        table, found = self.intent.table, self.parts_of(state, turn, about)
        place = f"{about}:{turn.strategy}"

        def due(agent: Agent, ask: Any, part: str) -> Due:
            return Due(agent, ask, turn.model, f"{place}:{part}", turn.run)

        if turn.strategy == "steps" and "answers" not in found:
            ask = find_answer.Ask(table.query, table.answer, judged.query, judged.text)
            return [due(find_answer.agent, ask, "answers")]
        names = self.criteria_of(turn, found)
        if missing := [one for one in self.intent.criteria(names) if one.name not in found]:
            asks = [score_criterion.Ask(table.query, one, judged.query, judged.text) for one in missing]
            return [due(score_criterion.agent, ask, ask.criterion.name) for ask in asks]
        least, most = self.bounds(turn, found)
        scores = tuple(f"{name} {found[name]['score']}" for name in names)
        ask_grade = grade_from_scores.Ask(
            table.query, self.intent.levels, scores, least, most, judged.query, judged.text
        )
        return [due(grade_from_scores.agent, ask_grade, "grade")]

    def criteria_of(self, turn: Turn, found: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
        """Which criteria are scored."""
        table = self.intent.table
        if turn.strategy == "criteria":
            return tuple(table.criteria)
        return table.if_yes if found["answers"]["answers"] else table.if_no

    def bounds(self, turn: Turn, found: Mapping[str, Mapping[str, Any]]) -> tuple[int, int]:
        """Between which the grade lies."""
        if turn.strategy == "criteria":
            return 0, self.intent.most
        yes = found["answers"]["answers"]
        return (self.intent.half, self.intent.most) if yes else (0, self.intent.half - 1)

    def parts_of(self, state: GradeState, turn: Turn, about: str) -> dict[str, Mapping[str, Any]]:
        """What a turn has answered so far."""
        place = f"{about}/{turn.label}"
        return {part: value for (owner, part), value in state.parts.items() if owner == place}

    # ------------------------------------------------------------------------------------------------------ folding

    def fold(self, state: GradeState, answer: Answer) -> GradeState:
        """One more answer of a model: a ballot, or a part of one."""
        model, _, run = answer.by.rpartition("#")
        about, strategy, part = [*answer.about.split(":"), "", ""][:3]
        turn = Turn.of(f"{STRATEGY_OF.get(answer.step, strategy)}/{model}/{int(run) - 1}")
        if part in {"", "grade"}:
            return self.with_ballot(state, turn, about, answer.value)
        parts = {**state.parts, (f"{about}/{turn.label}", part): answer.value}
        return self.with_failed_parts(replace(state, parts=parts), turn, about)

    def with_failed_parts(self, state: GradeState, turn: Turn, about: str) -> GradeState:
        """Once all parts that were asked for together are there: a turn of which one has failed has failed."""
        found = self.parts_of(state, turn, about)
        failed = sorted(value["failure"] for value in found.values() if "failure" in value)
        first = found.get("answers", {}) if turn.strategy == "steps" else {"answers": True}
        asked = self.criteria_of(turn, found) if "answers" in first else ("answers",)
        if failed and all(name in found for name in asked):
            return self.with_ballot(state, turn, about, {"failure": failed[0]})
        return state

    def with_ballot(self, state: GradeState, turn: Turn, about: str, said: Mapping[str, Any]) -> GradeState:
        """A turn has graded, or has failed."""
        sheet, _, again = about.partition(".")
        failure = said.get("failure")
        words = {} if failure else {PAIR: Grade(PAIR, turn.label, said["grade"], said.get("reason", ""))}
        ballot = SheetAnswer(int(sheet), turn.label, 0, words, failure, int(again or 0))
        cast = with_ballot(state.cast, ballot)
        return replace(state, cast=cast, poll=state.poll.with_ballot(ballot, cast))

    def end(self, state: GradeState) -> Any:
        """The grade, or that people decide; None while models are asked."""
        return state.poll.end(PAIR)

    def words(self, state: GradeState) -> tuple[tuple[Turn, Grade], ...]:
        """All grades with whose they are."""
        return tuple((Turn.of(word.by), word) for word in state.poll.words(PAIR))

    def is_incomplete(self, state: GradeState) -> bool:
        """Whether a strategy that was asked gave no grade."""
        ballots = [ballot for said in state.cast.values() for ballot in said]
        return any(one.failure or one.words[PAIR].grade is None for one in ballots)

    def mean(self, state: GradeState) -> str:
        """The exact mean of the grades; "" of none."""
        return str(state.poll.counts[PAIR].tally.mean or "") if self.words(state) else ""
