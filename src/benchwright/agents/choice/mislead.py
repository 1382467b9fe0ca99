"""Write conclusions that the document does not bear out, most of them from its masked part (EpiQAL-C, section 3.5)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, Masked, narrow_schema, own_schema
from benchwright.agents.choice.wording import demand_new, demand_uncopied, demand_unstated
from benchwright.agents.citing import EVIDENCE_MOST, Citation
from benchwright.agents.text import Evidence, Line, Reason, once
from benchwright.domain.document import Reading
from benchwright.errors import BadReply

Kind = Literal[
    "limitation_or_future_work", "outside_literature", "background", "incorrect_conclusion", "causal_reversal"
]
KINDS: tuple[str, ...] = get_args(Kind)
SOURCED = KINDS[:3]  # which put a masked sentence into the form of an answer
Sources = Annotated[
    list[int],
    AfterValidator(once),
    Field(max_length=EVIDENCE_MOST, json_schema_extra={"minItems": 0}),
    Citation("masked"),
]


@dataclass(frozen=True, slots=True)
class Ask:
    """`wanted` wrong options beside the `correct` ones, one of each of these `kinds` as long as others are left.

    `taken` are used or have failed already.
    """

    masked: Masked
    question: str
    correct: tuple[str, ...]
    taken: tuple[str, ...]
    kinds: tuple[str, ...]
    wanted: int
    language: str


class Option(BaseModel):
    """One wrong conclusion: its kind, the masked sentences it comes from, those that show the flaw, the flaw, the text.

    The last two kinds may come from no masked sentence.
    """

    model_config = ConfigDict(extra="forbid")

    kind: Kind
    discussion: Sources
    evidence: Evidence
    flaw: Reason
    text: Line


class Answer(BaseModel):
    """The wrong options."""

    model_config = ConfigDict(extra="forbid")

    options: list[Option]


def open_kinds(kinds: Sequence[str], taken: Collection[str]) -> tuple[str, ...]:
    """The kinds of which there is no option yet; all of them where none is left."""
    return tuple(kind for kind in kinds if kind not in taken) or tuple(kinds)


def check(ask: Ask, answer: Answer) -> None:
    """At most as many as wanted, one of them at least usable and neither correct nor used before."""
    if len(answer.options) > ask.wanted:
        message = f"there are {len(answer.options)} options: give the best {ask.wanted}"
        raise BadReply(message)
    kept = usable(ask, answer.model_dump()["options"])
    if answer.options and not kept:
        kinds = ", ".join(ask.kinds)
        message = f"kind must be one of {kinds}, and discussion name the sentences that {', '.join(SOURCED)} come from"
        raise BadReply(message)
    demand_new([option["text"] for option in kept], (*ask.correct, *ask.taken), "a correct or taken option")


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """One option at least stands nowhere in the document."""
    texts = [option["text"] for option in usable(ask, answer.model_dump()["options"])]
    demand_unstated(texts, reading.text)
    demand_uncopied(texts, agent.prompt.examples, f"{reading.text}\n{ask.masked.text(reading)}")


def usable(ask: Ask, options: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The options of a kind that is wanted, from masked sentences where that is its nature.

    A kind again is passed over as long as another is left: the next round is asked for that.
    """
    left, kept = list(ask.kinds), []
    for option in options:
        kind = option["kind"]
        if (kind in left or not left) and (option["discussion"] or kind not in SOURCED):
            left = [other for other in left if other != kind]
            kept.append(option)
    return kept


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """At most as many options as wanted, and only of the wanted kinds where these suffice."""
    own = own_schema(agent, ask)
    kinds = ask.kinds if ask.wanted <= len(ask.kinds) else KINDS
    option = narrow_schema(own["$defs"]["Option"], "kind", enum=list(kinds))
    return narrow_schema(own, "options", maxItems=ask.wanted) | {"$defs": own["$defs"] | {"Option": option}}


def settle(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """The usable options as those of every pipeline: the kind is the confusion, the flaw the rationale."""
    names = {"kind": "confusion", "flaw": "rationale"}
    kept = usable(ask, body["options"])
    return {"options": [{names.get(key, key): value for key, value in option.items()} for option in kept]}


agent = Agent("mislead", Ask, Answer, check, schema, settle, against)
