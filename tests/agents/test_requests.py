"""What is asked stays what it was: the ledger's key of one request of each agent, with its prompt and its schema.

A changed prompt file changes it, and so does a changed answer type: then campaigns that have begun ask those questions
anew. `BENCHWRIGHT_GOLDEN=write pytest tests/agents` writes the file anew.
"""

import json
import os
from pathlib import Path

from tests.agents.asks import ONE_OF_EACH, agent, read_by

from benchwright.agents.base import request
from benchwright.domain.campaign import Model

GOLDEN = Path(__file__).with_name("requests.json")
MODEL = Model("small", "local", "smollm2")


def test_requests_and_answer_types_have_the_ids_that_ledgers_and_recipes_know() -> None:
    made = {
        name: {
            "request": request(agent(name), ask, read_by(name), MODEL, 0, 1).id,
            "schema": agent(name).schema_id,
        }
        for name, ask in ONE_OF_EACH.items()
    }
    if os.environ.get("BENCHWRIGHT_GOLDEN") == "write":
        GOLDEN.write_text(json.dumps(made, indent=2, sort_keys=True) + "\n", "utf-8")
    assert made == json.loads(GOLDEN.read_text("utf-8"))
