"""Judge every option of a question whose answer must be concluded, as blind as `check_option`, by the document alone.

What the masked part says is not shown: an item must be decided without it (EpiQAL-C, section 3.5.1).
"""

from pydantic import BaseModel, ConfigDict

from benchwright.agents import check_option
from benchwright.agents.base import Agent
from benchwright.agents.check_option import Ask, check, schema, settle


class Verdict(check_option.Verdict):
    """Why, and what the option is.

    `correct`: follows from several parts, and answers the question; `wrong`: about the matter, but does not follow;
    `flawed`: stated in one sentence, about something else, or with a figure of nowhere; `cannot_say`: the document
    contradicts itself.
    """


class Answer(BaseModel):
    """A verdict under each letter."""

    model_config = ConfigDict(extra="forbid")

    verdicts: dict[str, Verdict]


agent = Agent("check_reconstruction", Ask, Answer, check, schema, settle)
