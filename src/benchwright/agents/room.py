"""How much of a document every role of a campaign can be shown."""

from collections.abc import Iterable

from benchwright.agents.base import Agent
from benchwright.domain.campaign import Campaign

TASK = 800  # tokens that a task with its lists and a template's marks may take beside rules and examples
MASKED = 4  # of so many parts of the room, one is for what a question quotes of a masked part


def room(campaign: Campaign, agents: Iterable[Agent]) -> int:
    """Tokens of a document that the smallest context holds beside the longest prompt."""
    used = [campaign.models[name] for name in campaign.serving_models if not campaign.models[name].embeds]
    rules = max(agent.prompt.size for agent in agents)
    holds = [model.context - model.max_tokens for model in used]
    lets_through = [model.tpm for model in used if model.tpm]  # a prompt of more than a minute's tokens never leaves
    return min(holds + lets_through) - rules - TASK


def masked_room(holds: int) -> int:
    """Tokens of a masked part that are quoted at most, of the room for a document."""
    return holds // MASKED
