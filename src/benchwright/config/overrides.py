"""What a campaign file says otherwise than the preset that it names: it wins, so that has to be said."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchwright.config.draft import kinds
from benchwright.config.load import parse, parse_toml, read
from benchwright.domain.campaign import Campaign
from benchwright.domain.keys import Where, dotted_key, flat, key_lines
from benchwright.pipelines import PRESETS
from benchwright.pipelines.template import Preset


def describe_overrides(path: Path) -> tuple[str, ...]:
    """One line for each key of a sound file that overrides its preset; none where it names no preset."""
    text = read(path)
    data, campaign = parse_toml(path, text), parse(path, text)
    preset = PRESETS.get(data.get("preset", ""))
    if preset is None:
        return ()
    lines = key_lines(text)
    every = (*tables(data, preset), *runs(data, campaign, preset), *temperatures(data, campaign, preset))
    found = tuple(dict.fromkeys(every))
    return tuple(
        f"{path}:{line_of(where, lines)}: {dotted_key(where)} = {told} overrides the preset's {meant}"
        for where, told, meant in found
    )


def line_of(where: Where, lines: Mapping[Where, int]) -> int:
    """The line of a key, or of the table around it."""
    return next(lines[where[:depth]] for depth in range(len(where), 0, -1) if where[:depth] in lines)


Override = tuple[Where, str, str]  # a key, what the file says, what the preset says


def tables(data: Mapping[str, Any], preset: Preset) -> Iterator[Override]:
    """The keys of tables."""
    given = dict(flat({name: data[name] for name in preset.tables if isinstance(data.get(name), Mapping)}))
    for where, meant in flat(preset.tables):
        for place in (where[:depth] for depth in range(2, len(where) + 1)):  # refine = false takes a whole table away
            if place in given and plain(given[place]) != plain(meant):
                yield place, written(given[place]), written(meant) if place == where else "table"


def runs(data: Mapping[str, Any], campaign: Campaign, preset: Preset) -> Iterator[Override]:
    """How often roles that vote are asked."""
    for role in kinds()[campaign.pipeline].voters:
        table = data["roles"].get(role, data["roles"].get("default"))
        if isinstance(table, Mapping) and table.get("runs", preset.runs) != preset.runs:
            yield ("roles", role if role in data["roles"] else "default", "runs"), str(table["runs"]), str(preset.runs)


def temperatures(data: Mapping[str, Any], campaign: Campaign, preset: Preset) -> Iterator[Override]:
    """The temperatures of models that serve a role."""
    voters = kinds()[campaign.pipeline].voices
    for name, table in data["models"].items():
        roles = [role for role, panel in campaign.roles.items() if name in panel.models]
        wanted = {preset.voter_temperature if role in voters else preset.writer_temperature for role in roles}
        if "temperature" in table and wanted - {campaign.models[name].temperature}:
            meant = " and ".join(map(str, sorted(wanted)))
            yield ("models", name, "temperature"), written(table["temperature"]), meant


def plain(value: Any) -> Any:
    """A value as it can be compared: 0.80 and "4/5" are the same."""
    try:
        return Fraction(str(value)) if isinstance(value, str | int | float | Decimal) else value
    except (ValueError, ZeroDivisionError):
        return value


def written(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
