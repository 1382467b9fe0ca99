"""The kinds of text and of numbers that the answers of any agent are made of."""

from typing import Annotated

from pydantic import AfterValidator, Field

from benchwright.agents.citing import EVIDENCE_MOST, Citation


def one_line(text: str) -> str:
    """The text on one line; an error where nothing is left."""
    folded = " ".join(text.split())
    if not folded:
        message = "this text is empty: write it"
        raise ValueError(message)
    return folded


def once(numbers: list[int]) -> list[int]:
    """The numbers in their order, each once: a repetition says nothing new."""
    return list(dict.fromkeys(numbers))


# The lengths bound only what the embedded engine may write; a longer reply is no fault.
Line = Annotated[str, AfterValidator(one_line), Field(json_schema_extra={"minLength": 1, "maxLength": 120})]
Reason = Annotated[str, AfterValidator(one_line), Field(json_schema_extra={"minLength": 1, "maxLength": 160})]
Thought = Annotated[str, AfterValidator(one_line), Field(json_schema_extra={"minLength": 1, "maxLength": 300})]
Numbers = Annotated[list[int], AfterValidator(once), Field(min_length=1)]
Evidence = Annotated[list[int], AfterValidator(once), Field(min_length=1, max_length=EVIDENCE_MOST), Citation()]
# What somebody looked at before they judged: perhaps nothing.
Relied = Annotated[list[int], AfterValidator(once), Field(min_length=0, max_length=EVIDENCE_MOST), Citation()]
MaskedEvidence = Annotated[
    list[int], AfterValidator(once), Field(min_length=1, max_length=EVIDENCE_MOST), Citation("masked")
]
# The same where there may be nothing to cite: no question, no answer.
MaybeEvidence = Annotated[
    list[int],
    AfterValidator(once),
    Field(max_length=EVIDENCE_MOST, json_schema_extra={"minItems": 0}),
    Citation(),
]
# Sentences that are combined: one alone does not carry the claim.
Pieces = Annotated[list[int], AfterValidator(once), Field(min_length=2, max_length=EVIDENCE_MOST), Citation()]
