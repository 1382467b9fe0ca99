"""Write a question for each time frame about one incident in one place (RESPONSE, section 3).

One call writes all that are missing, so that the time frames stand against each other. The writer sees what is missing
in the scene, and neither solutions nor explanations: these are the gold.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, own_schema
from benchwright.agents.crisis.frames import WORDS
from benchwright.agents.crisis.time import MEANING, TIME_FRAMES, TimeFrame

# An empty question is one that is missing: it is asked for again.
Sentence = Annotated[
    str, AfterValidator(lambda text: " ".join(text.split())), Field(json_schema_extra={"maxLength": 240})
]
NAMED = "name the place and the time in plain words"
PARAPHRASED = "paraphrase the place and the time: say them in other words than the labels, as people talk"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A time frame for which a question is missing."""

    time: TimeFrame

    def __str__(self) -> str:
        """The line that the writer sees."""
        return f"{self.time}: {MEANING[self.time]}"


@dataclass(frozen=True, slots=True)
class Ask:
    """Questions for these time frames; `faults` say what was wrong with those written before."""

    incident: str
    place: str
    problem: str
    resource: str
    wanted: tuple[Wanted, ...]
    wording: str
    faults: tuple[str, ...]
    language: str


class Answer(BaseModel):
    """A question for each time frame that was asked for."""

    model_config = ConfigDict(extra="forbid")

    immediate: Sentence = ""
    week: Sentence = ""
    month: Sentence = ""


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """An object with exactly the time frames that are asked for."""
    whole = own_schema(agent, ask)
    names = [one.time for one in ask.wanted]
    own = {name: {"type": "string", "minLength": 20, "maxLength": 240} for name in TIME_FRAMES if name in names}
    return whole | {"properties": own, "required": list(own)}


def settle(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """Only the questions that were asked for: of others there are some that stand."""
    names = [one.time for one in ask.wanted]
    return {name: text if name in names else "" for name, text in body.items()}


agent = Agent("write_questions", Ask, Answer, schema=schema, settle=settle, frame=WORDS)
