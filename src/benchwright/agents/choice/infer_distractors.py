"""Design wrong conclusions, each by another kind of error (EpiQAL-B, section 3.5; the families also of its code)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, Quoted, narrow_schema, own_schema
from benchwright.agents.choice.mending import object_to_options
from benchwright.agents.choice.wording import demand_new, demand_uncopied, demand_unstated
from benchwright.agents.text import Evidence, Line, Reason
from benchwright.domain.document import Reading
from benchwright.errors import BadReply

Family = Literal[
    "attribution_shift",
    "causal_reversal",
    "principle_mismatch",
    "method_misuse",
    "variable_mix_up",
    "violated_assumption",
]
FAMILIES: tuple[str, ...] = get_args(Family)


@dataclass(frozen=True, slots=True)
class Ask:
    """`wanted` wrong options beside the `correct` ones, each of another of these `families`.

    `taken` are used or have failed already; `nearby` quotes numbered sentences to look at first.
    """

    question: str
    nearby: Quoted
    correct: tuple[str, ...]
    taken: tuple[str, ...]
    families: tuple[str, ...]
    wanted: int
    language: str

    @property
    def most(self) -> int:
        """How many options there may be: one of each family."""
        return min(self.wanted, len(self.families))


class Option(BaseModel):
    """One wrong conclusion: its kind of error, the error, why it tempts, the sentences it starts from, the text."""

    model_config = ConfigDict(extra="forbid")

    family: Family
    flaw: Reason
    temptation: Reason
    evidence: Evidence
    text: Line


class Answer(BaseModel):
    """The wrong options."""

    model_config = ConfigDict(extra="forbid")

    options: list[Option]


def open_families(families: Sequence[str], taken: Collection[str]) -> tuple[str, ...]:
    """The families of which there is no option yet; all of them where none is left."""
    return tuple(family for family in families if family not in taken) or tuple(families)


def check(ask: Ask, answer: Answer) -> None:
    """At most as many as wanted, of a family each, one of them at least neither correct nor used before."""
    if len(answer.options) > ask.most:
        message = f"there are {len(answer.options)} options: give the best {ask.most}"
        raise BadReply(message)
    left = list(ask.families)
    for option in answer.options:
        if option.family not in left:
            message = f"{option.text!r} is one {option.family} too many: give one each of {', '.join(ask.families)}"
            raise BadReply(message)
        left.remove(option.family)
    demand_new([option.text for option in answer.options], (*ask.correct, *ask.taken), "a correct or taken option")


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """One option at least that does not stand in the document."""
    texts = [option.text for option in answer.options]
    demand_unstated(texts, reading.text)
    demand_uncopied(texts, agent.prompt.examples, reading.text)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """At most as many options as wanted, of the wanted families."""
    own = own_schema(agent, ask)
    option = narrow_schema(own["$defs"]["Option"], "family", enum=list(ask.families))
    return narrow_schema(own, "options", maxItems=ask.most) | {"$defs": own["$defs"] | {"Option": option}}


def settle(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """The options as those of every pipeline: the family is the confusion, flaw and temptation are the rationale."""
    return {
        "options": [
            {
                "confusion": option["family"],
                "rationale": f"{option['flaw'].rstrip('.')}; it tempts because {option['temptation']}",
                "evidence": option["evidence"],
                "text": option["text"],
            }
            for option in body["options"]
        ]
    }


def object_to(ask: Ask, answer: Answer, reading: Reading) -> list[str]:
    """Numbers beside their sentences, what comes from examples, flaws of wording."""
    options = [(option.text, option.evidence) for option in answer.options]
    return object_to_options(options, ask.question, ask.correct, agent.prompt.examples, reading)


agent = Agent("infer_distractors", Ask, Answer, check, schema, settle, against, object_to)
