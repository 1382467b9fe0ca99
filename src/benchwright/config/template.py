"""The commented campaign that `benchwright init` writes."""

import json
from collections.abc import Collection
from textwrap import fill

from benchwright.config.draft import kinds
from benchwright.config.faults import short_value
from benchwright.config.shapes import campaign_name
from benchwright.domain.keys import Where, flat, key_lines, nearest
from benchwright.domain.source import Inputs
from benchwright.errors import UsageError
from benchwright.pipelines import PIPELINES, PRESETS
from benchwright.pipelines.template import fill_template

WIDTH = 118  # characters of a line
SEVERAL = (
    "# Instead, several models vote, each asked several times."
    " Different models make a better panel than one asked often."
)

LONG_DOCUMENTS = """\
long_documents = "view"          # longer than the models' context: "view" takes whole sections that fit, or "refuse"
"""
RULE = """
# What a panel votes on is kept from `accept` on, rejected below `reject`; what lies between waits for people.
[rule]
accept = 0.8                     # kept exact; "5/9" is a way to write it too
reject = 0.7
quorum = 2                       # with fewer votes than this people decide
"""
AUDIT = """\
audit = 0.0                      # share of what votes keep or reject that people see too, to check the thresholds
"""


def template(name: str, pipeline: str = "recall") -> str:
    """The text of a first campaign of that name for a pipeline; `UsageError` where either cannot serve."""
    try:
        campaign_name(name)
    except ValueError as error:
        message = f"campaign name: {error}"
        raise UsageError(message) from error
    if pipeline not in kinds():
        message = f"unknown pipeline {short_value(pipeline)}{nearest(pipeline, kinds())}"
        raise UsageError(message)
    filled = {"name": json.dumps(name, ensure_ascii=False), **values(pipeline)}
    return switch_off(fill_template(__package__, "campaign", filled), preset_keys(pipeline))


def preset_keys(pipeline: str) -> set[Where]:
    """The keys that a preset of the pipeline sets: in a first campaign they would override it."""
    presets = (preset for preset in PRESETS.values() if preset.pipeline == pipeline)
    return {where for preset in presets for where, _ in flat(preset.tables)}


def switch_off(text: str, keys: Collection[Where]) -> str:
    """The text with the lines of these keys switched off."""
    numbers = {line for where, line in key_lines(text).items() if where in keys}
    lines = text.split("\n")
    return "\n".join(f"#{line}" if number in numbers else line for number, line in enumerate(lines, 1))


def values(pipeline: str) -> dict[str, str]:
    """What stands in the places of the template that are another for each pipeline."""
    kind, draft = kinds()[pipeline], PIPELINES[pipeline].starter()
    takes, votes = PIPELINES[pipeline].inputs, any(role.votes for role in PIPELINES[pipeline].roles)
    roles = f"Who does what. Every role may have a model of its own: {', '.join(kind.roles)}."
    return {
        "pipeline": draft.pipeline,
        "sources": " and ".join(one.value for one in takes),
        "long_documents": LONG_DOCUMENTS if Inputs.DOCUMENTS in takes and not PIPELINES[pipeline].splits else "",
        "preset": preset_lines(pipeline),
        "rule": RULE if votes else "",
        "audit": AUDIT if votes else "",
        "items": draft.items,
        "settings": draft.settings,
        "roles": fill(roles, WIDTH, initial_indent="# ", subsequent_indent="# "),
        "panels": "\n".join((*(panel_lines(kind.voters[0]) if kind.voters else ()), draft.panels)),
    }


def preset_lines(pipeline: str) -> str:
    """How to take the values of a published system, where there is one."""
    found = next(((name, one) for name, one in PRESETS.items() if one.pipeline == pipeline), None)
    if found is None:
        return ""
    name, preset = found
    values = (
        f"# The published values of {preset.system}. What this file says wins over them. So lines for what they set\n"
        "# are switched off below; these lines show what holds without them."
    )
    return f'{values}\n#preset = "{name}"\n\n'


def panel_lines(role: str) -> tuple[str, ...]:
    """Who votes."""
    return (
        f'{role} = {{ panel = ["tiny-voter"], runs = 3 }}',
        SEVERAL,
        f'#{role} = {{ panel = ["tiny", "tiny-voter"], runs = 2 }}',
        "# Providers with a batch API take half the price and up to a day: batch = true, in a role.",
    )
