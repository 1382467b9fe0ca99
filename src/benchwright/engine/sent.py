"""How the models of a campaign are really asked, on record: an export says it to whoever makes the set again."""

import asyncio
from typing import Any

from benchwright.domain.campaign import Campaign, Model
from benchwright.llm.providers.hosted import FAULTS, library
from benchwright.llm.providers.sent import describe_sent
from benchwright.store import campaigns
from benchwright.store.database import Database


async def record_sent(database: Database, campaign: Campaign) -> None:
    """Record it of each model that serves a role by chat."""
    models = [campaign.models[name] for name in campaign.serving_models]
    spoken = [model for model in models if model.provider in {"direct", "litellm"} and not model.embeds]
    found = {model.name: await describe(model) for model in spoken}
    await database.write(lambda connection: campaigns.record_sent(connection, found))


async def describe(model: Model) -> dict[str, Any]:
    """How a model is asked; that nobody knows, and why, where litellm cannot tell."""
    if model.provider == "direct":
        return describe_sent(model)
    litellm = await asyncio.to_thread(library, model)
    try:
        return await asyncio.to_thread(describe_sent, model, litellm)
    except (litellm.exceptions.openai.OpenAIError, *FAULTS) as error:
        return {"unknown": str(error)[:200]}
