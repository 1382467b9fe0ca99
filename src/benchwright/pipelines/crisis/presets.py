"""The values of RESPONSE (arXiv 2503.11348), by name."""

from benchwright.pipelines.template import Preset

# Section 3, Preprocessing: traffic, and what few survive or see. The labels are those of Incidents1M.
EXCLUDED = [
    "traffic jam",
    "car accident",
    "bus accident",
    "truck accident",
    "van accident",
    "motorcycle accident",
    "bicycle accident",
    "nuclear explosion",
    "volcanic eruption",
]


def preset(action_words: int, system: str) -> Preset:
    """The values of the paper, with so many words of an action."""
    return Preset(
        pipeline="crisis",
        system=system,
        tables={
            "crisis": {
                "exclude": EXCLUDED,
                "answered_pairs": 3,  # in the released code
                "action_words": action_words,
                "explanation_words": 15,
                "formula": "x/5",
                "compared": 1.0,
                "evaluators": 1,
            }
        },
        runs=1,
        voter_temperature=0.0,
        writer_temperature=0.0,
    )


PRESETS = {
    "response": preset(15, "RESPONSE"),  # section 4.1
    "response-10": preset(10, "RESPONSE with 10 words of an answer, as its released code has it"),
}
