"""Changing the rule in a campaign file: the values alone, so that comments and all else stay as they were."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.config.draft import kinds
from benchwright.config.load import parse
from benchwright.config.shapes import share
from benchwright.domain.campaign import Campaign
from benchwright.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

DIGITS = 6  # a threshold with more decimals is written as a fraction


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be another: thresholds as people type them ("0.75", "5/9"), the quorum, checkers that leave."""

    accept: str | None = None
    reject: str | None = None
    quorum: int | None = None
    drop: tuple[str, ...] = ()


def edit_file(path: Path, text: str, change: Change) -> tuple[str, Campaign]:
    """A campaign file's text with the change in it, and the campaign that it is then.

    Raises `UsageError` for what cannot be changed so, `ConfigError` for a file that was not sound before.
    """
    import tomlkit

    voters = kinds()[parse(path, text).pipeline].voters
    document = tomlkit.parse(text)
    thresholds = {"accept": change.accept, "reject": change.reject}
    rule: dict[str, Any] = {key: threshold_text(key, value) for key, value in thresholds.items() if value is not None}
    if change.quorum is not None:
        rule["quorum"] = change.quorum
    if rule and "rule" not in document:
        document["rule"] = tomlkit.table()
    for key, value in rule.items():
        table: Any = document["rule"]
        table[key] = value
    for name in change.drop:
        drop(document, voters, name)
    new = tomlkit.dumps(document)
    try:
        return new, parse(path, new)
    except ConfigError as error:  # the file was sound before: what was typed is at fault, not a line of the file
        told = re.sub(rf"^{re.escape(str(path))}(?::\d+)?: ", "", str(error), flags=re.MULTILINE)
        raise UsageError(f"{typed_words(change)}: {told}") from error


def typed_words(change: Change) -> str:
    """The change as it is typed."""
    values = {"accept": change.accept, "reject": change.reject, "quorum": change.quorum}
    words = [f"--{name} {value}" for name, value in values.items() if value is not None]
    return " ".join([*words, *(f"--drop-checker {name}" for name in change.drop)])


def threshold_text(key: str, value: str) -> float | str:
    """A threshold as the file says it: a decimal where that is exact, else a fraction."""
    try:
        exact = share(value)
    except ValueError as error:
        message = f"--{key} {error}"
        raise UsageError(message) from error
    decimal = round(float(exact), DIGITS)
    return decimal if Fraction(str(decimal)) == exact else str(exact)


def drop(document: "TOMLDocument", voters: Sequence[str], name: str) -> None:
    """Take a checker out of every panel that it sits on."""
    roles: Any = document["roles"]
    panels = [roles[role]["panel"] for role in voters if role in roles and not isinstance(roles[role], str)]
    holding = [panel for panel in panels if name in panel]
    if not holding:
        known = ", ".join(sorted({str(checker) for panel in panels for checker in panel}))
        message = f"no checker is called {name!r}: the panel is {known or 'a single model, which has to stay'}"
        raise UsageError(message)
    for panel in holding:
        panel.remove(name)
