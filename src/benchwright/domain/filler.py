"""Words that mean nothing together: what invented documents and models that only pretend are made of."""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

from benchwright.domain.ids import seeded_random

WORDS = re.findall(
    r"\w+",
    "cholera measles dengue mpox fever coast valley delta market clinic river district camp school ferry well spring "
    "autumn harvest monsoon nurses farmers children traders samples wells vaccine rumour border quarter flood drought",
)


def phrase(*parts: object, among: Sequence[str] = WORDS) -> str:
    """Some words that depend on the parts alone."""
    return " ".join(seeded_random(*parts).choices(among, k=7))


def digest(body: dict[str, Any]) -> str:
    """The SHA-256 of JSON values, whatever the order of their keys."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
