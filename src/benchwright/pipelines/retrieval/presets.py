"""The values of DisastIR (arXiv 2505.15856), by name."""

from benchwright.pipelines.template import Preset

# Sections 3.3-3.6 and 5, appendix A: 200 queries a task, passages of fewer than 256 tokens, cosine 0.9, the ten best of
# dense models by exact and HNSW search, three strategies by one model at temperature 0, each part of a strategy a call
# of its own, the mean of the grades. The paper checks no consistency, asks people about no grade, and plants nothing.
PRESETS = {
    "disastir": Preset(
        pipeline="retrieval",
        system="DisastIR",
        tables={
            "retrieval": {
                "queries": 200,
                "passage_tokens": 255,
                "repeated_passage": 0.9,
                "needs": 3,
                "inconsistent": "keep",
                "review_queries": "never",
                "repeated_queries": "keep",
                "depth": 10,
                "bm25": False,
                "modes": ("exact", "hnsw"),
                "planted": 0.0,
                "strategies": ("direct", "steps", "criteria"),
                "calls": "separate",
                "rounding": "half_up",
                "bound": 10,
                "quorum": 1,
                "waves": "eager",
            },
        },
        runs=1,
        voter_temperature=0.0,
        writer_temperature=0.0,
    ),
}
