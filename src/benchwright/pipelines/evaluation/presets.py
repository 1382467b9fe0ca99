"""The values of EpiQAL's evaluation (arXiv 2601.03471, section 4.1), by name.

The paper asks each model at temperature 0.3, without and with a chain of thought; its released code asks once. Whether
general knowledge counts depends on the set (A: no; B and C: yes), so no preset says it.
"""

from benchwright.pipelines.template import Preset


def preset(system: str, *, reasoning: bool) -> Preset:
    """The values of the paper, with or without reasons before the answer."""
    return Preset(
        pipeline="evaluation",
        system=system,
        tables={"evaluation": {"conditions": ["full"], "reasoning": reasoning, "shots": 0, "order": "set"}},
        runs=1,
        voter_temperature=0.3,
        writer_temperature=0.3,
    )


PRESETS = {
    "epiqal-plain": preset("EpiQAL's evaluation", reasoning=False),
    "epiqal-cot": preset("EpiQAL's evaluation with reasoning", reasoning=True),
}
