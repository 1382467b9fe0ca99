"""Judge every option of a question whose answer must be inferred, as blind as `check_option`: the prompt differs.

Nothing of what graphs know is shown: an item must be decided by the document and general knowledge alone.
"""

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.choice import check_option
from benchwright.agents.choice.check_option import Ask, check, schema, settle
from benchwright.agents.text import Relied, Thought


class Verdict(check_option.Verdict):
    """The sentences that decide, why, and what the option is; the rules say what each verdict means."""


class Answer(BaseModel):
    """The checker's own answer with its sentences, before it judges any option; then a verdict under each letter."""

    model_config = ConfigDict(extra="forbid")

    answer: Thought
    sentences: Relied
    verdicts: dict[str, Verdict]


agent = Agent("check_inference", Ask, Answer, check, schema, settle)
