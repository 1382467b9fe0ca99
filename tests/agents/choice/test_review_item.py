"""What people may say of an item as a whole."""

import pytest
from pydantic import ValidationError

from benchwright.agents.choice.review_item import Answer


@pytest.mark.parametrize(
    "said",
    [
        {"decision": "discard", "reason": "not sound"},
        {"decision": "edit", "text": "Which market?"},
        {"decision": "withdraw", "reason": "", "text": ""},
    ],
)
def test_an_item_is_discarded_for_a_reason_or_its_question_is_edited(said: dict[str, str]) -> None:
    assert Answer.model_validate(said).decision == said["decision"]


@pytest.mark.parametrize(
    "said",
    [
        {"decision": "discard", "reason": " "},
        {"decision": "discard", "reason": "so", "text": "Which market?"},
        {"decision": "edit", "text": " "},
        {"decision": "keep"},
    ],
)
def test_what_is_neither_is_refused(said: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Answer.model_validate(said)
