"""Judge every option of a question whose answer must be inferred, as blind as `check_option`: the prompt differs.

Nothing of what graphs know is shown: an item must be decided by the document and general knowledge alone.
"""

from benchwright.agents.base import Agent
from benchwright.agents.check_option import Answer, Ask, check, schema, settle

agent = Agent("check_inference", Ask, Answer, check, schema, settle)
