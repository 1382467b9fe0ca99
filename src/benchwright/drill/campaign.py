"""The drill's campaign: short invented reports and a campaign file that asks the provider at an address."""

from pathlib import Path

from benchwright.domain.ids import seeded_random
from benchwright.pipelines.template import Play

NAME = "drill"
FILE = """\
# The campaign of a drill: its models string words together. What they say is worth nothing; what matters is that the
# set is the same however often its making is disturbed.
name = "drill"
pipeline = "{pipeline}"
corpus = ["reports"]
seed = {seed}

[items]
per_document = 1
tries = 2

{settings}
[rule]
accept = 0.6
reject = 0.5
quorum = 2

[models.writer]
base_url = "{url}"
model = "stub"
timeout = 3

[models.judge]
base_url = "{url}"
model = "other"
temperature = 1.0
timeout = 3

[roles]
default = "writer"
{votes} = {{ panel = ["writer", "judge"], runs = 2 }}
"""
ILLNESSES = ("Cholera", "Measles", "Dengue", "Hepatitis A", "Typhoid fever", "Meningitis", "Mpox", "Yellow fever")
PLACES = ("Ostrava Bay", "Halden", "Perrin", "Marrow Point", "Kestle", "Lower Vann", "Sorrel Island", "Tamble")
GROUPS = ("fishermen", "school children", "market traders", "nurses", "farm workers", "ferry crews")
SOURCES = ("a shared well", "a wedding", "the ferry", "a cattle fair", "the canal", "a school canteen")


def write(folder: Path, url: str, items: int, seed: int, play: Play) -> Path:
    """Write a campaign of so many items into a folder that is not there yet; its file."""
    reports = folder / "reports"
    reports.mkdir(parents=True)
    for number in range(1, items + 1):
        (reports / f"report-{number:03}.md").write_text(report(number, seed), "utf-8")
    file = folder / f"{NAME}.toml"
    file.write_text(
        FILE.format(url=url, seed=seed, pipeline=play.pipeline, settings=play.settings, votes=play.votes), "utf-8"
    )
    return file


def report(number: int, seed: int) -> str:
    """A report of a few lines, the same for the same number and seed."""
    chance = seeded_random("report", number, seed)
    illness, place, other = chance.choice(ILLNESSES), *chance.sample(PLACES, 2)
    group, source, ill = chance.choice(GROUPS), chance.choice(SOURCES), chance.randint(40, 400)
    first, weeks = chance.randint(1, 28), chance.randint(3, 12)
    return f"""\
---
licence: CC0-1.0
---
# {illness} in {place}, report {number}

## Findings

The first patient fell ill in {place} on {first} May. Within {weeks} weeks {ill} people were ill, {ill // 3} of them
in {other}. Most were {group}. The infection was traced to {source}.

## Response

A treatment centre of {ill // 5} beds was opened in {place}. In {other} mobile teams visited {ill * 9} homes. Of
{ill // 2} samples {ill // 4} were positive. The last patient went home {weeks + 2} weeks after the first fell ill.
"""
