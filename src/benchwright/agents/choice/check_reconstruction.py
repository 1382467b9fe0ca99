"""Judge every option of a question whose answer must be concluded, as blind as `check_option`: the prompt differs.

What the masked part says is not shown: an item must be decided without it (EpiQAL-C, section 3.5.1).
"""

from benchwright.agents.base import Agent
from benchwright.agents.choice.check_inference import Answer
from benchwright.agents.choice.check_option import Ask, check, schema, settle

agent = Agent("check_reconstruction", Ask, Answer, check, schema, settle)
