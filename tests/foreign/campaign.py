"""A small campaign of the stranger's pipeline: six records in a file, two graders."""

import json
from pathlib import Path

from benchwright.domain.filler import phrase

RECORDS, DEPTH = 6, 2
CAMPAIGN = """
name = "pairs"
pipeline = "pairs"
corpus = ["records.jsonl"]
[pairs]
depth = {depth}
[models.writer]
base_url = "{url}"
model = "stub"
width = 2
[models.second]
base_url = "{url}"
model = "other"
width = 2
[roles]
default = "writer"
grade_pair = {{ panel = ["writer", "second"] }}
"""


def campaign(folder: Path, url: str) -> Path:
    """A campaign file with its records."""
    folder.mkdir(parents=True, exist_ok=True)
    records = [{"id": f"d{number}", "text": f"It tells of {phrase(number)}."} for number in range(RECORDS)]
    (folder / "records.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    file = folder / "pairs.toml"
    file.write_text(CAMPAIGN.format(url=url, depth=DEPTH), "utf-8")
    return file
