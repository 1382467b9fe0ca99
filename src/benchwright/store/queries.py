"""Named SQL: each noun's `.sql` file holds its statements, each under a line `-- name: what it does`.

Values go in by name (`:name`); by place (`?`) in what every ticket costs, for a name costs a look-up each time.
"""

import re
from functools import cache
from importlib.resources import files


@cache
def load(noun: str) -> dict[str, str]:
    """The statements of `NOUN.sql` by name."""
    text = files(__package__).joinpath(f"{noun}.sql").read_text("utf-8")
    parts = re.split(r"^-- (\w+): .*\n", text, flags=re.MULTILINE)[1:]
    return {name: body.strip().rstrip(";") for name, body in zip(parts[::2], parts[1::2], strict=True)}


def nouns() -> list[str]:
    """Every noun that has statements."""
    return sorted(
        entry.name.removesuffix(".sql") for entry in files(__package__).iterdir() if entry.name.endswith(".sql")
    )
