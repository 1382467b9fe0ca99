"""The values of EpiQAL (arXiv 2601.03471), by name."""

from decimal import Decimal

from benchwright.pipelines.template import Preset

RULE = {"accept": Decimal("0.8"), "reject": Decimal("0.7")}
# Of nine models; alpha and threshold as in its section 3.6. The released set was rebuilt with alpha 0.3, threshold 0.2
# and four models: these are our defaults.
REFINE = {
    "alpha": 0.7,
    "threshold": 0.9,
    "margin": 0.0,
    "measures": 1,
    "rounds": 3,
    "snippets": 6,
    "replace": 0,
    "keep": "hardest",
}
# The papers have no panel on questions or on cited sentences, and a vote is a vote, whose family it may be of.
AS_PUBLISHED = {"check_stems": False, "check_evidence": False, "family_veto": False}
EVERY_ITEM_HAS_ONE = {"distractors": 4, "several_correct": 0.0, "none_correct": 0.0, "no_correct": "keep"}

# EpiQAL is arXiv 2601.03471; its one item per document is our default too.
PRESETS = {
    "epiqal-a": Preset(
        pipeline="recall",
        system="EpiQAL-A",
        tables={
            "rule": RULE,
            "recall": {
                "topics": "model",
                "distractors": 3,
                "every_correct": True,
                "no_correct": "keep",
                **AS_PUBLISHED,
            },
        },
        runs=3,
        voter_temperature=1.0,
        writer_temperature=0.0,
    ),
    "epiqal-b": Preset(
        pipeline="inference",
        system="EpiQAL-B",
        tables={
            "rule": RULE,
            "inference": {"topics": "model", "refine": REFINE, **EVERY_ITEM_HAS_ONE, **AS_PUBLISHED},
        },
        runs=3,
        voter_temperature=1.0,
        writer_temperature=0.0,
    ),
    "epiqal-c": Preset(
        pipeline="reconstruction",
        system="EpiQAL-C",
        tables={
            "rule": RULE,
            "reconstruction": {"title": "masked", "refine": REFINE, **EVERY_ITEM_HAS_ONE, **AS_PUBLISHED},
        },
        runs=3,
        voter_temperature=1.0,
        writer_temperature=0.0,
    ),
}
